import type { LeanView } from '../plans.ts';
import { countNewVotes, type Half } from '../rules.ts';
import type { LeanProof, LeanSizes, SubnetMasks } from '../world.ts';
import type { LeanRole, LeanScenario } from './scenario.ts';
import type { RawVotes } from './votes.ts';

/** A proof that a prover is making or has made. */
export interface LeanJob {
  readonly position: number;
  readonly proof: LeanProof;
  readonly startUs: number;
  readonly endUs: number;
}

/** Properties of an aggregator that a scenario determines. */
export interface LeanMember {
  readonly position: number;
  readonly role: LeanRole | undefined;
  readonly slowness: number;
  readonly clockUs: number;
  readonly prover: { freeUs: number };
  readonly raws: readonly RawVotes[];
}

/** An aggregator: its properties and its knowledge. */
export class LeanAggregator {
  readonly position: number;
  readonly role: LeanRole | undefined;
  /** Factor by which the aggregator's prover is slower. */
  readonly slowness: number;
  /** Delay of the aggregator's clock, µs. Actions at a time of its clock happen that much later. */
  readonly clockUs: number;
  /** Prover of the aggregator's machine, with the time until which it is busy, µs. */
  readonly prover: { freeUs: number };
  /** Raw votes by message. There is a second message if validators equivocate. */
  readonly raws: readonly RawVotes[];
  /** Verified proofs in order of arrival. */
  readonly proofs: LeanProof[] = [];
  /** Proofs known only from have-bits. */
  readonly announced: LeanProof[] = [];
  /** Proofs that the aggregator has requested, with the times of the requests. */
  readonly asked = new Map<LeanProof, number>();
  readonly published = new Set<LeanProof>();
  /** Times at which the aggregator plans to publish its proofs; they may lie after the slot. */
  readonly due = new Map<LeanProof, number>();
  /** Time at which the aggregator next looks for a job. */
  wakeUs = Number.POSITIVE_INFINITY;
  /** Number of jobs begun per message. */
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

  /**
   * Returns the best of the aggregator's own proofs of a message, or undefined if another known proof contains it or it
   * was returned before.
   */
  bestToPublish(isSecond: boolean): LeanProof | undefined {
    const isOf = (proof: LeanProof) => proof.isSecond === isSecond;
    const own = this.proofs.filter((proof) => proof.by === this.position && isOf(proof));
    const best = own.reduce<LeanProof | undefined>((a, b) => (a === undefined || b.size > a.size ? b : a), undefined);
    if (best === undefined || this.published.has(best) || this.role === 'late') return undefined;
    const others = [...this.proofs, ...this.announced].filter((other) => other !== best && isOf(other));
    const isBehind = others.some(({ by, votes }) => by !== this.position && countNewVotes(best.votes, votes) === 0);
    return isBehind ? undefined : best;
  }

  /**
   * Returns the time at which all parts of a half were first known. If parts are missing, the result includes
   * `patienceUs`, the time for which the owner waits for them.
   */
  readyUs({ level, index }: Half, message: number, isWhole: boolean, nowUs: number, patienceUs: number): number {
    const key = `${level} ${index} ${message} ${isWhole}`;
    const known = this.#readyUs.get(key) ?? nowUs + (isWhole ? 0 : patienceUs);
    this.#readyUs.set(key, known);
    return known;
  }
}

export interface ViewTimes {
  /** Time of the aggregator's own clock, µs. */
  readonly nowUs: number;
  readonly isLeafTime: boolean;
  readonly fits: number;
  readonly knownUs: number;
  /** Returns the duration of one turn of an owner on this level, µs. */
  turnUs(level: number): number;
  /** Returns the time after which the aggregator no longer waits for missing parts, µs. */
  lastCallUs(level: number): number;
}

/** Number of turns for which owners wait for a missing part. */
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
