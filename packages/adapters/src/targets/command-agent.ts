import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { type JsonObject, type Message, type Target, TargetError, type Usage } from '@pab/model';
import { clean } from '../models/exchange.js';
import { assistantMessage } from '../trial/messages.js';
import { addUsage, readAnswer, turnEnd, wireResults, wireTask } from './agent-protocol.js';

export interface CommandAgentOptions {
  /** The program, found on the PATH of `env`; no shell is involved. */
  readonly file: string;
  readonly args?: readonly string[];
  readonly cwd?: string;
  /** The agent's whole environment: it inherits nothing. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Longest line that is accepted, in characters. Default 8 Mi. */
  readonly maxLine?: number;
}

/** Lines of a process, one at a time; bounded. */
class Lines {
  readonly #child: ChildProcessWithoutNullStreams;
  readonly #ready: string[] = [];
  #rest = '';
  #stderr = '';
  #ended: TargetError | undefined;
  #wake: (() => void) | undefined;

  constructor(child: ChildProcessWithoutNullStreams, maxLine: number) {
    this.#child = child;
    child.stdout.setEncoding('utf8');
    child.stderr.setEncoding('utf8');
    child.stdout.on('data', (chunk: string) => {
      const lines = (this.#rest + chunk).split('\n');
      this.#rest = lines.pop() ?? '';
      for (const line of lines) if (line.trim() !== '') this.#ready.push(line);
      if (this.#rest.length > maxLine || lines.some(({ length }) => length > maxLine)) {
        this.#end(new TargetError('malformed-response', 'the agent wrote a line that is too long'));
      }
      this.#wake?.();
    });
    child.stderr.on('data', (chunk: string) => {
      this.#stderr = (this.#stderr + chunk).slice(-300);
    });
    child.on('error', (error) => {
      this.#end(
        new TargetError(
          'target-failed',
          `the agent cannot be started: ${clean(error.message, [])}`,
        ),
      );
    });
    child.on('close', (code, signal) => {
      const said = clean(this.#stderr.trim(), []);
      const how = signal === null ? `with code ${code ?? 'unknown'}` : `by ${signal}`;
      this.#end(
        new TargetError(
          'target-failed',
          `the agent ended ${how} before it answered${said === '' ? '' : `: ${said}`}`,
        ),
      );
    });
    // A process that is gone takes no more input; its end says why.
    child.stdin.on('error', () => {});
  }

  write(value: JsonObject): void {
    this.#child.stdin.write(`${JSON.stringify(value)}\n`);
  }

  async next(): Promise<unknown> {
    for (;;) {
      const line = this.#ready.shift();
      if (line !== undefined) {
        try {
          return JSON.parse(line) as unknown;
        } catch {
          throw new TargetError('malformed-response', 'the agent wrote a line that is not JSON');
        }
      }
      if (this.#ended !== undefined) throw this.#ended;
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }

  fail(error: TargetError): void {
    this.#end(error);
  }

  #end(error: TargetError): void {
    this.#ended ??= error;
    this.#wake?.();
  }
}

/** Ends the agent and what it started: it leads a process group of its own. */
function kill(child: ChildProcessWithoutNullStreams): void {
  if (child.pid === undefined) return;
  try {
    process.kill(-child.pid, 'SIGKILL');
  } catch {
    // It has ended by itself.
  }
}

/**
 * An agent process that speaks `pab-agent-1` in lines of JSON: it reads one line with the task, writes a line with `calls` or with a `text`,
 * and reads a line with `results` after its calls. One process a turn; it is ended when the turn is. A black box, like `httpAgent`.
 */
export function commandAgent(options: CommandAgentOptions): Target {
  const { file, args = [], cwd, env, maxLine = 8 * 1024 * 1024 } = options;
  return {
    name: 'command',
    async run(task, session, { signal } = {}) {
      if (signal?.aborted === true) throw new TargetError('aborted', 'the run was cancelled');
      const child = spawn(file, [...args], {
        ...(cwd === undefined ? {} : { cwd }),
        env,
        stdio: 'pipe',
        detached: true,
      });
      const lines = new Lines(child, maxLine);
      const stop = (): void => {
        lines.fail(new TargetError('aborted', 'the run was cancelled'));
        kill(child);
      };
      signal?.addEventListener('abort', stop, { once: true });
      try {
        const messages: Message[] = [...task.messages];
        let usage: Usage | undefined;
        lines.write({ type: 'task', ...wireTask(task) });
        for (;;) {
          const answer = readAnswer(await lines.next(), messages);
          usage = addUsage(usage, answer.usage);
          if (answer.blocked || answer.calls.length === 0) return turnEnd(answer, usage);
          messages.push(assistantMessage(answer.text ?? '', answer.calls));
          const results = await session.callAll(answer.calls);
          lines.write({ type: 'results', results: wireResults(results) });
        }
      } finally {
        signal?.removeEventListener('abort', stop);
        kill(child);
      }
    },
  };
}

/** Cuts a command line into words: at white space, with `'…'` and `"…"` kept together. Nothing else has a meaning. */
export function commandWords(line: string): string[] {
  return Array.from(line.matchAll(/(?:[^\s"']+|"[^"]*"|'[^']*')+/g), ([word]) =>
    word.replaceAll(
      /"([^"]*)"|'([^']*)'/g,
      (_found, double?: string, single?: string) => double ?? single ?? '',
    ),
  );
}
