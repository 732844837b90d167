/**
 * Sixteen peers over UDP: a registry, an authenticated channel between every two peers, one round, and one
 * multi-signature.
 */
import { Group, networkKey, Peer, roundMessage } from '@tutti/transports';
import { nodeCrypto, openUdp } from '@tutti/transports/node';
import { loadBls } from '@tutti/wasm-bls';

const [size, bls] = [16, await loadBls()];
const draw = () => crypto.getRandomValues(new Uint8Array(32));
const members = await Promise.all(
  Array.from({ length: size }, async () => ({
    secret: bls.keyGen(draw()),
    network: networkKey(nodeCrypto, draw()),
    transport: await openUdp({ host: '127.0.0.1' }),
  })),
);
const entries = members.map(({ secret, network, transport }) => ({
  publicKey: bls.publicKey(secret),
  networkKey: network.publicKey,
  endpoint: transport.local,
}));
const group = new Group({ kernel: bls, entries });
const plan = { number: 1, message: roundMessage('an example', 1), seed: draw() };

const peers = [];
const reports = members.map(
  ({ secret, network, transport }, index) =>
    new Promise((onOutput, onFailure) => {
      const sign = (message) => bls.sign(secret, message);
      const config = { threshold: size };
      peers.push(
        new Peer({ group, index, networkSecret: network.secret, sign, transport, config, onOutput, onFailure }),
      );
    }),
);
for (const peer of peers) peer.open(plan);
for (const peer of peers) peer.start(plan.number);

const keys = entries.map(({ publicKey }) => publicKey);
const done = await Promise.all(reports);
const valid = done.filter(({ message, output }) => bls.fastAggregateVerify(keys, message, output.signature));
console.log(`${valid.length} of ${size} peers hold a multi-signature of all`);
await Promise.all(peers.map((peer) => peer.close()));
