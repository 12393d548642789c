import { PassThrough } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { watchStreams } from '../src/process-streams.js';

function streams() {
  const exits: number[] = [];
  const made = {
    stdin: new PassThrough(),
    stdout: new PassThrough(),
    stderr: new PassThrough(),
    exit: (status: number) => void exits.push(status),
  };
  const interrupt = new AbortController();
  watchStreams(made, interrupt);
  return { ...made, exits, interrupt };
}

const broken = (code: string) => Object.assign(new Error(code), { code });

describe('a command whose streams break', () => {
  it('is interrupted when nobody reads its output, and ends by itself', () => {
    const { stdout, stdin, exits, interrupt } = streams();
    stdout.emit('error', broken('EPIPE'));
    stdout.emit('error', broken('ERR_STREAM_DESTROYED'));
    expect(interrupt.signal.aborted).toBe(true);
    expect(stdin.destroyed).toBe(true);
    expect(exits).toEqual([]);
  });

  it('ends with 2 when its output cannot be written', () => {
    const { stdout, stderr, exits, interrupt } = streams();
    stdout.emit('error', broken('ENOSPC'));
    expect(exits).toEqual([2]);
    expect(String(stderr.read())).toBe('pab: standard output cannot be written: ENOSPC\n');
    expect(interrupt.signal.aborted).toBe(false);
  });

  it('goes on when its words cannot be said', () => {
    const { stderr, exits, interrupt } = streams();
    stderr.emit('error', broken('EPIPE'));
    expect([exits, interrupt.signal.aborted]).toEqual([[], false]);
  });

  it('waits for no input once it is interrupted', () => {
    const { stdin, interrupt } = streams();
    interrupt.abort();
    expect(stdin.destroyed).toBe(true);
  });
});
