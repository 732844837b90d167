import { type Contribution, MultiSignatureScheme, type Port, Tree } from '@tutti/core';
import { loadBls } from '@tutti/wasm-bls';
import { afterEach, describe, expect, it } from 'vitest';
import { CHANNEL_OVERHEAD_BYTES, Channel } from '../src/channel/channel.ts';
import { splitMessage } from '../src/channel/fragments.ts';
import { identityStatement } from '../src/channel/identity.ts';
import { networkKey } from '../src/channel/networkKey.ts';
import { REPLAY_WINDOW } from '../src/channel/replayWindow.ts';
import { sessionId } from '../src/channel/session.ts';
import { Counts } from '../src/counts.ts';
import { nobleCrypto } from '../src/crypto/noble.ts';
import { nodeCrypto } from '../src/crypto/node.ts';
import { checkEntry, type RegistryEntry, SIGNATURE_BYTES } from '../src/registry/registry.ts';
import { clockFromNow } from '../src/runtime/clockFromNow.ts';
import { Runtime } from '../src/runtime/runtime.ts';
import type { Endpoint, Transport } from '../src/transport/transport.ts';
import type { TransportFactory } from './compliance.ts';

/** As many nodes as it takes for a message of the highest level to be longer than a datagram. */
const NODES = 16_384;
const TOP_LEVEL = 14;
/** Registry indices, which are positions here. Honest and insider are level 14 peers of the victim. */
const VICTIM = 0;
const HONEST = NODES / 2;
const INSIDER = HONEST + 1;

const bls = await loadBls({ kernel: 'noble' });
const tree = new Tree(NODES);
const key = (fill: number) => networkKey(nodeCrypto, new Uint8Array(32).fill(fill));
const keys = new Map([VICTIM, HONEST, INSIDER].map((index, i) => [index, key(i + 1)]));
const nobody = key(4);
const publicKeys = Array.from({ length: NODES }, (_, index) => (keys.get(index) ?? nobody).publicKey);
const digest = new Uint8Array(32).fill(5);
const session = sessionId(nodeCrypto, digest, '1');

/** The honest node's own channel, or another's; each is a life of its own. */
function channelOf(self: number, { round = '1', secret = keys.get(self)!.secret } = {}): Channel {
  const crypto = self === VICTIM ? nodeCrypto : nobleCrypto;
  return new Channel({
    crypto,
    session: sessionId(nodeCrypto, digest, round),
    self,
    secret,
    publicKeys,
  });
}

/** A payload that the channel takes, and no message: it ends before its set does. */
const short = () => splitMessage(Uint8Array.of(1, TOP_LEVEL, 0, 1), 1000, 0)[0]!;

/** An entry in which somebody put their own network key beside another's BLS key; the proofs are those of the other. */
const forgedEntry = ((): RegistryEntry => {
  const secret = bls.keyGen(new Uint8Array(32).fill(1));
  const publicKey = bls.publicKey(secret);
  return {
    publicKey,
    proofOfPossession: bls.provePossession(secret),
    networkKey: nobody.publicKey,
    networkKeyProof: bls.sign(secret, identityStatement(publicKey, keys.get(HONEST)!.publicKey)),
    endpoint: { host: '127.0.0.1', port: 1 },
  };
})();

function altered(packet: Uint8Array, changes: Readonly<Record<number, number>>): Uint8Array {
  const copy = packet.slice();
  for (const [at, byte] of Object.entries(changes)) copy[Number(at)] = byte;
  return copy;
}

// Offsets in a packet; see `Channel`.
const SENDER_AT = 5;
const RECEIVER_AT = 8;
const indexBytes = (at: number, index: number) => ({
  [at]: index >> 16,
  [at + 1]: (index >> 8) & 255,
  [at + 2]: index & 255,
});

/** What somebody on the network does, and under which code each packet is to be counted. */
type Attack = () => [code: string, packet: Uint8Array][];

const attacks: [name: string, Attack][] = [
  [
    "a forged identity: an untrusted peer's packet in the name of an entry",
    () => [['forged', channelOf(HONEST, { secret: nobody.secret }).seal(VICTIM, short())]],
  ],
  [
    "a forged identity: an insider's packet under another's index",
    () => [['forged', altered(channelOf(INSIDER).seal(VICTIM, short()), indexBytes(SENDER_AT, HONEST))]],
  ],
  [
    'a forged identity: the index of nobody',
    () => [['unknown-sender', altered(channelOf(INSIDER).seal(VICTIM, short()), indexBytes(SENDER_AT, NODES))]],
  ],
  [
    'sender and receiver swapped: what the victim sent comes back',
    () => {
      const sent = channelOf(VICTIM).seal(HONEST, short());
      const swapped = { ...indexBytes(SENDER_AT, HONEST), ...indexBytes(RECEIVER_AT, VICTIM) };
      return [
        ['unknown-sender', sent],
        ['forged', altered(sent, swapped)],
      ];
    },
  ],
  [
    'another receiver: what was sealed for somebody else',
    () => {
      const elsewhere = channelOf(HONEST).seal(INSIDER, short());
      return [
        ['misaddressed', elsewhere],
        ['forged', altered(elsewhere, indexBytes(RECEIVER_AT, VICTIM))],
      ];
    },
  ],
  [
    "another round's packet, and one that claims to be of this round",
    () => {
      const other = channelOf(HONEST, { round: '2' }).seal(VICTIM, short());
      const claimed = Object.fromEntries(Array.from(session.subarray(0, 4), (byte, i) => [i + 1, byte]));
      return [
        ['wrong-session', other],
        ['forged', altered(other, claimed)],
      ];
    },
  ],
  [
    'truncated packets',
    () => {
      const packet = channelOf(HONEST).seal(VICTIM, short());
      return [
        ['too-short', packet.slice(0, 1)],
        ['too-short', packet.slice(0, CHANNEL_OVERHEAD_BYTES - 1)],
        ['forged', packet.slice(0, CHANNEL_OVERHEAD_BYTES)],
        ['forged', packet.slice(0, -1)],
      ];
    },
  ],
  [
    'a bit flipped, in each byte of a packet in turn',
    () => {
      const packet = channelOf(HONEST).seal(VICTIM, short());
      const codes: [end: number, code: string][] = [
        [1, 'wrong-version'],
        [SENDER_AT, 'wrong-session'],
        // The highest bit of an index makes it nobody's.
        [RECEIVER_AT, 'unknown-sender'],
        [11, 'misaddressed'],
        [19, 'forged'],
        // As if for another life than the victim's.
        [23, 'earlier-life'],
        [packet.length, 'forged'],
      ];
      return Array.from(packet, (byte, at) => {
        const isIndex = at >= SENDER_AT && at < RECEIVER_AT;
        const flipped = altered(packet, { [at]: byte ^ 0x80, ...(isIndex ? { [SENDER_AT]: 0x80 } : {}) });
        return [codes.find(([end]) => at < end)![1], flipped];
      });
    },
  ],
];

/** A transport that lets a test wait until so many packets were handled, without a clock. */
function watched(transport: Transport): Transport & { handled(count: number): Promise<void> } {
  let seen = 0;
  let wake = () => {};
  return {
    local: transport.local,
    maxPacketBytes: transport.maxPacketBytes,
    counters: transport.counters,
    send: (to, bytes) => transport.send(to, bytes),
    close: () => transport.close(),
    onPacket: (listener) =>
      transport.onPacket((bytes, from) => {
        const answer = listener(bytes, from);
        seen++;
        wake();
        return answer;
      }),
    async handled(count) {
      while (seen < count)
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
    },
  };
}

/**
 * That the authenticated channel holds on a transport (v1.03 section 2.3): what a forger, a replayer or a member of another
 * round sends there is refused, counted under its code, and changes nothing. Run it beside `describeTransport`, on each
 * transport, from a test file of the transport:
 *
 *     describeSecurity('udp over IPv4', { open: (options) => openUdp({ host: '127.0.0.1', ...options }) });
 *
 * The transport must deliver what is sent to an address that listens, as it does on a machine of its own; the victim uses
 * Node's primitives and everybody else noble's.
 *
 * @param factory three transports are opened a test, which reach each other.
 */
export function describeSecurity(name: string, factory: Pick<TransportFactory, 'open'>): void {
  describe(`${name} carries only what the channel lets through`, () => {
    const opened: { close(): Promise<void> }[] = [];
    afterEach(async () => {
      await Promise.all(opened.splice(0).map((one) => one.close()));
    });

    /** A victim and an honest peer, each behind a runtime, and an untrusted peer with a transport of his own, who has any packet to send. */
    async function world() {
      const [victimTransport, honestTransport, stranger] = [
        watched(await factory.open()),
        watched(await factory.open()),
        await factory.open(),
      ];
      // As everybody who listens does: some transports answer on the connection that a packet came by.
      stranger.onPacket(() => {});
      opened.push(stranger);
      const nowhere: Endpoint = { host: '127.0.0.1', port: 1 };
      const endpoints = Array.from({ length: NODES }, () => nowhere);
      endpoints[VICTIM] = victimTransport.local;
      endpoints[HONEST] = honestTransport.local;
      const victim = runtimeOf(VICTIM, endpoints, victimTransport);
      const honest = runtimeOf(HONEST, endpoints, honestTransport);
      const inject = (packet: Uint8Array) => stranger.send(victimTransport.local, packet);
      return { victim, honest, inject, handled: (count: number) => victimTransport.handled(count) };
    }

    /** A runtime whose node says what it is told to, and remembers what it hears. */
    function runtimeOf(id: number, endpoints: readonly Endpoint[], transport: Transport) {
      const scheme = new MultiSignatureScheme({ tree, kernel: bls });
      const heard: { from: number; level: number; signers: number; flags: number }[] = [];
      let port: Port | undefined;
      const runtime = new Runtime({
        id,
        placement: Int32Array.from({ length: NODES }, (_, index) => index),
        endpoints,
        transport,
        channel: channelOf(id),
        scheme,
        verifier: { verify: async () => true },
        clock: clockFromNow(),
        createNode: (given) => {
          port = given;
          return {
            start() {},
            onMessage: (from: number, level: number, aggregate: Contribution, _: Contribution, flags: number) => {
              heard.push({ from, level, signers: scheme.weight(aggregate), flags });
            },
            onTimer() {},
            onVerified() {},
          };
        },
      });
      opened.push(runtime);
      /** Sends what half of the network would sign, listed or, when `words` is undefined, in full. */
      const say = (words: Int32Array | undefined, flags = 0) => {
        const aggregate = scheme.forge(tree.ownBlock(id, TOP_LEVEL), words);
        const individual = scheme.individual(id, new Uint8Array(SIGNATURE_BYTES));
        port!.send(VICTIM, TOP_LEVEL, aggregate, individual, flags);
        scheme.release(aggregate);
        scheme.release(individual);
      };
      return { runtime, heard, say };
    }

    it.each(attacks)('%s', async (_, attack) => {
      const { victim, honest, inject, handled } = await world();
      const hostile = attack();
      const refused = new Counts();
      for (const [code, packet] of hostile) {
        refused.add(code);
        inject(packet);
      }
      await handled(hostile.length);
      expect(victim.runtime.report()).toMatchObject({ refused: refused.toRecord(), messagesReceived: 0 });
      expect(victim.heard).toEqual([]);

      honest.say(undefined, 1);
      await handled(hostile.length + 1);
      expect(victim.heard).toEqual([{ from: HONEST, level: TOP_LEVEL, signers: NODES / 2, flags: 1 }]);
      expect(victim.runtime.report()).toMatchObject({ refused: refused.toRecord(), messagesReceived: 1 });
    });

    it('a forged identity: a network key that its BLS key did not sign is no entry, and its holder is an untrusted peer', async () => {
      expect(() => checkEntry(nodeCrypto, forgedEntry, 1, bls)).toThrow(
        expect.objectContaining({ code: 'registry-bad-network-proof' }),
      );
      const { victim, inject, handled } = await world();
      inject(channelOf(HONEST, { secret: nobody.secret }).seal(VICTIM, short()));
      await handled(1);
      expect(victim.runtime.report().refused).toEqual({ forged: 1 });
    });

    it('a replayed packet: heard once, whoever sends it again and however often', async () => {
      const { victim, inject, handled } = await world();
      const channel = channelOf(HONEST);
      const packets = Array.from({ length: REPLAY_WINDOW }, () => channel.seal(VICTIM, short()));
      for (const packet of packets) inject(packet);
      await handled(packets.length);
      expect(victim.runtime.report().refused).toEqual({ truncated: packets.length });
      for (const packet of packets) inject(packet);
      await handled(2 * packets.length);
      expect(victim.runtime.report().refused).toEqual({ truncated: packets.length, replayed: packets.length });
    });

    it('a message longer than a packet arrives whole; a piece of it again, or altered, is counted and spoils nothing', async () => {
      const { victim, honest, inject, handled } = await world();
      const insider = channelOf(INSIDER);
      const [piece, other] = splitMessage(new Uint8Array(1200), 1000, 7) as [Uint8Array, Uint8Array];
      const hostile: [code: string, packet: Uint8Array][] = [
        ['contradictory-piece', insider.seal(VICTIM, piece.with(20, 1))],
        ['duplicate-piece', insider.seal(VICTIM, piece)],
        ['oversized-message', insider.seal(VICTIM, altered(piece, { 1: 9, 7: 0xff }))],
        ['malformed-piece', insider.seal(VICTIM, piece.slice(0, 9))],
        ['unknown-framing', insider.seal(VICTIM, Uint8Array.of(77))],
        ['forged', altered(insider.seal(VICTIM, other), { 30: 0 })],
      ];
      inject(insider.seal(VICTIM, piece));
      await handled(1);
      for (const [, packet] of hostile) inject(packet);
      await handled(1 + hostile.length);
      const refused = Object.fromEntries(hostile.map(([code]) => [code, 1]));
      expect(victim.runtime.report()).toMatchObject({ refused, messagesReceived: 0 });

      honest.say(new Int32Array(NODES / 2 / 32).fill(0x0f0f0f0f), 1);
      await handled(1 + hostile.length + 2);
      expect(victim.heard).toEqual([{ from: HONEST, level: TOP_LEVEL, signers: NODES / 4, flags: 1 }]);
      expect(victim.runtime.report()).toMatchObject({ refused, messagesReceived: 1 });
      expect(honest.runtime.report()).toMatchObject({ messagesSent: 1, refused: {} });
    });
  });
}
