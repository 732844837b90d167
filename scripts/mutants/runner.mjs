/**
 * A process that runs tests on mutants: it is sent `{ path, source, test }`, and answers `{ killed, error }`. It keeps
 * one Vitest, and serves it the mutant in place of the file, which stays as it is. A mutant that never ends is the
 * parent's affair: it ends this process.
 */
import { readFileSync } from 'node:fs';
import { createVitest } from 'vitest/node';

const room = process.argv[2];
const current = { path: undefined, source: undefined };
// What is compiled knows nothing of the mutant.
process.env.TUTTI_TEST_SOURCES = '1';

const vitest = await createVitest(
  'test',
  {
    root: room,
    config: `${room}/vitest.config.ts`,
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
  // The state also remembers the modules of earlier runs.
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
