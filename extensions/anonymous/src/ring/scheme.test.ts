import { insecureSeed } from '@tutti/wasm-bls';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { identityKeyGen } from './identityKey.ts';
import { linkable } from './linkable.ts';
import { decodeRing, type Ring } from './ring.ts';
import type { RingScheme } from './scheme.ts';
import { traceable } from './traceable.ts';

const utf8 = (text: string) => new TextEncoder().encode(text);
const keys = Array.from({ length: 9 }, (_, i) => identityKeyGen(insecureSeed('identity', 1, i + 1)));
const entropy = (fill: number) => new Uint8Array(32).fill(fill);

function ringOf(members: readonly number[]): Ring {
  const read = decodeRing(members.map((i) => keys[i]!.publicKey));
  if (!read.ok) throw new Error(read.code);
  return read.ring;
}

const ring = ringOf([0, 1, 2, 3, 4]);
const event = utf8('set-up 7');
const message = utf8('my new key');

/** Handel v1.03, section 5.3: requirements that both kinds of ring signatures must meet for a set-up. */
function describeScheme(scheme: RingScheme, bytes: (members: number) => number): void {
  const sign = (i: number, text = message, on = event, among = ring, fresh = 1) =>
    scheme.sign(among, keys[i]!.secretKey, on, text, entropy(fresh));
  const marked = (signature: Uint8Array, text = message, on = event, among = ring) => {
    const read = scheme.verify(among, on, text, signature);
    if (!read.ok) throw new Error(read.code);
    return read.mark;
  };
  const verdict = (signature: Uint8Array, text = message, on = event, among = ring) => {
    const read = scheme.verify(among, on, text, signature);
    return read.ok ? 'valid' : read.code;
  };

  describe(scheme.name, () => {
    it('every member of rings of 1, 2 and 3 signs, and the ends of one of 9, in the stated number of bytes', () => {
      for (const size of [1, 2, 3, 9]) {
        const among = ringOf(keys.map((_, i) => i).slice(0, size));
        for (let i = 0; i < size; i += size === 9 ? 8 : 1) {
          const signature = sign(i, message, event, among);
          expect(signature.length).toBe(bytes(size));
          expect(scheme.signatureBytes(size)).toBe(bytes(size));
          expect(verdict(signature, message, event, among)).toBe('valid');
        }
      }
    });

    it('signs any event and message, of any length', () => {
      fc.assert(
        fc.property(
          fc.uint8Array({ maxLength: 40 }),
          fc.uint8Array({ maxLength: 200 }),
          fc.nat(4),
          (on, text, i) => verdict(sign(i, text, on), text, on) === 'valid',
        ),
        { numRuns: 4 },
      );
    });

    it('a signature is valid only for its message, its event, its ring and its order', () => {
      const signature = sign(2);
      expect(verdict(signature, utf8('my new kez'))).toBe('equation');
      expect(verdict(signature, message, utf8('set-up 8'))).toBe('equation');
      expect(verdict(signature, message, event, ringOf([0, 1, 2, 3, 5]))).toBe('equation');
      expect(verdict(signature, message, event, ringOf([1, 0, 2, 3, 4]))).toBe('equation');
      expect(verdict(signature, message, event, ringOf([0, 1, 2, 3]))).toBe('length');
    });

    it('a change of any field invalidates it: another scalar or element, an invalid one, and added bytes', () => {
      const signature = sign(3);
      const isElement = (field: number) => (scheme === linkable ? field === 1 : field === 0);
      for (let field = 0; field < signature.length / 32; field++) {
        const changed = (bytes: Uint8Array) => {
          const other = Uint8Array.from(signature);
          other.set(bytes, 32 * field);
          return verdict(other);
        };
        expect(changed(isElement(field) ? keys[8]!.publicKey : keys[8]!.secretKey)).toBe('equation');
        expect(changed(new Uint8Array(32).fill(0xff))).toBe(isElement(field) ? 'element' : 'scalar');
        expect(changed(new Uint8Array(32))).toBe(isElement(field) ? 'element' : 'equation');
      }
      expect(verdict(signature.subarray(1))).toBe('length');
      expect(verdict(new Uint8Array([...signature, 0]))).toBe('length');
      expect(verdict(new Uint8Array())).toBe('length');
      expect(verdict(signature)).toBe('valid');
    });

    it('a change of any bit invalidates it', () => {
      const signature = sign(1);
      fc.assert(
        fc.property(fc.nat(signature.length - 1), fc.nat(7), (at, bit) => {
          const other = Uint8Array.from(signature);
          other[at]! ^= 1 << bit;
          return verdict(other) !== 'valid';
        }),
        { numRuns: 12 },
      );
    });

    it('refuses a scalar that is equal modulo the group order, and not under it', () => {
      const signature = sign(0);
      const order = [...'edd3f55c1a631258d69cf7a2def9de1400000000000000000000000000000010'.matchAll(/../g)];
      const other = Uint8Array.from(signature);
      let carry = 0;
      for (const [i, [digits]] of order.entries()) {
        carry += signature[signature.length - 32 + i]! + Number.parseInt(digits, 16);
        other[signature.length - 32 + i] = carry & 0xff;
        carry >>= 8;
      }
      expect(verdict(other)).toBe('scalar');
    });

    it('links two messages of one member within an event, for any randomness', () => {
      const [one, two] = [marked(sign(2)), marked(sign(2, utf8('another'), event, ring, 2), utf8('another'))];
      expect(scheme.relate(one, two)).toMatchObject({ kind: 'double' });
      expect(scheme.relate(two, one)).toMatchObject({ kind: 'double' });
    });

    it('returns the claimed mark without verification, for valid and invalid signatures', () => {
      const signature = sign(2);
      expect(scheme.claimed(ring, event, message, signature)).toEqual(marked(signature));
      signature[signature.length - 32]! ^= 1;
      expect(verdict(signature)).toBe('equation');
      expect(scheme.relate(scheme.claimed(ring, event, message, signature)!, marked(sign(2)))).toEqual({
        kind: 'repeated',
      });
      expect(scheme.claimed(ring, event, message, signature.subarray(1))).toBeUndefined();
    });

    it('does not treat a message signed twice as an offence', () => {
      expect(scheme.relate(marked(sign(2)), marked(sign(2, message, event, ring, 2)))).toEqual({ kind: 'repeated' });
    });

    it('does not link two members, on one message or on two', () => {
      expect(scheme.relate(marked(sign(1)), marked(sign(2)))).toEqual({ kind: 'independent' });
      const other = utf8('another');
      expect(scheme.relate(marked(sign(1)), marked(sign(2, other), other))).toEqual({ kind: 'independent' });
    });

    it('does not link one member between events, nor between rings', () => {
      const [on, among] = [utf8('set-up 8'), ringOf([0, 1, 2, 3, 5])];
      const one = marked(sign(2));
      expect(scheme.relate(one, marked(sign(2, message, on), message, on))).toEqual({ kind: 'independent' });
      const elsewhere = marked(sign(2, message, event, among), message, event, among);
      expect(scheme.relate(one, elsewhere)).toEqual({ kind: 'independent' });
    });

    it("refuses to sign with a stranger's key, an invalid one, or too little entropy", () => {
      expect(() => sign(7)).toThrow(/secretKey: expected a member's of the ring/);
      for (const bad of [new Uint8Array(32), new Uint8Array(32).fill(0xff), new Uint8Array(31)])
        expect(() => scheme.sign(ring, bad, event, message, entropy(1))).toThrow(/secretKey: expected/);
      expect(() => scheme.sign(ring, keys[0]!.secretKey, event, message, new Uint8Array(31))).toThrow(/entropy/);
      expect(() => scheme.verify(ring, event, message, 'text' as unknown as Uint8Array)).toThrow(TypeError);
    });
  });
}

describeScheme(linkable, (members) => 64 + 32 * members);
describeScheme(traceable, (members) => 32 + 64 * members);

it('neither scheme accepts a signature of the other', () => {
  // In a ring of one member, signatures of both schemes have 96 bytes.
  const alone = ringOf([0]);
  for (const [scheme, other] of [[linkable, traceable] as const, [traceable, linkable] as const]) {
    const signature = scheme.sign(alone, keys[0]!.secretKey, event, message, entropy(1));
    expect(other.verify(alone, event, message, signature).ok).toBe(false);
  }
});
