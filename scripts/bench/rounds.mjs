/**
 * `npm run bench -- rounds --rounds 1000 --nodes 32`: many rounds of real nodes in one process, on one set of UDP sockets,
 * with real keys and signatures. Prints what memory is held after a tenth, half and all of the rounds, each time
 * without the garbage, and exits with 1 if it grew from the first look to the last by more than the bounds below, or if
 * a socket, a timer or a round was left over.
 */
import { defaultHandelConfig, thresholdCount } from '@tutti/core';
import { batched, Group, networkKey, Peer, roundMessage, roundSeed } from '../../packages/transports/dist/index.js';
import { monotonicClock, monotonicNs, nodeCrypto, openUdp } from '../../packages/transports/dist/raw.js';
import { insecureSecretKey, insecureSeed, inThreadVerifier, loadBls } from '../../packages/wasm-bls/dist/index.js';
import { initSync } from '../../packages/wasm-bls/kernel/tutti_bls.js';
import { held, mib, options } from './frame.mjs';

const bytesPerMib = 2 ** 20;

/**
 * By how much what is held may grow between the first look and the last, bytes. An open round of 32 nodes holds 0.8 MiB
 * of the heap, 0.3 MiB beside it and 6 KiB of the kernel's memory (measured with 60 rounds kept open, which this then
 * refuses): a thousand that were not let go of would show a hundredfold. The kernel's memory never shrinks, so what it
 * grew by is leaked or was never free.
 */
const bounds = { heap: 2 * bytesPerMib, external: bytesPerMib, kernel: 0, rss: 32 * bytesPerMib };

const { rounds, nodes } = options({ rounds: 1000, nodes: 32 });
const bls = await loadBls();
const verifiers = { open: 0 };
const group = await makeGroup(nodes);
await run(group, rounds);

/** Keys, sockets, and a peer on each; `onOutput` is what is told of a peer's outputs. */
async function makeGroup(nodes) {
  const members = await Promise.all(
    Array.from({ length: nodes }, async (_, index) => ({
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
  return { entries, shared, peers, told };
}

function openVerifier(publicKeys, message) {
  verifiers.open++;
  const verifier = inThreadVerifier(bls.round(publicKeys, message));
  return batched({
    verifyBatch: (claims) => verifier.verifyBatch(claims),
    close() {
      verifiers.open--;
      return verifier.close();
    },
  });
}

async function run({ entries, shared, peers, told }, rounds) {
  const sockets = count('UDPWrap');
  const startedMs = performance.now();
  const looks = [];
  console.log(`${peers.length} nodes on ${sockets} UDP sockets, ${rounds} rounds, real BLS (${bls.name})`);
  for (let number = 1; number <= rounds; number++) {
    const allReached = outputsOf(told, peers.length, number);
    const plan = {
      number,
      message: roundMessage('rounds', number),
      seed: roundSeed(nodeCrypto, shared.digest, number),
    };
    for (const peer of peers) peer.open(plan);
    for (const peer of peers) peer.start(number);
    const { message, output } = await allReached;
    const signers = entries.filter((_, b) => (output.bits[b >> 3] >> (b & 7)) & 1).map(({ publicKey }) => publicKey);
    must(bls.fastAggregateVerify(signers, message, output.signature), `round ${number}: the signature does not verify`);
    if ([Math.ceil(rounds / 10), Math.ceil(rounds / 2), rounds].includes(number)) {
      looks.push(held(initSync().memory));
      print(number, looks.at(-1), (performance.now() - startedMs) / 1000);
    }
  }
  must(
    verifiers.open === 2,
    `expected the verifiers of 2 rounds to be open, the last and the one before; got ${verifiers.open}`,
  );
  must(count('UDPWrap') === sockets, `expected ${sockets} sockets as at the start, got ${count('UDPWrap')}`);
  await Promise.all(peers.map((peer) => peer.close()));
  await new Promise(setImmediate);
  must(verifiers.open === 0, `expected no verifier to be open once the peers are closed, got ${verifiers.open}`);
  must(shared.openRounds === 0, `expected no round to be open once the peers are closed, got ${shared.openRounds}`);
  for (const kind of ['UDPWrap', 'Timeout'])
    must(count(kind) === 0, `expected no ${kind} to be left, got ${count(kind)}`);
  for (const [kind, bound] of Object.entries(bounds)) {
    const grown = looks.at(-1)[kind] - looks[0][kind];
    must(
      grown <= bound,
      `${kind}: expected to grow by ${mib(bound)} at most between the first look and the last, got ${mib(grown)}`,
    );
  }
  console.log('flat: within the bounds, and nothing left over');
}

/** Resolves to the last of the first outputs of all peers on a round. */
function outputsOf(told, nodes, number) {
  return new Promise((resolve) => {
    const reached = new Set();
    told.onOutput = (index, report) => {
      if (report.round === number && reached.add(index).size === nodes) resolve(report);
    };
  });
}

function print(round, look, seconds) {
  const figures = Object.entries(look).map(([kind, bytes]) => `${kind} ${mib(bytes)}`);
  console.log(`${round} rounds in ${seconds.toFixed(0)} s: ${figures.join(', ')}`);
}

function count(kind) {
  return process.getActiveResourcesInfo().filter((name) => name === kind).length;
}

function must(holds, line) {
  if (holds) return;
  console.error(`rounds: ${line}`);
  process.exit(1);
}
