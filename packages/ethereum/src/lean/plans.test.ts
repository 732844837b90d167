import { describe, expect, it } from 'vitest';
import { membersOf, setOf } from '../../test/memberSets.ts';
import { type LeanView, planOf } from './plans.ts';
import { chooseChildren, compareEncodings } from './rules.ts';
import { type LeanSizes, makeProof, SubnetMasks } from './world.ts';

const validators = 8;
const sizes: LeanSizes = {
  validators,
  subnets: 1,
  duties: [0, 0],
  branching: 2,
  proverChildren: 16,
  clientChildren: 2,
  supers: 1,
  minGain: 0,
};
let made = 0;
const proof = (of: readonly number[]) =>
  makeProof(sizes, {
    id: made++,
    votes: setOf(validators, of),
    bytes: 100,
    by: 0,
    children: [],
    rawVotes: 0,
    half: undefined,
  });

/** Returns what an aggregator with a strategy proves from these pools, as lists of validators. */
function proved(strategy: 'spec' | 'greedy', pools: Record<'pending' | 'known' | 'raw', readonly number[][]>) {
  const [pending, known] = [pools.pending.map(proof), pools.known.map(proof)];
  const view: LeanView = {
    ...{ sizes, masks: new SubnetMasks(sizes), position: 1, slot: 0, announced: [], fits: 16, isLeafTime: true },
    proofs: [...known, ...pending],
    isPending: (one) => pending.includes(one),
    raw: setOf(validators, pools.raw.flat()),
    turns: () => 0,
  };
  const plan = planOf(strategy, view);
  return plan && { children: plan.children.map(({ votes }) => membersOf(votes)), raw: membersOf(plan.raw) };
}

describe('leanSpec@43246bd6, forks/lstar/aggregation.py', () => {
  it.each([
    ['one raw vote alone is proved', [], [], [[3]], { children: [], raw: [3] }],
    ['one pending proof alone is not', [[0, 1]], [], [], undefined],
    ['known proofs start nothing', [], [[0, 1], [2]], [], undefined],
    ['pending before known, whatever adds more', [[0]], [[0, 1, 2]], [], { children: [[0], [0, 1, 2]], raw: [] }],
    ['raw votes fill in what no child covers', [[0, 1]], [[2]], [[1], [2], [5]], { children: [[0, 1], [2]], raw: [5] }],
    ['a union that a proof has already is proved again', [[0], [1]], [[0, 1]], [], { children: [[1], [0]], raw: [] }],
  ])('%s', (_, pending, known, raw, expected) => expect(proved('spec', { pending, known, raw })).toEqual(expected));

  it('ties are resolved to the largest encoding, in any order of arrival', () => {
    const [a, b] = [proof([0, 1]), proof([2, 3])];
    // Encoded participants: 0b0000_0111 and 0b0001_1100, where the last 1 bit terminates the list.
    const first = (pool: (typeof a)[]) => pool[chooseChildren([pool], { max: 1, ties: 'encoding' })[0]![1]];
    expect([first([a, b]), first([b, a])]).toEqual([b, b]);
  });

  it.each([
    // The second offset is 8 plus the bytes of the bit list: 9 for validators 0 to 6, 10 for 7 to 14.
    ['the longer list', [0, 1, 2, 3, 4, 5, 6], [7], -1],
    ['the first byte decides', [0, 9], [1, 8], -1],
    // The offsets are 8 + 247, encoded as 0xff 0x00, and 8 + 248, encoded as 0x00 0x01.
    ['offsets have their little end first', [1975], [1976], 1],
    ['equal participants', [4, 5], [4, 5], 0],
  ])('compares encodings byte by byte: %s', (_, a, b, expected) => {
    expect(Math.sign(compareEncodings(setOf(4096, a), setOf(4096, b)))).toBe(expected);
  });
});

it.each([
  ['one raw vote alone is not proved', [], [], [[3]], undefined],
  ['children come beside the raw votes', [[0, 1]], [[2]], [[0], [1]], { children: [[2]], raw: [0, 1] }],
  ['pending before known', [[2]], [[2, 3, 4]], [[0]], { children: [[2], [2, 3, 4]], raw: [0] }],
  ['two children at most', [[1], [2], [3]], [], [[0]], { children: [[3], [2]], raw: [0] }],
  ['raw votes inside a child are trimmed', [[0, 1, 2]], [], [[0], [5]], { children: [[0, 1, 2]], raw: [5] }],
  ['two raw votes alone are proved', [], [], [[3], [4]], { children: [], raw: [3, 4] }],
  ['one pending proof alone is not', [[0, 1]], [], [], undefined],
])('ethlambda, aggregation.rs after its #603 and #613, resolve_job: %s', (_, pending, known, raw, expected) => {
  expect(proved('greedy', { pending, known, raw })).toEqual(expected);
});
