import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { toHex } from '@tutti/core/input';
import { insecureSeed } from '@tutti/wasm-bls';
import { describe, expect, it, onTestFinished } from 'vitest';
import WebSocket from 'ws';
import { until } from '../../test/compliance.ts';
import { networkKey } from '../channel/networkKey.ts';
import { nodeCrypto } from '../crypto/node.ts';
import { joinSignalling, type WebSocketLike } from './client.ts';
import { attachSignalling, clientAddress, type SignallingServerOptions, signallingPath } from './server.ts';
import type { Signalling, SignallingEvent } from './signalling.ts';

const keys = new Map(
  [1, 2].map((seed) => {
    const { publicKey, secret } = networkKey(nodeCrypto, insecureSeed('network', 1, seed));
    return [toHex(publicKey), secret];
  }),
);
const [ann, ben] = [...keys.keys()] as [string, string];
const who = (member: string) => ({ room: 'r', member, secret: keys.get(member)!, crypto: nodeCrypto, card: 'c' });
const connect = (url: string) => new WebSocket(url) as WebSocketLike;

async function serve(options: SignallingServerOptions = {}) {
  const http = createServer();
  const signalling = await attachSignalling(http, options);
  onTestFinished(async () => {
    signalling.close();
    http.closeAllConnections();
    await new Promise((done) => http.close(done));
  });
  await new Promise<void>((listening) => http.listen(0, '127.0.0.1', listening));
  const url = `ws://127.0.0.1:${(http.address() as AddressInfo).port}${signallingPath}`;
  return { url, http, signalling, join: (member: string) => joinSignalling({ url, ...who(member), connect }) };
}

function events(signalling: Signalling): () => Promise<SignallingEvent> {
  const arrived: SignallingEvent[] = [];
  signalling.onEvent((event) => arrived.push(event));
  return () => until(() => arrived.length > 0).then(() => arrived.shift()!);
}

it('a room by invitation accepts one member per invitation, gives the reason of each refusal, and frees the place after a leave', async () => {
  const invitation = 'A'.repeat(22);
  const { url } = await serve({ invitations: { r: [invitation] } });
  const come = (member: string, invitation?: string) => joinSignalling({ url, ...who(member), invitation, connect });
  const message = expect.stringMatching(/^signalling: not-invited: /);
  await expect(come(ann)).rejects.toMatchObject({ name: 'EnvironmentError', code: 'signalling-refused', message });
  const first = await come(ann, invitation);
  await expect(come(ben, invitation)).rejects.toThrow('signalling: invitation-taken: ');
  first.close();
  const joined = async (): Promise<Signalling> => come(ben, invitation).catch(joined);
  expect(await events(await joined())()).toMatchObject({ type: 'came', member: ben });
  await expect(attachSignalling(createServer(), { invitations: { r: [] } })).rejects.toThrow('invitations: expected');
});

it('two members connect over WebSockets', async () => {
  const { join } = await serve();
  const first = await join(ann);
  const next = events(first);
  const second = await join(ben);
  const came = [ann, ben].map((member) => ({ type: 'came', member, card: 'c' }));
  for (const heard of [next, events(second)]) expect([await heard(), await heard()]).toEqual(came);
  second.signal(ann, 'to you');
  second.announce('to all');
  expect(await next()).toEqual({ type: 'signal', from: ben, text: 'to you' });
  expect(await next()).toEqual({ type: 'announcement', from: ben, text: 'to all' });
  second.close();
  expect(await next()).toEqual({ type: 'went', member: ben });
});

it('a missing or full server, or an invalid address, is reported', async () => {
  const unreachable = { code: 'signalling-unreachable' };
  for (const url of ['ws://127.0.0.1:1/signal', 'nowhere'])
    await expect(joinSignalling({ url, ...who(ann), connect })).rejects.toMatchObject(unreachable);
  const { join, signalling } = await serve({ limits: { connectionsPerAddress: 1 } });
  await join(ann);
  await expect(join(ben)).rejects.toMatchObject(unreachable);
  expect(signalling.counts).toMatchObject({ connections: 1, refused: { 'too-many-connections': 1 } });
});

it('the end of a server is an event', async () => {
  const { join, signalling } = await serve();
  const next = events(await join(ann));
  expect(await next()).toMatchObject({ type: 'came', member: ann });
  signalling.close();
  expect(await next()).toMatchObject({ type: 'lost' });
});

it('a message over the limit ends its connection and no other', async () => {
  const { url, join, signalling } = await serve();
  const member = await join(ann);
  const next = events(member);
  const stranger = new WebSocket(url);
  await new Promise((open) => stranger.once('open', open));
  const closed = new Promise((resolve) => stranger.once('close', resolve));
  stranger.send('x'.repeat(1_000_000));
  expect(await closed).toBe(1009);
  await join(ben);
  expect([await next(), await next()]).toMatchObject([{ member: ann }, { member: ben }]);
  expect(signalling.counts.connections).toBe(2);
});

it('a connection that the server closes counts until the client has closed it too', async () => {
  const { url, signalling } = await serve({ limits: { refusals: 1, connectionsPerAddress: 1 } });
  const stranger = new WebSocket(url);
  onTestFinished(() => stranger.terminate());
  await new Promise((open) => stranger.once('open', open));
  stranger.pause();
  for (let times = 0; times < 2; times++) stranger.send('?');
  await until(() => signalling.counts.refused.malformed === 2);
  expect(await ask(url, {})).toBe(503);
  stranger.resume();
  await until(() => signalling.counts.connections === 0);
  expect(await ask(url, {})).toBe(101);
});

it('a member that does not read is dropped when too much data is queued, and the others continue', async () => {
  // On a slow machine, the server would otherwise close the connection for not answering a ping.
  const limits = { messagesPerSecond: 1e6, charactersPerSecond: 1e9, quietMs: 1e9 };
  const { url, join, signalling } = await serve({ limits });
  const speaker = await join(ann);
  const heard: SignallingEvent[] = [];
  speaker.onEvent((event) => heard.push(event));
  let deaf: WebSocket | undefined;
  const opened = (to: string) => {
    deaf = new WebSocket(to);
    return deaf as WebSocketLike;
  };
  await joinSignalling({ url, ...who(ben), connect: opened });
  deaf!.pause();
  // The size of the receiver's system buffer is unknown, but smaller than this amount of data.
  const text = 'x'.repeat(20_000);
  let sentBytes = 0;
  while (signalling.counts.connections === 2 && sentBytes < 200e6) {
    for (let i = 0; i < 20; i++) speaker.announce(text);
    sentBytes += 20 * text.length;
    await new Promise(setImmediate);
  }
  expect(signalling.counts.connections).toBe(1);
  await until(() => heard.some(({ type }) => type === 'went'));
  deaf!.terminate();
});

/** Opens a connection and keeps it open. Returns the HTTP status of the response; 101 means success. */
function ask(url: string, headers: Record<string, string>): Promise<number> {
  const socket = new WebSocket(url, { headers });
  return new Promise((answered) => {
    socket.on('error', () => {});
    socket.once('open', () => answered(101));
    socket.once('unexpected-response', (_, response) => answered(response.statusCode!));
  });
}

it('the server rejects requests from pages of another origin and requests for another host name', async () => {
  const { url, signalling } = await serve({ origins: ['https://page.example'], names: ['rooms.example'] });
  for (const [status, headers] of [
    [101, {}],
    [101, { Origin: `http://${new URL(url).host}` }],
    [101, { Origin: 'https://page.example' }],
    [101, { Host: 'rooms.example', Origin: 'https://rooms.example' }],
    [403, { Origin: 'https://elsewhere.example' }],
    [403, { Origin: 'null' }],
    [403, { 'Sec-Fetch-Site': 'cross-site' }],
    [421, { Host: 'rebound.example', Origin: 'http://rebound.example' }],
    [415, { 'Content-Length': '1', 'Content-Type': 'text/plain' }],
  ] as const)
    expect(await ask(url, headers), JSON.stringify(headers)).toBe(status);
  expect(signalling.counts.refused).toEqual({ 'foreign-origin': 3, 'unknown-host': 1, 'unsupported-body': 1 });
});

it.each([
  ['the limits apply to the forwarded addresses', true, [101, 503, 101]],
  ['forwarded addresses are ignored', false, [101, 503, 503]],
])('%s if behindProxy is %j', async (_, behindProxy, statuses) => {
  const { url } = await serve({ behindProxy, limits: { connectionsPerAddress: 1 } });
  const answers: number[] = [];
  for (const address of ['192.0.2.1', '192.0.2.1', '192.0.2.2'])
    answers.push(await ask(url, { 'X-Forwarded-For': `203.0.113.9, ${address}` }));
  expect(answers).toEqual(statuses);
});

it('a connection that the HTTP server fails to accept ends nothing; other errors are reported', async () => {
  const { join, http } = await serve();
  http.emit('error', Object.assign(new Error('accept EMFILE'), { syscall: 'accept' }));
  await join(ann);
  expect(() => http.emit('error', new Error('listen EADDRINUSE'))).toThrow('listen EADDRINUSE');
});

describe('clientAddress', () => {
  const from = (remoteAddress: string | undefined, forwarded?: string | string[]) => ({
    headers: forwarded === undefined ? {} : { 'x-forwarded-for': forwarded },
    socket: { remoteAddress },
  });

  it.each([
    ['192.0.2.1', '192.0.2.1'],
    ['::ffff:192.0.2.1', '192.0.2.1'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:db8:1:2::9', '2001:db8:1:2::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
    [undefined, 'unknown'],
  ])('of %s is %s', (remote, address) => expect(clientAddress(from(remote), false)).toBe(address));

  it('is the last address that the proxy forwarded, and only behind a proxy', () => {
    const request = from('127.0.0.1', '198.51.100.1, 192.0.2.7');
    expect(clientAddress(request, true)).toBe('192.0.2.7');
    expect(clientAddress(request, false)).toBe('127.0.0.1');
    expect(clientAddress(from('127.0.0.1'), true)).toBe('127.0.0.1');
    expect(clientAddress(from('127.0.0.1', ['10.0.0.1', '198.51.100.3 ']), true)).toBe('198.51.100.3');
    expect(clientAddress(from('127.0.0.1', '2001:db8::5'), true)).toBe('2001:db8:0:0::/64');
    expect(clientAddress(from('127.0.0.1', 'me'), true)).toBe('unknown');
  });
});
