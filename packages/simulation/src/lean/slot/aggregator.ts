import type { Half } from '@tutti/core/lean';
import type { LeanView } from '../plans.ts';
import type { LeanProof, LeanSizes, SubnetMasks } from '../world.ts';
import type { LeanRole, LeanScenario } from './scenario.ts';
import type { RawVotes } from './votes.ts';

/** A proof that a prover works on or has made. */
export interface LeanJob {
  readonly position: number;
  readonly proof: LeanProof;
  readonly startUs: number;
  readonly endUs: number;
}

/** An aggregator: what it knows, and its prover. */
export class LeanAggregator {
  readonly position: number;
  readonly role: LeanRole | undefined;
  /** How many times longer its prover takes. */
  readonly slowness: number;
  readonly raw: RawVotes;
  /** Verified proofs in the order of arrival; and those that it knows of by have-bits. */
  readonly proofs: LeanProof[] = [];
  readonly announced: LeanProof[] = [];
  /** Proofs that it has asked for, and when. */
  readonly asked = new Map<LeanProof, number>();
  readonly published = new Set<LeanProof>();
  job: LeanJob | undefined;
  /** When it will look for a job next, and how many it has begun. */
  wakeUs = Number.POSITIVE_INFINITY;
  begun = 0;
  readonly #readyUs = new Map<string, number>();

  constructor(position: number, role: LeanRole | undefined, slowness: number, raw: RawVotes) {
    this.position = position;
    this.role = role;
    this.slowness = slowness;
    this.raw = raw;
  }

  hold(proof: LeanProof): void {
    this.proofs.push(proof);
    this.forget(proof);
  }

  hear(proof: LeanProof): void {
    if (!this.proofs.includes(proof) && !this.announced.includes(proof)) this.announced.push(proof);
  }

  forget(proof: LeanProof): void {
    const at = this.announced.indexOf(proof);
    if (at !== -1) this.announced.splice(at, 1);
  }

  /** When all parts of a half were known first; or, where some never come, how long they are waited for. */
  readyUs({ level, index }: Half, isWhole: boolean, nowUs: number, patienceUs: number): number {
    const key = `${level} ${index} ${isWhole}`;
    const known = this.#readyUs.get(key) ?? nowUs + (isWhole ? 0 : patienceUs);
    this.#readyUs.set(key, known);
    return known;
  }
}

export interface ViewTimes {
  readonly nowUs: number;
  readonly isLeafTime: boolean;
  readonly fits: number;
  readonly knownUs: number;
  /** One turn of an owner of that level. */
  turnUs(level: number): number;
  /** From when on parts that are missing are not waited for. */
  lastCallUs(level: number): number;
}

/** Turns that owners wait for a part of which nothing comes. */
const patienceTurns = 3;

export function viewOf(
  aggregator: LeanAggregator,
  sizes: LeanSizes,
  masks: SubnetMasks,
  { slot }: LeanScenario,
  times: ViewTimes,
): LeanView {
  const { proofs, announced, position, raw } = aggregator;
  const { nowUs, isLeafTime, fits } = times;
  return {
    sizes,
    masks,
    position,
    slot,
    proofs,
    isPending: () => nowUs < times.knownUs,
    announced,
    raw: raw.votes,
    isLeafTime,
    fits,
    turns: (half, parts, of) => {
      if (parts === 0) return -1;
      const turnUs = times.turnUs(half.level);
      const patienceUs = Math.max(
        0,
        Math.min((patienceTurns + half.level) * turnUs, times.lastCallUs(half.level) - nowUs),
      );
      return Math.floor((nowUs - aggregator.readyUs(half, parts === of, nowUs, patienceUs)) / turnUs);
    },
  };
}
