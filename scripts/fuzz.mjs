/**
 * `npm run fuzz`: gives every decoder many inputs that nobody would send in good faith, and says how each took them.
 * `--inputs N` for each decoder (100,000; the slow ones take a share), `--seed S` for other ones, `--only TEXT` for the
 * decoders whose name has the text in it.
 */
import { parseArgs } from 'node:util';
import { run } from './run.mjs';

const { values } = parseArgs({
  options: {
    inputs: { type: 'string', default: '100000' },
    seed: { type: 'string', default: '1' },
    only: { type: 'string', default: '' },
  },
});
for (const name of ['inputs', 'seed'])
  if (!/^\d{1,15}$/.test(values[name])) {
    console.error(`--${name}: expected a number, got ${values[name]}`);
    process.exit(2);
  }

const env = { TUTTI_FUZZ_INPUTS: values.inputs, TUTTI_FUZZ_SEED: values.seed };
const only = values.only === '' ? [] : ['--testNamePattern', values.only.replaceAll(/[^\w ]/g, '.')];
process.exit(await run('npx', ['vitest', 'run', '--project', 'tests', ...only, 'tests/fuzz.test.ts'], { env }));
