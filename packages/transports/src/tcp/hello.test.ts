import fc from 'fast-check';
import { expect, it } from 'vitest';
import { claimedHost, decodeHello, encodeHello, plainAddress } from './hello.ts';

const host = fc.oneof(fc.ipV4(), fc.ipV6(), fc.domain(), fc.constant(''), fc.constant(`${'a'.repeat(56)}.onion`));

it('decodes an encoded hello', () => {
  fc.assert(
    fc.property(
      fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }),
      fc.integer({ min: 1, max: 65535 }),
      host,
      (nonce, port, host) => {
        expect(decodeHello(encodeHello({ nonce, port, host }))).toEqual({ nonce, port, host });
      },
    ),
  );
});

it('refuses a hello with an invalid host', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 400 }), (bytes) => {
      const hello = decodeHello(bytes);
      if (hello !== undefined) expect(hello.host).toMatch(/^[\w.:%-]*$/);
    }),
  );
  for (const host of ['a b', '-a', 'a-', 'a'.repeat(256), '1.2.3.4\n', '[::1]'])
    expect(decodeHello(encodeHello({ nonce: 1n, port: 1, host })), host).toBeUndefined();
  expect(decodeHello(encodeHello({ nonce: 1n, port: 0, host: 'a' }))).toBeUndefined();
  expect(decodeHello(new Uint8Array(9))).toBeUndefined();
});

it('omits the host if the listener is bound to every address', () => {
  expect(['0.0.0.0', '::', '127.0.0.1', '::1'].map((host) => claimedHost({ host, port: 1 }))).toEqual([
    '',
    '',
    '127.0.0.1',
    '::1',
  ]);
});

it('writes an IPv4 address as IPv4 on any socket', () => {
  expect(['::ffff:10.0.0.1', '::ffff:a00:1', '::1', '10.0.0.1'].map(plainAddress)).toEqual([
    '10.0.0.1',
    '::ffff:a00:1',
    '::1',
    '10.0.0.1',
  ]);
});
