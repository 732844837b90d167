import { RandomStream } from '@tutti/core';
import { addMember, emptySet, type MemberSet, sizeOf } from '@tutti/core/horn';
import { type NetworkModel, percentile } from '@tutti/simulation';
import { bytesPerUs } from '../../horn/network/nodes.ts';
import { countNewVotes, dropVotes, type Half } from '../rules.ts';
import type { LeanProof } from '../world.ts';
import type { LeanRole, LeanScenario } from './scenario.ts';

/** A proof that a prover is making or has made. */
export interface LeanJob {
  readonly position: number;
  readonly proof: LeanProof;
  readonly startUs: number;
  readonly endUs: number;
}

/** Properties of an aggregator that a scenario determines. */
type LeanMember = Pick<LeanAggregator, 'position' | 'role' | 'slowness' | 'clockUs' | 'prover' | 'raws'>;

/** An aggregator: its properties and its knowledge. */
export class LeanAggregator {
  readonly position: number;
  readonly role: LeanRole | undefined;
  /** Factor by which the duration of the aggregator's proofs is multiplied. */
  readonly slowness: number;
  /**
   * Delay of the aggregator's clock, µs; negative if the clock is fast. Actions that follow this clock happen later by
   * this delay.
   */
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
  /** Own proofs that {@link LeanAggregator.bestToPublish} does not return again. */
  readonly published = new Set<LeanProof>();
  /** Times at which the aggregator plans to publish its proofs; they may lie after the slot. */
  readonly due = new Map<LeanProof, number>();
  /** Time at which the aggregator next looks for a job, µs; infinite if no time is set. */
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

  /** Raw votes for the slot's own message. */
  get raw(): RawVotes {
    return this.raws[0]!;
  }

  /** Adds a proof that the aggregator has made or verified. */
  hold(proof: LeanProof): void {
    this.proofs.push(proof);
    this.forget(proof);
  }

  /** Adds a proof that a peer's have-bits announce, unless the proof is known. */
  hear(proof: LeanProof): void {
    if (!this.proofs.includes(proof) && !this.announced.includes(proof)) this.announced.push(proof);
  }

  /** Removes a proof from the announced proofs. */
  forget(proof: LeanProof): void {
    const at = this.announced.indexOf(proof);
    if (at !== -1) this.announced.splice(at, 1);
  }

  /**
   * Returns the best own proof of a message, unless this proof is already published or another known proof contains it.
   */
  bestToPublish(isSecond: boolean): LeanProof | undefined {
    const isOf = (proof: LeanProof) => proof.isSecond === isSecond;
    const own = this.proofs.filter((proof) => proof.by === this.position && isOf(proof));
    const best = own.reduce<LeanProof | undefined>((a, b) => (a === undefined || b.size > a.size ? b : a), undefined);
    if (best === undefined || this.published.has(best) || this.role === 'late') return undefined;
    const others = [...this.proofs, ...this.announced].filter(isOf);
    const isBehind = others.some(({ by, votes }) => by !== this.position && countNewVotes(best.votes, votes) === 0);
    return isBehind ? undefined : best;
  }

  /**
   * Returns the time from which the turns of a half's owners count, µs: the time at which all parts were first known.
   * If parts are missing, the turns count from the first call plus `patienceUs`, the time for which owners wait for the
   * parts.
   */
  readyUs({ level, index }: Half, message: number, isWhole: boolean, nowUs: number, patienceUs: number): number {
    const key = `${level} ${index} ${message} ${isWhole}`;
    const known = this.#readyUs.get(key) ?? nowUs + (isWhole ? 0 : patienceUs);
    this.#readyUs.set(key, known);
    return known;
  }
}

/** Raw votes of an aggregator's subnet for one message, verified one by one. */
export class RawVotes {
  /** Votes that have arrived but are not in a proof of this aggregator yet. */
  readonly votes: MemberSet;
  readonly #atUs: Float64Array;
  readonly #validators: Int32Array;
  #next = 0;

  constructor(validators: number, atUs: Float64Array, order: Int32Array) {
    this.votes = emptySet(validators);
    this.#atUs = atUs;
    this.#validators = order;
  }

  /** Adds the votes that have arrived by this time. */
  advance(nowUs: number): void {
    for (; this.#next < this.#atUs.length && this.#atUs[this.#next]! <= nowUs; this.#next++) {
      addMember(this.votes, this.#validators[this.#next]!);
    }
  }

  /** Removes the votes that a proof contains. */
  drop(proved: MemberSet): void {
    dropVotes(this.votes, proved);
  }

  /** Number of votes that have arrived but are not proved. */
  get left(): number {
    return sizeOf(this.votes);
  }

  /** Returns the time by which this share of all arriving votes has arrived, µs; infinite if no vote arrives. */
  shareUs(share: number): number {
    return percentile(this.#atUs, share) ?? Number.POSITIVE_INFINITY;
  }

  /** Time at which the last vote arrives, µs; 0 if no vote arrives. */
  get lastUs(): number {
    return this.#atUs.at(-1) ?? 0;
  }
}

/**
 * Returns the raw votes that each aggregator receives. A vote goes from its node over one relay, which is drawn per
 * vote from all nodes. An aggregator receives and verifies the votes one after another.
 *
 * @param duties subnet of each aggregator.
 * @param isVoter true for validators that sign the message.
 */
export function voteArrivals(
  scenario: LeanScenario,
  network: NetworkModel,
  duties: readonly number[],
  isVoter: (node: number) => boolean,
): RawVotes[] {
  const { profile, nodes, subnets, seed, skewMs, aggregatorMbps } = scenario;
  const random = new RandomStream(seed, 'lean votes');
  const attestUs = Float64Array.from(
    { length: nodes },
    () => 1000 * (profile.times.attestMs + skewMs * random.nextUnit()),
  );
  const eachUs = Math.max(1000 * profile.verifier.voteMs, profile.votes.bytes / bytesPerUs(aggregatorMbps));
  return duties.map((duty, position) => {
    const found: { validator: number; atUs: number }[] = [];
    for (let validator = duty; validator < profile.validators; validator += subnets) {
      const node = Math.floor(validator / subnets) % nodes;
      if (!isVoter(node)) continue;
      const relay = random.nextBelow(nodes);
      const hops = network.oneWayUs(node, relay) + 1000 * profile.verifier.voteMs + network.oneWayUs(relay, position);
      found.push({ validator, atUs: attestUs[node]! + (node === position ? 0 : hops) });
    }
    found.sort((a, b) => a.atUs - b.atUs || a.validator - b.validator);
    let freeUs = 0;
    const atUs = Float64Array.from(found, (one) => {
      freeUs = Math.max(freeUs, one.atUs) + eachUs;
      return freeUs;
    });
    return new RawVotes(
      profile.validators,
      atUs,
      Int32Array.from(found, ({ validator }) => validator),
    );
  });
}
