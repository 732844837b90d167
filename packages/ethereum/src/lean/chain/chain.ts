import { RandomStream } from '@tutti/core';
import { requireInteger, requireNumber } from '@tutti/core/settings';
import { type Summary, summaryOf } from '../../summary.ts';
import { blockMergeMs } from '../costs.ts';
import { addVote, countVotes, emptyVotes, hasVote, joinVotes, type VoteSet } from '../rules.ts';
import { ChainProver, type MessageVotes, type ProofSource, type ProverOptions } from './prover.ts';
import { isJustifiable, LeanState } from './state.ts';

export const blockProofs = ['with-signature', 'signature-outside', 'adopted'] as const;
export type BlockProof = (typeof blockProofs)[number];

/** Options of a chain of slots, in which the provers' results in one slot determine the votes of later slots. */
export interface LeanChainOptions extends ProverOptions {
  /** Number of simulated validators. A few stand for all. */
  readonly validators: number;
  /** Number of committees, each with its own aggregator. Validator v is in committee v mod this. */
  readonly committees: number;
  /** Point up to which a group of votes is useful: until its target is justified, or until it is final (gean). */
  readonly keptUntil: 'justified' | 'final';
  /** Time at which an aggregator has a slot's votes, in ms since the slot began: uniform between these two. */
  readonly votesReadyMs: readonly [least: number, most: number];
  /** Time of the proposer's machine for a block merge, as a multiple of the profile's. */
  readonly blockTimes: number;
  /**
   * Way in which a block gets its proof.
   *
   * - `with-signature` (leanSpec): the proposer merges its messages and its own signature.
   * - `signature-outside` (ethlambda#471): the proof covers the messages alone, and the signature is a separate field. A
   *   block without messages needs no proof.
   * - `adopted` (ethlambda#604): aggregators merge candidate bodies from the head update on. The proposer adopts the
   *   newest one that it has received; without one, its block is empty. The signature is a separate field.
   */
  readonly blockProof: BlockProof;
  /** Time from the sending of a proof or a block by one node until all nodes have it, ms. */
  readonly bringMs: number;
  readonly seed: number;
}

/** Result of one slot of a chain. */
export interface LeanChainSlot {
  readonly slot: number;
  readonly justified: number;
  readonly finalized: number;
  readonly safe: number;
  /**
   * Time at which every node has the slot's block, in ms since the slot began; null if it came too late to be built
   * upon.
   */
  readonly blockMs: number | null;
  /** Number of messages in the block, and of different messages that the slot's validators voted for. */
  readonly messages: number;
  readonly votedFor: number;
  /** Groups of votes that wait for the prover, and the prover's delay when the slot ends, ms. */
  readonly backlog: number;
  readonly behindMs: number;
}

/** Result of {@link runLeanChain}: each slot, and totals over all slots. */
export interface LeanChainResult {
  readonly slots: readonly LeanChainSlot[];
  /** Slots between the clock and the justified slot, and the final slot: mean and max over the second half. */
  readonly justificationLag: { readonly mean: number; readonly most: number };
  readonly finalityLag: { readonly mean: number; readonly most: number };
  /** Number of proofs made, and number of proofs discarded. */
  readonly proofs: number;
  readonly expired: number;
  /** Proofs per second and prover, and the share of the time in which a prover worked. */
  readonly proofsPerSecond: number;
  readonly busyShare: number;
  /** Share of that time spent on votes that were all in another proof that the prover had. */
  readonly wastedShare: number;
  /** Sessions that began no proof, because the prover was busy or there were no votes. */
  readonly skipped: { readonly busy: number; readonly empty: number };
  readonly truncated: number;
  readonly lateBlocks: number;
}

/** Results of a chain over seeds: each quantity of {@link LeanChainResult} is summarised over the runs. */
export interface LeanChainSummary {
  readonly seeds: readonly number[];
  readonly justificationLag: { readonly mean: Summary; readonly most: Summary };
  readonly finalityLag: { readonly mean: Summary; readonly most: Summary };
  readonly proofsPerSecond: Summary;
  readonly busyShare: Summary;
  readonly lateBlocks: Summary;
  /** Slots whose validators voted for two heads, and the largest backlog. */
  readonly splitSlots: Summary;
  readonly backlog: Summary;
  /** The run of the first seed. */
  readonly first: LeanChainResult;
}

/** Runs a chain with each of these seeds. */
export function runLeanChains(options: LeanChainOptions, seeds: readonly number[]): LeanChainSummary {
  const runs = seeds.map((seed) => runLeanChain({ ...options, seed }));
  const over = (of: (run: LeanChainResult) => number) => summaryOf(runs.map(of));
  const lag = (of: 'justificationLag' | 'finalityLag') => ({
    mean: over((run) => run[of].mean),
    most: over((run) => run[of].most),
  });
  return {
    seeds,
    justificationLag: lag('justificationLag'),
    finalityLag: lag('finalityLag'),
    proofsPerSecond: over((run) => run.proofsPerSecond),
    busyShare: over((run) => run.busyShare),
    lateBlocks: over((run) => run.lateBlocks),
    splitSlots: over(({ slots }) => slots.filter(({ votedFor }) => votedFor > 1).length),
    backlog: over(({ slots }) => Math.max(...slots.map(({ backlog }) => backlog))),
    first: runs[0]!,
  };
}

/** Validators see a block within so long of each other, ms. */
const spreadMs = 400;

/**
 * Runs a chain of slots.
 *
 * @param sources of proofs, by committee. Default: one prover for each.
 */
export function runLeanChain(options: LeanChainOptions, sources?: readonly ProofSource[]): LeanChainResult {
  requireInteger('slots', options.slots, 2, 1_000_000);
  requireInteger('validators', options.validators, 3, 4096);
  requireInteger('committees', options.committees, 1, 64);
  requireNumber('proofMs', options.proofMs, 1, 600_000);
  requireNumber('rampTimes', options.rampTimes, 0.01, 100);
  requireNumber('blockTimes', options.blockTimes, 0, 100);
  const chain = new LeanChain(options, sources);
  for (let slot = 1; slot <= options.slots; slot++) chain.run(slot);
  return chain.result();
}

interface Candidate {
  readonly readyMs: number;
  readonly messages: readonly (readonly MessageVotes[])[];
}

class LeanChain {
  readonly #options: LeanChainOptions;
  readonly #random: RandomStream;
  readonly #provers: readonly ProofSource[];
  readonly #blocks: number[] = [0];
  readonly #slots: LeanChainSlot[] = [];
  readonly #state: LeanState;
  readonly #included = new Set<MessageVotes>();
  /** Bodies that aggregators have packed and the proposer of no slot has adopted, in their order. */
  readonly #candidates: Candidate[] = [];
  #safe = 0;
  #lateBlocks = 0;

  constructor(options: LeanChainOptions, sources: readonly ProofSource[] | undefined) {
    this.#options = options;
    this.#state = new LeanState(options.validators);
    this.#random = new RandomStream(options.seed, 'lean chain');
    this.#provers = sources ?? Array.from({ length: options.committees }, () => new ChainProver(options, this.#random));
  }

  get #head(): number {
    return this.#blocks.at(-1)!;
  }

  /** Returns the slot up to which a target is too old: votes for it are no longer useful. */
  get #ofUse(): number {
    return this.#options.keptUntil === 'final' ? this.#state.finalized : this.#state.justified;
  }

  run(slot: number): void {
    const { profile, bringMs } = this.#options;
    const startMs = slot * profile.times.slotMs;
    for (const prover of this.#provers) prover.advance(startMs, this.#ofUse);
    const { messages, buildMs } = this.#body(startMs);
    const blockMs = buildMs + bringMs;
    const isThere = blockMs < profile.times.slotMs;
    const before = { head: this.#head, source: this.#state.justified };
    if (isThere) {
      // Its own slot is not on the chain that its votes are about.
      for (const group of this.#state.apply(messages.flat())) this.#included.add(group);
      this.#blocks.push(slot);
      this.#state.addBlock(slot);
    } else this.#lateBlocks++;
    const votedFor = this.#vote(slot, before, isThere ? blockMs : Number.POSITIVE_INFINITY);
    for (const prover of this.#provers) prover.advance(startMs + profile.times.slotMs, this.#ofUse);
    this.#moveSafeTarget(slot);
    this.#slots.push({
      slot,
      justified: this.#state.justified,
      finalized: this.#state.finalized,
      safe: this.#safe,
      blockMs: isThere ? blockMs : null,
      messages: messages.length,
      votedFor,
      backlog: this.#provers.reduce((sum, { backlog }) => sum + backlog, 0),
      behindMs: Math.max(0, ...this.#provers.map(({ freeMs }) => freeMs - (startMs + profile.times.slotMs))),
    });
  }

  /** Votes in the slot's block, and the time that its proposer takes to build it. */
  #body(startMs: number): { readonly messages: readonly (readonly MessageVotes[])[]; readonly buildMs: number } {
    const { profile, bringMs, blockTimes, blockProof } = this.#options;
    const mergeMs = (count: number) => (count === 0 ? 0 : blockTimes * blockMergeMs(profile.block, count));
    if (blockProof !== 'adopted') {
      const messages = this.#messages(startMs);
      return { messages, buildMs: mergeMs(messages.length + (blockProof === 'with-signature' ? 1 : 0)) };
    }
    const packedMs = startMs - (profile.times.slotMs - profile.times.knownMs);
    const packed = this.#messages(packedMs);
    this.#candidates.push({ readyMs: packedMs + mergeMs(packed.length) + bringMs, messages: packed });
    const newest = this.#candidates.findLastIndex(({ readyMs }) => readyMs <= startMs);
    if (newest === -1) return { messages: [], buildMs: 0 };
    const [{ messages }] = this.#candidates.splice(0, newest + 1).slice(-1) as [Candidate];
    return { messages, buildMs: 0 };
  }

  /** Selects the messages of a block from those that are proved and known. No vote is in two blocks. */
  #messages(startMs: number): MessageVotes[][] {
    const { profile, bringMs } = this.#options;
    const messages = new Map<string, MessageVotes[]>();
    for (const { group, atMs } of this.#proved) {
      if (atMs + bringMs > startMs || this.#included.has(group)) continue;
      const key = `${group.slot} ${group.head} ${group.source} ${group.target}`;
      const groups = messages.get(key) ?? [];
      groups.push(group);
      messages.set(key, groups);
    }
    // Of the messages of one slot, of which a block may have one alone, that with most votes comes first: ours.
    const votesOf = (groups: readonly MessageVotes[]) => groups.reduce((sum, { votes }) => sum + countVotes(votes), 0);
    const byVotes = [...messages.values()].sort((a, b) => votesOf(b) - votesOf(a));
    return this.#state.select(byVotes, profile.limits);
  }

  get #proved(): { readonly group: MessageVotes; readonly atMs: number }[] {
    return this.#provers.flatMap(({ proved }) => proved);
  }

  /**
   * Casts the slot's votes. Validators that have seen the slot's block vote for it, all others for the one before.
   *
   * @returns the number of different messages.
   */
  #vote(slot: number, before: { readonly head: number; readonly source: number }, blockMs: number): number {
    const { profile, validators, votesReadyMs, committees } = this.#options;
    const seen = emptyVotes(validators);
    const others = emptyVotes(validators);
    const share = Math.min(1, Math.max(0, (profile.times.latestAttestMs + spreadMs / 2 - blockMs) / spreadMs));
    for (let one = 0; one < validators; one++) addVote(this.#random.nextUnit() < share ? seen : others, one);
    const [least, most] = votesReadyMs;
    const startMs = slot * profile.times.slotMs + least;
    const readyMs = this.#provers.map(() => startMs + (most - least) * this.#random.nextUnit());
    const heads: [number, number, VoteSet][] = [
      [slot, this.#state.justified, seen],
      [before.head, before.source, others],
    ];
    let messages = 0;
    for (const [head, source, votes] of heads) {
      if (countVotes(votes) === 0) continue;
      messages++;
      const target = this.#target(head);
      for (const [committee, prover] of this.#provers.entries()) {
        const own = ofCommittee(votes, committee, committees, validators);
        if (countVotes(own) > 0) prover.queue({ slot, head, target, source, votes: own, readyMs: readyMs[committee]! });
      }
    }
    return messages;
  }

  #target(head: number): number {
    const rules = {
      safe: this.#safe,
      finalized: this.#state.finalized,
      lookback: this.#options.profile.limits.targetLookback,
    };
    return targetOf(head, rules, (slot) => this.#blocks[this.#blocks.indexOf(slot) - 1] ?? 0);
  }

  /** The head of the slot is safe if two thirds are proved for it, and that has come, by interval 3. */
  #moveSafeTarget(slot: number): void {
    const { profile, bringMs, validators } = this.#options;
    const untilMs = slot * profile.times.slotMs + profile.times.safeTargetMs - bringMs;
    const byHead = new Map<number, VoteSet>();
    for (const { group, atMs } of this.#proved) {
      if (group.slot !== slot || atMs > untilMs) continue;
      const votes = byHead.get(group.head) ?? emptyVotes(validators);
      joinVotes(votes, group.votes);
      byHead.set(group.head, votes);
      if (3 * countVotes(votes) >= 2 * validators) this.#safe = Math.max(this.#safe, group.head);
    }
    this.#safe = Math.max(this.#safe, this.#state.finalized);
  }

  result(): LeanChainResult {
    const half = this.#slots.slice(Math.floor(this.#slots.length / 2));
    const lag = (of: 'justified' | 'finalized') => {
      const lags = half.map((one) => one.slot - one[of]);
      return { mean: lags.reduce((sum, one) => sum + one, 0) / lags.length, most: Math.max(...lags) };
    };
    const seconds = (this.#options.slots * this.#options.profile.times.slotMs) / 1000;
    const sum = (of: (prover: ProofSource) => number) => this.#provers.reduce((all, prover) => all + of(prover), 0);
    const made = sum((prover) => prover.made);
    return {
      slots: this.#slots,
      justificationLag: lag('justified'),
      finalityLag: lag('finalized'),
      proofs: made,
      expired: sum(({ expired }) => expired),
      proofsPerSecond: made / seconds / this.#provers.length,
      busyShare: Math.min(1, sum(({ busyMs }) => busyMs) / 1000 / seconds / this.#provers.length),
      wastedShare:
        sum(({ wastedMs }) => wastedMs) /
        Math.max(
          1,
          sum(({ busyMs }) => busyMs),
        ),
      skipped: { busy: sum(({ skipped }) => skipped.busy), empty: sum(({ skipped }) => skipped.empty) },
      truncated: sum(({ truncated }) => truncated),
      lateBlocks: this.#lateBlocks,
    };
  }
}

function ofCommittee(votes: VoteSet, committee: number, committees: number, validators: number): VoteSet {
  const own = emptyVotes(validators);
  for (let one = committee; one < validators; one += committees) if (hasVote(votes, one)) addVote(own, one);
  return own;
}

/**
 * What a validator votes for: from the head at most `lookback` blocks back, not below the safe target or the finalized
 * slot, and then to a slot that can be justified (validator_duties.py).
 *
 * @param parentOf returns the slot of the block before that of a slot.
 */
export function targetOf(
  head: number,
  { safe, finalized, lookback }: { readonly safe: number; readonly finalized: number; readonly lookback: number },
  parentOf: (slot: number) => number,
): number {
  let target = head;
  const floor = Math.max(safe, finalized);
  for (let back = 0; back < lookback && target > floor; back++) target = parentOf(target);
  while (target > finalized && !isJustifiable(target, finalized)) target = parentOf(target);
  return target;
}
