import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const runner = fileURLToPath(new URL('./runner.mjs', import.meta.url));

/** A process that runs tests on mutants of one room, and another in its place when a mutant never ends. */
export class Runner {
  #room;
  #child;

  constructor(room) {
    this.#room = room;
  }

  /**
   * @param {string} path absolute, of the source
   * @param {string | undefined} source in its place; undefined leaves it as it is
   * @param {string} test absolute
   * @param {number} limitMs how long it may take
   * @returns {Promise<{ killed: boolean, how: 'test' | 'time' | undefined, ms: number, error: string | undefined }>}
   */
  async run(path, source, test, limitMs) {
    // One that ended after its last answer is of no use any more.
    if (this.#child?.connected === false) this.close();
    const isNew = this.#child === undefined;
    this.#child ??= await started(this.#room);
    const child = this.#child;
    const began = performance.now();
    const answer = await new Promise((resolve) => {
      const timer = setTimeout(() => resolve(undefined), limitMs);
      const settle = (value) => {
        clearTimeout(timer);
        child.removeAllListeners('message');
        child.removeAllListeners('exit');
        resolve(value);
      };
      child.once('message', settle);
      child.once('exit', () => settle({ killed: true, ended: true, error: 'the process ended' }));
      child.send({ path, source, test });
    });
    const ms = performance.now() - began;
    if (answer?.missing) throw new Error(`${test}: expected a test file of ${this.#room}`);
    if (answer === undefined || child.exitCode !== null || child.signalCode !== null) this.close();
    if (answer === undefined) return { killed: true, how: 'time', ms, error: undefined };
    // A mutant that ends its process was noticed, unless that is what an earlier test's native code left behind.
    if (answer.ended && !isNew) return this.run(path, source, test, limitMs);
    const how = /^(Test|Hook) timed out/.test(answer.error ?? '') ? 'time' : 'test';
    return { killed: answer.killed, how: answer.killed ? how : undefined, ms, error: answer.error };
  }

  close() {
    this.#child?.removeAllListeners();
    this.#child?.kill('SIGKILL');
    this.#child = undefined;
  }
}

async function started(room) {
  const child = fork(runner, [room], { cwd: room, stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
  await new Promise((ready, failed) => {
    child.once('message', ready);
    child.once('exit', () => failed(new Error(`${room}: expected Vitest to start`)));
  });
  child.removeAllListeners();
  return child;
}
