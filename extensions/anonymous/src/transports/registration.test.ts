import type { ListedEntry } from '@tutti/certificates';
import type { RegistryTransport } from '@tutti/core';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { anonymousEntry } from '../../tests/setup.ts';
import { decodeRegistration, encodeRegistration } from './registration.ts';

const entry = anonymousEntry(1);
const lengths = [64, 128];
const encoded = (other: Partial<ListedEntry> = {}, ring = 1) =>
  encodeRegistration({
    ring,
    entry: { ...entry, ...other },
    networkSignature: new Uint8Array(64).fill(7),
    ringSignature: new Uint8Array(lengths[ring] ?? 0).fill(8),
    seal: new Uint8Array(96).fill(9),
  });
const code = (bytes: Uint8Array, transport: RegistryTransport = 'udp') => {
  const read = decodeRegistration(bytes, lengths, transport);
  return read.ok ? 'value' : read.code;
};
const hostAt = 279;

describe('an encoded registration', () => {
  it('decodes to the encoded registration, over UDP and TCP, with IPv4, IPv6 and an onion name', () => {
    const onion = `${'a'.repeat(56)}.onion`;
    for (const other of [
      { transport: 'udp' },
      { transport: 'udp', endpoint: { host: '2001:db8::1', port: 65_535 } },
      { transport: 'tcp', endpoint: { host: onion, port: 1 } },
    ] as const) {
      const read = decodeRegistration(encoded(other), lengths, other.transport);
      expect(read).toMatchObject({ ok: true, registration: { ring: 1, entry: { ...entry, ...other } } });
    }
  });

  it('writes a host in the notation of all nodes', () => {
    expect(encoded({ endpoint: { host: '2001:DB8:0::1', port: 5 } })).toEqual(
      encoded({ endpoint: { host: '2001:db8::1', port: 5 } }),
    );
  });

  it('has a code for each error, and a single encoding', () => {
    const bytes = encoded();
    const changed = (at: number, value: number) => Uint8Array.from(bytes, (byte, i) => (i === at ? value : byte));
    expect(code(bytes)).toBe('value');
    expect(code(bytes.subarray(0, 100))).toBe('truncated');
    expect(code(bytes.subarray(0, -1))).toBe('truncated');
    expect(code(new Uint8Array([...bytes, 0]))).toBe('trailing-bytes');
    expect(code(changed(0, 1))).toBe('unknown-version');
    expect(code(changed(2, 2))).toBe('ring-out-of-range');
    expect(code(changed(hostAt - 4, 2))).toBe('unknown-transport');
    expect(code(encoded({ endpoint: { host: '127.0.0.1', port: 0 } }))).toBe('bad-port');
    expect(code(changed(hostAt, 0x41))).toBe('bad-host');
    expect(code(changed(hostAt, 0xff))).toBe('bad-host');
    expect(code(encoded({ endpoint: { host: 'localhost', port: 1 } }))).toBe('bad-host');
    expect(code(encoded({ transport: 'tcp', endpoint: { host: 'Example.org', port: 1 } }), 'tcp')).toBe('value');
    // All entries of a registry have the same transport.
    expect(code(encoded({ transport: 'tcp' }))).toBe('unknown-transport');
  });

  it('any bytes are refused, or encode to the same bytes', () => {
    const bytes = encoded();
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.nat(bytes.length - 1), fc.nat(255)), { maxLength: 3 }), (changes) => {
        const other = Uint8Array.from(bytes);
        for (const [at, value] of changes) other[at] = value;
        const read = decodeRegistration(other, lengths, 'udp');
        return !read.ok || Buffer.compare(encodeRegistration(read.registration), other) === 0;
      }),
      { numRuns: 2000 },
    );
  });
});
