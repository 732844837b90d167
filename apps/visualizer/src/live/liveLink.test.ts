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
  ['#live=', 'live: expected ROOM or tabs:ROOM, where ROOM has 1 to 64 letters, digits, - and _, got ""'],
  ['#live=tabs:', /^live: expected .* got "tabs:"$/],
  ['#live=a%20b', /^live: expected .* got "a b"$/],
  ['#live=a&signal=http://y/', /^signal: expected a WebSocket address .* got "http:\/\/y\/"$/],
  ['#live=a&invitation=a;b', 'invitation: expected an invitation, got "a;b"'],
  ['#live=a&byzantine=maybe', 'byzantine: expected yes, got "maybe"'],
  ['#live=a', 'live: expected tabs:ROOM in a page from a file, got "a"'],
])('in a page from a file, %s requests an invalid room: %s', (hash, reason) =>
  expect(readLiveLink(`file:///live.html${hash}`)).toEqual({ kind: 'bad', reason: expect.stringMatching(reason) }),
);

it.each(['http://x/', 'http://x/#n=64&seed=1'])('%s requests no room', (address) =>
  expect(readLiveLink(address)).toBeUndefined(),
);

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
