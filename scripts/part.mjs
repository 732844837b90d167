/**
 * A part of the suite by itself, and longer than `npm test` has it.
 *
 * `npm run fuzz`: gives every decoder many inputs that nobody would send in good faith, and says how each took them.
 * `--inputs N` for each decoder (100,000; the slow ones take a share), `--seed S` for other ones, `--only TEXT` for the
 * decoders whose name has the text in it.
 *
 * `npm run siege`: attacks a cluster, groups of nodes, a live room with its signalling server, processes of
 * `tutti node`, the HTTP servers, and members that certify heights, while they work, and writes what came of it into
 * tests/reports/siege.md. `--seconds N` for each (600), `--out FILE` elsewhere. The members that certify are 16 processes
 * that are killed, stopped, given another time and asked for forks: for 180 s at least, concurrently with the others. The suite has the short form: `npm run siege -- --seconds 0` goes on until each
 * refusal was seen; with CI set, it also runs `--seconds 60`.
 *
 * `npm run test:tor`: the compliance suite of the transports through a Tor network of its own on the loopback
 * interface, which takes half a minute to come up. Tor is the one that TOR names, the one on the PATH, or Debian's
 * where we may install it.
 *
 * `npm run verifiers`: builds other people's verifiers, asks them about every certificate of the corpus, and prints what
 * each said; `-- --write` records it in tests/vectors/verdicts.json, where it serves machines without their languages.
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
      // One siege after another; none that goes on until each refusal was seen knows when that is.
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

/** Says how much of so many ms is left, until the function that this returns is called. */
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
