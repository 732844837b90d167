import { expect, it } from 'vitest';
import { httpFlag, listenFlag, placeText } from './addressFlags.ts';

it.each([
  ['127.0.0.1:8080', 'http://127.0.0.1:9000'],
  ['[::1]:8080', 'http://[::1]:9000'],
  ['unix:/run/tutti.sock', 'unix:/run/tutti.sock:'],
])('placeText prints %s as the start of a URL', (text, url) => expect(placeText(httpFlag(text), 9000)).toBe(url));

const onion = `${'a'.repeat(56)}.onion`;

it.each([
  ['192.0.2.7', { host: '192.0.2.7' }],
  ['192.0.2.7:7000', { host: '192.0.2.7', port: 7000 }],
  ['2001:db8::7', { host: '2001:db8::7' }],
  ['[2001:db8::7]:7000', { host: '2001:db8::7', port: 7000 }],
  ['node.example', { host: 'node.example' }],
  ['node.example:1', { host: 'node.example', port: 1 }],
  [`${onion}:65535`, { host: onion, port: 65_535 }],
])('listenFlag reads %s', (text, place) => expect(listenFlag(text)).toEqual(place));

it.each(['', 'a:0', 'a:65536', 'a:b', '0.0.0.0', '[::]:7000', 'a..b', ':7000', '[a:7000'])('refuses %j', (text) => {
  expect(() => listenFlag(text)).toThrow('--listen: expected an IP address, a host name or an onion address');
});
