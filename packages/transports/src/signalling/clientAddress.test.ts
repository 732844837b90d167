import { describe, expect, it } from 'vitest';
import { clientAddress } from './server.ts';

describe('clientAddress', () => {
  const from = (remoteAddress: string | undefined, forwarded?: string) => ({
    headers: forwarded === undefined ? {} : { 'x-forwarded-for': forwarded },
    socket: { remoteAddress },
  });

  it.each([
    ['192.0.2.1', '192.0.2.1'],
    ['::ffff:192.0.2.1', '192.0.2.1'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:db8:1:2::9', '2001:db8:1:2::/64'],
    [undefined, 'unknown'],
  ])('of %s is %s', (remote, address) => {
    expect(clientAddress(from(remote), false)).toBe(address);
  });

  it('is the last address that the proxy forwarded, and only behind a proxy', () => {
    const request = from('127.0.0.1', '198.51.100.1, 192.0.2.7');
    expect(clientAddress(request, true)).toBe('192.0.2.7');
    expect(clientAddress(request, false)).toBe('127.0.0.1');
    expect(clientAddress(from('127.0.0.1'), true)).toBe('127.0.0.1');
    expect(clientAddress(from('127.0.0.1', 'me'), true)).toBe('unknown');
  });
});
