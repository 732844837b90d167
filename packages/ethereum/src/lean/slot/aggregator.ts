import type { LeanView } from '../plans.ts';
import { countNewVotes, type Half } from '../rules.ts';
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

/** Who an aggregator is, before anything happens. */
export interface LeanMember {
  readonly position: number;
  readonly role: LeanRole | undefined;
  readonly slowness: number;
  readonly clockUs: number;
  readonly prover: { freeUs: number };
  readonly raws: readonly RawVotes[];
}

/** An aggregator: who it is, and what it knows. */
export class LeanAggregator {
  readonly position: number;
  readonly role: LeanRole | undefined;
  /** How many times longer its prover takes. */
  readonly slowness: number;
  /** How much its clock is behind, microseconds: what it does by the clock it does so much later. */
  readonly clockUs: number;
  /** Its machine's prover, and until when that works. */
  readonly prover: { freeUs: number };
  /** By message, of which there is a second one where validators equivocate. */
  readonly raws: readonly RawVotes[];
  /** Verified proofs in the order of arrival; and those that it knows of by have-bits. */
  readonly proofs: LeanProof[] = [];
  readonly announced: LeanProof[] = [];
  /** Proofs that it has asked for, and when. */
  readonly asked = new Map<LeanProof, number>();
  readonly published = new Set<LeanProof>();
  /** When it means to publish its proofs, which may be after the slot. */
  readonly due = new Map<LeanProof, number>();
  /** When it will look for a job next, and how many of each message it has begun. */
  wakeUs = Number.POSITIVE_INFINITY;
  readonly begun: [number, number] = [0, 0];
  readonly #readyUs = new Map<string, number>();

  constructor({ position, role, slowness, clockUs, prover, raws }: LeanMember) {
    this.position = position;
    this.role = role;
    this.slowness = slowness;
    this.clockUs = clockUs;
    this.prover = prover;
    this.raws = raws;
  }

  get raw(): RawVotes {
    return this.raws[0]!;
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

  /** The best of its own proofs of a message, unless another is known that has all of it, or it was taken before. */
  bestToPublish(isSecond: boolean): LeanProof | undefined {
    const isOf = (proof: LeanProof) => proof.isSecond === isSecond;
    const own = this.proofs.filter((proof) => proof.by === this.position && isOf(proof));
    const best = own.reduce<LeanProof | undefined>((a, b) => (a === undefined || b.size > a.size ? b : a), undefined);
    if (best === undefined || this.published.has(best) || this.role === 'late') return undefined;
    const others = [...this.proofs, ...this.announced].filter((other) => other !== best && isOf(other));
    const isBehind = others.some(({ by, votes }) => by !== this.position && countNewVotes(best.votes, votes) === 0);
    return isBehind ? undefined : best;
  }

  /** When all parts of a half were known first; or, where some never come, how long they are waited for. */
  readyUs({ level, index }: Half, message: number, isWhole: boolean, nowUs: number, patienceUs: number): number {
    const key = `${level} ${index} ${message} ${isWhole}`;
    const known = this.#readyUs.get(key) ?? nowUs + (isWhole ? 0 : patienceUs);
    this.#readyUs.set(key, known);
    return known;
  }
}

export interface ViewTimes {
  /** By its own clock. */
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
  message: 0 | 1,
): LeanView {
  const { position, raws } = aggregator;
  const ofMessage = (list: readonly LeanProof[]) =>
    raws.length === 1 ? list : list.filter(({ isSecond }) => isSecond === (message === 1));
  const { nowUs, isLeafTime, fits } = times;
  return {
    sizes,
    masks,
    position,
    slot,
    proofs: ofMessage(aggregator.proofs),
    isPending: () => nowUs < times.knownUs,
    announced: ofMessage(aggregator.announced),
    raw: raws[message]!.votes,
    isLeafTime,
    fits,
    turns: (half, parts, of) => {
      if (parts === 0) return -1;
      const turnUs = times.turnUs(half.level);
      const patienceUs = Math.max(
        0,
        Math.min((patienceTurns + half.level) * turnUs, times.lastCallUs(half.level) - nowUs),
      );
      return Math.floor((nowUs - aggregator.readyUs(half, message, parts === of, nowUs, patienceUs)) / turnUs);
    },
  };
}
