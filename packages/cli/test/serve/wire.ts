import { connect, type Socket } from 'node:net';
import type { ScanResult, Scope } from '@pab/detect';
import { createApp, type ServiceOptions } from '../../src/serve/app.js';
import { type ListenOptions, listen } from '../../src/serve/listen.js';

/** What a scan of a harmless text gives. */
export const benign = (scope: Scope, text: string): ScanResult => ({
  verdict: 'benign',
  score: 0,
  detections: [],
  scope,
  inputLength: text.length,
  notes: [],
});

export interface Running {
  readonly port: number;
  readonly stop: () => void;
  readonly ended: Promise<void>;
}

/** Starts the service on a free port of loopback. */
export async function start(
  options: Partial<ServiceOptions> = {},
  listening: Partial<ListenOptions> = {},
): Promise<Running> {
  const app = createApp({
    scan: benign,
    rulesetSize: () => 1,
    scannerVersion: '1.2.3',
    maxBytes: 1_000_000,
    concurrency: 2,
    now: () => new Date('2026-01-02T03:04:05Z'),
    elapsed: () => 0,
    ...options,
  });
  const stop = new AbortController();
  return new Promise((resolve, reject) => {
    const ended = listen(app, {
      host: '127.0.0.1',
      port: 0,
      signal: stop.signal,
      ...listening,
      onListening: (port) => {
        resolve({ port, stop: () => stop.abort(), ended });
      },
    });
    ended.catch(reject);
  });
}

/** A place where scans wait until a test lets them go on. */
export function gate(): { pause: () => Promise<void>; open: () => void } {
  let open = () => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { pause: () => opened, open };
}

/** The head of a request for a scan. */
export function head(...lines: readonly string[]): string {
  return `${['POST /v1/scan HTTP/1.1', 'host: x', 'content-type: application/json', ...lines].join('\r\n')}\r\n\r\n`;
}

/** A whole request for a scan. */
export function scanRequest(text: string): string {
  const body = JSON.stringify({ text });
  return head(`content-length: ${body.length.toString()}`) + body;
}

/** A connection on which a test says what is sent, and when. */
export class Wire {
  readonly socket: Socket;
  #received = '';
  #wake = () => {};
  closed = false;

  constructor(port: number) {
    this.socket = connect(port, '127.0.0.1');
    this.socket.setEncoding('utf8');
    this.socket.on('data', (piece: string) => {
      this.#received += piece;
      this.#wake();
    });
    // A cut connection is an answer, too.
    this.socket.on('error', () => {});
    this.socket.on('close', () => {
      this.closed = true;
      this.#wake();
    });
  }

  send(text: string): void {
    this.socket.write(text);
  }

  /** The next answer: its status and the rest as it came; undefined when the connection ends without one. */
  async answer(): Promise<{ status: number; text: string } | undefined> {
    for (;;) {
      const found = /^HTTP\/1\.1 (\d{3})[\s\S]*?\r\n\r\n/.exec(this.#received);
      const length = /\r\ncontent-length: (\d+)/i.exec(found?.[0] ?? '');
      const size = (found?.[0].length ?? 0) + Number(length?.[1] ?? 0);
      if (found !== null && this.#received.length >= size) {
        const text = this.#received.slice(0, size);
        this.#received = this.#received.slice(size);
        return { status: Number(found[1]), text };
      }
      if (this.closed) return undefined;
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }
}
