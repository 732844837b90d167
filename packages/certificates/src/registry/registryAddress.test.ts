import { describe, expect, it } from 'vitest';
import { isHostFor, placeOf } from './registryAddress.ts';

const onion = `${'abcdefghijklmnopqrstuvwxyz234567'.repeat(2).slice(0, 56)}.onion`;

describe('isHostFor', () => {
  const protocolsOf = (host: string) => (['udp', 'tcp'] as const).filter((one) => isHostFor(one, host));

  it.each(['127.0.0.1', '203.0.113.7', '::1', '2001:db8::17', '::ffff:192.0.2.1'])('%s over each', (host) => {
    expect(protocolsOf(host)).toEqual(['udp', 'tcp']);
  });

  it.each(['localhost', 'node-7.tutti.example', 'a', onion, `sub.${onion.toUpperCase()}`])('%s: TCP alone', (host) => {
    expect(protocolsOf(host)).toEqual(['tcp']);
  });

  it.each([
    '',
    '0.0.0.0',
    '::',
    '255.255.255.255',
    '224.0.0.1',
    'ff02::1',
    // IPv6 notations of the same addresses.
    '::ffff:0.0.0.0',
    '::ffff:224.0.0.1',
    '::ffff:ffff:ffff',
    'fe80::1%eth0',
    '[::1]',
    '1.2.3',
    '256.1.1.1',
    '010.0.0.1',
    '127.0.0.1 ',
    '-a.example',
    'a..example',
    'a_b.example',
    `${'a'.repeat(64)}.example`,
    'a.'.repeat(127),
    'onion',
    'short.onion',
    `${'1'.repeat(56)}.onion`,
  ])('not %j', (host) => expect(protocolsOf(host)).toEqual([]));
});

describe('placeOf', () => {
  it('is equal for equal addresses, in any notation', () => {
    expect(placeOf('udp', { host: '::1', port: 1 })).toBe(placeOf('udp', { host: '0:0::0:1', port: 1 }));
    for (const host of ['::ffff:192.0.2.1', '::FFFF:c000:201', '0:0:0:0:0:ffff:192.0.2.1'])
      expect(placeOf('udp', { host, port: 1 })).toBe(placeOf('udp', { host: '192.0.2.1', port: 1 }));
    expect(placeOf('tcp', { host: 'A.example', port: 1 })).toBe(placeOf('tcp', { host: 'a.EXAMPLE', port: 1 }));
  });

  it('distinguishes ports and protocols', () => {
    const places = [
      placeOf('udp', { host: '::1', port: 1 }),
      placeOf('udp', { host: '::1', port: 2 }),
      placeOf('udp', { host: '::2', port: 1 }),
      placeOf('tcp', { host: '::1', port: 1 }),
    ];
    expect(new Set(places).size).toBe(4);
  });
});
