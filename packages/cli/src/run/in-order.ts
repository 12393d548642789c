/**
 * Runs tasks with bounded concurrency and gives their results in the order of the tasks. At most `concurrency` run at once, and at
 * most `window` are started or finished and not yet given, so memory does not grow with the number of tasks.
 */
export async function* inOrder<Task, Result>(
  tasks: Iterable<Task>,
  work: (task: Task) => Promise<Result>,
  {
    concurrency,
    window = concurrency * 4,
  }: { readonly concurrency: number; readonly window?: number },
): AsyncGenerator<Result> {
  const iterator = tasks[Symbol.iterator]();
  const pending: Promise<Result>[] = [];
  let running = 0;
  const waiting: (() => void)[] = [];
  const start = async (task: Task): Promise<Result> => {
    if (running >= concurrency) {
      await new Promise<void>((resume) => {
        waiting.push(resume);
      });
    }
    running += 1;
    try {
      return await work(task);
    } finally {
      running -= 1;
      waiting.shift()?.();
    }
  };
  const fill = (): void => {
    while (pending.length < Math.max(window, concurrency)) {
      const next = iterator.next();
      if (next.done === true) return;
      const result = start(next.value);
      // The consumer may be busy when this fails; it sees the rejection when it gets there.
      result.catch(() => undefined);
      pending.push(result);
    }
  };
  for (;;) {
    fill();
    const first = pending.shift();
    if (first === undefined) return;
    yield await first;
  }
}
