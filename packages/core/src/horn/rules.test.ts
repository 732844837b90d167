import { describe, expect, it } from 'vitest';
import { addMember, emptySet, hasMember, type MemberSet, shiftInto } from '../memberSet.ts';
import {
  type CollectionRule,
  collect,
  HornTopic,
  honestRole,
  keepBest,
  noAggregate,
  topicOfAggregates,
} from './rules.ts';

const clock = { attestUs: 4, aggregateUs: 8, collectUs: 12, endUs: 22 };
const setOf = (...members: number[]): MemberSet => {
  const set = emptySet(40);
  for (const member of members) addMember(set, member);
  return set;
};

describe('honestRole(clock)', () => {
  it('aggregates all votes on the clock of the slot, and ranks by weight for any author', () => {
    const role = honestRole(clock);
    expect(role.clock).toBe(clock);
    expect(role.collection).toBe('best');
    expect(role.aggregate(setOf(1, 39))).toEqual(setOf(1, 39));
    expect(role.rank(0, 7)).toBe(role.rank(1, 7));
    expect(role.rank(0, 8)).toBeGreaterThan(role.rank(1, 7));
  });
});

describe('keepBest(best, subcommittee, aggregate, rankOf)', () => {
  it('keeps the highest rank of each subcommittee, the first at equal ranks (Horn: "Collectors")', () => {
    const ranks = [3, 5, 5, 1];
    const best = new Int32Array(2).fill(noAggregate);
    for (const aggregate of [0, 1, 2]) keepBest(best, 0, aggregate, (one) => ranks[one]!);
    expect([...best]).toEqual([1, noAggregate]);
    keepBest(best, 1, 3, (one) => ranks[one]!);
    expect([...best]).toEqual([1, 3]);
  });
});

describe('collect(role, best, parts)', () => {
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

  it('concatenates the best aggregates of all subcommittees, and omits subcommittees without one', () => {
    expect(membersOf('best')).toEqual([0, 39, 82]);
  });

  it('Byzantine validators publish only their own vote, or nothing', () => {
    expect(membersOf('own-vote')).toEqual([50]);
    expect(membersOf('nothing')).toEqual([]);
  });
});

it('aggregates are sent to collectors if there are any, otherwise to all nodes', () => {
  expect(topicOfAggregates(true)).toBe(HornTopic.committee);
  expect(topicOfAggregates(false)).toBe(HornTopic.global);
});
