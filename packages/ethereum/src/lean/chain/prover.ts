import type { RandomStream } from '@tutti/core';
import { emptySet, type MemberSet } from '@tutti/core/horn';
import type { LeanProfile } from '../profile.ts';
import { countNewVotes, joinVotes } from '../rules.ts';
import { verifiedProofs } from '../slot/result.ts';
import { LeanSlotRun } from '../slot/run.ts';
import type { LeanScenario } from '../slot/scenario.ts';

/** Content of a vote. Slots stand for blocks. */
export interface VoteMessage {
  readonly slot: number;
  readonly head: number;
  readonly target: number;
  readonly source: number;
}

/** Votes of a slot for one message. */
export interface MessageVotes extends VoteMessage {
  readonly votes: MemberSet;
  /** Time at which the aggregator has the votes, in ms since the chain began. */
  readonly readyMs: number;
  /** True if another proof that the aggregator has contains all of these votes. */
  readonly isKnown?: boolean;
}

/** Options of a prover. */
export interface ProverOptions {
  readonly profile: LeanProfile;
  readonly slots: number;
  /** Duration of one proof at the start, ms. It grows linearly to `rampTimes` times this value at the end. */
  readonly proofMs: number;
  /**
   * Maximum duration of a proof at the start, ms; undefined if durations are not random. It grows like `proofMs`.
   */
  readonly proofMaxMs?: number;
  readonly rampTimes: number;
  /** Dispatch of jobs: once per slot, at interval 2, or whenever the prover is free. */
  readonly dispatch: 'interval-2' | 'always';
  /** Time after which a slot's session begins no more proofs, in ms since the session began; undefined for no limit. */
  readonly budgetMs?: number;
  /** Maximum number of proofs per session; undefined for no limit. */
  readonly jobsOfSession?: number;
  /** Order of groups: the group that has waited longest first (leanSpec), or the group of the newest slot first. */
  readonly order: 'oldest' | 'newest';
  /** If true, a proof that cannot end within the budget is not begun (gean#399). */
  readonly refusesLate: boolean;
  /** Age in slots above which a group is dropped; undefined to drop none. */
  readonly backlogSlots?: number;
  /** Duration above which a finished proof is discarded, ms; undefined if no proof is discarded. */
  readonly expiryMs?: number;
  /** If true, one vote of each group arrives again and is proved alone (leanSpec before its #748). */
  readonly strays?: boolean;
}

/** Maximum number of stored proofs. Older proofs are in a block, or useless. */
const maxProofs = 512;

/** Source of a chain's proofs. */
export interface ProofSource {
  /** Proofs created so far, with their times. */
  readonly proved: readonly { readonly group: MessageVotes; readonly atMs: number }[];
  readonly skipped: { readonly busy: number; readonly empty: number };
  /** Number of proofs, excluding discarded and repeated proofs. */
  readonly made: number;
  /** Number of proofs that were discarded because they took too long. */
  readonly expired: number;
  /** Number of sessions that left some groups unproved although their votes were ready. */
  readonly truncated: number;
  readonly busyMs: number;
  /** Part of the busy time spent on votes that were all in another proof of this source, ms. */
  readonly wastedMs: number;
  /** Time until which the source is busy, in ms since the chain began. */
  readonly freeMs: number;
  /** Number of groups of votes that wait for a proof. */
  readonly backlog: number;
  queue(group: MessageVotes): void;
  /**
   * Works until a time.
   *
   * @param settled slot up to which targets are settled; groups of votes for these targets are no longer useful.
   */
  advance(untilMs: number, settled: number): void;
}

/** A single prover. The prover makes one proof after another, in sessions or continuously. */
export class ChainProver implements ProofSource {
  readonly proved: { readonly group: MessageVotes; readonly atMs: number }[] = [];
  readonly skipped = { busy: 0, empty: 0 };
  made = 0;
  expired = 0;
  truncated = 0;
  busyMs = 0;
  wastedMs = 0;
  freeMs = 0;
  readonly #options: ProverOptions;
  readonly #random: RandomStream;
  /** Votes that wait for a proof, in order of their slots. */
  #waiting: MessageVotes[] = [];
  #settled = -1;
  #nextSession = 1;

  constructor(options: ProverOptions, random: RandomStream) {
    this.#options = options;
    this.#random = random;
  }

  get backlog(): number {
    return this.#waiting.length;
  }

  queue(group: MessageVotes): void {
    if (group.target <= this.#settled) return;
    this.#waiting.push(group);
    // One vote arrives again after the proof that contains it. leanSpec before #748 proves this vote alone.
    if (this.#options.strays) this.#waiting.push({ ...group, readyMs: group.readyMs + 1, isKnown: true });
  }

  advance(untilMs: number, settled: number): void {
    this.#drop(untilMs, settled);
    const { profile, dispatch } = this.#options;
    if (dispatch === 'always') {
      while (this.freeMs < untilMs && this.#proveNext(untilMs, Number.POSITIVE_INFINITY)) {}
      return;
    }
    const { slotMs, aggregateMs } = profile.times;
    for (; this.#nextSession * slotMs + aggregateMs < untilMs; this.#nextSession++) {
      this.#session(this.#nextSession * slotMs + aggregateMs);
    }
  }

  #drop(untilMs: number, settled: number): void {
    const { backlogSlots, profile } = this.#options;
    if (backlogSlots === undefined && settled === this.#settled) return;
    this.#settled = settled;
    const oldest = backlogSlots === undefined ? 0 : untilMs / profile.times.slotMs - backlogSlots;
    this.#waiting = this.#waiting.filter(({ target, slot }) => target > settled && slot >= oldest);
  }

  #session(startMs: number): void {
    if (this.freeMs > startMs) {
      this.skipped.busy++;
      return;
    }
    this.freeMs = startMs;
    const untilMs = this.#options.budgetMs === undefined ? Number.POSITIVE_INFINITY : startMs + this.#options.budgetMs;
    const lastReady = this.#waiting.findLastIndex(({ readyMs }) => readyMs <= startMs);
    if (lastReady === -1) this.skipped.empty++;
    const later = this.#waiting.length - 1 - lastReady;
    let left = this.#options.jobsOfSession ?? Number.POSITIVE_INFINITY;
    while (left-- > 0 && this.freeMs < untilMs && this.#proveNext(startMs, untilMs)) {}
    if (this.#waiting.length > later) this.truncated++;
  }

  /**
   * Proves the next group that is ready at a time. Returns whether there was such a group.
   *
   * @param budgetMs time by which a proof must have ended, if there is such a limit.
   */
  #proveNext(atMs: number, budgetMs: number): boolean {
    const { refusesLate, expiryMs, order } = this.#options;
    const isReady = ({ readyMs }: MessageVotes) => readyMs <= atMs;
    const at = order === 'newest' ? this.#waiting.findLastIndex(isReady) : this.#waiting.findIndex(isReady);
    const group = this.#waiting[at];
    if (group === undefined) return false;
    const startMs = Math.max(this.freeMs, group.readyMs);
    const tookMs = this.#proofMs(startMs);
    if (refusesLate && startMs + tookMs > budgetMs) return false;
    this.#waiting.splice(at, 1);
    this.freeMs = startMs + tookMs;
    this.busyMs += tookMs;
    if (group.isKnown) {
      this.wastedMs += tookMs;
      return true;
    }
    if (expiryMs !== undefined && tookMs > expiryMs) {
      this.expired++;
      return true;
    }
    this.made++;
    this.proved.push({ group, atMs: this.freeMs });
    if (this.proved.length > maxProofs) this.proved.shift();
    return true;
  }

  /**
   * Returns the duration of a proof that begins at this time, ms. If the duration has a maximum, it is random, and its
   * mean is about `proofMs` times the ramp.
   */
  #proofMs(atMs: number): number {
    const { proofMs, proofMaxMs, rampTimes, slots, profile } = this.#options;
    const ramp = 1 + (rampTimes - 1) * Math.min(1, atMs / (slots * profile.times.slotMs));
    if (proofMaxMs === undefined) return proofMs * ramp;
    // An exponential distribution above a minimum has nearly the required mean: the maximum cuts off few values.
    const min = proofMs * 0.55;
    const drawn = min - (proofMs - min) * Math.log(1 - this.#random.nextUnit());
    return ramp * Math.min(proofMaxMs, drawn);
  }
}

/** Number of recent slots whose proofs are stored. Older proofs are in a block, or useless. */
const storedSlots = 64;

/**
 * Proofs from fully simulated slots, with their times: the proofs that the next proposer has verified and that add a
 * vote to its earlier ones.
 */
export class ProofsOfSlots implements ProofSource {
  readonly skipped = { busy: 0, empty: 0 };
  readonly backlog = 0;
  readonly freeMs = 0;
  readonly truncated = 0;
  readonly expired = 0;
  proved: { readonly group: MessageVotes; readonly atMs: number }[] = [];
  made = 0;
  busyMs = 0;
  readonly wastedMs = 0;
  readonly #scenario: LeanScenario;
  #slot = -1;
  #verified: readonly { readonly votes: MemberSet; readonly atMs: number }[] = [];

  constructor(scenario: LeanScenario) {
    this.#scenario = scenario;
  }

  queue(group: MessageVotes): void {
    if (group.slot !== this.#slot) this.#run(group.slot);
    for (const { votes, atMs } of this.#verified) {
      const own = votes.map((word, at) => word & group.votes[at]!);
      this.proved.push({ group: { ...group, votes: own }, atMs });
    }
  }

  advance(): void {
    this.proved = this.proved.filter(({ group }) => group.slot > this.#slot - storedSlots);
  }

  #run(slot: number): void {
    const { slotMs } = this.#scenario.profile.times;
    const run = new LeanSlotRun({ ...this.#scenario, slot });
    run.run(2 * slotMs);
    const union = emptySet(run.sizes.validators);
    const adding = verifiedProofs(run).filter(({ proof }) => {
      const isNew = countNewVotes(proof.votes, union) > 0;
      joinVotes(union, proof.votes);
      return isNew;
    });
    this.#slot = slot;
    this.#verified = adding.map(({ proof, atUs }) => ({ votes: proof.votes, atMs: slot * slotMs + atUs / 1000 }));
    this.made += run.jobs.length;
    this.busyMs += run.jobs.reduce((sum, { startUs, endUs }) => sum + (endUs - startUs) / 1000, 0);
  }
}
