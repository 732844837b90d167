import { defaultHandelConfig, MultiSignatureScheme, Tree } from '@tutti/core';
import { describe, expect, it } from 'vitest';
import {
  Channel,
  Counts,
  Group,
  MemoryNetwork,
  networkKey,
  openBroadcast,
  openWebRtc,
  Peer,
  Reassembly,
  Runtime,
} from './index.ts';
import { monotonicClock, monotonicNs, nodeCrypto, openTcp, openTransport, openUdp } from './node.ts';
import { SignallingHub } from './signalling/hub.ts';

/** Type of an argument passed by an untyped program; such an argument may be any value. */
// biome-ignore lint/suspicious/noExplicitAny: that is the point.
type Anything = any;

const call = (what: Anything, ...args: Anything[]) => (() => what(...args)) as () => unknown;
const make = (what: Anything, ...args: Anything[]) => (() => new what(...args)) as () => unknown;

const kernel = {
  decodeSignature: () => ({ ok: false }) as const,
  encodeSignature: () => new Uint8Array(96),
  addSignatures: () => new Uint8Array(192),
  validatePublicKey: () => ({ ok: true, point: new Uint8Array(96) }),
};
const { publicKey: key, secret } = networkKey(nodeCrypto);
const entry = { publicKey: new Uint8Array(48), networkKey: key, endpoint: { host: '127.0.0.1', port: 9000 } };
const groupOptions = { crypto: nodeCrypto, kernel, entries: [entry, entry], openVerifier: () => {} };
const group = (change: object) => make(Group, { ...groupOptions, ...change });
const transport = new MemoryNetwork().open();
const clock = monotonicClock(monotonicNs());
const peerOptions = {
  ...{ group: group({})(), index: 0, networkSecret: secret, sign: () => new Uint8Array(96), transport, clock },
  config: defaultHandelConfig,
};
const peer = (change: object) => make(Peer, { ...peerOptions, ...change });
const channelOptions = { crypto: nodeCrypto, session: new Uint8Array(32), self: 0, secret, publicKeys: [key, key] };
const channel = (change: object) => make(Channel, { ...channelOptions, ...change });
const schemeOf = () => new MultiSignatureScheme({ tree: new Tree(2), kernel });
const webRtc = { name: 'a', signals: { send() {}, onSignal() {} }, rtc: { RTCPeerConnection() {} } };
const runtime = (change: object) =>
  make(Runtime, {
    id: 0,
    placement: Int32Array.of(0, 1),
    endpoints: [entry.endpoint, entry.endpoint],
    transport,
    channel: new Channel(channelOptions),
    scheme: schemeOf(),
    verifier: { verifyBatch: async () => [true] },
    clock,
    createNode: () => ({}),
    ...change,
  });

describe('an invalid argument throws one line that names the argument, the expected value and the received value', () => {
  it.each<[string, () => unknown]>([
    ['openVerifier', group({ openVerifier: null })],
    [
      'openVerifier, or kernel.verifier instead of it',
      group({ openVerifier: undefined, kernel: { ...kernel, verifier: undefined } }),
    ],
    ['entries', group({ entries: {} })],
    ['entries[0]', group({ entries: ['9a'] })],
    ['entries[1].networkKey', group({ entries: [entry, { ...entry, networkKey: undefined }] })],
    ['group', peer({ group: 7 })],
    ['index', peer({ index: 2 })],
    ['options', make(Runtime)],
    ['placement', runtime({ placement: [0, 1] })],
    ['id', runtime({ id: 2 })],
    ['scheme.claimsToVerify', runtime({ scheme: Object.assign(schemeOf(), { claimsToVerify: null }) })],
    ['messages', runtime({ messages: 'level' })],
    ...['createNode', 'verifier', 'onOutput', 'onFailure', 'onInvalid', 'hears'].map(
      (name): [string, () => unknown] => [name, runtime({ [name]: null })],
    ),
    ['options', make(Channel)],
    ['session', channel({ session: undefined })],
    ['session', () => (peer({})() as Peer).transportOf(new Uint8Array(31))],
    ['publicKeys', channel({ publicKeys: key })],
    ['packet', () => new Channel(channelOptions).open(undefined as Anything)],
    ['payload', () => new Channel(channelOptions).seal(1, 'yes' as Anything)],
    ['maxMessageBytes', make(Reassembly, { onRefused: () => {} })],
    ['onRefused', make(Reassembly, { maxMessageBytes: 9 })],
    ['secret', call(networkKey, nodeCrypto, '9a')],
    ['plan', () => (peer({})() as Peer).open(undefined as Anything)],
    ['round', () => (group({})() as Group).leave(undefined as Anything)],
    ['counts', () => new Counts().addAll(undefined as Anything)],
    ['quietMs', make(SignallingHub, nodeCrypto, {}, { quietMs: Number.NaN })],
    ['name', call(openBroadcast, { group: 'g' })],
    ['iceServers', call(openWebRtc, { ...webRtc, iceServers: 'stun:a' })],
  ])('%s', (subject, hostile) => {
    const line = new RegExp(`^${subject.replaceAll(/[[\]().]/g, '\\$&')}: expected [^\\n]+, got [^\\n]+$`);
    expect(hostile).toThrow(
      expect.objectContaining({
        name: expect.stringMatching(/^(Type|Range)Error$/),
        message: expect.stringMatching(line),
      }),
    );
  });

  it('a secret of the wrong type stays out of the line', () => {
    expect(peer({ networkSecret: 'ab'.repeat(32) })).toThrow(
      new TypeError('networkSecret: expected a Uint8Array, got a text of 64 characters'),
    );
  });

  it.each([
    ['memory', () => Promise.resolve(new MemoryNetwork().open())],
    ['UDP', () => openUdp({ host: '127.0.0.1' })],
    ['TCP', () => openTcp({ host: '127.0.0.1' })],
    ['broadcast', () => Promise.resolve(openBroadcast({ group: 'hostile', name: 'one' }))],
  ])('send of %s requires a packet and an address', async (_, open) => {
    const opened = await open();
    const send = (to: Anything, packet: Anything) => () => opened.send(to, packet);
    const packet = Uint8Array.of(1);
    expect(send(undefined, packet)).toThrow('to: expected an object with host and port, got undefined');
    expect(send({ port: 1 }, packet)).toThrow('to.host: expected a text, got undefined');
    expect(send({ host: 'a', port: '1' }, packet)).toThrow('to.port: expected an integer, got a text of 1 characters');
    expect(send(opened.local, 'yes')).toThrow('packet: expected a Uint8Array, got a text of 3 characters');
    await opened.close();
  });

  it.each([
    ['UDP', { port: 70_000 }, 'port: expected an integer from 0 to 65535, got 70000'],
    ['UDP', { queueBound: 0 }, 'queueBound: expected an integer from 1 to 1048576, got 0'],
    ['UDP', { maxPacketBytes: 65_508 }, 'maxPacketBytes: expected an integer from 1 to 65507, got 65508'],
    ['TCP', { maxConnections: 0.5 }, 'maxConnections: expected an integer from 1 to 65536, got 0.5'],
    ['TCP', { idleTimeoutMs: Number.NaN }, 'idleTimeoutMs: expected a number from 1 to 2147483647, got NaN'],
    ...['', 'a'.repeat(256)].map((password): [string, object, string] => [
      'TCP',
      { proxy: { host: 'a', port: 1, username: 'a', password } },
      `proxy.password: expected 1 to 255 bytes, got ${password.length}`,
    ]),
    ['TCP', { proxy: { host: 'a', port: 65_536 } }, 'proxy.port: expected an integer from 1 to 65535, got 65536'],
    [
      'TCP',
      { replyTimeoutMs: 0, proxy: { host: 'a', port: 1 } },
      'replyTimeoutMs: expected a number from 1 to 2147483647, got 0',
    ],
    ['memory', { port: 65_536 }, 'port: expected an integer from 0 to 65535, got 65536'],
    [
      'TCP',
      { publicEndpoint: { host: '', port: 1 } },
      'publicEndpoint.host: expected an IP address or a domain name, got ""',
    ],
    [
      'TCP',
      { publicEndpoint: { host: 'a', port: 0 } },
      'publicEndpoint.port: expected an integer from 1 to 65535, got 0',
    ],
    ['broadcast', { maxPacketBytes: 0 }, 'maxPacketBytes: expected an integer from 1 to 1048576, got 0'],
    ['WebRTC', { maxLinks: 0 }, 'maxLinks: expected an integer from 1 to 65536, got 0'],
    ['WebRTC', { retryAfterMs: -1 }, 'retryAfterMs: expected a number from 0 to 2147483647, got -1'],
  ])('%s refuses an option out of range: %j', async (kind, option, line) => {
    const opens: Readonly<Record<string, () => unknown>> = {
      UDP: () => openUdp({ host: '127.0.0.1', ...option }),
      TCP: () => openTcp({ host: '127.0.0.1', ...option }),
      memory: () => new MemoryNetwork().open(option as Anything),
      broadcast: () => openBroadcast({ group: 'hostile', name: 'two', ...option }),
      WebRTC: () => openWebRtc({ ...webRtc, ...option }),
    };
    await expect((async () => opens[kind]!())()).rejects.toThrow(new RangeError(line));
  });

  it('an undefined option has its default value, and a refused name remains free', async () => {
    const one = openBroadcast({ group: 'hostile', name: 'two', queueBound: undefined } as Anything);
    expect(one.maxPacketBytes).toBe(1200);
    await one.close();
  });

  it('refuses a missing transport or host', async () => {
    const line = 'host: expected an address such as 127.0.0.1, got undefined';
    for (const open of [openUdp, openTcp]) await expect(call(open)()).rejects.toThrow(new TypeError(line));
    await expect(call(openTransport)()).rejects.toThrow('options: expected an object, got undefined');
  });
});
