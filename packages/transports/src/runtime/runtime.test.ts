import {
  type Contribution,
  defaultHandelConfig,
  HandelNode,
  invert,
  MultiSignatureScheme,
  type Port,
  type ProtocolNode,
  ShiftedPriorities,
  shuffle,
  TraceKind,
  Tree,
} from '@tutti/core';
import { type Bls, insecureSecretKey, insecureSeed, loadBls } from '@tutti/wasm-bls';
import { expect, it, vi } from 'vitest';
import { closing, listenedTo } from '../../test/compliance.ts';
import { Channel } from '../channel/channel.ts';
import { splitMessage } from '../channel/fragments.ts';
import { networkKey } from '../channel/networkKey.ts';
import { nodeCrypto } from '../crypto/node.ts';
import { MemoryNetwork } from '../transport/memory.ts';
import type { Transport } from '../transport/transport.ts';
import { clockFromNow } from './clock.ts';
import { type ContributionVerifier, Runtime, type RuntimeOptions } from './runtime.ts';

const bls: Bls = await loadBls({ engine: 'noble' });
const message = new TextEncoder().encode('runtime test');
const session = new Uint8Array(32).fill(3);
const seed = 5;
const patient = { timeout: 50_000 };

/** Creates a group of nodes on a memory network without starting them. */
function group(size: number, clock = clockFromNow(), more: Partial<RuntimeOptions> = {}) {
  const network = new MemoryNetwork();
  const networkKeys = Array.from({ length: size }, (_, i) => networkKey(nodeCrypto, insecureSeed('network', 1, i + 1)));
  /** Return values of each runtime's packet listener: whether the listener vouches for the packet's source address. */
  const vouched: unknown[][] = networkKeys.map(() => []);
  const transports = vouched.map((answers) => listenedTo(network.open(), answers));
  const placement = shuffle(size, seed);
  const positions = invert(placement);
  const scheme = new MultiSignatureScheme({ tree: new Tree(size), kernel: bls });
  const priorities = new ShiftedPriorities(size, seed);
  const config = { ...defaultHandelConfig, threshold: size, levelStartMs: 5 };
  const channelOf = (index: number) =>
    new Channel({
      crypto: nodeCrypto,
      session,
      self: index,
      secret: networkKeys[index]!.secret,
      publicKeys: networkKeys.map((key) => key.publicKey),
    });
  const channels = transports.map((_, index) => channelOf(index));
  const endpoints = transports.map(({ local }) => local);
  const runtimes = transports.map((transport, index) => {
    const id = positions[index]!;
    const own = scheme.individual(id, bls.sign(insecureSecretKey(bls, 1, index), message));
    const runtime = new Runtime({
      ...{ id, placement, endpoints, transport, channel: channels[index]!, scheme, clock },
      verifier: { verifyBatch: async (claims) => claims.map(() => true) },
      createNode: (port) => new HandelNode({ id, config, scheme, priorities, own, port }),
      ...more,
    });
    return closing(runtime);
  });
  return { runtimes, transports, network, channelOf, channels, vouched };
}

/** Creates a runtime with one node, which starts with a valid contribution, its own, and an invalid one. */
function asking(
  verifyBatch: ContributionVerifier['verifyBatch'],
  createNode: (port: Port, contributions: Contribution[]) => Partial<ProtocolNode>,
  failures: string[] = [],
) {
  const scheme = new MultiSignatureScheme({ tree: new Tree(2), kernel: bls, form: 'uncompressed' });
  // The bytes encode no point, because no individual contribution exists yet from which to derive one.
  const bad = scheme.forge(scheme.tree.leaf(1), undefined);
  const good = scheme.individual(0, bls.sign(insecureSecretKey(bls, 1, 0), message));
  const key = networkKey(nodeCrypto, insecureSeed('network', 1, 9));
  const runtime = new Runtime({
    id: 0,
    placement: Int32Array.of(0),
    endpoints: [],
    transport: new MemoryNetwork().open(),
    channel: new Channel({ crypto: nodeCrypto, session, self: 0, secret: key.secret, publicKeys: [key.publicKey] }),
    scheme,
    verifier: { verifyBatch },
    clock: clockFromNow(),
    createNode: (port) => ({
      start: () => {},
      onMessage: () => {},
      onTimer: () => {},
      onVerified: () => {},
      ...createNode(port, [good, bad]),
    }),
    onFailure: ({ message }) => failures.push(message),
  });
  return closing(runtime);
}

it('passes a whole batch to the verifier without undecodable claims, and reports each result to the node', async () => {
  const verifyBatch = vi.fn<ContributionVerifier['verifyBatch']>(async (claims) => claims.map(() => true));
  const results = await new Promise<unknown[]>((resolve) => {
    const runtime = asking(verifyBatch, (port, [good, bad]) => {
      let ticket = 0;
      return {
        start: () => {
          ticket = port.verifyBatch!([bad!, good!, good!], [1, 1, 1], [1, 1, 1]);
        },
        onVerified: () => resolve(['one']),
        onBatchVerified: (answered, verdicts) => resolve([answered === ticket, verdicts, runtime.report().checked]),
      };
    });
    runtime.start();
  });
  expect(results).toEqual([true, [false, true, true], 3]);
  expect(verifyBatch.mock.calls.map(([claims]) => claims.map(({ first }) => first))).toEqual([[0, 0]]);
});

it('a verifier that returns fewer answers than claims fails, and no claim gets a verdict', async () => {
  const failures: string[] = [];
  const onVerified = vi.fn();
  const runtime = asking(
    async () => [],
    (port, [good]) => ({ start: () => void port.verify(good!, 1, 1), onVerified }),
    failures,
  );
  runtime.start();
  await vi.waitFor(() => expect(failures).toHaveLength(1), patient);
  expect(failures).toEqual(['verdicts: expected one for each of 1 claims, got 0']);
  expect(onVerified).not.toHaveBeenCalled();
});

function whole(...message: number[]): Uint8Array {
  return splitMessage(Uint8Array.from(message), 1000, 0)[0]!;
}

it('a runtime verifies the address of a current sender at its registered address, and no other address', async () => {
  const { transports, network, channelOf, channels, vouched } = group(3);
  const victim = transports[0]!.local;
  const stranger = network.open();
  const insider = channelOf(1);
  const beforeItHeard = insider.seal(0, whole(1, 1, 0));
  insider.open(channels[0]!.seal(1, whole(1, 1, 0)));
  const sealed = () => insider.seal(0, whole(1, 1, 0));
  const replayed = sealed();
  const sent: [what: string, from: Transport, packet: Uint8Array, vouches: boolean][] = [
    ['a possible recording, from the registered address', transports[1]!, beforeItHeard, false],
    ['a packet for the current incarnation, from the registered address', transports[1]!, replayed, true],
    ['the same packet again', transports[1]!, replayed, false],
    ["a packet from an untrusted peer's address", stranger, sealed(), false],
    ["a packet from another member's address", transports[2]!, sealed(), false],
    ['a forged packet, from the registered address', transports[1]!, sealed().fill(0, 40), false],
    ['another packet for the current incarnation, from the registered address', transports[1]!, sealed(), true],
  ];
  for (const [i, [what, from, packet, vouches]] of sent.entries()) {
    from.send(victim, packet.slice());
    await vi.waitFor(() => expect(vouched[0]).toHaveLength(i + 1), patient);
    expect([what, vouched[0]![i]]).toEqual([what, vouches]);
  }
});

it('a runtime notifies the registered address of a sender that addresses an earlier incarnation', async () => {
  const { runtimes, transports, network, channelOf, vouched } = group(2);
  const [earlier, peer] = [channelOf(0), channelOf(1)];
  peer.open(earlier.seal(1, whole(1, 1, 0)));
  network.open().send(transports[0]!.local, peer.seal(0, whole(1, 1, 0)));
  await vi.waitFor(() => expect(vouched[1]).toHaveLength(1), patient);
  expect(runtimes[0]!.report()).toMatchObject({ refused: { 'stale-incarnation': 1 }, bytesSent: 51, messagesSent: 0 });
  expect(runtimes[1]!.report()).toMatchObject({ refused: {}, bytesReceived: 51, messagesReceived: 0 });
});

it('a runtime ignores banned members, and reports invalid members by their registry index', async () => {
  const [ports, invalid]: [Port[], number[]] = [[], []];
  const { runtimes, transports, channelOf, vouched } = group(4, clockFromNow(), {
    hears: (index) => index !== 1,
    onInvalid: (index) => invalid.push(index),
    createNode: (port) => ports.push(port) as never,
  });
  transports[1]!.send(transports[0]!.local, channelOf(1).seal(0, whole(1, 1, 0)));
  await vi.waitFor(() => expect(vouched[0]).toHaveLength(1), patient);
  expect(runtimes[0]!.report()).toMatchObject({ refused: { blacklisted: 1 }, messagesReceived: 0 });
  for (const position of [0, 1, 2, 3]) ports[0]!.trace?.(TraceKind.blacklisted, 1, position, 0);
  expect(invalid).toEqual([...shuffle(4, seed)]);
});

it('a node cannot start before the origin of its clock', () => {
  const { runtimes } = group(1, { nowUs: () => -1000 });
  expect(() => runtimes[0]!.start()).toThrow(/^clock: expected the common start to have passed, got -\d+ µs$/);
});

it('a closed node does nothing more', async () => {
  const { runtimes, transports, network, channelOf } = group(2);
  runtimes[0]!.start();
  await runtimes[0]!.close();
  const before = runtimes[0]!.report();
  network.open().send(transports[0]!.local, channelOf(1).seal(0, new Uint8Array(8)));
  await new Promise(setImmediate);
  await new Promise(setImmediate);
  expect(runtimes[0]!.report()).toEqual(before);
});
