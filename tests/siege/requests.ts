import type { RandomStream } from '@tutti/core';
import { mutatedBytes, pick } from '../fuzz/mutate.ts';

/** One connection made by an attacker. */
export interface Visit {
  /** Parts of the request, in the order in which the attacker writes them. */
  readonly pieces: readonly Uint8Array[];
  /** End of the connection: immediately after the last part, with a reset, or after the answer. */
  readonly leaves: 'unheard' | 'by a reset' | 'answered';
}

const methods = ['HEAD', 'POST', 'PUT', 'DELETE', 'OPTIONS', 'TRACE', 'CONNECT', 'PROPFIND', 'get', ''];
const versions = ['HTTP/1.0', 'HTTP/0.9', 'HTTP/2.0', 'HTTP/1.1 ', ''];
const targets = [
  ...['/', '/index.html', '/sw.js', '/metrics', '/signal', '/docs/'],
  ...['/certificates', '/certificates?height=7', '/certificates?hash=abc', '/aggregate-signatures', '/health'],
];
const oddTargets = [
  ...['/docs', '/none', '/assets', '/assets/', '*', '', '//', '///', '/?', '/?%', '/#', '/%', '/%00'],
  ...['/%2e%2e/%2e%2e/etc/passwd', '/../../etc/passwd', '/docs/..', 'http://elsewhere.example/'],
  ...['elsewhere.example:80', '/\\..\\', '/é', `/${'a'.repeat(9000)}`, `/${'a/'.repeat(400)}`],
];

/** Header values that a server or one of its libraries may not expect. */
const headers: Readonly<Record<string, readonly string[]>> = {
  Range: [
    ...['bytes=10-5', 'bytes=5-9007199254740993', 'bytes=0-0', 'bytes=-5', 'bytes=5-', 'bytes=-', 'bytes=0-1,3-4'],
    ...['bytes=1e3-1e9', 'bytes=99999999999999999999-', 'lines=1-2', 'bytes', '', 'bytes=-9007199254740993'],
  ],
  'Accept-Encoding': ['gzip', 'gzip;q=0', 'br, gzip', '*', 'gzip'.repeat(100), ''],
  'If-None-Match': ['*', '""', 'W/"0-0"', 'x'.repeat(1000)],
  'If-Modified-Since': ['never', 'Thu, 01 Jan 1970 00:00:00 GMT'],
  Host: ['', '[', '[::1]:99999', 'a b', 'rebound.example', 'x'.repeat(3000)],
  Origin: ['null', 'http://elsewhere.example', 'http://[', '://', ''],
  'X-Forwarded-For': ['', ',', '::ffff:1.2.3.4', 'fe80::1%eth0', '999.1.1.1', '0x7f.1'],
  'Sec-Fetch-Site': ['cross-site', 'same-site', 'none', ''],
  'Content-Type': ['text/plain', 'application/json', 'multipart/form-data; boundary=x', ''],
  'Content-Encoding': ['gzip', 'identity', ''],
  Upgrade: ['websocket', 'h2c', 'WEBSOCKET', ''],
  'Sec-WebSocket-Key': ['dGhlIHNhbXBsZSBub25jZQ==', 'short', ''],
  'Sec-WebSocket-Version': ['13', '8', 'x'],
  'Sec-WebSocket-Extensions': ['permessage-deflate', ';;', 'permessage-deflate; server_max_window_bits=99'],
  Connection: ['Upgrade', 'close', 'keep-alive', 'upgrade, close', 'range'],
  'Content-Length': ['0', '5', '-1', '1e9', '99999999999999999999', '5, 5'],
  'Transfer-Encoding': ['chunked', 'gzip', 'chunked, chunked'],
  Expect: ['100-continue', 'the unexpected'],
  Cookie: ['a'.repeat(20_000)],
};
const names = Object.keys(headers);
const bodies = [
  ...['', 'body', '5\r\nbody!\r\n0\r\n\r\n', 'ffffffffffffffff\r\n', '\x81\x85\0\0\0\0hello', '\x88\x80\0\0\0\0'],
  ...['\r\n\r\n'],
];
const handshake = [
  ...['Connection: Upgrade', 'Upgrade: websocket', 'Sec-WebSocket-Version: 13'],
  ...['Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ=='],
];

/** Returns a request, divided into at most four parts. The request may be incomplete or malformed. */
export function drawVisit(random: RandomStream, host: string): Visit {
  const one = random.nextBelow(4);
  const whole = one === 0 ? mutatedBytes(random, [drawRequest(random, host)]) : drawRequest(random, host);
  const bytes = one === 1 ? whole.subarray(0, random.nextBelow(whole.length + 1)) : whole;
  const cuts = Array.from({ length: random.nextBelow(4) }, () => random.nextBelow(bytes.length + 1)).sort(
    (a, b) => a - b,
  );
  return {
    pieces: [0, ...cuts].map((from, index) => bytes.subarray(from, cuts[index])),
    leaves: pick(random, ['unheard', 'by a reset', 'answered', 'answered']),
  };
}

function drawRequest(random: RandomStream, host: string): Uint8Array {
  const rarely = (ordinary: string, odd: readonly string[]) =>
    random.nextBelow(6) === 0 ? pick(random, odd) : ordinary;
  const target = pick(random, random.nextBelow(3) === 0 ? oddTargets : targets);
  const lines = [`${rarely('GET', methods)} ${target} ${rarely('HTTP/1.1', versions)}`];
  if (random.nextBelow(16) > 0) lines.push(`Host: ${host}`);
  if (target === '/signal') lines.push(...handshake, ...pick(random, [[], ['Origin: http://elsewhere.example']]));
  for (let count = random.nextBelow(4); count > 0; count--) {
    const name = pick(random, names);
    lines.push(`${name}: ${pick(random, headers[name]!)}`);
  }
  return Uint8Array.from(Buffer.from(`${lines.join('\r\n')}\r\n\r\n${rarely('', bodies)}`, 'latin1'));
}
