import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { insecureIdentities, ringOf } from '../../tests/rings.ts';
import { linkable } from './linkable.ts';
import type { RingScheme } from './scheme.ts';
import { traceable } from './traceable.ts';

const utf8 = (text: string) => new TextEncoder().encode(text);
const keys = insecureIdentities(9);
const entropy = (fill: number) => new Uint8Array(32).fill(fill);

const among = (...members: number[]) => ringOf(members.map((i) => keys[i]!));
const ring = among(0, 1, 2, 3, 4);
const event = utf8('set-up 7');
const message = utf8('my new key');

/** Handel v1.03, section 5.3: requirements that both kinds of ring signatures must meet for a set-up. */
function describeScheme(scheme: RingScheme, bytes: (members: number) => number): void {
  const sign = (i: number, text = message, on = event, of = ring, fresh = 1) =>
    scheme.sign(of, keys[i]!.secretKey, on, text, entropy(fresh));
  const verdict = (signature: Uint8Array, text = message, on = event, of = ring) => {
    const read = scheme.verify(of, on, text, signature);
    return read.ok ? 'valid' : read.code;
  };
  /** Returns the mark of a new signature by a member. */
  const markBy = (i: number, text = message, on = event, of = ring, fresh = 1) => {
    const read = scheme.verify(of, on, text, sign(i, text, on, of, fresh));
    if (!read.ok) throw new Error(read.code);
    return read.mark;
  };

  describe(scheme.name, () => {
    it('every member of rings of 1, 2 and 3 signs, and the ends of one of 9, in the stated number of bytes', () => {
      for (const size of [1, 2, 3, 9]) {
        const of = ringOf(keys.slice(0, size));
        for (let i = 0; i < size; i += size === 9 ? 8 : 1) {
          const signature = sign(i, message, event, of);
          expect(signature.length).toBe(bytes(size));
          expect(scheme.signatureBytes(size)).toBe(bytes(size));
          expect(verdict(signature, message, event, of)).toBe('valid');
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
      expect(verdict(signature, message, event, among(0, 1, 2, 3, 5))).toBe('equation');
      expect(verdict(signature, message, event, among(1, 0, 2, 3, 4))).toBe('equation');
      expect(verdict(signature, message, event, among(0, 1, 2, 3))).toBe('length');
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

    const [other, on, of] = [utf8('another'), utf8('set-up 8'), among(0, 1, 2, 3, 5)];
    it.each([
      [
        'two messages of one member within an event, for any randomness',
        'double',
        () => markBy(2, other, event, ring, 2),
      ],
      ['one message signed twice, which is no offence', 'repeated', () => markBy(2, message, event, ring, 2)],
      ['two members on one message', 'independent', () => markBy(1)],
      ['two members on two messages', 'independent', () => markBy(1, other)],
      ['one member in two events', 'independent', () => markBy(2, message, on)],
      ['one member in two rings', 'independent', () => markBy(2, message, event, of)],
    ] as const)('the relation of %s is %s', (_, kind, mark) => {
      const [one, two] = [markBy(2), mark()];
      expect([scheme.relate(one, two).kind, scheme.relate(two, one).kind]).toEqual([kind, kind]);
    });

    it('returns the claimed mark without verification, for valid and invalid signatures', () => {
      const signature = sign(2);
      expect(scheme.claimed(ring, event, message, signature)).toEqual(markBy(2));
      signature[signature.length - 32]! ^= 1;
      expect(verdict(signature)).toBe('equation');
      expect(scheme.relate(scheme.claimed(ring, event, message, signature)!, markBy(2))).toEqual({ kind: 'repeated' });
      expect(scheme.claimed(ring, event, message, signature.subarray(1))).toBeUndefined();
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
  const alone = among(0);
  for (const [scheme, other] of [[linkable, traceable] as const, [traceable, linkable] as const]) {
    const signature = scheme.sign(alone, keys[0]!.secretKey, event, message, entropy(1));
    expect(other.verify(alone, event, message, signature).ok).toBe(false);
  }
});
