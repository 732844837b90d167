import { RandomStream } from '@tutti/core';
import { type NetworkModel, percentile } from '@tutti/simulation';
import { bytesPerUs } from '../../horn/network/linkClasses.ts';
import { addVote, countVotes, dropVotes, emptyVotes, type VoteSet } from '../rules.ts';
import type { LeanScenario } from './scenario.ts';

/** Raw votes of an aggregator's subnet, verified one by one. */
export class RawVotes {
  /** Votes that have arrived but are not in a proof of this aggregator yet. */
  readonly votes: VoteSet;
  count = 0;
  readonly #atUs: Float64Array;
  readonly #validators: Int32Array;
  #next = 0;

  constructor(validators: number, atUs: Float64Array, order: Int32Array) {
    this.votes = emptyVotes(validators);
    this.#atUs = atUs;
    this.#validators = order;
  }

  /** Adds the votes that have arrived by this time. */
  advance(nowUs: number): void {
    for (; this.#next < this.#atUs.length && this.#atUs[this.#next]! <= nowUs; this.#next++) {
      addVote(this.votes, this.#validators[this.#next]!);
      this.count++;
    }
  }

  /** Removes the votes that a proof contains. */
  drop(proved: VoteSet): void {
    dropVotes(this.votes, proved);
  }

  /** Number of votes that have arrived but are not proved. */
  get left(): number {
    return countVotes(this.votes);
  }

  /** Returns the time at which this share of the votes has arrived, or infinity if it never does. */
  shareUs(share: number): number {
    return percentile(this.#atUs, share) ?? Number.POSITIVE_INFINITY;
  }

  get lastUs(): number {
    return this.#atUs.at(-1) ?? 0;
  }
}

/**
 * Returns the times at which votes arrive at an aggregator. A vote goes from its node over one relay of the subnet's
 * mesh, drawn per vote. The aggregator receives and verifies the votes one after another.
 *
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
