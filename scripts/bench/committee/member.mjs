/**
 * One process of `npm run bench -- aggregator`: it hosts members that answer one aggregator, members of a Handel group,
 * or that aggregator, as its parent says. It tells the parent which of its members have the certificate.
 */
import { availableParallelism } from 'node:os';
import { joinGroup } from '../../../packages/transports/dist/certificates.js';
import { fittingPeriodMs, networkKey } from '../../../packages/transports/dist/index.js';
import { impaired, nodeCrypto, noImpairment, openUdp } from '../../../packages/transports/dist/raw.js';
import { insecureSecretKey, insecureSeed, inThreadVerifier, loadBls } from '../../../packages/wasm-bls/dist/index.js';

/** An aggregator asks again whoever has not answered, ms, and sends the certificate again so often. */
const askAgainMs = 200;
const mostSent = 10;
const share = 0.67;

const bls = await loadBls();
const { role, first, count, size, host, loss } = JSON.parse(process.argv[2]);
const tell = (what) => process.send(what);
const openTransport = async () => {
  const transport = await openUdp({ host });
  return loss === 0 ? transport : impaired(transport, { ...noImpairment, loss }, Math.random);
};
const indices = Array.from({ length: count }, (_, at) => first + at);
const keysOf = (index) => ({
  secretKey: insecureSecretKey(bls, 1, index),
  networkSecret: insecureSeed('network', 1, index),
});
const transports = new Map(await Promise.all(indices.map(async (index) => [index, await openTransport()])));
const groups = new Map();
let cpu;

process.on('message', (said) => handlers[said.kind](said));
tell({
  kind: 'ready',
  members: indices.map((index) => {
    const { secretKey, networkSecret } = keysOf(index);
    const { publicKey: peerKey } = networkKey(nodeCrypto, networkSecret);
    return { index, publicKey: bls.publicKey(secretKey), networkKey: peerKey, endpoint: transports.get(index).local };
  }),
});

const handlers = {
  async open({ members }) {
    if (role === 'handel') await joinAll(members);
    else if (role === 'aggregator') aggregate(members);
    else for (const index of indices) answer(index);
    cpu = process.cpuUsage();
    tell({ kind: 'open' });
  },
  ask({ message }) {
    const bytes = new TextEncoder().encode(message);
    if (role === 'handel')
      void groups
        .get(first)
        .certify(bytes)
        .catch(() => {});
    else ask(bytes);
  },
  async kill({ members }) {
    for (const index of members) {
      await groups.get(index)?.close();
      await transports.get(index).close();
    }
  },
  stats() {
    const { user, system } = process.cpuUsage(cpu);
    const bytes = indices.map((index) => {
      const { bytesSent, bytesReceived } = transports.get(index).counters;
      return bytesSent + bytesReceived;
    });
    tell({ kind: 'stats', cpuMs: (user + system) / 1000 / count, bytes: Math.max(...bytes) });
  },
};

async function joinAll(members) {
  const registry = { entries: members.map(({ index: _, ...entry }) => entry) };
  // A process knows of its own members alone, and all of them share these cores: with a period for sixteen, 256 send
  // more than they can read.
  const config = { disseminationPeriodMs: fittingPeriodMs(size / availableParallelism()) };
  for (const index of indices) {
    const transport = transports.get(index);
    const key = keysOf(index);
    const group = await joinGroup({ registry, key, kernel: bls, transport, config, approve: () => true });
    group.on('certificate', () => tell({ kind: 'have', index }));
    groups.set(index, group);
  }
}

/** A member that signs what it is asked for, once, and answers as often as it is asked. */
function answer(index) {
  const transport = transports.get(index);
  let reply;
  transport.onPacket((bytes, from) => {
    if (bytes[0] === 2) {
      tell({ kind: 'have', index });
      transport.send(from, Uint8Array.of(index >> 8, index & 255));
    }
    if (bytes[0] !== 1) return false;
    reply ??= Uint8Array.of(index >> 8, index & 255, ...bls.sign(keysOf(index).secretKey, bytes.slice(1)));
    transport.send(from, reply);
    return true;
  });
}

/** Asks everybody, verifies what waits together, and sends the certificate to all when enough have signed. */
let ask;
function aggregate(members) {
  const [transport] = transports.values();
  const points = members.map(({ publicKey }) => bls.validatePublicKey(publicKey).point);
  const valid = new Map();
  const have = new Set();
  let waiting = new Map();
  let isVerifying = false;
  let verifier;
  const bitsOf = (signers) => {
    const bits = new Uint8Array(Math.ceil(size / 8));
    for (const one of signers) bits[one >> 3] |= 1 << (one & 7);
    return bits;
  };
  const verify = async () => {
    if (isVerifying || waiting.size === 0 || valid.size >= size * share) return;
    isVerifying = true;
    const taken = [...waiting];
    waiting = new Map();
    const claims = taken.map(([index, signature]) => ({ first: 0, bits: bitsOf([index]), signature }));
    const verdicts = await verifier.verifyBatch(claims);
    for (const [at, [index, signature]] of taken.entries()) if (verdicts[at] === true) valid.set(index, signature);
    isVerifying = false;
    if (valid.size >= size * share) finish();
    else void verify();
  };
  const finish = () => {
    const signature = bls.aggregateSignatures([...valid.values()]);
    const certificate = Uint8Array.of(2, ...signature, ...bitsOf(valid.keys()));
    tell({ kind: 'have', index: -1 });
    const sendToWhoLacksIt = (times) => {
      const lacking = members.filter(({ index }) => !have.has(index));
      for (const { endpoint } of lacking) transport.send(endpoint, certificate);
      if (lacking.length > 0 && times < mostSent) setTimeout(() => sendToWhoLacksIt(times + 1), askAgainMs);
    };
    sendToWhoLacksIt(1);
  };
  transport.onPacket((bytes) => {
    const index = (bytes[0] << 8) | bytes[1];
    if (bytes.length === 2) {
      have.add(index);
      return true;
    }
    if (!valid.has(index)) waiting.set(index, bytes.slice(2));
    setImmediate(() => void verify());
    return true;
  });
  ask = (message) => {
    verifier ??= inThreadVerifier(bls.round(points, message));
    for (const { index, endpoint } of members)
      if (!valid.has(index) && valid.size < size * share) transport.send(endpoint, Uint8Array.of(1, ...message));
    if (valid.size < size * share) setTimeout(() => ask(message), askAgainMs);
  };
}
