import { describe, expect, it } from 'vitest';
import { admissionRefusal, clientAddress } from './admission.ts';

const rules = { origins: ['https://page.example'], names: ['Rooms.example'] };

describe('admissionRefusal', () => {
  it.each([
    ['a program that says no origin', { host: '192.0.2.1:8081' }],
    ["the server's own page", { host: '192.0.2.1:8081', origin: 'http://192.0.2.1:8081' }],
    ['its own page by IPv6', { host: '[::1]:8081', origin: 'http://[::1]:8081' }],
    ['its own page on this machine', { host: 'localhost:8081', origin: 'http://localhost:8081' }],
    ['its own page by a name of its own, behind TLS', { host: 'rooms.EXAMPLE', origin: 'https://rooms.example' }],
    ['a page that was named', { host: '192.0.2.1:8081', origin: 'https://page.example' }],
  ])('%s may', (_, request) => {
    expect(admissionRefusal(request, rules)).toBeUndefined();
  });

  it.each([
    ['foreign-origin', { host: '192.0.2.1:8081', origin: 'http://192.0.2.1:8080' }],
    ['foreign-origin', { host: '192.0.2.1:8081', origin: 'http://page.example' }],
    ['foreign-origin', { host: '192.0.2.1:8081', origin: 'https://page.example.evil.example' }],
    ['foreign-origin', { host: '192.0.2.1:8081', origin: 'null' }],
    ['foreign-origin', { host: '192.0.2.1:8081', origin: 'file://' }],
    ['unknown-host', { host: 'rebound.example:8081', origin: 'http://rebound.example:8081' }],
    ['unknown-host', { host: 'rebound.example:8081' }],
    ['unknown-host', { host: '192.0.2.1.nip.example' }],
    ['unknown-host', { host: 'a b' }],
    ['unknown-host', {}],
  ])('%s: %j', (code, request) => {
    expect(admissionRefusal(request, rules)).toBe(code);
  });

  it('every page may where that was asked for, by a name of the server still', () => {
    const open = { ...rules, origins: ['*'] };
    expect(admissionRefusal({ host: '192.0.2.1', origin: 'null' }, open)).toBeUndefined();
    expect(admissionRefusal({ host: 'rebound.example', origin: 'null' }, open)).toBe('unknown-host');
  });
});

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

  it('is what the proxy saw, the last of those that it passes on, and only where there is one', () => {
    const request = from('127.0.0.1', '198.51.100.1, 192.0.2.7');
    expect(clientAddress(request, true)).toBe('192.0.2.7');
    expect(clientAddress(request, false)).toBe('127.0.0.1');
    expect(clientAddress(from('127.0.0.1'), true)).toBe('127.0.0.1');
    expect(clientAddress(from('127.0.0.1', 'me'), true)).toBe('unknown');
  });
});
