/**
 * Runs tests on mutants, in a separate process for each package. The process receives `{ path, source, test }`, and
 * answers `{ killed, error }`. The process keeps one instance of Vitest, and serves it the mutant in place of the file,
 * which remains unchanged.
 */
import { fork } from 'node:child_process';
import { readFileSync } from 'node:fs';

/**
 * A process that runs tests on mutants of one package. If a mutant does not terminate, another process replaces this
 * one.
 */
export class Runner {
  #folder;
  #child;

  constructor(folder) {
    this.#folder = folder;
  }

  /**
   * @param {string} path absolute path of the source
   * @param {string | undefined} source text that replaces the source; undefined leaves it unchanged
   * @param {string} test absolute path of the test
   * @param {number} limitMs time limit, ms
   * @returns {Promise<{ killed: boolean, how: 'test' | 'time' | undefined, ms: number, error: string | undefined }>}
   */
  async run(path, source, test, limitMs) {
    // A process that ended after its last answer cannot be used again.
    if (this.#child?.connected === false) this.close();
    const isNew = this.#child === undefined;
    this.#child ??= await started(this.#folder);
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
    if (answer?.missing) throw new Error(`${test}: expected a test file of ${this.#folder}`);
    if (answer === undefined || child.exitCode !== null || child.signalCode !== null) this.close();
    if (answer === undefined) return { killed: true, how: 'time', ms, error: undefined };
    // A mutant that terminates its process counts as detected, unless native code of an earlier test may be the cause.
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

async function started(folder) {
  const child = fork(import.meta.filename, [folder], { cwd: folder, stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
  await new Promise((ready, failed) => {
    child.once('message', ready);
    child.once('exit', () => failed(new Error(`${folder}: expected Vitest to start`)));
  });
  child.removeAllListeners();
  return child;
}

/** Runs tests in the separate process. If a mutant does not terminate, the parent kills this process. */
async function serve(folder) {
  const current = { path: undefined, source: undefined };
  // Compiled code does not contain the mutant.
  process.env.TUTTI_TEST_SOURCES = '1';

  const { createVitest } = await import('vitest/node');
  const vitest = await createVitest(
    'test',
    {
      root: folder,
      config: `${folder}/vitest.config.ts`,
      watch: false,
      pool: 'threads',
      maxWorkers: 1,
      bail: 1,
      reporters: [{ onInit() {} }],
      printConsoleTrace: false,
      silent: true,
      update: 'none',
      testTimeout: 600_000,
      hookTimeout: 600_000,
    },
    {
      plugins: [
        {
          name: 'mutant',
          enforce: 'pre',
          load(id) {
            return id.split('?')[0] === current.path ? current.source : undefined;
          },
        },
      ],
    },
  );
  await vitest.standalone();
  const specifications = await vitest.globTestSpecifications();
  process.send({ ready: true });

  process.on('message', async ({ path, source, test }) => {
    const specification = specifications.find(({ moduleId }) => moduleId === test);
    if (specification === undefined) {
      process.send({ missing: true });
      return;
    }
    current.path = path;
    current.source = source ?? readFileSync(path, 'utf8');
    vitest.invalidateFile(path);
    const { testModules, unhandledErrors } = await vitest.runTestSpecifications([specification], false);
    // Vitest's state also contains modules of earlier runs.
    const failed = testModules.filter((module) => module.moduleId === test && !module.ok());
    const errors = failed.flatMap((module) => [
      ...module.errors(),
      ...[...module.children.allTests('failed')].flatMap((one) => one.result().errors ?? []),
    ]);
    vitest.state.clearErrors();
    vitest.invalidateFile(path);
    current.path = undefined;
    const killed = failed.length > 0 || unhandledErrors.length > 0;
    process.send({
      killed,
      error: killed ? String((errors[0] ?? unhandledErrors[0])?.message).slice(0, 200) : undefined,
    });
  });
  process.on('disconnect', () => process.exit(0));
}

if (process.argv[1] === import.meta.filename) await serve(process.argv[2]);
