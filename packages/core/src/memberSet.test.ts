import fc from 'fast-check';
import { expect, it } from 'vitest';
import { addMember, emptySet, hasMember, type MemberSet, shiftInto, sizeBeyond, sizeOf, union } from './memberSet.ts';

function setOf(members: Iterable<number>): MemberSet {
  const set = emptySet(70);
  for (const member of members) addMember(set, member);
  return set;
}

it('member sets contain exactly the added members', () => {
  const some = fc.uniqueArray(fc.nat(69)).map((list) => new Set(list));
  fc.assert(
    fc.property(some, some, (a, b) => {
      const [one, other] = [setOf(a), setOf(b)];
      expect(sizeOf(one)).toBe(a.size);
      expect(sizeBeyond(one, other)).toBe([...a].filter((member) => !b.has(member)).length);
      expect(union([one, other], 70)).toEqual(setOf([...a, ...b]));
      for (let member = 0; member < 70; member++) expect(hasMember(one, member)).toBe(a.has(member));
    }),
  );
  expect(union([], 70)).toEqual(emptySet(70));
});

it('consecutive member sets begin at their offsets', () => {
  fc.assert(
    fc.property(fc.uniqueArray(fc.nat(69)), fc.uniqueArray(fc.nat(69)), fc.nat(200), (one, other, offset) => {
      const all = emptySet(70 + 70 + 200);
      shiftInto(all, setOf(one), 0);
      shiftInto(all, setOf(other), 70 + offset);
      const members = Array.from({ length: 340 }, (_, member) => member).filter((member) => hasMember(all, member));
      expect(members).toEqual([...one, ...other.map((member) => 70 + offset + member)].sort((a, b) => a - b));
    }),
  );
});
