import { defaultHornParameters as post, runLengthCoding, sparseCoding } from '@tutti/core/horn';
import { describe, expect, it } from 'vitest';
import { type Alternative, additionsOf, sampleAlternatives } from './alternatives.ts';

describe("Horn, 'Alternative aggregation schemes': the table", () => {
  const odds = { eveShare: 1 / 3, participation: 1, slots: 3, seed: 1 };
  const costs = { additionNs: 100, proofMs: 500 };
  const { alternatives } = sampleAlternatives(odds, post, [runLengthCoding, sparseCoding], costs);
  const of = Object.fromEntries(alternatives.map((one) => [one.scheme, one])) as Record<string, Alternative>;

  it("has the post's bytes on the global topic", () => {
    const bytes = Object.fromEntries(alternatives.map((one) => [one.scheme, one.bytes]));
    const bitfield = 2_097_152;
    const succinctProof = bitfield + 512 * 1708;
    expect(bytes).toEqual({ bitfield, fourBit: 4 * bitfield, largestAndRandom: 2 * bitfield, succinctProof });
  });

  it('has codes that exceed their content by at most one byte per bitfield', () => {
    for (const { bytes, codedBytes, messages, scheme } of alternatives) {
      const bitfields = messages * (scheme === 'fourBit' ? 4 : 1);
      for (const { bytes: coded } of codedBytes) expect(coded).toBeLessThanOrEqual(bytes + bitfields);
    }
    // Every member is in one aggregate or in two merged ones, so one of the four bits is sufficient.
    expect(of.fourBit!.codedBytes[1]!.bytes).toBeLessThan(0.26 * of.fourBit!.bytes);
    // If all members vote, a merge of all aggregates has only multiplicities of 1.
    expect(of.succinctProof!.codedBytes[1]!.bytes).toBeLessThan(512 * (1708 + 50));
    expect(of.succinctProof!.codedBytes[1]!.bytes).toBeGreaterThan(512 * 1708);
  });

  it('has the time of the additions or of the proofs', () => {
    for (const name of ['bitfield', 'fourBit', 'largestAndRandom'] as const) {
      const { additions, additionsFromTotals, seconds, secondsFromTotals } = of[name]!;
      expect(seconds).toBeCloseTo(additions * 100e-9, 9);
      expect(secondsFromTotals).toBeCloseTo(additionsFromTotals * 100e-9, 9);
      expect(additionsFromTotals).toBeLessThan(additions);
    }
    expect(of.succinctProof).toMatchObject({ additions: 0, seconds: 256, secondsFromTotals: 256 });
    // The additions cover all keys except those left out by Eve, and at most two per bucket for four bits.
    expect(of.fourBit!.additions).toBeGreaterThan(of.bitfield!.additions);
    expect(of.fourBit!.additions).toBeLessThanOrEqual(512 * (32_768 + 28));
  });
});

it('a key of bits takes one addition fewer than the ones; from totals one per zero, and one per subcommittee', () => {
  const bits = Uint8Array.from({ length: 1024 }, (_, member) => (member % 10 === 0 ? 0 : 1));
  const zeros = bits.filter((bit) => bit === 0).length;
  expect(additionsOf(bits, 256)).toEqual({ plain: 1024 - zeros - 1, fromTotals: zeros + 4 - 1 });
});
