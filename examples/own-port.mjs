/**
 * Handel with BLS signatures behind a custom port: eight nodes in one process, which exchange packets by function calls
 * and use the system clock.
 */
import {
  decodeMessage,
  defaultHandelConfig,
  encodeMessage,
  HandelNode,
  MultiSignatureScheme,
  ShiftedPriorities,
  Tree,
} from '@tutti/core';
import { loadBls } from '@tutti/wasm-bls';

const [size, message, bls] = [8, new TextEncoder().encode('all together'), await loadBls()];
const secrets = Array.from({ length: size }, () => bls.keyGen(crypto.getRandomValues(new Uint8Array(32))));
const publicKeys = secrets.map((secret) => bls.publicKey(secret));
const points = publicKeys.map((key) => bls.validatePublicKey(key).point);
const config = { ...defaultHandelConfig, threshold: size };
const priorities = new ShiftedPriorities(size, 1);
const outputs = new Map();

const members = secrets.map((secret, id) => {
  const scheme = new MultiSignatureScheme({ tree: new Tree(size), kernel: bls, verifier: bls.round(points, message) });
  let tickets = 0;
  const port = {
    nowUs: () => Math.round(performance.now() * 1000),
    send: (to, ...contents) => carry(id, to, encodeMessage(scheme, ...contents)),
    setTimer: (delayUs, timer) => setTimeout(() => node.onTimer(timer), delayUs / 1000).unref(),
    verify(contribution) {
      setImmediate((ticket) => node.onVerified(ticket, scheme.verify(contribution)), ++tickets);
      return tickets;
    },
    output: (contribution) => outputs.set(id, scheme.claim(contribution)),
    refuse: (_level, peer, code) => console.error(`from ${peer}: ${code}`),
    trace: () => {},
  };
  const own = scheme.individual(id, bls.sign(secret, message));
  const node = new HandelNode({ id, config, scheme, priorities, own, port });
  return { node, scheme };
});

/**
 * Delivers a message in place of a network. In this example the sender is known; a real network needs an authenticated
 * channel to identify it.
 */
function carry(from, to, bytes) {
  const { node, scheme } = members[to];
  setImmediate(() => {
    const read = decodeMessage(scheme, to, from, bytes);
    if (!read.ok) return console.error(`from ${from}: ${read.code}`);
    node.onMessage(from, read.level, read.aggregate, read.individual, read.flags);
    scheme.release(read.aggregate);
    scheme.release(read.individual);
  });
}

for (const { node } of members) node.start();
while (outputs.size < size) await new Promise((resolve) => setImmediate(resolve));
const valid = [...outputs.values()].filter((one) => bls.fastAggregateVerify(publicKeys, message, one.signature));
console.log(`${valid.length} of ${size} nodes hold a multi-signature of all`);
