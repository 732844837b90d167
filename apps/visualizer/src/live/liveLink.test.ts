import { expect, it } from 'vitest';
import { freshTabsLink, isForOthers, isOfThisMachine, readLiveLink } from './liveLink.ts';

const server = { kind: 'server', room: 'abc', signalling: 'ws://192.0.2.1:8080/signal' };
const invitation = 'AAAAAAAAAAAAAAAAAAAAAA';

it.each([
  ['http://192.0.2.1:8080/#live=abc', server],
  ['https://example.org/tutti/#live=abc', { ...server, signalling: 'wss://example.org/signal' }],
  ['https://example.org/#live=abc&signal=wss://x.org/signal', { ...server, signalling: 'wss://x.org/signal' }],
  ['file:///tutti/index.html#live=tabs:abc', { kind: 'tabs', room: 'abc' }],
  ['file:///tutti/index.html#live=tabs:abc&byzantine=yes', { kind: 'tabs', room: 'abc', isByzantine: true }],
  [`http://192.0.2.1:8080/#live=abc&invitation=${invitation}`, { ...server, invitation }],
])('reads %s', (address, link) => expect(readLiveLink(address)).toEqual(link));

it.each([
  ['http://x/', undefined],
  ['http://x/#n=64&seed=1', undefined],
  ['http://x/#live=', 'bad'],
  ['http://x/#live=tabs:', 'bad'],
  ['http://x/#live=a%20b', 'bad'],
  ['http://x/#live=a&signal=http://y/', 'bad'],
  ['http://x/#live=a&invitation=short', 'bad'],
  ['http://x/#live=a&byzantine=maybe', 'bad'],
])('%s requests no room, or an invalid one: %s', (address, link) => expect(readLiveLink(address)).toBe(link));

it.each([
  ['http://192.0.2.1:8080/#live=abc', true, false],
  ['https://example.org/tutti/#live=tabs:abc', false, false],
  ['http://localhost:4273/#live=abc', false, true],
  ['http://127.0.0.1:4273/#live=abc', false, true],
  ['http://[::1]/#live=abc', false, true],
  ['file:///tutti/live.html#live=tabs:abc', false, true],
  [`http://192.0.2.1:8080/#live=abc&invitation=${invitation}`, false, false],
])('%s: others can open it %s, only this machine can %s', (address, others, only) => {
  expect([isForOthers(address), isOfThisMachine(address)]).toEqual([others, only]);
});

it('a new link is to a room among tabs', () => {
  expect(readLiveLink(`http://x/live.html${freshTabsLink()}`)).toMatchObject({ kind: 'tabs' });
});
