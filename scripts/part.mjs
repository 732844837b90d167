/**
 * Parts of the suite that run separately, and for longer than in `npm test`.
 *
 * `npm run fuzz`: passes many malformed inputs to every decoder, and reports the outcomes. `--inputs N`: number of
 * inputs for each decoder (100,000; slow decoders get a share), `--seed S`: seed of other inputs, `--only TEXT`: only
 * the decoders whose names contain the text.
 *
 * `npm run siege`: attacks a cluster, groups of nodes, a live room with its signalling server, processes of `tutti
 * node`, the HTTP servers, and members that certify heights, all in operation, and writes the results to
 * tests/reports/siege.md. `--seconds N`: duration of each siege (600), `--out FILE`: another file for the results. The
 * certifying members are 16 processes that are killed, stopped, set to another time and asked for forks, for at least
 * 180 s, concurrently with the other attacks. The suite contains the short form: `npm run siege -- --seconds 0` runs
 * until each rejection has occurred; with CI set, it also runs `--seconds 60`.
 *
 * `npm run test:tor`: the compliance suite of the transports through a separate Tor network on the loopback interface,
 * which takes half a minute to start. Tor is the program that the environment variable TOR names, the one on the PATH,
 * or Debian's package if its installation is permitted.
 *
 * `npm run verifiers`: builds verifiers of other projects, runs them on every certificate of the corpus, and prints
 * their verdicts; `-- --write` stores the verdicts in tests/vectors/verdicts.json, for machines without these projects'
 * languages.
 */
import { writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { must, root, run } from './run.mjs';
import { findTor } from './tools.mjs';

/** Number of consecutive sieges in tests/siege.test.ts, and the minimum duration of the concurrent soak, seconds. */
const sieges = 5;
const soakSeconds = 180;

const parts = {
  fuzz: {
    options: { inputs: '100000', seed: '1', only: '' },
    async play({ inputs, seed, only }) {
      const env = { TUTTI_FUZZ_INPUTS: numberOf('inputs', inputs), TUTTI_FUZZ_SEED: numberOf('seed', seed) };
      const named = only === '' ? [] : ['--testNamePattern', only.replaceAll(/[^\w ]/g, '.')];
      return tests('tests', [...named, 'tests/fuzz.test.ts'], env);
    },
  },
  siege: {
    options: { seconds: '600', out: `${root}tests/reports/siege.md` },
    async play({ seconds, out }) {
      const env = { TUTTI_SIEGE_SECONDS: numberOf('seconds', seconds), TUTTI_SIEGE_OUT: resolve(out) };
      await must('Compiling TypeScript', 'node', ['scripts/compile.mjs']);
      // Sieges run one after another. A siege that runs until each rejection has occurred has no predictable end.
      const left = Number(seconds) === 0 ? 0 : Math.max(soakSeconds, sieges * Number(seconds));
      const end = await toldFor(1000 * left);
      const code = await tests('tests', ['tests/siege.test.ts'], env);
      end();
      return code;
    },
  },
  tor: {
    options: {},
    async play() {
      const tor = await findTor();
      if (tor === undefined) {
        console.error('No tor: install it (Debian: apt-get install tor), or name it in TOR');
        return 1;
      }
      return tests('transports', ['src/tcp/tor'], { TOR: tor });
    },
  },
  verifiers: {
    options: { write: false },
    async play({ write }) {
      await must('Compiling TypeScript', 'node', ['scripts/compile.mjs']);
      const { questions } = await import('../tests/verifiers/corpus.mjs');
      const verifiers = await import('../tests/verifiers/foreign.mjs');
      const asked = questions();
      const accepted = {};
      const told = (form, verdicts) => {
        accepted[form] = asked.filter((_, index) => verdicts[index] === 'accepted').map(({ one }) => one.name);
        console.log(`${form}: ${accepted[form].length} of ${asked.length} accepted`);
      };
      for (const program of verifiers.programs) {
        const why = verifiers.built(program);
        if (why !== undefined) throw new Error(why);
        for (const form of program.forms) {
          const lines = asked.map((one) => one[form].line);
          told(form, verifiers.verdictsOf(program, lines).map(verifiers.verdictOf));
        }
      }
      for (const variant of ['min-pk', 'min-sig']) {
        const verdicts = [];
        for (const { one } of asked) verdicts.push(await verifiers.contractVerdict(one, variant));
        told(`contract ${variant}`, verdicts);
      }
      const recorded = { corpus: verifiers.digestOf(asked), accepted };
      if (write) writeFileSync(verifiers.vectorFile, `${JSON.stringify(recorded, undefined, 2)}\n`);
      return 0;
    },
  },
};

function numberOf(name, text) {
  if (/^\d{1,15}$/.test(text)) return text;
  console.error(`--${name}: expected a number from 0, got ${text}`);
  process.exit(2);
}

const tests = (project, args, env) => run('npx', ['vitest', 'run', '--project', project, ...args], { env });

/** Shows the remaining part of a duration in ms, until the returned function is called. */
async function toldFor(totalMs) {
  const { Progress } = await import('../apps/node-cli/dist/output/progress.js');
  const progress = new Progress({
    progress: process.stderr.isTTY === true ? 'line' : 'log',
    err: (text) => void process.stderr.write(text),
  });
  const startedMs = performance.now();
  const telling = setInterval(() => {
    const done = Math.min(totalMs, performance.now() - startedMs);
    progress.update(() => 'besieging', totalMs === 0 ? undefined : { done, left: totalMs - done });
  }, 1000);
  return () => {
    clearInterval(telling);
    progress.done();
  };
}

const [name, ...args] = process.argv.slice(2);
const { options, play } = parts[name];
const { values } = parseArgs({
  args,
  options: Object.fromEntries(
    Object.entries(options).map(([key, value]) => [key, { type: typeof value, default: value }]),
  ),
});
process.exit(await play(values));
