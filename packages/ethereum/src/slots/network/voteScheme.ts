import { type Contribution, CountingScheme, Tree } from '@tutti/core';
import { addMember, emptySet, hasMember, type MemberSet } from '@tutti/core/horn';
import { sizeClass } from '@tutti/core/packed';
import type { NetworkWorld } from './networkWorld.ts';
import { committeeRange } from './roles.ts';

/** A group of validators that one message covers, with the members that vote in it. */
export interface GroupSet {
  /** Number of the subcommittee, or of the collection's committee. */
  readonly group: number;
  readonly members: number;
  readonly bits: MemberSet;
}

/**
 * Contributions of one slot. Nodes of the protocol see subcommittees and committees as subtrees. Each subtree is padded
 * to a power of two with unused leaves.
 */
export class VoteScheme extends CountingScheme {
  readonly subcommitteeOrder: number;
  readonly committeeOrder: number;
  readonly #world: NetworkWorld;

  constructor(world: NetworkWorld) {
    const { subcommittees, system } = world;
    const subcommitteeOrder = sizeClass(Math.max(...subcommittees.map(({ members }) => members)));
    const committeeOrder = subcommitteeOrder + sizeClass(system.subcommittees);
    super(new Tree(Math.ceil(subcommittees.length / system.subcommittees) * 2 ** committeeOrder, 'packed'));
    this.subcommitteeOrder = subcommitteeOrder;
    this.committeeOrder = committeeOrder;
    this.#world = world;
  }

  /** Returns the vote of a member of a subcommittee. */
  vote(group: number, member: number): Contribution {
    return this.individual(this.#leafOf(group) + member);
  }

  /** Returns the place of the validator at a leaf. */
  placeOf(leaf: number): number {
    const group = this.#groupOf(leaf);
    return this.#world.subcommittees[group]!.start + leaf - this.#leafOf(group);
  }

  /** Returns the contribution over a subcommittee's block with these members, retained once. */
  ofMembers(block: number, members: MemberSet): Contribution {
    const words = new Int32Array((this.tree.size(block) + 31) >>> 5);
    words.set(members);
    return this.newContribution(block, words);
  }

  /** Returns the votes in an aggregate of a subcommittee, or in a collection of a committee. */
  groupSetOf(votes: Contribution): GroupSet {
    const isCollection = this.tree.size(this.block(votes)) > 2 ** this.subcommitteeOrder;
    return isCollection ? this.#collectionOf(votes) : this.#aggregateOf(votes);
  }

  #aggregateOf(aggregate: Contribution): GroupSet {
    const group = this.#groupOf(this.tree.start(this.block(aggregate)));
    const { members } = this.#world.subcommittees[group]!;
    return { group, members, bits: this.setWords(aggregate).slice(0, (members + 31) >>> 5) };
  }

  #collectionOf(collection: Contribution): GroupSet {
    const { subcommittees, system } = this.#world;
    const words = this.setWords(collection);
    const first = this.#groupOf(this.tree.start(this.block(collection)));
    const committee = first / system.subcommittees;
    const { start, members } = committeeRange(system, subcommittees, committee);
    const bits = emptySet(members);
    subcommittees.slice(first, first + system.subcommittees).forEach((of, index) => {
      for (let member = 0; member < of.members; member++) {
        if (hasMember(words, (index << this.subcommitteeOrder) + member)) addMember(bits, of.start - start + member);
      }
    });
    return { group: committee, members, bits };
  }

  /** Returns the first leaf of a subcommittee. */
  #leafOf(group: number): number {
    const { subcommittees } = this.#world.system;
    const committee = Math.floor(group / subcommittees);
    return committee * 2 ** this.committeeOrder + (group - committee * subcommittees) * 2 ** this.subcommitteeOrder;
  }

  /** Returns the subcommittee of a leaf. */
  #groupOf(leaf: number): number {
    const committee = Math.floor(leaf / 2 ** this.committeeOrder);
    const within = leaf - committee * 2 ** this.committeeOrder;
    return committee * this.#world.system.subcommittees + (within >>> this.subcommitteeOrder);
  }
}
