/**
 * `npm run siege`: attacks a cluster, groups of nodes, a live room with its signalling server, and processes of `tutti node`, while they work, and
 * writes what came of it into docs/siege.md. `--seconds N` for each (600), `--out FILE` elsewhere. It builds first what it runs. The suite has
 * the short form: `npm run siege -- --seconds 0` goes on until each refusal was seen; with CI set, it also runs `--seconds 60`.
 */
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { must, root, run } from './run.mjs';

const { values } = parseArgs({
  options: { seconds: { type: 'string', default: '600' }, out: { type: 'string', default: `${root}docs/siege.md` } },
});
if (!/^\d{1,6}$/.test(values.seconds)) {
  console.error(`--seconds: expected a number from 0 to 999999, got ${values.seconds}`);
  process.exit(2);
}
await must('Compiling TypeScript', 'npx', ['tsc', '-b']);
const env = { TUTTI_SIEGE_SECONDS: values.seconds, TUTTI_SIEGE_OUT: resolve(values.out) };
process.exit(await run('npx', ['vitest', 'run', '--project', 'tests', 'tests/siege.test.ts'], { env }));
