import {
  blsSignatureBytes,
  type Contribution,
  type Endpoint,
  MultiSignatureScheme,
  type Port,
  Tree,
} from '@tutti/core';
import { insecureSeed, loadBls } from '@tutti/wasm-bls';
import { describe, expect, it } from 'vitest';
import { Channel, channelOverheadBytes, receiverAt, senderAt, sessionId } from '../src/channel/channel.ts';
import { splitMessage } from '../src/channel/fragments.ts';
import { networkKey } from '../src/channel/networkKey.ts';
import { replayWindow } from '../src/channel/replayWindow.ts';
import { nobleCrypto } from '../src/crypto/noble.ts';
import { nodeCrypto } from '../src/crypto/node.ts';
import { Counts } from '../src/refusals.ts';
import { clockFromNow } from '../src/runtime/clock.ts';
import { Runtime } from '../src/runtime/runtime.ts';
import type { Transport } from '../src/transport/transport.ts';
import { closing, listenedTo, type TransportFactory, until } from './compliance.ts';

/** Number of nodes at which a message of the highest level is longer than a datagram. */
const nodes = 16_384;
const topLevel = 14;
/** Registry indices, which equal the positions. Both others are the victim's peers on level 14. */
const victimId = 0;
const honestId = nodes / 2;
const insiderId = honestId + 1;

const bls = await loadBls({ engine: 'noble' });
const tree = new Tree(nodes);
const key = (fill: number) => networkKey(nodeCrypto, insecureSeed('network', 1, fill));
const keys = new Map([victimId, honestId, insiderId].map((index, i) => [index, key(i + 1)]));
const nobody = key(4);
const publicKeys = Array.from({ length: nodes }, (_, index) => (keys.get(index) ?? nobody).publicKey);
const digest = new Uint8Array(32).fill(5);
const session = sessionId(nodeCrypto, digest, '1');

/** Creates a channel for a new incarnation of a node, by default with the node's own key. */
function channelOf(self: number, { round = '1', secret = keys.get(self)!.secret } = {}): Channel {
  const crypto = self === victimId ? nodeCrypto : nobleCrypto;
  return new Channel({ crypto, session: sessionId(nodeCrypto, digest, round), self, secret, publicKeys });
}

/** Returns a payload that the channel accepts, but whose message ends before its set is complete. */
const short = () => splitMessage(Uint8Array.of(1, topLevel, 0, 1), 1000, 0)[0]!;

function altered(packet: Uint8Array, changes: Readonly<Record<number, number>>): Uint8Array {
  const copy = packet.slice();
  for (const [at, byte] of Object.entries(changes)) copy[Number(at)] = byte;
  return copy;
}

const indexBytes = (at: number, index: number) => ({
  [at]: index >> 16,
  [at + 1]: (index >> 8) & 255,
  [at + 2]: index & 255,
});

/** Returns the packets of a network attacker, each with the code under which the victim must count it. */
type Attack = () => [code: string, packet: Uint8Array][];

const attacks: Readonly<Record<string, Attack>> = {
  "a forged identity: an untrusted peer's packet in the name of an entry": () => [
    ['forged', channelOf(honestId, { secret: nobody.secret }).seal(victimId, short())],
  ],
  "a forged identity: an insider's packet under another's index": () => [
    ['forged', altered(channelOf(insiderId).seal(victimId, short()), indexBytes(senderAt, honestId))],
  ],
  'a forged identity: an index that no entry has': () => [
    ['unknown-sender', altered(channelOf(insiderId).seal(victimId, short()), indexBytes(senderAt, nodes))],
  ],
  "sender and receiver swapped: the victim's own packet comes back": () => {
    const sent = channelOf(victimId).seal(honestId, short());
    const swapped = { ...indexBytes(senderAt, honestId), ...indexBytes(receiverAt, victimId) };
    return [
      ['unknown-sender', sent],
      ['forged', altered(sent, swapped)],
    ];
  },
  'another receiver: a packet sealed for another node': () => {
    const elsewhere = channelOf(honestId).seal(insiderId, short());
    return [
      ['misaddressed', elsewhere],
      ['forged', altered(elsewhere, indexBytes(receiverAt, victimId))],
    ];
  },
  "another round's packet, and one that claims to be of this round": () => {
    const other = channelOf(honestId, { round: '2' }).seal(victimId, short());
    const claimed = Object.fromEntries(Array.from(session.subarray(0, 4), (byte, i) => [i + 1, byte]));
    return [
      ['wrong-session', other],
      ['forged', altered(other, claimed)],
    ];
  },
  'truncated packets': () => {
    const packet = channelOf(honestId).seal(victimId, short());
    return [
      ['too-short', packet.slice(0, 1)],
      ['too-short', packet.slice(0, channelOverheadBytes - 1)],
      ['forged', packet.slice(0, channelOverheadBytes)],
      ['forged', packet.slice(0, -1)],
    ];
  },
  'a bit flipped, in each byte of a packet in turn': () => {
    const packet = channelOf(honestId).seal(victimId, short());
    const codes: [end: number, code: string][] = [
      [1, 'wrong-version'],
      [senderAt, 'wrong-session'],
      // With the highest bit set, an index belongs to no member.
      [receiverAt, 'unknown-sender'],
      [11, 'misaddressed'],
      [19, 'forged'],
      // A packet for an incarnation other than the victim's.
      [23, 'stale-incarnation'],
      [packet.length, 'forged'],
    ];
    return Array.from(packet, (byte, at) => {
      const isIndex = at >= senderAt && at < receiverAt;
      const flipped = altered(packet, { [at]: byte ^ 0x80, ...(isIndex ? { [senderAt]: 0x80 } : {}) });
      return [codes.find(([end]) => at < end)![1], flipped];
    });
  },
};

/**
 * Defines tests for the authenticated channel on a transport (v1.03 section 2.3): packets from a forger, a replayer or
 * a member of another round are rejected, counted under their codes, and have no other effect. Run these tests in
 * addition to `describeTransport`, in a test file of each transport:
 *
 *     describeSecurity('udp over IPv4', { open: (options) => openUdp({ host: '127.0.0.1', ...options }) });
 *
 * The transport must deliver packets to any listening address, as it does on a single machine. The victim uses Node's
 * cryptographic primitives, and all other nodes use noble's.
 *
 * @param factory opens three transports per test, which can reach each other.
 */
export function describeSecurity(name: string, factory: Pick<TransportFactory, 'open'>): void {
  describe(`${name} carries only what the channel lets through`, () => {
    /** Creates a victim and an honest peer with runtimes, and an untrusted peer that can send any packet. */
    async function world() {
      const answers: unknown[] = [];
      const [victimTransport, honestTransport, stranger] = [
        listenedTo(await factory.open(), answers),
        await factory.open(),
        await factory.open(),
      ];
      // Some transports answer on the connection over which a packet arrived, so the untrusted peer listens too.
      stranger.onPacket(() => {});
      closing(stranger);
      const nowhere: Endpoint = { host: '127.0.0.1', port: 1 };
      const endpoints = Array.from({ length: nodes }, () => nowhere);
      endpoints[victimId] = victimTransport.local;
      endpoints[honestId] = honestTransport.local;
      const victim = runtimeOf(victimId, endpoints, victimTransport);
      const honest = runtimeOf(honestId, endpoints, honestTransport);
      const inject = (packet: Uint8Array) => stranger.send(victimTransport.local, packet);
      return { victim, honest, inject, handled: (count: number) => until(() => answers.length >= count) };
    }

    /** Creates a runtime whose node sends what the test requests, and records what it receives. */
    function runtimeOf(id: number, endpoints: readonly Endpoint[], transport: Transport) {
      const scheme = new MultiSignatureScheme({ tree, kernel: bls });
      const heard: { from: number; level: number; signers: number; flags: number }[] = [];
      let port: Port | undefined;
      const runtime = new Runtime({
        id,
        placement: Int32Array.from({ length: nodes }, (_, index) => index),
        endpoints,
        transport,
        channel: channelOf(id),
        scheme,
        verifier: { verifyBatch: async (claims) => claims.map(() => true) },
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
      closing(runtime);
      /** Sends a contribution with signers as a list or, if `words` is undefined, as a full set. */
      const say = (words: Int32Array | undefined, flags = 0) => {
        const aggregate = scheme.forge(tree.ownBlock(id, topLevel), words);
        const individual = scheme.individual(id, new Uint8Array(blsSignatureBytes));
        port!.send(victimId, topLevel, aggregate, individual, flags);
        scheme.release(aggregate);
        scheme.release(individual);
      };
      return { runtime, heard, say };
    }

    it.each(Object.entries(attacks))('%s', async (_, attack) => {
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
      expect(victim.heard).toEqual([{ from: honestId, level: topLevel, signers: nodes / 2, flags: 1 }]);
      expect(victim.runtime.report()).toMatchObject({ refused: refused.toRecord(), messagesReceived: 1 });
    });

    it('a replayed packet: accepted once, from any sender and however often it is sent', async () => {
      const { victim, inject, handled } = await world();
      const channel = channelOf(honestId);
      const packets = Array.from({ length: replayWindow }, () => channel.seal(victimId, short()));
      for (const packet of packets) inject(packet);
      await handled(packets.length);
      expect(victim.runtime.report().refused).toEqual({ truncated: packets.length });
      for (const packet of packets) inject(packet);
      await handled(2 * packets.length);
      expect(victim.runtime.report().refused).toEqual({ truncated: packets.length, replayed: packets.length });
    });

    it('a message longer than a packet arrives whole; a piece of it again, or altered, is counted and spoils nothing', async () => {
      const { victim, honest, inject, handled } = await world();
      const insider = channelOf(insiderId);
      const [piece, other] = splitMessage(new Uint8Array(1200), 1000, 7) as [Uint8Array, Uint8Array];
      const sealed = insider.seal(victimId, other);
      const hostile: [code: string, packet: Uint8Array][] = [
        ['contradictory-piece', insider.seal(victimId, piece.with(20, 1))],
        ['duplicate-piece', insider.seal(victimId, piece)],
        ['oversized-message', insider.seal(victimId, altered(piece, { 1: 9, 7: 0xff }))],
        ['malformed-piece', insider.seal(victimId, piece.slice(0, 9))],
        ['unknown-framing', insider.seal(victimId, Uint8Array.of(77))],
        ['forged', altered(sealed, { 30: sealed[30]! ^ 1 })],
      ];
      inject(insider.seal(victimId, piece));
      await handled(1);
      for (const [, packet] of hostile) inject(packet);
      await handled(1 + hostile.length);
      const refused = Object.fromEntries(hostile.map(([code]) => [code, 1]));
      expect(victim.runtime.report()).toMatchObject({ refused, messagesReceived: 0 });

      honest.say(new Int32Array(nodes / 2 / 32).fill(0x0f0f0f0f), 1);
      await handled(1 + hostile.length + 2);
      expect(victim.heard).toEqual([{ from: honestId, level: topLevel, signers: nodes / 4, flags: 1 }]);
      expect(victim.runtime.report()).toMatchObject({ refused, messagesReceived: 1 });
      expect(honest.runtime.report()).toMatchObject({ messagesSent: 1, refused: {} });
    });
  });
}
