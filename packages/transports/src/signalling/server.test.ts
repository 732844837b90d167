import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, it } from 'vitest';
import WebSocket from 'ws';
import { joinSignalling, type WebSocketLike } from './client.ts';
import { attachSignalling, SIGNALLING_PATH, type SignallingServer, type SignallingServerOptions } from './server.ts';
import type { Signalling, SignallingEvent } from './signalling.ts';

const [ann, ben] = ['a', 'b'].map((digit) => digit.repeat(64)) as [string, string];
const connect = (url: string) => new WebSocket(url) as WebSocketLike;

const running: { http: Server; signalling: SignallingServer }[] = [];
afterEach(async () => {
  for (const { http, signalling } of running.splice(0)) {
    signalling.close();
    http.closeAllConnections();
    await new Promise((done) => http.close(done));
  }
});

async function serve(options: SignallingServerOptions = {}) {
  const http = createServer();
  const signalling = attachSignalling(http, options);
  running.push({ http, signalling });
  await new Promise<void>((listening) => http.listen(0, '127.0.0.1', listening));
  const url = `ws://127.0.0.1:${(http.address() as AddressInfo).port}${SIGNALLING_PATH}`;
  return { url, signalling, join: (member: string) => joinSignalling({ url, room: 'r', member, card: 'c', connect }) };
}

/** The next events of a member, one a call. */
function events(signalling: Signalling): () => Promise<SignallingEvent> {
  const arrived: SignallingEvent[] = [];
  let wake = () => {};
  signalling.onEvent((event) => {
    arrived.push(event);
    wake();
  });
  return async () => {
    while (arrived.length === 0)
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    return arrived.shift()!;
  };
}

it('two members meet over WebSockets', async () => {
  const { join } = await serve();
  const first = await join(ann);
  const next = events(first);
  const second = await join(ben);
  const nextOfSecond = events(second);
  expect(await nextOfSecond()).toEqual({ type: 'came', member: ann, card: 'c' });
  expect(await nextOfSecond()).toEqual({ type: 'came', member: ben, card: 'c' });
  expect(await next()).toEqual({ type: 'came', member: ann, card: 'c' });
  expect(await next()).toEqual({ type: 'came', member: ben, card: 'c' });
  second.signal(ann, 'to you');
  second.announce('to all');
  expect(await next()).toEqual({ type: 'signal', from: ben, text: 'to you' });
  expect(await next()).toEqual({ type: 'announcement', from: ben, text: 'to all' });
  second.close();
  expect(await next()).toEqual({ type: 'went', member: ben });
});

it('a refused join says why', async () => {
  const { join } = await serve({ limits: { members: 1 } });
  await join(ann);
  await expect(join(ben)).rejects.toMatchObject({ name: 'WorldError', code: 'signalling-refused' });
  await expect(join(ann)).rejects.toThrow(/^signalling: name-taken: /);
});

it('no server at an address is said, and a server that is full', async () => {
  await expect(
    joinSignalling({ url: 'ws://127.0.0.1:1/signal', room: 'r', member: ann, card: '', connect }),
  ).rejects.toMatchObject({ code: 'signalling-unreachable' });
  const { join } = await serve({ maxConnections: 1 });
  await join(ann);
  await expect(join(ben)).rejects.toMatchObject({ code: 'signalling-unreachable' });
});

it('a room name that no link could carry is refused before anything is sent', async () => {
  await expect(joinSignalling({ url: 'ws://x', room: 'a b', member: ann, card: '', connect })).rejects.toThrow(
    'room: expected 1 to 64 letters, digits, hyphens and underscores, got "a b"',
  );
});

it('a server that ends is an event', async () => {
  const { join, signalling } = await serve();
  const next = events(await join(ann));
  expect(await next()).toMatchObject({ type: 'came', member: ann });
  signalling.close();
  expect(await next()).toMatchObject({ type: 'lost' });
});

it('a message over the limit ends its connection; the others go on', async () => {
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
