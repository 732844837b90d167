/**
 * `npm run siege`: attacks a cluster, groups of nodes, a live room with its signalling server, processes of
 * `tutti node`, and the HTTP servers, while they work, and writes what came of it into docs/records/siege.md. `--seconds N` for
 * each (600), `--out FILE` elsewhere. It builds first what it runs. The suite has the short form: `npm run siege --
 * --seconds 0` goes on until each refusal was seen; with CI set, it also runs `--seconds 60`.
 */
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { must, root, run } from './run.mjs';

/** In tests/siege.test.ts. */
const sieges = 5;

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '600' },
    out: { type: 'string', default: `${root}docs/records/siege.md` },
  },
});
if (!/^\d{1,6}$/.test(values.seconds)) {
  console.error(`--seconds: expected a number from 0 to 999999, got ${values.seconds}`);
  process.exit(2);
}
await must('Compiling TypeScript', 'node', ['scripts/compile.mjs']);
const env = { TUTTI_SIEGE_SECONDS: values.seconds, TUTTI_SIEGE_OUT: resolve(values.out) };
const { Progress } = await import('../apps/node-cli/dist/output/progress.js');
const isTerminal = process.stderr.isTTY === true;
const progress = new Progress({
  progress: isTerminal ? 'line' : 'log',
  err: (text) => void process.stderr.write(text),
});
// One siege after another; none that goes on until each refusal was seen knows when that is.
const totalMs = sieges * 1000 * Number(values.seconds);
const startedMs = performance.now();
const telling = setInterval(() => {
  const done = Math.min(totalMs, performance.now() - startedMs);
  progress.update(() => 'besieging', totalMs === 0 ? undefined : { done, left: totalMs - done });
}, 1000);
const code = await run('npx', ['vitest', 'run', '--project', 'tests', 'tests/siege.test.ts'], { env });
clearInterval(telling);
progress.done();
process.exit(code);
