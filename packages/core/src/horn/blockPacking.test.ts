import fc from 'fast-check';
import { expect, it } from 'vitest';
import { packBlock } from './blockPacking.ts';

const set = (group: number, bits: number) => ({
  group,
  weight: bits.toString(2).replaceAll('0', '').length,
  bits: Int32Array.of(bits),
});

const sets = [set(0, 0b1111), set(0, 0b1110001), set(1, 0b1), set(1, 0b111)];

it.each([
  ['one-aggregate', 'selects the aggregate that adds most, of any group', 2, 7],
  ['one-aggregate', 'selects the aggregate that adds most, of any group', 3, 10],
  ['one-of-each', 'selects for the second attestation the votes that the first has left', 1, 7],
  ['one-of-each', 'selects for the second attestation the votes that the first has left', 2, 10],
] as const)('packBlock(sets, rules): with %s %s, for at most %i attestations', (inclusion, _, max, votes) => {
  expect(packBlock(sets, { groups: 2, max, inclusion })).toMatchObject({ votes, attestations: max });
});

it('packBlock(sets, rules) selects no vote of an earlier block', () => {
  expect(
    packBlock([set(0, 0b111)], { groups: 1, max: 8, inclusion: 'one-of-each', before: [Int32Array.of(0b101)] }).votes,
  ).toBe(1);
});

it('packBlock(sets, rules) never includes more votes than were published, nor more votes with less space', () => {
  fc.assert(
    fc.property(
      fc.array(fc.tuple(fc.nat(3), fc.integer({ min: 1, max: 0xffff })), { maxLength: 20 }),
      fc.integer({ min: 1, max: 6 }),
      fc.constantFrom('one-aggregate' as const, 'one-of-each' as const),
      (pairs, most, inclusion) => {
        const sets = pairs.map(([group, bits]) => set(group, bits));
        const all = [0, 1, 2, 3].map((group) =>
          sets.reduce((sum, one) => (one.group === group ? sum | one.bits[0]! : sum), 0),
        );
        const { included, votes } = packBlock(sets, { groups: 4, max: most, inclusion });
        for (const [group, of] of included.entries()) expect((of?.[0] ?? 0) & ~all[group]!).toBe(0);
        expect(packBlock(sets, { groups: 4, max: most + 1, inclusion }).votes).toBeGreaterThanOrEqual(votes);
      },
    ),
  );
});
