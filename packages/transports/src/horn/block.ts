import type { Contribution, MultiSignatureScheme } from '@tutti/core';
import { packBlock, type SlotPlan, union, type VoteSet } from '@tutti/core/horn';

/** Votes of one committee under one signature, as part of a block. */
export interface BlockVotes {
  readonly committee: number;
  /** Place of the committee's first validator. */
  readonly first: number;
  /** Voters as bits: bit b & 7 of byte b >> 3 is the vote of place `first + b`. */
  readonly bits: Uint8Array;
  /** Sum of the voters' signatures on the slot's message, 96 bytes, compressed G2. */
  readonly signature: Uint8Array;
}

/** Votes of a slot that a block contains. */
export interface HornBlock {
  /** Number of distinct votes in the block. */
  readonly votes: number;
  readonly collections: readonly BlockVotes[];
}

/** A collection that the node has verified. */
interface CollectedVotes extends VoteSet {
  readonly atUs: number;
  readonly collection: Contribution;
}

/** Collections that a node has verified in a slot, and the block that it makes of them. */
export class Collections {
  readonly #scheme: MultiSignatureScheme;
  readonly #plan: SlotPlan;
  /** End of the slot, µs since its beginning. */
  readonly #endUs: number;
  readonly #all: CollectedVotes[] = [];

  constructor(scheme: MultiSignatureScheme, plan: SlotPlan, endUs: number) {
    this.#scheme = scheme;
    this.#plan = plan;
    this.#endUs = endUs;
  }

  /** Adds a verified collection. @param atUs time of its verification, µs since the slot began. */
  add(author: number, collection: Contribution, atUs: number): void {
    const { validators, committees } = this.#plan.parameters;
    this.#all.push({
      group: Math.floor((author * committees) / validators),
      weight: this.#scheme.weight(collection),
      bits: union([this.#scheme.setWords(collection)], validators / committees),
      collection,
      atUs,
    });
  }

  /** Number of distinct votes in the block. */
  get votes(): number {
    return this.#packed().votes;
  }

  /** Returns the block. Collections that add the most votes come first. */
  block(): HornBlock {
    const { votes, taken } = this.#packed();
    const { committees, validators } = this.#plan.parameters;
    const collections = taken.map(({ group: committee, collection }) => ({
      committee,
      ...this.#scheme.claim(collection),
      first: (committee * validators) / committees,
    }));
    return { votes, collections };
  }

  #packed(): ReturnType<typeof packBlock<CollectedVotes>> {
    const { committees, blockCollections } = this.#plan.parameters;
    const inTime = this.#all.filter(({ atUs }) => atUs <= this.#endUs);
    return packBlock(inTime, { groups: committees, max: blockCollections, inclusion: 'one-aggregate' });
  }
}
