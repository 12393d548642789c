/**
 * Guards a model of the AI SDK: prompts before they are sent, results of tools before they are read, and replies
 * before they are shown, streamed or not.
 *
 *     import { OutputGate, Scanner } from '@pab/detect';
 *     import { wrapLanguageModel } from 'ai';
 *
 *     const middleware = guardMiddleware({ scanner: new Scanner(), gate: () => new OutputGate({ canaries }) });
 *     const model = wrapLanguageModel({ model: anyModel, middleware });
 */
import { type Guards, PromptRejected, WITHHELD } from './guard.js';

/** What the middleware touches of a message, a reply and a stream. Anything else passes through. */
interface Part {
  readonly type: string;
  readonly text?: string;
  readonly output?: { readonly type: string; readonly value?: unknown };
}
interface Message {
  readonly role: string;
  readonly content: string | readonly Part[];
}
interface Params {
  readonly prompt: readonly Message[];
}
interface Reply {
  readonly content: readonly Part[];
}
interface StreamPart {
  readonly type: string;
  readonly id?: string;
  readonly delta?: string;
}
interface StreamReply {
  readonly stream: ReadableStream<StreamPart>;
}

/** How deep results of tools are looked into. */
const DEEPEST = 16;

export function guardMiddleware({ scanner, gate, report }: Guards) {
  function checkedPrompt(text: string): void {
    const scan = scanner.scan(text);
    if (scan.verdict !== 'benign') report?.('input', scan);
    if (scan.verdict === 'malicious') throw new PromptRejected(scan);
  }

  function checkedContext(text: string): string {
    const scan = scanner.scanContext(text);
    if (scan.verdict !== 'benign') report?.('context', scan);
    return scan.verdict === 'malicious' ? WITHHELD : text;
  }

  function checkedValue(value: unknown, depth = 0): unknown {
    if (typeof value === 'string') return checkedContext(value);
    if (typeof value !== 'object' || value === null) return value;
    if (depth >= DEEPEST) return WITHHELD;
    if (Array.isArray(value)) return value.map((one) => checkedValue(one, depth + 1));
    return Object.fromEntries(
      Object.entries(value).map(([key, one]) => [key, checkedValue(one, depth + 1)]),
    );
  }

  function checkedMessage(message: Message, isLast: boolean): Message {
    const { role, content } = message;
    if (typeof content === 'string') return message;
    if (role === 'user' && isLast) {
      for (const { type, text } of content) {
        if (type === 'text' && text !== undefined) checkedPrompt(text);
      }
    }
    if (role !== 'tool') return message;
    return {
      ...message,
      content: content.map((part) =>
        part.output === undefined
          ? part
          : { ...part, output: { ...part.output, value: checkedValue(part.output.value) } },
      ),
    };
  }

  function checkedReply(text: string): string {
    const one = gate();
    const shown = one.push(text);
    const { text: rest, result } = one.end();
    if (result.verdict === 'benign') return shown + rest;
    report?.('output', result);
    return `${shown + rest}${WITHHELD}`;
  }

  return {
    transformParams<P extends Params>({ params }: { params: P }): Promise<P> {
      const last = params.prompt.findLastIndex(({ role }) => role === 'user');
      const prompt = params.prompt.map((message, i) => checkedMessage(message, i === last));
      return Promise.resolve({ ...params, prompt });
    },

    async wrapGenerate<R extends Reply>({
      doGenerate,
    }: {
      doGenerate: () => PromiseLike<R>;
    }): Promise<R> {
      const reply = await doGenerate();
      const content = reply.content.map((part) =>
        part.type === 'text' && part.text !== undefined
          ? { ...part, text: checkedReply(part.text) }
          : part,
      );
      return { ...reply, content };
    },

    async wrapStream<R extends StreamReply>({
      doStream,
    }: {
      doStream: () => PromiseLike<R>;
    }): Promise<R> {
      const reply = await doStream();
      const gates = new Map<string, ReturnType<typeof gate>>();
      const guarded = new TransformStream<StreamPart, StreamPart>({
        transform(part, controller) {
          const { type, id = '' } = part;
          if (type === 'text-delta' && part.delta !== undefined) {
            const one = gates.get(id) ?? gate();
            gates.set(id, one);
            const delta = one.push(part.delta);
            if (delta !== '') controller.enqueue({ ...part, delta });
            return;
          }
          const one = type === 'text-end' ? gates.get(id) : undefined;
          if (one !== undefined) {
            gates.delete(id);
            const { text, result } = one.end();
            const benign = result.verdict === 'benign';
            if (!benign) report?.('output', result);
            const delta = benign ? text : text + WITHHELD;
            if (delta !== '') controller.enqueue({ type: 'text-delta', id, delta });
          }
          controller.enqueue(part);
        },
      });
      return { ...reply, stream: reply.stream.pipeThrough(guarded) };
    },
  };
}
