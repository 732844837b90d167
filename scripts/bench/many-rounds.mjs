/**
 * Many rounds and many certificates of real nodes in one process, over UDP, with real keys and signatures. These
 * benchmarks detect memory that should have been released.
 *
 * `npm run bench -- rounds --rounds 1000 --nodes 32`: prints the memory in use after a tenth, half and all of the
 * rounds, each time after a garbage collection. This benchmark exits with code 1 if memory grew from the first
 * measurement to the last by more than the bounds, or if a socket, a timer or a round was left over.
 *
 * `npm run bench -- certificates`: 32 members certify 1,000 different messages at a rate (`--rate 10` per second); two
 * members restart in the meantime and one is Byzantine. This benchmark writes its record in docs/benchmarks/network.md.
 * This benchmark exits with code 1 if a message got no certificate, if the last certificates took longer than the
 * others, or if memory grew by more than the bounds. With a smaller number `--messages N` or `--members N`, of at least
 * 4 members, the benchmark only prints its results.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { defaultHandelConfig, thresholdCount } from '@tutti/core';
import { joinGroup } from '../../packages/certificates/dist/groups.js';
import { verifyCertificate } from '../../packages/certificates/dist/index.js';
import { openSignedLog } from '../../packages/certificates/dist/log.js';
import { batched, Group, networkKey, Peer, roundMessage, roundSeed } from '../../packages/transports/dist/index.js';
import { monotonicClock, monotonicNs, nodeCrypto, openUdp } from '../../packages/transports/dist/node.js';
import { insecureSecretKey, insecureSeed, inThreadVerifier, loadBls } from '../../packages/wasm-bls/dist/index.js';
import { initSync } from '../../packages/wasm-bls/kernel/tutti_bls.js';
import { byName, bytesPerMib, cpuSeconds, held, machineLine, mib, options, table, writeRecord } from './frame.mjs';

/** Maximum growth of each kind of memory between the first measurement and the last, bytes. */
const bounds = {
  /**
   * An open round of 32 nodes takes 0.8 MiB of the heap, 0.3 MiB outside it and 6 KiB of the kernel's memory (measured
   * with 60 rounds left open, which exceeds these bounds). A thousand unreleased rounds would exceed the bounds by a
   * factor of a hundred. The kernel's memory never shrinks, so any growth is either a leak or memory that was never
   * released.
   */
  rounds: { heap: 2 * bytesPerMib, external: bytesPerMib, kernel: 0, rss: 32 * bytesPerMib },
  /** Each bound corresponds to the memory of a few open rounds. */
  certificates: { heap: 8 * bytesPerMib, external: 4 * bytesPerMib, kernel: 2 * bytesPerMib },
};

const bls = await loadBls();

/** Creates this number of members, each with keys and a socket, and the members' entries in a registry. */
async function membersOf(count) {
  const members = await Promise.all(
    Array.from({ length: count }, async (_, index) => ({
      secretKey: insecureSecretKey(bls, 1, index),
      networkSecret: insecureSeed('network', 1, index),
      transport: await openUdp({ host: '127.0.0.1' }),
    })),
  );
  const entries = members.map(({ secretKey, networkSecret, transport }) => ({
    publicKey: bls.publicKey(secretKey),
    networkKey: networkKey(nodeCrypto, networkSecret).publicKey,
    endpoint: transport.local,
  }));
  return { members, entries };
}

/** Returns one line for each kind of memory that grew by more than its bound. */
function grownOf(looks, bounds) {
  return Object.entries(bounds).flatMap(([kind, bound]) => {
    const grown = looks.at(-1)[kind] - looks[0][kind];
    return grown <= bound ? [] : [`${kind}: expected to grow by ${mib(bound)} at most, got ${mib(grown)}`];
  });
}

const count = (kind) => process.getActiveResourcesInfo().filter((name) => name === kind).length;

function must(holds, line) {
  if (holds) return;
  console.error(`rounds: ${line}`);
  process.exit(1);
}

/** Creates one peer per socket; each output of a peer is passed to `told.onOutput`. */
async function peersOf(nodes) {
  const { members, entries } = await membersOf(nodes);
  const verifiers = { open: 0 };
  const openVerifier = (publicKeys, message) => {
    verifiers.open++;
    const verifier = inThreadVerifier(bls.round(publicKeys, message));
    return batched({
      verifyBatch: (claims) => verifier.verifyBatch(claims),
      close() {
        verifiers.open--;
        return verifier.close();
      },
    });
  };
  const shared = new Group({ crypto: nodeCrypto, kernel: bls, entries, openVerifier });
  const told = { onOutput: (_index, _report) => {} };
  const peers = members.map(
    ({ secretKey, networkSecret, transport }, index) =>
      new Peer({
        group: shared,
        index,
        networkSecret,
        sign: (message) => bls.sign(secretKey, message),
        transport,
        clock: monotonicClock(monotonicNs()),
        config: { ...defaultHandelConfig, threshold: thresholdCount(0.99, nodes) },
        onOutput: (report) => told.onOutput(index, report),
        onFailure(error) {
          throw error;
        },
      }),
  );
  return { entries, shared, peers, told, verifiers };
}

/** Resolves when each peer has its first output in a round, with the last of these outputs. */
function outputsOf(told, nodes, number) {
  return new Promise((resolve) => {
    const reached = new Set();
    told.onOutput = (index, report) => {
      if (report.round === number && reached.add(index).size === nodes) resolve(report);
    };
  });
}

async function rounds() {
  const { rounds, nodes } = options({ rounds: 1000, nodes: 32 });
  const { entries, shared, peers, told, verifiers } = await peersOf(nodes);
  const sockets = count('UDPWrap');
  const startedMs = performance.now();
  const looks = [];
  console.log(`${nodes} nodes on ${sockets} UDP sockets, ${rounds} rounds, real BLS (${bls.name})`);
  for (let number = 1; number <= rounds; number++) {
    const allReached = outputsOf(told, nodes, number);
    const seed = roundSeed(nodeCrypto, shared.digest, number);
    for (const peer of peers) peer.open({ number, message: roundMessage('rounds', number), seed });
    for (const peer of peers) peer.start(number);
    const { message, output } = await allReached;
    const signers = entries.filter((_, b) => (output.bits[b >> 3] >> (b & 7)) & 1).map(({ publicKey }) => publicKey);
    must(bls.fastAggregateVerify(signers, message, output.signature), `round ${number}: the signature does not verify`);
    if ([Math.ceil(rounds / 10), Math.ceil(rounds / 2), rounds].includes(number)) {
      looks.push(held(initSync().memory));
      const figures = Object.entries(looks.at(-1)).map(([kind, bytes]) => `${kind} ${mib(bytes)}`);
      console.log(
        `${number} rounds in ${((performance.now() - startedMs) / 1000).toFixed(0)} s: ${figures.join(', ')}`,
      );
    }
  }
  const { open } = verifiers;
  must(open === 2, `expected the verifiers of 2 rounds to be open, the last and the one before; got ${open}`);
  must(count('UDPWrap') === sockets, `expected ${sockets} sockets as at the start, got ${count('UDPWrap')}`);
  await Promise.all(peers.map((peer) => peer.close()));
  await new Promise(setImmediate);
  must(verifiers.open === 0, `expected no verifier to be open once the peers are closed, got ${verifiers.open}`);
  must(shared.openRounds === 0, `expected no round to be open once the peers are closed, got ${shared.openRounds}`);
  for (const kind of ['UDPWrap', 'Timeout'])
    must(count(kind) === 0, `expected no ${kind} to be left, got ${count(kind)}`);
  const [grown] = grownOf(looks, bounds.rounds);
  must(grown === undefined, grown);
  console.log('flat: within the bounds, and nothing left over');
}

const whole = { messages: 1000, members: 32 };

async function certificates() {
  const given = options({ ...whole, rate: 10 });
  if (given.members < 4) throw new RangeError(`--members: expected at least 4, got ${given.members}`);
  const folder = mkdtempSync(join(tmpdir(), 'tutti-bench-'));
  const liar = given.members - 1;
  const liarKernel = Object.setPrototypeOf({ sign: (key) => bls.sign(key, new TextEncoder().encode('a lie')) }, bls);
  const { members: keys, entries } = await membersOf(given.members);
  const registry = { entries };
  const enter = (index, transport = keys[index].transport) =>
    joinGroup({
      registry,
      key: keys[index],
      kernel: index === liar ? liarKernel : bls,
      transport,
      approve: () => true,
      heightOf: (bytes) => new DataView(bytes.buffer, bytes.byteOffset).getBigUint64(0),
      signedLog: openSignedLog(join(folder, `${index}.signed`)),
      maxStored: 64,
      giveUpMs: 3_600_000,
    });
  const members = await Promise.all(keys.map((_, index) => enter(index)));
  const restart = async (index) => {
    await members[index].close();
    members[index] = await enter(index, await openUdp(entries[index].endpoint));
  };
  const outcome = await certified(members, restart, given);
  const lies = members.map((one) => one.members()[liar].invalid).reduce((sum, one) => sum + one, 0);
  await Promise.all(members.map((one) => one.close()));
  rmSync(folder, { recursive: true });
  report({ ...given, ...outcome, registry, lies });
}

/**
 * Requests certificates at the given rate. The requesting member is neither the Byzantine member nor the one that
 * restarts.
 */
async function certified(members, restart, { messages, rate }) {
  const certificates = Array(messages);
  const waitedMs = new Float64Array(messages);
  const looks = [];
  const startedMs = performance.now();
  const cpuBefore = cpuSeconds();
  const [one, other] = [1, 2];
  const askers = members.slice(0, -1).flatMap((_, index) => (index === one || index === other ? [] : [index]));
  const ask = async (number, dueMs) => {
    const bytes = new Uint8Array(40);
    new DataView(bytes.buffer).setBigUint64(0, BigInt(number));
    certificates[number] = { bytes, ...(await members[askers[number % askers.length]].certify(bytes)) };
    waitedMs[number] = performance.now() - dueMs;
  };
  const all = [];
  for (let number = 0; number < messages; number++) {
    const dueMs = startedMs + (number * 1000) / rate;
    const pauseMs = dueMs - performance.now();
    if (pauseMs > 0) await new Promise((resolve) => setTimeout(resolve, pauseMs));
    all.push(ask(number, dueMs));
    if (number === Math.floor(messages * 0.3)) all.push(restart(one));
    if (number === Math.floor(messages * 0.6)) all.push(restart(other));
    if ([0.1, 0.5, 1].some((share) => number + 1 === Math.ceil(messages * share))) {
      await Promise.all(all);
      looks.push({ number: number + 1, ...held(initSync().memory) });
    }
  }
  const seconds = (performance.now() - startedMs) / 1000;
  return { certificates, waitedMs, looks, seconds, cpu: cpuSeconds() - cpuBefore };
}

function report({ messages, members, rate, certificates, waitedMs, looks, seconds, cpu, registry, lies }) {
  const half = messages >> 1;
  const median = (from, to) => waitedMs.slice(from, to).sort()[(to - from) >> 1];
  const faults = certificates.flatMap(({ bytes, certificate }, number) => {
    const verdict = verifyCertificate({ registry, bytes, certificate, kernel: bls });
    return verdict.ok ? [] : [`message ${number}: ${verdict.code}`];
  });
  faults.push(...grownOf(looks, bounds.certificates));
  if (median(half, messages) > 2 * median(0, half) + 100) faults.push('the second half waited longer than the first');
  const quantile = (share) => waitedMs.slice().sort()[Math.min(messages - 1, Math.floor(messages * share))].toFixed(0);
  const page = `${machineLine()}

${members} members, ${messages} messages, ${rate} per second. All were certified and verified in ${seconds.toFixed(0)} s: ${(messages / seconds).toFixed(1)} per second, ${((1000 * cpu) / messages).toFixed(0)} ms of CPU each for all members together. Time from due to certificate: p50 ${quantile(0.5)} ms, p99 ${quantile(0.99)} ms. Invalid contributions found: ${lies}.

${table(
  ['messages', 'heap', 'external', 'kernel', 'resident'],
  looks.map(({ number, ...look }) => [number, ...Object.values(look).map(mib)]),
)}
`;
  const isWhole = messages >= whole.messages && members >= whole.members && faults.length === 0;
  writeRecord('certificates', page, isWhole);
  for (const fault of faults) console.error(`certificates: ${fault}`);
  if (faults.length > 0) process.exitCode = 1;
}

await byName({ rounds, certificates });
