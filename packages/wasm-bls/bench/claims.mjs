/**
 * Benchmarks for the verification of claims, singly and in batches.
 *
 *     npm run bench -- machine [--dry]
 *     npm run bench -- invalid [--rounds 5] [--dry]
 *
 * `machine` measures this machine, natively and in WebAssembly. Each of the two measurements provides one full set of
 * costs for the machines of the slot simulation (packages/ethereum/src/horn/costs.ts). The native part is a Rust
 * program (crate/examples/machine.rs) and requires cargo. `invalid` compares batch verification with single
 * verification of claims about a large registry, some of which are invalid. The command `invalid` exits with 1 if a
 * cell of its table exceeds the bound.
 *
 * Each command prints a table and, unless --dry is given, writes a record to docs/benchmarks/bls-kernel.md.
 */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { insecureSeed, loadBls, loadCommittees, roundVerdicts } from '@tutti/wasm-bls';
import { byName, columns, machine, options, table, timed, writeRecord } from '../../../scripts/bench/frame.mjs';
import { median } from './sampling.mjs';

const [bls, committees] = [await loadBls({ engine: 'wasm' }), await loadCommittees()];
const message = new Uint8Array(32).fill(7);

const keys = 32_768;
const togetherCount = 64;
const machineRounds = 9;
const crate = fileURLToPath(new URL('../crate', import.meta.url));

/** Returns the CPU time per step, ms: the minimum over several rounds of `count` steps. */
function minMs(count, step) {
  return Math.min(...Array.from({ length: machineRounds }, () => timed(step).ms)) / count;
}

function webAssembly() {
  const secret = bls.keyGen(insecureSeed('machine', 1, 0));
  const committee = committees.committee(committees.insecureConsecutiveKeys(secret, keys));
  const everyone = new Uint8Array(keys / 8).fill(0xff);
  const round = bls.round([bls.publicKey(secret)], message);
  const claim = { first: 0, bits: Uint8Array.of(1), signature: bls.sign(secret, message) };
  const claims = new Array(togetherCount).fill(claim);
  return {
    naiveNs: 1e6 * minMs(keys, () => committee.sum(everyone, 'naive')),
    batchedNs: 1e6 * minMs(keys, () => committee.sum(everyone, 'batched')),
    singleMs: minMs(togetherCount, () => {
      for (const { first, bits, signature } of claims)
        if (!round.verify(first, bits, signature)) throw new Error('a valid claim was refused');
    }),
    togetherMs: minMs(togetherCount, () => {
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

/** Returns the cost of one claim in a batch: the batch's cost minus two pairings, divided by the number of claims. */
const claimMs = ({ singleMs, togetherMs }) => (togetherCount * togetherMs - singleMs) / (togetherCount - 1);

function ofMachine() {
  const { dry } = options({ dry: false });
  const rows = { native: native(), WebAssembly: webAssembly() };
  const shown = (value) => value.toPrecision(3);
  const text = columns(Object.entries(rows), [
    ['', ([name]) => name],
    ['single signature, ms', ([, costs]) => shown(costs.singleMs)],
    [`one of ${togetherCount} together, ms`, ([, costs]) => shown(costs.togetherMs)],
    ['own part, ms', ([, costs]) => shown(claimMs(costs))],
    ['addition, batched, ns', ([, costs]) => shown(costs.batchedNs)],
    ['addition, one by one, ns', ([, costs]) => shown(costs.naiveNs)],
    ['additions per signature', ([, costs]) => ((1e6 * costs.singleMs) / costs.batchedNs).toFixed(0)],
  ]);
  writeRecord(
    'machine',
    `${machine()}, minimum of ${machineRounds} rounds, ${keys.toLocaleString('en')} distinct keys.

${text}`,
    !dry,
  );
}

const claimCount = 32;
const registries = [64, 1024, 4096, 16_384, 32_768];
const invalidCounts = [0, 1, 2, 4, 8, 16, 32];
/** Order r of the group; secret keys are added modulo r. */
const order = 0x73eda753299d7d483339d80809a1d80553bda402fffe5bfeffffffff00000001n;
/** Bound stated in batch-verification.md, in units of the verification of a single claim. */
const bound = 1.5 * claimCount + 4;

const firstSecret = bls.keyGen(insecureSeed('invalid', 1, 0));
const secretNumber = BigInt(`0x${Buffer.from(firstSecret).toString('hex')}`);

/**
 * Returns a claim with its signature, which is computed with the sum of the secret keys. The claim contains every
 * second key of the registry, except one key that differs per claim.
 */
function claimOf(registry, index) {
  const bits = new Uint8Array(registry / 8).fill(0x55);
  bits[Math.floor(index / 4) % bits.length] ^= 1 << (2 * (index % 4));
  let [count, sum] = [0n, 0n];
  for (let key = 0; key < registry; key++) {
    if (((bits[key >> 3] >> (key & 7)) & 1) === 0) continue;
    count++;
    sum += BigInt(key);
  }
  const secret = (count * secretNumber + sum) % order;
  const signature = bls.sign(Buffer.from(secret.toString(16).padStart(64, '0'), 'hex'), message);
  return { first: 0, bits, signature };
}

/**
 * Replaces the signatures of evenly spaced claims with a wrong signature that decodes correctly. With even spacing,
 * parts of the batch remain invalid for as long as possible.
 */
function withInvalid(claims, count) {
  const replaced = new Set(Array.from({ length: count }, (_, i) => Math.floor((i * claimCount) / count)));
  const wrong = bls.sign(firstSecret, Uint8Array.of(1));
  return claims.map((claim, i) => (replaced.has(i) ? { ...claim, signature: wrong } : claim));
}

/**
 * Measures a registry: the time of a single verification, ms, and the cost of each batch relative to a single
 * verification.
 */
function spentOn(registry, rounds) {
  const points = committees.insecureConsecutiveKeys(firstSecret, registry);
  const keys = Array.from({ length: registry }, (_, i) => points.subarray(96 * i, 96 * (i + 1)));
  const round = bls.round(keys, message);
  const claims = Array.from({ length: claimCount }, (_, i) => claimOf(registry, i));
  const batches = invalidCounts.map((count) => withInvalid(claims, count));
  const samples = invalidCounts.map(() => []);
  const singles = [];
  for (let i = 0; i <= rounds; i++) {
    const { ms: single } = timed(() => {
      for (const { first, bits, signature } of claims) assert(round.verify(first, bits, signature));
    });
    const spent = batches.map((batch, at) => {
      const truth = batch.map((claim, place) => claim === claims[place]);
      return timed(() => assert.deepEqual(roundVerdicts(round, batch), truth, `${invalidCounts[at]} invalid`)).ms;
    });
    // The first round only warms up the code.
    if (i === 0) continue;
    singles.push(single / claimCount);
    for (const [at, ms] of spent.entries()) samples[at].push(ms / (single / claimCount));
  }
  round.free();
  return { registry, single: median(singles), spent: samples.map(median) };
}

function ofInvalid() {
  const head = ['keys', 'one claim verified singly, ms', ...invalidCounts.map((count) => `${count} invalid`)];
  const { rounds, dry } = options({ rounds: 5, dry: false });
  const rows = registries.map((registry) => spentOn(registry, rounds));
  const worst = Math.max(...rows.flatMap(({ spent }) => spent));
  const text = `${table(
    head,
    rows.map(({ registry, single, spent }) => [
      registry.toLocaleString('en'),
      single.toFixed(2),
      ...spent.map((singles) => singles.toFixed(1)),
    ]),
  )}

The bound is ${bound}. The largest value is ${worst.toFixed(1)}, ${(worst / bound).toFixed(2)} of it.`;
  writeRecord(
    'invalid',
    `${machine()}, medians of ${rounds} rounds.

${text}`,
    !dry,
  );
  if (worst > bound) {
    console.error(`a batch took ${worst.toFixed(1)} single verifications; the bound is ${bound}`);
    process.exitCode = 1;
  }
}

byName({ machine: ofMachine, invalid: ofInvalid });
