import {
  defaultHandelConfig,
  encodeMessage,
  HandelNode,
  invert,
  MultiSignatureScheme,
  NONE,
  ShiftedPriorities,
  shuffle,
  Tree,
} from '@tutti/core';
import { type Bls, inThreadVerifier, loadBls } from '@tutti/wasm-bls';
import { afterEach, expect, it } from 'vitest';
import { Channel } from './channel.ts';
import { monotonicClock, monotonicNs } from './clock.ts';
import { nodeCrypto } from './crypto/node.ts';
import { splitMessage } from './fragments.ts';
import { Host, type SignedOutput } from './host.ts';
import { MemoryNetwork } from './memory.ts';
import { networkKey } from './networkKey.ts';
import { batched } from './rounds/verifier.ts';

const bls: Bls = await loadBls({ kernel: 'noble' });
const message = new TextEncoder().encode('host test');
const session = new Uint8Array(32).fill(3);
const seed = 5;

const open: Host[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((host) => host.close()));
});

/** A group of real nodes with real keys on a network in memory, not yet started; the silent ones are not waited for. */
function group(size: number, threshold: number, silent: readonly number[] = [], clock = monotonicClock(monotonicNs())) {
  const network = new MemoryNetwork();
  const secrets = Array.from({ length: size }, (_, i) => bls.keyGen(new Uint8Array(32).fill(i + 1)));
  const publicKeys = secrets.map((secret) => bls.publicKey(secret));
  const networkKeys = Array.from({ length: size }, (_, i) => networkKey(nodeCrypto, new Uint8Array(32).fill(i + 1)));
  const transports = networkKeys.map(() => network.open());
  const placement = shuffle(size, seed);
  const positions = invert(placement);
  const scheme = new MultiSignatureScheme({ tree: new Tree(size), kernel: bls });
  const byPosition = Array.from(placement, (index) => publicKeys[index]!);
  const round = bls.round(byPosition, message);
  const verifier = batched(inThreadVerifier(round));
  const priorities = new ShiftedPriorities(size, seed);
  const config = { ...defaultHandelConfig, threshold, levelStartMs: 5 };
  let reached = 0;
  let onAllReached = () => {};
  const allReached = new Promise<void>((resolve) => {
    onAllReached = resolve;
  });
  const channelOf = (index: number, options: { session?: Uint8Array; firstCounter?: number } = {}) =>
    new Channel({
      crypto: nodeCrypto,
      session,
      self: index,
      secret: networkKeys[index]!.secret,
      publicKeys: networkKeys.map((key) => key.publicKey),
      ...options,
    });
  const hosts = transports.map((transport, index) => {
    const id = positions[index]!;
    const own = scheme.individual(id, bls.sign(secrets[index]!, message));
    let first = true;
    const host = new Host({
      id,
      placement,
      endpoints: transports.map(({ local }) => local),
      transport,
      channel: channelOf(index),
      scheme,
      verifier,
      clock,
      createNode: (port) => new HandelNode({ id, config, scheme, priorities, own, port }),
      onOutput: () => {
        if (first && ++reached === size - silent.length) onAllReached();
        first = false;
      },
    });
    open.push(host);
    return host;
  });
  const verifies = ({ bits, signature }: SignedOutput) =>
    bls.fastAggregateVerify(
      byPosition.filter((_, b) => ((bits[b >> 3]! >> (b & 7)) & 1) === 1),
      message,
      signature,
    );
  return { hosts, transports, network, placement, scheme, allReached, verifies, channelOf };
}

it.each([1, 2, 3, 5, 8])('%i nodes aggregate all their signatures, and the result verifies', async (size) => {
  const { hosts, allReached, verifies } = group(size, size);
  for (const host of hosts) host.start();
  await allReached;
  for (const host of hosts) {
    const output = host.output()!;
    expect(output.weight).toBe(size);
    expect(verifies(output)).toBe(true);
    expect(host.report()).toMatchObject({ id: host.id, refused: {}, timeToThresholdUs: expect.any(Number) });
  }
});

it('a node that starts before the others waits for them', async () => {
  const { hosts, allReached } = group(4, 4);
  hosts[0]!.start();
  await new Promise(setImmediate);
  expect(hosts[0]!.reached).toBe(false);
  for (const host of hosts.slice(1)) host.start();
  await allReached;
});

/** A message as the payload of one packet. */
function whole(...message: number[]): Uint8Array {
  return splitMessage(Uint8Array.from(message), 1000, 0)[0]!;
}

it('whatever a stranger sends is counted by code and changes nothing else', async () => {
  const { hosts, transports, network, allReached, verifies, channelOf } = group(4, 4);
  const victim = transports[0]!.local;
  const stranger = network.open({ maxPacketBytes: 5000 });
  // Genuine, from entry 1, with counters under those that it will use itself.
  const insider = channelOf(1, { firstCounter: 0 });
  const replayed = insider.seal(0, whole(1, 1, 0));
  const forged = insider.seal(0, new Uint8Array(300));
  forged[50]! ^= 1;
  const storm: [code: string, packet: Uint8Array][] = [
    ['too-short', Uint8Array.of(1, 2, 3)],
    ['too-long', new Uint8Array(5000)],
    ['wrong-version', new Uint8Array(300)],
    ['wrong-session', channelOf(1, { session: new Uint8Array(32) }).seal(0, new Uint8Array(8))],
    ['misaddressed', insider.seal(2, new Uint8Array(8))],
    ['forged', forged],
    ['truncated', replayed],
    ['replayed', replayed.slice()],
    ['unknown-version', insider.seal(0, whole(...new Uint8Array(300)))],
    ['unknown-framing', insider.seal(0, Uint8Array.of(2, 1, 1, 0))],
    ['malformed-piece', insider.seal(0, Uint8Array.of(1, 1, 1, 0))],
    ['level-out-of-range', insider.seal(0, whole(1, 40, 0, ...new Uint8Array(200)))],
  ];
  for (const [, packet] of storm) stranger.send(victim, packet);
  await new Promise(setImmediate);
  for (const host of hosts) host.start();
  await allReached;
  expect(hosts[0]!.report().refused).toEqual(Object.fromEntries(storm.map(([code]) => [code, 1])));
  for (const host of hosts) expect(verifies(host.output()!)).toBe(true);
});

it('an insider who sends an invalid signature is left out, and the others reach the threshold without it', async () => {
  const { hosts, transports, placement, scheme, allReached, verifies, channelOf } = group(4, 3, [1]);
  await hosts[1]!.close();
  const liar = channelOf(1);
  const level = 1 + Math.floor(Math.log2(hosts[0]!.id ^ hosts[1]!.id));
  const lie = scheme.individual(hosts[1]!.id, bls.sign(bls.keyGen(new Uint8Array(32).fill(99)), message));
  transports[0]!.send(transports[0]!.local, liar.seal(0, whole(...encodeMessage(scheme, level, lie, NONE, 0))));
  scheme.release(lie);
  expect(placement[hosts[0]!.id]).toBe(0);
  for (const [index, host] of hosts.entries()) if (index !== 1) host.start();
  await allReached;
  for (const [index, host] of hosts.entries()) if (index !== 1) expect(verifies(host.output()!)).toBe(true);
  expect(hosts[0]!.output()!.weight).toBe(3);
});

it('a node cannot start before the origin of its clock', () => {
  const { hosts } = group(1, 1, [], monotonicClock(monotonicNs() + 10n ** 12n));
  expect(() => hosts[0]!.start()).toThrow(/^clock: expected the common start to have passed, got -\d+ µs$/);
});

it('a closed node stands still', async () => {
  const { hosts, transports, network, channelOf } = group(2, 2);
  hosts[0]!.start();
  await hosts[0]!.close();
  const before = hosts[0]!.report();
  const other = network.open();
  other.send(transports[0]!.local, channelOf(1).seal(0, new Uint8Array(8)));
  await new Promise(setImmediate);
  await new Promise(setImmediate);
  expect(hosts[0]!.report()).toEqual(before);
});
