import { RandomStream } from '@tutti/core';
import { addMember, emptySet, hasMember, type MemberSet, sizeOf } from '@tutti/core/horn';
import { oneOf, requireIn, requireInteger, requireNumber, requireObject } from '@tutti/core/input';
import { mix32 } from '@tutti/core/packed';
import { requireSome, type Summary, summaryOf } from '../../statistics.ts';
import { blockMergeMs, messageMergeMs, readProfile } from '../profile.ts';
import { chooseChildren, countNewVotes, joinVotes } from '../rules.ts';
import { ChainProver, type ProofSource, type ProverOptions, type VoteMessage } from './prover.ts';
import { type Checkpoint, intervalsPerSlot, LeanStore, type VoteData, type VoteProof } from './store.ts';

/** Options of a chain of slots, in which the provers' results in one slot determine the votes of later slots. */
export interface LeanChainOptions extends ProverOptions {
  /** Number of simulated validators, which represent all validators of the chain. */
  readonly validators: number;
  /** Number of committees, each with its own aggregator. Validator v is in committee v mod `committees`. */
  readonly committees: number;
  /** Whether a group of votes is useful until its target is justified, or until it is finalised (gean). */
  readonly keptUntil: 'justified' | 'final';
  /** Range of the uniformly distributed time at which an aggregator has a slot's votes, in ms since the slot began. */
  readonly votesReadyMs: readonly [min: number, max: number];
  /** Duration of a block merge on the proposer's machine, as a multiple of the profile's duration. */
  readonly blockTimes: number;
  /**
   * Method by which a block gets its proof.
   *
   * - `with-signature` (leanSpec): the proposer merges its messages and its own signature.
   * - `signature-outside` (ethlambda#471): the proof covers only the messages, and the signature is a separate field. A
   *   block without messages needs no proof.
   * - `adopted` (ethlambda#604): aggregators merge candidate bodies from the head update on. The proposer adopts the
   *   newest body that it has received; without one, its block is empty. The signature is a separate field.
   */
  readonly blockProof: 'with-signature' | 'signature-outside' | 'adopted';
  /**
   * Choice among the proofs of a message. A block has one proof per message.
   *
   * - `merged` (leanSpec, ethlambda with `--enable-proposer-aggregation`): the proposer merges the proofs that add
   *   votes, which takes its prover's time.
   * - `most-votes` (ethlambda before its #505): the proof with the most validators, whether or not they are already
   *   counted.
   * - `most-new` (ethlambda#505): the proof with the most validators whose votes for the target are not counted yet.
   */
  readonly proposerProof: 'merged' | 'most-votes' | 'most-new';
  /** Time until all nodes have a proof or a block after one node has sent it, ms. */
  readonly bringMs: number;
  readonly seed: number;
}

/** Result of one slot of a chain. */
export interface LeanChainSlot {
  readonly slot: number;
  /** Slots of the justified block, the finalised block and the safe target at the end of the slot. */
  readonly justified: number;
  readonly finalized: number;
  readonly safe: number;
  /**
   * Time at which every node has the slot's block, in ms since the slot began. Null if the block arrived after the
   * slot, when the next proposer had already built on another block.
   */
  readonly blockMs: number | null;
  /** Number of messages in the block. */
  readonly messages: number;
  /** Number of different messages for which the slot's validators voted. */
  readonly votedFor: number;
  /** Number of groups of votes that wait for a prover at the end of the slot. */
  readonly backlog: number;
  /** Time for which the prover with the longest delay is busy after the end of the slot, ms. */
  readonly behindMs: number;
  /** Size of the state after the head (`LeanState.bytesAt`), bytes. */
  readonly stateBytes: number;
}

/** Result of {@link runLeanChain}: each slot, and totals over all slots. */
export interface LeanChainResult {
  readonly slots: readonly LeanChainSlot[];
  /** Number of slots between the clock and the justified slot: mean and max over the second half of the run. */
  readonly justificationLag: { readonly mean: number; readonly max: number };
  /** Number of slots between the clock and the finalised slot: mean and max over the second half of the run. */
  readonly finalityLag: { readonly mean: number; readonly max: number };
  /** Number of proofs, excluding discarded and repeated proofs. */
  readonly proofs: number;
  /** Number of proofs that were discarded because they took too long. */
  readonly expired: number;
  /** Number of `proofs` per second and prover. */
  readonly proofsPerSecond: number;
  /** Share of the time in which a prover was busy. */
  readonly busyShare: number;
  /** Share of the busy time spent on votes that were all in another proof that the prover had. */
  readonly wastedShare: number;
  /** Number of sessions that began no proof, because the prover was busy or there were no votes. */
  readonly skipped: { readonly busy: number; readonly empty: number };
  /** Number of sessions that left some groups unproved although their votes were ready. */
  readonly truncated: number;
  /** Number of blocks that arrived after their slot. */
  readonly lateBlocks: number;
  /** Number of blocks that are not on the chain at the end. */
  readonly orphaned: number;
  /** Number of proofs and blocks that nodes rejected by leanSpec's checks. */
  readonly refused: number;
}

/** Results of a chain over several seeds. Each quantity of {@link LeanChainResult} is summarised over the runs. */
export interface LeanChainSummary {
  readonly seeds: readonly number[];
  readonly justificationLag: { readonly mean: Summary; readonly max: Summary };
  readonly finalityLag: { readonly mean: Summary; readonly max: Summary };
  readonly proofsPerSecond: Summary;
  readonly busyShare: Summary;
  readonly lateBlocks: Summary;
  readonly orphaned: Summary;
  /** Number of slots whose validators voted for two heads. */
  readonly splitSlots: Summary;
  /** Largest backlog. */
  readonly backlog: Summary;
  /** Size of the last slot's state, bytes. */
  readonly stateBytes: Summary;
  /** Result of the first seed. */
  readonly first: LeanChainResult;
}

/** Summarises the runs of a chain with these seeds. @param runs results, one per seed, in the order of the seeds. */
export function leanChainSummary(runs: readonly LeanChainResult[], seeds: readonly number[]): LeanChainSummary {
  const over = (of: (run: LeanChainResult) => number) => summaryOf(runs.map(of));
  const lag = (of: 'justificationLag' | 'finalityLag') => ({
    mean: over((run) => run[of].mean),
    max: over((run) => run[of].max),
  });
  return {
    seeds,
    justificationLag: lag('justificationLag'),
    finalityLag: lag('finalityLag'),
    proofsPerSecond: over((run) => run.proofsPerSecond),
    busyShare: over((run) => run.busyShare),
    lateBlocks: over((run) => run.lateBlocks),
    orphaned: over((run) => run.orphaned),
    splitSlots: over(({ slots }) => slots.filter(({ votedFor }) => votedFor > 1).length),
    backlog: over(({ slots }) => Math.max(...slots.map(({ backlog }) => backlog))),
    stateBytes: over(({ slots }) => slots.at(-1)!.stateBytes),
    first: runs[0]!,
  };
}

/** Length of the interval within which validators see a block, ms. */
const spreadMs = 400;

/**
 * Runs a chain of slots.
 *
 * @param sources sources of proofs, by committee. Default: one prover for each committee.
 */
export function runLeanChain(options: LeanChainOptions, sources?: readonly ProofSource[]): LeanChainResult {
  const chain = new LeanChain(options, sources);
  for (let slot = 0; slot < options.slots; slot++) chain.run();
  return chain.result();
}

/** Values of the options of a chain that are names. */
const chainChoices = {
  dispatch: ['interval-2', 'always'],
  order: ['oldest', 'newest'],
  keptUntil: ['justified', 'final'],
  blockProof: ['with-signature', 'signature-outside', 'adopted'],
  proposerProof: ['merged', 'most-votes', 'most-new'],
} as const satisfies { readonly [K in keyof LeanChainOptions]?: readonly LeanChainOptions[K][] };

/** Checks the options of a chain. @throws RangeError for a value outside its range; TypeError for one of another type. */
function validateChain(options: LeanChainOptions): void {
  requireObject('options', options);
  readProfile(options.profile);
  for (const [name, choices] of Object.entries(chainChoices))
    requireIn(name, options[name as keyof typeof chainChoices], oneOf<string>(choices));
  requireInteger('slots', options.slots, 2, 1_000_000);
  requireInteger('validators', options.validators, 3, 4096);
  requireInteger('committees', options.committees, 1, 64);
  requireNumber('proofMs', options.proofMs, 1, 600_000);
  requireNumber('rampTimes', options.rampTimes, 0.01, 100);
  requireNumber('blockTimes', options.blockTimes, 0, 100);
  requireNumber('bringMs', options.bringMs, 0, 600_000);
  const [min, max] = options.votesReadyMs;
  requireNumber('votesReadyMs[0]', min, 0, 600_000);
  requireNumber('votesReadyMs[1]', max, min, 600_000);
  for (const name of ['proofMaxMs', 'budgetMs', 'jobsOfSession', 'backlogSlots', 'expiryMs'] as const)
    if (options[name] !== undefined) requireNumber(name, options[name], 0, 1_000_000);
}

/** Content of a block that an aggregator has packed. */
interface Body {
  /** Time at which all nodes have the body, in ms since the chain began. */
  readonly readyMs: number;
  readonly messages: readonly (readonly VoteProof[])[];
}

interface ChainBlock {
  readonly slot: number;
  readonly parent: number;
  /** Time at which all nodes have the block, in ms since the chain began. */
  readonly atMs: number;
  readonly body: readonly VoteProof[];
}

/** A chain of slots from 1 on, which the caller runs one after another. */
export class LeanChain {
  readonly #options: LeanChainOptions;
  readonly #random: RandomStream;
  readonly #provers: readonly ProofSource[];
  readonly #slots: LeanChainSlot[] = [];
  /** Votes and blocks that all nodes know. The number of a block is its slot. */
  readonly #store: LeanStore;
  /** Proofs that are in a block, so that proposers do not include them again. */
  readonly #included = new WeakSet<MemberSet>();
  /** Bodies that aggregators have packed and no proposer has adopted yet, in order of packing. */
  readonly #candidates: Body[] = [];
  /** Blocks that did not arrive in their own slot and have not arrived yet. */
  #late: ChainBlock[] = [];
  /** Time up to which nodes have received the proofs, ms. */
  #receivedMs = 0;
  #lateBlocks = 0;
  #refused = 0;

  /** Creates a chain before its first slot. The parameters are the same as those of {@link runLeanChain}. */
  constructor(options: LeanChainOptions, sources: readonly ProofSource[] | undefined) {
    validateChain(options);
    this.#options = options;
    const { validators, seed, profile } = options;
    // Roots are hashes, so any of several branches with equal weight may win.
    this.#store = new LeanStore({ validators, limits: profile.limits, rankOf: (block) => mix32(mix32(seed) ^ block) });
    this.#random = new RandomStream(seed, 'lean chain');
    this.#provers = sources ?? Array.from({ length: options.committees }, () => new ChainProver(options, this.#random));
  }

  /** Slot up to which targets are settled: votes for them are no longer useful. */
  get #settled(): number {
    return (this.#options.keptUntil === 'final' ? this.#store.finalized : this.#store.justified).slot;
  }

  /** Runs the next slot. */
  run(): void {
    const { profile, bringMs } = this.#options;
    const slot = this.#slots.length + 1;
    const startMs = slot * profile.times.slotMs;
    for (const prover of this.#provers) prover.advance(startMs, this.#settled);
    for (const late of this.#late) if (late.atMs <= startMs) this.#add(late);
    this.#late = this.#late.filter(({ atMs }) => atMs > startMs);
    this.#receive(startMs);
    this.#store.tick(slot * intervalsPerSlot, true);
    const { messages, buildMs } = this.#body(startMs);
    const blockMs = buildMs + bringMs;
    const isThere = blockMs < profile.times.slotMs;
    const block = { slot, parent: this.#store.head.block, atMs: startMs + blockMs, body: messages.map(joined) };
    const before = this.#voteOf(slot);
    if (isThere) this.#add(block);
    else {
      this.#lateBlocks++;
      this.#late.push(block);
    }
    // No proof is in two blocks, unless proposers consider only the number of votes in a proof.
    if (this.#options.proposerProof !== 'most-votes')
      for (const { votes } of messages.flat()) this.#included.add(votes);
    const votedFor = this.#vote(slot, before, isThere ? blockMs : Number.POSITIVE_INFINITY);
    for (const prover of this.#provers) prover.advance(startMs + profile.times.slotMs, this.#settled);
    this.#receive(startMs + profile.times.safeTargetMs);
    this.#store.tick(slot * intervalsPerSlot + 3);
    this.#receive(startMs + profile.times.knownMs);
    this.#store.tick(slot * intervalsPerSlot + 4);
    if (this.#options.blockProof === 'adopted') this.#pack(startMs + profile.times.knownMs);
    this.#slots.push({
      slot,
      justified: this.#store.justified.slot,
      finalized: this.#store.finalized.slot,
      safe: this.#store.safe.slot,
      blockMs: isThere ? blockMs : null,
      messages: messages.length,
      votedFor,
      backlog: this.#provers.reduce((sum, { backlog }) => sum + backlog, 0),
      behindMs: Math.max(0, ...this.#provers.map(({ freeMs }) => freeMs - (startMs + profile.times.slotMs))),
      stateBytes: this.#store.headState.bytesAt(this.#store.head.slot),
    });
  }

  #add({ slot, parent, body }: ChainBlock): void {
    if (this.#store.addBlock(slot, slot, parent, body) !== undefined) this.#refused++;
  }

  /** Delivers to all nodes the proofs that have arrived up to a time. */
  #receive(untilMs: number): void {
    const { bringMs } = this.#options;
    for (const { proved } of this.#provers) {
      for (const { group, atMs } of proved) {
        if (atMs + bringMs <= this.#receivedMs || atMs + bringMs > untilMs) continue;
        const { slot, head, target, source, votes } = group;
        const data = { slot, head: blockOf(head), target: blockOf(target), source: blockOf(source) };
        if (this.#store.receive({ data, votes }) !== undefined) this.#refused++;
      }
    }
    this.#receivedMs = untilMs;
  }

  /** Returns the votes in the slot's block, and the time that its proposer takes to build it. */
  #body(startMs: number): { readonly messages: readonly (readonly VoteProof[])[]; readonly buildMs: number } {
    const { blockProof } = this.#options;
    if (blockProof !== 'adopted') {
      const messages = this.#messages();
      return { messages, buildMs: this.#mergeMs(messages, blockProof === 'with-signature' ? 1 : 0) };
    }
    const newest = this.#candidates.findLastIndex(({ readyMs }) => readyMs <= startMs);
    if (newest === -1) return { messages: [], buildMs: 0 };
    const { messages } = this.#candidates.splice(0, newest + 1).at(-1)!;
    return { messages, buildMs: 0 };
  }

  /** Returns the duration of a block's merge, ms: messages with several proofs first, then the whole block. */
  #mergeMs(messages: readonly (readonly VoteProof[])[], signatures: number): number {
    const { profile, blockTimes } = this.#options;
    if (messages.length + signatures === 0) return 0;
    const unionMs = messages.reduce((sum, { length }) => sum + messageMergeMs(profile, length), 0);
    return blockTimes * (unionMs + blockMergeMs(profile.block, messages.length + signatures));
  }

  /** Packs a body at an aggregator for a later proposer. */
  #pack(atMs: number): void {
    const messages = this.#messages();
    this.#candidates.push({ readyMs: atMs + this.#mergeMs(messages, 0) + this.#options.bringMs, messages });
  }

  /** Selects the messages of a block from those with known proofs, and one proof or a union of proofs for each. */
  #messages(): VoteProof[][] {
    const { headState, known, head } = this.#store;
    this.#store.forget(
      ({ source, target }, votes) =>
        this.#included.has(votes) ||
        source.slot < headState.justified ||
        (target.slot > 0 && headState.isJustified(target.slot)),
    );
    const included = [...known.values()].map(({ data, proofs }) => this.#proofsFor(data, proofs));
    const messages = included.filter((proofs) => proofs.length > 0);
    // Several messages may belong to one slot, but the profile limits how many of them a block may contain
    // (`messagesPerSlot`). The message with the most votes comes first; this order is this project's choice.
    const byVotes = messages
      .map((proofs) => ({ proofs, count: sizeOf(joined(proofs).votes) }))
      .sort((a, b) => a.proofs[0]!.data.slot - b.proofs[0]!.data.slot || b.count - a.count);
    return this.#store.select(
      head.block,
      byVotes.map(({ proofs }) => proofs),
    );
  }

  /** Returns the proofs for one vote message that the proposer includes in its block. */
  #proofsFor(data: VoteData, proofs: readonly MemberSet[]): VoteProof[] {
    const { proposerProof, validators } = this.#options;
    if (proposerProof === 'merged') {
      const pool = proofs.map((votes) => ({ data, votes }));
      return chooseChildren([pool], { max: pool.length, ties: 'encoding' }).map(([, at]) => pool[at]!);
    }
    const counted = proposerProof === 'most-new' ? this.#store.headState.votesFor(data.target.slot) : undefined;
    const before = counted ?? emptySet(validators);
    const gains = proofs.map((votes) => countNewVotes(votes, before));
    const max = Math.max(0, ...gains);
    return max === 0 ? [] : [{ data, votes: proofs[gains.indexOf(max)]! }];
  }

  /**
   * Returns a validator's vote, as slots. If the target is older than the source, the source replaces the target
   * (gean#376).
   */
  #voteOf(slot: number): VoteMessage {
    const { head, source } = this.#store;
    return { slot, head: head.slot, source: source.slot, target: Math.max(this.#store.target.slot, source.slot) };
  }

  /**
   * Casts the slot's votes. Validators that have seen the slot's block vote for that block; all others vote for the
   * previous head.
   *
   * @returns the number of different messages.
   */
  #vote(slot: number, before: VoteMessage, blockMs: number): number {
    const { profile, validators, votesReadyMs, committees } = this.#options;
    const seen = emptySet(validators);
    const others = emptySet(validators);
    const share = Math.min(1, Math.max(0, (profile.times.latestAttestMs + spreadMs / 2 - blockMs) / spreadMs));
    for (let one = 0; one < validators; one++) addMember(this.#random.nextUnit() < share ? seen : others, one);
    const [min, max] = votesReadyMs;
    const earliestMs = slot * profile.times.slotMs + min;
    const readyMs = this.#provers.map(() => earliestMs + (max - min) * this.#random.nextUnit());
    let messages = 0;
    for (const [message, votes] of [
      [this.#voteOf(slot), seen],
      [before, others],
    ] as const) {
      if (sizeOf(votes) === 0) continue;
      messages++;
      for (const [committee, prover] of this.#provers.entries()) {
        const own = ofCommittee(votes, committee, committees, validators);
        if (sizeOf(own) > 0) prover.queue({ ...message, votes: own, readyMs: readyMs[committee]! });
      }
    }
    return messages;
  }

  /** Returns the result of the slots that have been run. @throws RangeError before the first slot. */
  result(): LeanChainResult {
    requireSome('slots', this.#slots);
    const half = this.#slots.slice(Math.floor(this.#slots.length / 2));
    const lag = (of: 'justified' | 'finalized') => {
      const lags = half.map((one) => one.slot - one[of]);
      return { mean: lags.reduce((sum, one) => sum + one, 0) / lags.length, max: Math.max(...lags) };
    };
    const seconds = (this.#slots.length * this.#options.profile.times.slotMs) / 1000;
    const sum = (of: (prover: ProofSource) => number) => this.#provers.reduce((all, prover) => all + of(prover), 0);
    const made = sum((prover) => prover.made);
    const busyMs = sum((prover) => prover.busyMs);
    return {
      slots: this.#slots,
      justificationLag: lag('justified'),
      finalityLag: lag('finalized'),
      proofs: made,
      expired: sum(({ expired }) => expired),
      proofsPerSecond: made / seconds / this.#provers.length,
      busyShare: Math.min(1, busyMs / 1000 / seconds / this.#provers.length),
      wastedShare: sum(({ wastedMs }) => wastedMs) / Math.max(1, busyMs),
      skipped: { busy: sum(({ skipped }) => skipped.busy), empty: sum(({ skipped }) => skipped.empty) },
      truncated: sum(({ truncated }) => truncated),
      lateBlocks: this.#lateBlocks,
      orphaned: this.#slots.filter(({ slot }) => !this.#store.isCanonical(blockOf(slot))).length,
      refused: this.#refused,
    };
  }
}

function ofCommittee(votes: MemberSet, committee: number, committees: number, validators: number): MemberSet {
  const own = emptySet(validators);
  for (let one = committee; one < validators; one += committees) if (hasMember(votes, one)) addMember(own, one);
  return own;
}

/** Returns a block of the simulated chain. The block's number is its slot. */
function blockOf(slot: number): Checkpoint {
  return { block: slot, slot };
}

/** Returns one proof that contains all votes of a message. */
function joined(proofs: readonly VoteProof[]): VoteProof {
  const votes = proofs[0]!.votes.slice();
  for (const proof of proofs) joinVotes(votes, proof.votes);
  return { data: proofs[0]!.data, votes };
}
