import type { SlotClock } from '@tutti/core/horn';
import type { CollectionRule, MemberSet, ValidatorRole } from '@tutti/core/internal/horn';
import type { HornAttack } from './attacks.ts';

/** What one of Eve's validators knows before the slot begins. */
export interface EveArrangement {
  readonly attack: HornAttack;
  /** The member of its subcommittee that the validator is. */
  readonly member: number;
  /** Members of a subcommittee. */
  readonly members: number;
  /** Who takes part in its attack in its subcommittee, and in which order others are left out: see `EveKnowledge`. */
  readonly hers: MemberSet;
  readonly order: Int32Array;
  /** The slot's clock, and whether there are collectors. */
  readonly clock: SlotClock;
  readonly collects: boolean;
  /** Whether the author of an aggregate takes part in its attack. */
  isHers(author: number): boolean;
}

/**
 * What one of Eve's validators decides in a slot, however it is run.
 */
export class EveStrategy implements ValidatorRole {
  readonly clock: SlotClock;
  readonly collection: CollectionRule;
  readonly #arrangement: EveArrangement;

  constructor(arrangement: EveArrangement) {
    const { attack, clock, collects } = arrangement;
    this.#arrangement = arrangement;
    this.clock = attack.clock(clock, collects);
    this.collection = attack.collection;
  }

  /**
   * The votes that it puts into its aggregate; none for silence. @param verified votes, and its own where it cast one.
   */
  aggregate(verified: MemberSet): MemberSet {
    const { attack, hers, order, member } = this.#arrangement;
    return attack.aggregate({ verified, hers, order, member });
  }

  /** As a collector it keeps the aggregate of the highest rank from each subcommittee, and of equal ones the first. */
  rank(author: number, weight: number): number {
    const { attack, isHers, members } = this.#arrangement;
    return attack.prefersHers && isHers(author) ? weight + members : weight;
  }
}
