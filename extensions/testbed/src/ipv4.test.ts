import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { udpPacket } from '../tests/udpPacket.ts';
import { corrupted, readPacket } from './ipv4.ts';

describe('readPacket', () => {
  it('refuses with a code, and never throws, for any bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 100 }), (bytes) => {
        const read = readPacket(bytes);
        if (!read.ok) expect(['not-ipv4', 'wrong-length']).toContain(read.code);
      }),
    );
  });
});

describe('corrupted', () => {
  it('leaves other packets than UDP with a payload unchanged', () => {
    const random = { nextBelow: () => 0 };
    const empty = udpPacket('198.18.0.1', '198.18.0.2', new Uint8Array(0));
    const icmp = udpPacket('198.18.0.1', '198.18.0.2', new Uint8Array(8));
    icmp[9] = 1;
    for (const packet of [empty, icmp]) expect(corrupted(packet, random)).toEqual(packet);
  });
});
