import type { RandomStream } from '@tutti/core';
import type { LeanProfile } from '../profile.ts';
import type { VoteSet } from '../rules.ts';

/** Votes of a slot for one message. */
export interface MessageVotes {
  readonly slot: number;
  readonly head: number;
  readonly target: number;
  readonly source: number;
  readonly votes: VoteSet;
  /** When the aggregator has them, ms since the chain began. */
  readonly readyMs: number;
  /** Whether all of them are in another proof that it has. */
  readonly isKnown?: boolean;
}

/** How a prover works. */
export interface ProverOptions {
  readonly profile: LeanProfile;
  readonly slots: number;
  /** One proof: at first, and how many times as long at the end, reached evenly. */
  readonly proofMs: number;
  readonly proofMaxMs?: number;
  readonly rampTimes: number;
  /** Once a slot, at interval 2; or whenever the prover is free. */
  readonly dispatch: 'interval-2' | 'always';
  /** No proof of a slot's session is begun later than this after its start; undefined for no limit. */
  readonly budgetMs?: number;
  /** Proofs of a session at most; undefined for no limit. */
  readonly jobsOfSession?: number;
  /** Which group comes first: the one that waits longest (leanSpec's order of insertion), or that of the newest slot. */
  readonly order: 'oldest' | 'newest';
  /** Whether a proof that cannot end within the budget is not begun (gean#399). */
  readonly refusesLate: boolean;
  /** Older groups than so many slots are dropped; undefined for none. */
  readonly backlogSlots?: number;
  /** A proof that took longer is thrown away; undefined for never. */
  readonly expiryMs?: number;
  /** Whether a vote of each group comes once more, and is proved alone (leanSpec before its #748). */
  readonly strays?: boolean;
}

/** Older proofs are in a block, or for nothing. */
const keptProofs = 512;

/** Where a chain's proofs come from. */
export interface ProofSource {
  /** The proofs that were made, and when. */
  readonly proved: readonly { readonly group: MessageVotes; readonly atMs: number }[];
  readonly skipped: { readonly busy: number; readonly empty: number };
  readonly made: number;
  readonly expired: number;
  readonly truncated: number;
  readonly busyMs: number;
  /** Of it, on votes that are all in another proof that it has. */
  readonly vainMs: number;
  /** Until when it works. */
  readonly freeMs: number;
  readonly backlog: number;
  queue(group: MessageVotes): void;
  /** Works until a time. @param justified groups whose target is not beyond it are of no use any more. */
  advance(untilMs: number, justified: number): void;
}

/** One prover, which does one proof after the other, in sessions or always. */
export class ChainProver implements ProofSource {
  readonly proved: { readonly group: MessageVotes; readonly atMs: number }[] = [];
  readonly skipped = { busy: 0, empty: 0 };
  made = 0;
  expired = 0;
  truncated = 0;
  busyMs = 0;
  vainMs = 0;
  freeMs = 0;
  readonly #options: ProverOptions;
  readonly #random: RandomStream;
  #waiting: MessageVotes[] = [];
  #nextSession = 1;

  constructor(options: ProverOptions, random: RandomStream) {
    this.#options = options;
    this.#random = random;
  }

  get backlog(): number {
    return this.#waiting.length;
  }

  queue(group: MessageVotes): void {
    this.#waiting.push(group);
    // One vote that comes again, after the proof that has it: leanSpec before #748 proves it alone.
    if (this.#options.strays) this.#waiting.push({ ...group, readyMs: group.readyMs + 1, isKnown: true });
  }

  advance(untilMs: number, justified: number): void {
    this.#drop(untilMs, justified);
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

  #drop(untilMs: number, justified: number): void {
    const { backlogSlots, profile } = this.#options;
    const oldest = backlogSlots === undefined ? 0 : untilMs / profile.times.slotMs - backlogSlots;
    this.#waiting = this.#waiting.filter(({ target, slot }) => target > justified && slot >= oldest);
  }

  #session(startMs: number): void {
    if (this.freeMs > startMs) {
      this.skipped.busy++;
      return;
    }
    this.freeMs = startMs;
    const untilMs = this.#options.budgetMs === undefined ? Number.POSITIVE_INFINITY : startMs + this.#options.budgetMs;
    if (!this.#waiting.some(({ readyMs }) => readyMs <= startMs)) this.skipped.empty++;
    const before = this.#waiting.filter(({ readyMs }) => readyMs > startMs);
    let left = this.#options.jobsOfSession ?? Number.POSITIVE_INFINITY;
    while (left-- > 0 && this.freeMs < untilMs && this.#proveNext(startMs + 1, untilMs)) {}
    if (this.#waiting.length > before.length) this.truncated++;
  }

  /** Proves the next group that was there before a time. @param budgetMs when a proof must have ended, if that is asked for. */
  #proveNext(beforeMs: number, budgetMs: number): boolean {
    const { refusesLate, expiryMs, order } = this.#options;
    const group = this.#waiting
      .filter(({ readyMs }) => readyMs < beforeMs)
      .reduce<MessageVotes | undefined>((best, one) => {
        if (best === undefined) return one;
        return (order === 'newest' ? one.slot >= best.slot : one.slot < best.slot) ? one : best;
      }, undefined);
    if (group === undefined) return false;
    const startMs = Math.max(this.freeMs, group.readyMs);
    const tookMs = this.#proofMs(startMs);
    if (refusesLate && startMs + tookMs > budgetMs) return false;
    this.#waiting.splice(this.#waiting.indexOf(group), 1);
    this.freeMs = startMs + tookMs;
    this.busyMs += tookMs;
    if (group.isKnown) {
      this.vainMs += tookMs;
      return true;
    }
    if (expiryMs !== undefined && tookMs > expiryMs) {
      this.expired++;
      return true;
    }
    this.made++;
    this.proved.push({ group, atMs: this.freeMs });
    if (this.proved.length > keptProofs) this.proved.shift();
    return true;
  }

  /** As long as a proof takes at that time: evenly drawn around the mean where there is a longest one. */
  #proofMs(atMs: number): number {
    const { proofMs, proofMaxMs, rampTimes, slots, profile } = this.#options;
    const ramp = 1 + (rampTimes - 1) * Math.min(1, atMs / (slots * profile.times.slotMs));
    if (proofMaxMs === undefined) return proofMs * ramp;
    // Exponential above a shortest one, so that the mean is as asked for and few are near the longest.
    const least = proofMs * 0.55;
    const drawn = least - (proofMs - least) * Math.log(1 - this.#random.nextUnit());
    return ramp * Math.min(proofMaxMs, drawn);
  }
}
