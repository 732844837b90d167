import { type MultiplicityContribution, type MultiplicityKernel, MultiplicityScheme } from '@tutti/core/horn';
import { loadBls } from '@tutti/wasm-bls';
import { describe, expect, it } from 'vitest';
import { negated, signersOf } from '../packages/wasm-bls/test/fixtures.ts';

const bls = await loadBls({ engine: 'noble' });
const text = new TextEncoder().encode('the vote of this slot');

const subcommittee = 4;
const { publicKeys, signatures } = signersOf(bls, 2 * subcommittee, text);

const isIdentity = (key: Uint8Array) => (key[0]! & 0x40) !== 0;

/** Kernel that represents points by their compressed encodings. Flipping a flag of the encoding negates a point. */
const kernel: MultiplicityKernel<Uint8Array> = {
  addKeys: (a, b) => (isIdentity(a) ? b : isIdentity(b) ? a : bls.aggregatePublicKeys([a, b])),
  negateKey: (key) => (isIdentity(key) ? key : negated(key)),
  addSignatures: (a, b) => bls.addSignatures(a, b),
  encodeSignature: (point) => bls.encodeSignature(point),
  decodeSignature: (bytes) => bls.decodeSignature(bytes),
  verify: (key, signature) =>
    bls.verify(key, text, signature.length === 96 ? signature : bls.encodeSignature(signature)),
};

const scheme = new MultiplicityScheme(publicKeys, subcommittee, kernel);
const committee = { first: 0, number: 2 };

/** Returns the aggregate of the members of subcommittee `first` whose bits are set, after encoding and decoding. */
function aggregateOf(first: number, bits: readonly number[]): MultiplicityContribution {
  const own = signatures.filter((_, member) => Math.floor(member / subcommittee) === first);
  const signature = bls.aggregateSignatures(own.filter((_, member) => bits[member] === 1));
  const over = { first, number: 1 };
  const read = scheme.decode(over, scheme.encode(scheme.contribution(over, bits, signature)));
  if (!read.ok) throw new Error(read.code);
  return read.contribution;
}

function merge(...parts: MultiplicityContribution[]): MultiplicityContribution {
  return parts.reduce((sum, part) => scheme.aggregate(committee, sum, part)!);
}

describe("Horn, 'Aggregation with four-bit integer vectors', with real keys and signatures", () => {
  it('the curve library accepts the same signature if each key is added as often as its multiplicity', () => {
    const fifteen = Array.from({ length: 15 }, (_, index) =>
      aggregateOf(0, [1, index % 2, index % 3 === 0 ? 1 : 0, 1]),
    );
    const collection = merge(...fifteen, aggregateOf(1, [0, 1, 1, 1]), aggregateOf(1, [1, 1, 1, 1]));
    expect([...collection.counts]).toEqual([15, 7, 5, 15, 1, 2, 2, 2]);
    const repeated = publicKeys.flatMap((key, member) => new Array<Uint8Array>(collection.counts[member]!).fill(key));
    const sum = scheme.encode(collection).subarray(-96);
    expect(bls.fastAggregateVerify(repeated, text, sum)).toBe(true);
    expect(bls.fastAggregateVerify(publicKeys, text, sum)).toBe(false);
    expect(scheme.verify(collection)).toBe(true);
    expect(scheme.aggregate(committee, collection, fifteen[0]!)).toBeUndefined();
  });

  it('attack: a changed multiplicity, an added or omitted validator, or another signature is invalid', () => {
    const collection = merge(aggregateOf(0, [1, 1, 0, 1]), aggregateOf(0, [1, 0, 0, 1]));
    expect(scheme.verify(collection)).toBe(true);
    for (const [member, count] of [
      [0, 1],
      [0, 3],
      [1, 0],
      [2, 1],
      [4, 1],
    ] as const)
      expect(scheme.verify({ ...collection, counts: collection.counts.with(member, count) })).toBe(false);
    expect(scheme.verify({ ...collection, signature: signatures[0]! })).toBe(false);
    expect(scheme.verify({ ...collection, signature: new Uint8Array(96).fill(0xff) })).toBe(false);
  });
});
