import { checkText } from '../check-values.js';
import { DetectError } from '../errors.js';
import type { ScanResult } from '../types.js';
import { type GateOptions, OutputGate } from './output-gate.js';

/** A web stream of text, with the verdict on all that went in. */
export interface ScanStream extends TransformStream<string, string> {
  /**
   * Settles when the writable side has been closed. Rejects with DetectError `unfinished-reply`, and with the reason as
   * its cause, when the reply broke off or the reader left before: part of a reply has no verdict, since what was
   * harmless so far could have become a finding. Nobody needs to look at it.
   */
  readonly result: Promise<ScanResult>;
}

/**
 * Makes a stream that shows a reply as it comes, except what could still become a finding. After a finding the
 * rest is read, for the verdict, but not shown. A piece that is no string, such as bytes that were not decoded, breaks the
 * stream off with DetectError `bad-text`.
 *
 * @example
 * const guard = createScanStream({ canaries: [canary] });
 * for await (const text of reply.pipeThrough(guard)) show(text);
 * const { verdict } = await guard.result;
 */
export function createScanStream(options: GateOptions = {}): ScanStream {
  const gate = new OutputGate(options);
  let settle: (result: ScanResult) => void;
  let fail: (reason: unknown) => void;
  const result = new Promise<ScanResult>((resolve, reject) => {
    settle = resolve;
    fail = reject;
  });
  // Whoever only reads the text need not look at the verdict.
  result.catch(() => undefined);
  const transformer = {
    transform(piece: string, controller: TransformStreamDefaultController<string>) {
      try {
        // Bytes would be written out as numbers, in which nothing is found.
        checkText(piece);
        const text = gate.push(piece);
        if (text !== '') controller.enqueue(text);
      } catch (error) {
        fail(error);
        throw error;
      }
    },
    flush(controller: TransformStreamDefaultController<string>) {
      try {
        const { text, result: verdict } = gate.end();
        if (text !== '') controller.enqueue(text);
        settle(verdict);
      } catch (error) {
        fail(error);
        throw error;
      }
    },
    /** Called for an abort of one side and a cancellation of the other. */
    cancel(reason: unknown) {
      const message = 'the reply was not read to its end, so there is no verdict on it';
      fail(new DetectError('unfinished-reply', message, { cause: reason }));
    },
  };
  return Object.assign(new TransformStream(transformer), { result });
}
