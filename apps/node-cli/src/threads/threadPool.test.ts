import { expect, it } from 'vitest';
import { ThreadPool } from './threadPool.ts';

/** Script of a thread that exits on task 0, and answers any other number with its square. */
const script = `
  import { parentPort } from 'node:worker_threads';
  parentPort.on('message', (task) => task === 0 ? process.exit(7) : parentPort.postMessage({ answer: task ** 2 }));
`;

it('a task that ends its thread is rejected, and a new thread runs the next task', async () => {
  const url = new URL(`data:text/javascript,${encodeURIComponent(script)}`);
  const pool = new ThreadPool<number, number>(1, url, (task) => `task ${task}`);
  await pool.during(new AbortController().signal, async () => {
    const [ended, next] = [pool.run(0), pool.run(3)];
    await expect(ended).rejects.toMatchObject({
      code: 'run-failed',
      message: 'task 0: its thread ended (exit code 7)',
    });
    expect(await next).toBe(9);
  });
});
