import { readFileSync } from 'node:fs';
import { emptySet } from '@tutti/core/horn';
import { expect, it } from 'vitest';
import { membersOf, setOf } from '../../../test/memberSets.ts';
import { joinVotes } from '../rules.ts';
import { type Attestation, isJustifiable, LeanState } from './state.ts';
import { keyOf, LeanStore, type VoteProof } from './store.ts';

interface VectorVote {
  readonly slot: number;
  readonly source: number | null;
  readonly target: number;
  readonly isOnChain: boolean;
  /** Voters; a number n stands for the first n voters. */
  readonly votes: readonly number[] | number;
}

interface Vector {
  readonly test: string;
  readonly validators: number;
  readonly blocks: readonly {
    readonly slot: number;
    /** Attestations from which the proposer may select. */
    readonly attestations?: readonly VectorVote[];
    /** Attestations that the block contains in any case. */
    readonly forced?: readonly VectorVote[];
  }[];
  readonly post: {
    readonly justified?: number;
    readonly finalized?: number;
    readonly justifiedSlots?: readonly number[];
    readonly pending?: readonly number[];
    readonly voters?: readonly number[];
  };
}

interface VectorFile {
  readonly vectors: readonly Vector[];
  readonly justifiability: readonly (readonly [test: string, slot: number, finalized: number, expected: boolean])[];
  readonly notModelled: Readonly<Record<string, string>>;
}
const file = new URL('../../../../../tests/vectors/leanspec-state-transition.json', import.meta.url);
const { vectors, justifiability, notModelled }: VectorFile = JSON.parse(readFileSync(file, 'utf8'));
const limits = { blockMessages: 8, messagesPerSlot: 8, targetLookback: 3 };
/** Slot that occurs in no vector. */
const nowhere = 2 ** 30;

const votesOf = (validators: number, of: readonly number[] | number) =>
  setOf(validators, typeof of === 'number' ? Array(of).keys() : of);

it('LeanState runs all 106 state-transition tests of leanSpec, or lists them with a reason', () => {
  const names = [...vectors, ...justifiability.map(([test]) => ({ test }))].map(({ test }) => test);
  const all = [...names, ...Object.keys(notModelled)];
  expect([all.length, new Set(all).size]).toEqual([106, 106]);
});

it.each(justifiability)('leanSpec: %s', (_, slot, finalized, expected) => {
  expect(isJustifiable(slot, finalized)).toBe(expected);
});

it.each(vectors.map((vector) => [vector.test, vector] as const))('leanSpec: %s', (_, { validators, blocks, post }) => {
  const store = new LeanStore({ validators, limits });
  for (const { slot, attestations = [], forced = [] } of blocks) {
    const parent = store.head.block;
    const read = (one: VectorVote): VoteProof => {
      const [source, target] = [one.source ?? store.headState.justified, one.isOnChain ? one.target : nowhere];
      const head = { block: target, slot: target };
      const data = { slot: one.slot, head, target: head, source: { block: source, slot: source } };
      return { data, votes: votesOf(validators, one.votes) };
    };
    const messages = new Map<string, VoteProof[]>();
    for (const one of attestations.map(read))
      messages.set(keyOf(one.data), [...(messages.get(keyOf(one.data)) ?? []), one]);
    const selected = store.select(parent, [...messages.values()]).map((proofs) => {
      const votes = emptySet(validators);
      for (const proof of proofs) joinVotes(votes, proof.votes);
      return { data: proofs[0]!.data, votes };
    });
    expect(store.addBlock(slot, slot, parent, [...selected, ...forced.map(read)])).toBeUndefined();
  }
  const state = store.headState;
  const { justified, finalized, justifiedSlots, pending, voters } = post;
  if (justified !== undefined) expect(state.justified).toBe(justified);
  if (finalized !== undefined) expect(state.finalized).toBe(finalized);
  if (justifiedSlots !== undefined) expect(state.justifiedSlots).toEqual(justifiedSlots);
  if (pending !== undefined) expect([...state.pending.keys()]).toEqual([...pending].sort((a, b) => a - b));
  if (voters !== undefined) expect(membersOf(state.pending.get(pending![0]!)!)).toEqual(voters);
});

const vote = (source: number, target: number, of: readonly number[] | number, slot = target): Attestation => ({
  slot,
  source,
  target,
  votes: votesOf(6, of),
});

it('LeanState finalises the source of the votes, not the checkpoint that is justified by then', () => {
  const state = new LeanState(6);
  state.apply([vote(0, 1, 6), vote(0, 2, 6)]);
  // Slot 1 could be justified, and lies between slots 0 and 2.
  expect([state.justified, state.finalized, state.justifiedSlots]).toEqual([2, 0, [1, 2]]);
});

it('LeanState limits the messages per block and per slot', () => {
  const state = new LeanState(6);
  const messages = [[vote(0, 1, [0], 4)], [vote(0, 2, [1], 4)], [vote(0, 3, [2], 5)]];
  const targets = (of: typeof limits) => state.select(messages, of).map(([one]) => one!.target);
  expect(targets(limits)).toEqual([1, 2, 3]);
  expect(targets({ ...limits, messagesPerSlot: 1 })).toEqual([1, 3]);
  expect(targets({ ...limits, blockMessages: 2 })).toEqual([1, 2]);
});
