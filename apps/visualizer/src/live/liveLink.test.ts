import { expect, it } from 'vitest';
import { freshTabsLink, isForOthers, isOfThisMachine, readLiveLink } from './liveLink.ts';

it.each([
  ['http://192.0.2.1:8080/#live=abc', { kind: 'server', room: 'abc', signalling: 'ws://192.0.2.1:8080/signal' }],
  ['https://example.org/tutti/#live=abc', { kind: 'server', room: 'abc', signalling: 'wss://example.org/signal' }],
  [
    'https://example.org/#live=abc&signal=wss://other.org/signal',
    { kind: 'server', room: 'abc', signalling: 'wss://other.org/signal' },
  ],
  ['file:///tutti/index.html#live=tabs:abc', { kind: 'tabs', room: 'abc' }],
  ['file:///tutti/index.html#live=tabs:abc&byzantine=yes', { kind: 'tabs', room: 'abc', isByzantine: true }],
  [
    'http://192.0.2.1:8080/#live=abc&invitation=AAAAAAAAAAAAAAAAAAAAAA',
    {
      ...{ kind: 'server', room: 'abc', signalling: 'ws://192.0.2.1:8080/signal' },
      invitation: 'AAAAAAAAAAAAAAAAAAAAAA',
    },
  ],
])('reads %s', (address, link) => {
  expect(readLiveLink(address)).toEqual(link);
});

it.each(['http://x/', 'http://x/#n=64&seed=1', 'http://x/#guide'])('%s requests no live room', (address) => {
  expect(readLiveLink(address)).toBeUndefined();
});

it.each([
  'http://x/#live=',
  'http://x/#live=tabs:',
  'http://x/#live=a%20b',
  'http://x/#live=a&signal=http://y/',
  'http://x/#live=a&invitation=short',
  'http://x/#live=a&byzantine=maybe',
])('%s requests an invalid live room', (address) => {
  expect(readLiveLink(address)).toBe('bad');
});

it.each([
  ['http://192.0.2.1:8080/#live=abc', true],
  ['https://example.org/tutti/#live=abc', true],
  ['https://example.org/tutti/#live=tabs:abc', false],
  ['http://localhost:4273/#live=abc', false],
  ['http://127.0.0.1:4273/#live=abc', false],
  ['http://[::1]/#live=abc', false],
  ['file:///tutti/live.html#live=tabs:abc', false],
  ['http://192.0.2.1:8080/#live=abc&invitation=AAAAAAAAAAAAAAAAAAAAAA', false],
])('reports whether others can follow %s: %s', (address, can) => {
  expect(isForOthers(address)).toBe(can);
});

it.each([
  ['http://localhost:4273/#live=abc', true],
  ['http://[::1]/#live=abc', true],
  ['http://192.0.2.1:8080/#live=abc', false],
])('reports whether only this machine can open %s: %s', (address, only) => {
  expect(isOfThisMachine(address)).toBe(only);
});

it('a new link is to a room among tabs', () => {
  expect(readLiveLink(`http://x/live.html${freshTabsLink()}`)).toMatchObject({ kind: 'tabs' });
});
