import { expect, it } from 'vitest';
import { addMember, emptySet, hasMember, type MemberSet, shiftInto } from '../memberSet.ts';
import { type CollectionRule, collect, honestRole, noAggregate } from './rules.ts';

const clock = { attestUs: 4, aggregateUs: 8, collectUs: 12, endUs: 22 };
const setOf = (...members: number[]): MemberSet => {
  const set = emptySet(40);
  for (const member of members) addMember(set, member);
  return set;
};

const sets = [setOf(0, 39), setOf(2)];
const best = Int32Array.of(0, noAggregate, 1);
const membersOf = (collection: CollectionRule): number[] => {
  const bits = emptySet(120);
  collect({ ...honestRole(clock), collection }, best, {
    joinOwn: () => addMember(bits, 50),
    join: (aggregate, subcommittee) => shiftInto(bits, sets[aggregate]!, 40 * subcommittee),
  });
  return Array.from({ length: 120 }, (_, member) => member).filter((member) => hasMember(bits, member));
};

it('collect(role, best, parts) concatenates the best aggregates of all subcommittees, and omits subcommittees without one', () => {
  expect(membersOf('best')).toEqual([0, 39, 82]);
});

it('collect(role, best, parts): Byzantine validators publish only their own vote, or nothing', () => {
  expect(membersOf('own-vote')).toEqual([50]);
  expect(membersOf('nothing')).toEqual([]);
});
