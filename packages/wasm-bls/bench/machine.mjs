/**
 * What verifying takes on this machine, natively and in WebAssembly: one full set of costs each, for the machines of
 * the slot simulation (packages/simulation/src/horn/costs/machines.ts). The native part is Rust (crate/examples/machine.rs)
 * and needs cargo.
 *
 *     npm run bench -- machine [--dry]
 *
 * Prints the table, and writes docs/records/bench-machine.md unless --dry.
 */
import { spawnSync } from 'node:child_process';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { insecureSeed, loadBls } from '@tutti/wasm-bls';
import { loadCommittees } from '@tutti/wasm-bls/committee';
import { machine, options, table, timed, writeRecord } from '../../../scripts/bench/frame.mjs';

const keys = 32_768;
const claimCount = 64;
const rounds = 9;
const { dry } = options({ dry: false });
const crate = fileURLToPath(new URL('../crate', import.meta.url));

/** Milliseconds of CPU of one of `count` steps: the least of several rounds. */
function least(count, step) {
  return Math.min(...Array.from({ length: rounds }, () => timed(step).ms)) / count;
}

async function webAssembly() {
  const [bls, committees] = [await loadBls({ kernel: 'wasm' }), await loadCommittees()];
  const message = new Uint8Array(32).fill(7);
  const secret = bls.keyGen(insecureSeed('machine', 1));
  const committee = committees.committee(committees.insecureConsecutiveKeys(secret, keys));
  const everyone = new Uint8Array(keys / 8).fill(0xff);
  const round = bls.round([bls.publicKey(secret)], message);
  const claim = { first: 0, bits: Uint8Array.of(1), signature: bls.sign(secret, message) };
  const claims = new Array(claimCount).fill(claim);
  return {
    naiveNs: 1e6 * least(keys, () => committee.sum(everyone, 'naive')),
    batchedNs: 1e6 * least(keys, () => committee.sum(everyone, 'batched')),
    singleMs: least(claimCount, () => {
      for (const { first, bits, signature } of claims)
        if (!round.verify(first, bits, signature)) throw new Error('a valid claim was refused');
    }),
    togetherMs: least(claimCount, () => {
      if (!round.verifyBatch(claims)) throw new Error('valid claims were refused');
    }),
  };
}

function native() {
  const { status, stdout, stderr, error } = spawnSync(
    'cargo',
    ['run', '--release', '--locked', '--quiet', '--example', 'machine'],
    {
      cwd: crate,
      env: { ...process.env, CARGO_TARGET_DIR: process.env.CARGO_TARGET_DIR ?? join(tmpdir(), 'tutti-machine') },
      encoding: 'utf8',
    },
  );
  if (status !== 0) throw new Error(`cargo run --example machine failed: ${error?.message ?? stderr}`);
  return JSON.parse(stdout);
}

/** What a claim among many takes by itself: the batch less two pairings, shared out. */
const claimMs = ({ singleMs, togetherMs }) => (claimCount * togetherMs - singleMs) / (claimCount - 1);

const rows = { native: native(), WebAssembly: await webAssembly() };
const shown = (value) => value.toPrecision(3);
const text = table(
  [
    ...['', 'one signature, ms', `of ${claimCount} together, each, ms`, 'its own part, ms', 'addition, batched, ns'],
    ...['one after the other, ns', 'additions a signature takes'],
  ],
  Object.entries(rows).map(([name, costs]) => [
    ...[name, shown(costs.singleMs), shown(costs.togetherMs), shown(claimMs(costs)), shown(costs.batchedNs)],
    ...[shown(costs.naiveNs), ((1e6 * costs.singleMs) / costs.batchedNs).toFixed(0)],
  ]),
);
writeRecord(
  'bench-machine',
  `# What verifying takes on one machine

Measured by \`packages/wasm-bls/bench/machine.mjs\` (\`npm run bench -- machine\` writes this page); it bears on Horn, "Verification time for collections". The slot simulation's machines \`epyc-native\` and \`epyc-wasm\` are this machine when it is quiet ([machines.ts](../../packages/simulation/src/horn/costs/machines.ts)).

${machine()}; blst natively, with its assembly, and compiled to WebAssembly. CPU time of one thread, the minimum of ${rounds} rounds. A signature is read from 96 bytes and its subgroup is checked; the message is hashed beforehand. Keys are ${keys.toLocaleString('en')} distinct points.

${text}

The last column gives the cost of a check in additions on the same machine. The costs of checks on the post's machines, for which only the addition was measured, are derived from it.
`,
  !dry,
);
