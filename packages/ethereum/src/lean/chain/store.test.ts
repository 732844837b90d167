import { readFileSync } from 'node:fs';
import { addMember, emptySet, type MemberSet, sizeOf } from '@tutti/core/horn';
import { expect, it } from 'vitest';
import { membersOf, setOf } from '../../../test/memberSets.ts';
import { chooseChildren, dropVotes, isViable, joinVotes } from '../rules.ts';
import { intervalsPerSlot, keyOf, LeanStore, type ProofPool, type VoteData } from './store.ts';

type VectorProof = readonly [message: number, votes: readonly number[]];
type VectorPool = readonly (readonly [message: number, proofs: readonly (readonly number[])[]])[];

type Numbers<Name extends string> = { readonly [name in Name]?: number };

interface Step extends Numbers<'tick' | 'block' | 'slot' | 'parent' | 'built' | 'vote' | 'validator' | 'aggregate'> {
  readonly hasProposal?: boolean;
  readonly attestations?: readonly VectorProof[];
  /** Proofs that the test adds with the block. */
  readonly proofs?: readonly VectorProof[];
  readonly noTick?: boolean;
  /** Candidates from which the block was built, if they differ from its content; `built` of them were selected. */
  readonly candidates?: VectorPool;
  readonly isAggregator?: boolean;
  readonly votes?: readonly number[];
  readonly rejected?: string;
  /** Changes caused by the step. `stateBytes` is the size of the state after the head, bytes. */
  readonly after: Numbers<'time' | 'stateBytes' | 'head' | 'safe' | 'target' | 'justified' | 'finalized'> & {
    readonly signatures?: readonly VectorProof[];
    readonly pending?: VectorPool;
    readonly known?: VectorPool;
  };
}

interface Vector {
  readonly test: string;
  readonly validators: number;
  readonly anchorSlot?: number;
  readonly anchorState?: { readonly justified: number; readonly finalized: number };
  readonly ranks?: readonly number[];
  readonly messages: readonly (readonly number[])[];
  readonly steps: readonly Step[];
}

const file = new URL('../../../../../tests/vectors/leanspec-fork-choice.json', import.meta.url);
const { vectors, notModelled }: { vectors: Vector[]; notModelled: Record<string, string> } = JSON.parse(
  readFileSync(file, 'utf8'),
);

const limits = { blockMessages: 8, messagesPerSlot: 8, targetLookback: 3 };

/** A store with the raw votes that its aggregator proves at interval 2. */
class Replay {
  readonly #vector: Vector;
  readonly store: LeanStore;
  readonly raw = new Map<string, { readonly data: VoteData; readonly votes: MemberSet }>();

  constructor(vector: Vector) {
    this.#vector = vector;
    const { validators, ranks, anchorSlot, anchorState } = vector;
    this.store = new LeanStore({
      validators,
      limits,
      ...(ranks === undefined ? {} : { rankOf: (block: number) => ranks[block]! }),
      ...(anchorSlot === undefined ? {} : { anchor: { slot: anchorSlot, ...anchorState! } }),
    });
  }

  data(message: number): VoteData {
    const [slot, ...checkpoints] = this.#vector.messages[message]!;
    const [head, target, source] = [0, 2, 4].map((at) => ({ block: checkpoints[at]!, slot: checkpoints[at + 1]! }));
    return { slot: slot!, head: head!, target: target!, source: source! };
  }

  votes(of: readonly number[]): MemberSet {
    return setOf(this.#vector.validators, of);
  }

  proofs(of: readonly VectorProof[] = []) {
    return of.map(([message, votes]) => ({ data: this.data(message), votes: this.votes(votes) }));
  }

  /** @returns the reason why the step was rejected. */
  step(step: Step): string | undefined {
    if (step.tick !== undefined) this.#tick(step.tick, step.hasProposal === true);
    if (step.vote !== undefined) return this.#vote(step);
    if (step.aggregate !== undefined) {
      return this.store.receive({ data: this.data(step.aggregate), votes: this.votes(step.votes!) });
    }
    if (step.block === undefined) return undefined;
    for (const proof of this.proofs(step.proofs)) this.store.addKnown(proof);
    if (step.noTick !== true) this.#tick(step.slot! * intervalsPerSlot, true);
    const refused = this.store.addBlock(step.block, step.slot!, step.parent!, this.proofs(step.attestations));
    for (const [key, { data }] of this.raw) if (this.store.isStale(data)) this.raw.delete(key);
    return refused;
  }

  #vote({ vote, validator, isAggregator }: Step): string | undefined {
    const data = this.data(vote!);
    const refused = this.store.check(data);
    if (refused !== undefined || isAggregator !== true) return refused;
    const { votes } = this.raw.get(keyOf(data)) ?? { votes: this.votes([]) };
    addMember(votes, validator!);
    this.raw.set(keyOf(data), { data, votes });
    return undefined;
  }

  #tick(until: number, hasProposal: boolean): void {
    while (this.store.time < until) {
      this.store.tick(this.store.time + 1, hasProposal && this.store.time + 1 === until);
      if (this.store.time % intervalsPerSlot === 2) this.#aggregate();
    }
  }

  /** Performs leanSpec's `aggregate()` by the rules of the strategy `spec`. The result replaces the pending pool. */
  #aggregate(): void {
    const made: ProofPool = new Map();
    for (const key of new Set([...this.store.pending.keys(), ...this.raw.keys()])) {
      const pools = [this.store.pending, this.store.known].map((pool) =>
        (pool.get(key)?.proofs ?? []).map((votes) => ({ votes })),
      );
      const children = chooseChildren(pools, { max: 16, ties: 'encoding' }).map(([at, place]) => pools[at]![place]!);
      const votes = this.votes([]);
      for (const child of children) joinVotes(votes, child.votes);
      const raw = this.raw.get(key)?.votes.slice() ?? this.votes([]);
      dropVotes(raw, votes);
      if (!isViable(sizeOf(raw), children.length, true)) continue;
      joinVotes(votes, raw);
      const { data } = (this.store.pending.get(key) ?? this.raw.get(key))!;
      made.set(key, { data, proofs: [votes] });
      this.raw.delete(key);
    }
    this.store.pending = made;
  }

  /** Returns the pool in the form of a vector. */
  pool(pool: ProofPool): Map<string, number[][]> {
    return new Map([...pool].map(([key, { proofs }]) => [key, proofs.map(membersOf).sort(byText)]));
  }

  expectedPool(pool: VectorPool): Map<string, number[][]> {
    return new Map(
      pool.map(([message, proofs]) => [keyOf(this.data(message)), proofs.map((one) => [...one]).sort(byText)]),
    );
  }
}

const byText = (a: readonly number[], b: readonly number[]) => (`${a}` < `${b}` ? -1 : 1);

it('leanSpec’s fork-choice tests are 117: each one runs, or is listed with a reason', () => {
  const names = [...vectors.map(({ test }) => test), ...Object.keys(notModelled)];
  expect([names.length, new Set(names).size]).toEqual([117, 117]);
});

it.each(vectors.map((vector) => [vector.test, vector] as const))('leanSpec’s fork-choice tests: %s', (_, vector) => {
  const replay = new Replay(vector);
  for (const [at, step] of vector.steps.entries()) {
    const { store } = replay;
    if (step.candidates !== undefined) {
      const messages = step.candidates.map(([message, proofs]) =>
        proofs.map((one) => replay.proofs([[message, one]])[0]!),
      );
      const selected = store.select(step.parent!, messages).map(([one]) => keyOf(one!.data));
      const built = replay.proofs(step.attestations).slice(0, step.built);
      expect(selected, `step ${at}: what the block carries`).toEqual(built.map(({ data }) => keyOf(data)));
    }
    expect(replay.step(step), `step ${at}: refused`).toBe(step.rejected);
    const { pending, known, signatures: raw, ...blocks } = step.after;
    const { time, head, safe, target, justified, finalized } = store;
    const stateBytes = store.headState.bytesAt(head.slot);
    const all = { time, stateBytes, head: head.block, safe: safe.block, target: target.block };
    expect({ ...all, justified: justified.block, finalized: finalized.block }, `step ${at}`).toMatchObject(blocks);
    if (pending !== undefined) expect(replay.pool(store.pending)).toEqual(replay.expectedPool(pending));
    if (known !== undefined) expect(replay.pool(store.known)).toEqual(replay.expectedPool(known));
    if (raw !== undefined) {
      const expected = raw.map(([message, votes]) => [keyOf(replay.data(message)), votes]);
      expect([...replay.raw].map(([key, { votes }]) => [key, membersOf(votes)])).toEqual(expected);
    }
  }
});

it('LeanStore stores the states of the last 256 blocks, and refuses a block on an older one', () => {
  const store = new LeanStore({ validators: 4, limits });
  for (let slot = 1; slot <= 300; slot++) expect(store.addBlock(slot, slot, slot - 1, [])).toBeUndefined();
  expect(store.addBlock(301, 301, 300 - 255, [])).toBeUndefined();
  expect(store.addBlock(302, 302, 300 - 256, [])).toBe('UNKNOWN_PARENT_BLOCK');
  for (const slot of [7, 301]) expect(store.isCanonical({ block: slot, slot })).toBe(true);
});

it('LeanStore refuses a block with more messages than the limit', () => {
  const store = new LeanStore({ validators: 4, limits });
  const data = (slot: number) => ({ slot, head: store.head, target: store.head, source: store.head });
  const body = Array.from({ length: 9 }, (_, slot) => ({ data: data(slot), votes: emptySet(4) }));
  expect(store.addBlock(1, 1, 0, body)).toBe('TOO_MANY_ATTESTATION_DATA');
  expect(store.addBlock(1, 1, 0, body.slice(1))).toBeUndefined();
});
