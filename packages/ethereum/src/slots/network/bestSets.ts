import {
  addMember,
  collect,
  emptySet,
  keepBest,
  type MemberSet,
  noAggregate,
  shiftInto,
  sizeOf,
  type ValidatorRole,
} from '@tutti/core/horn';
import type { NetworkWorld } from './networkWorld.ts';
import type { PublishedSet } from './slotRun.ts';

/** A published set with its author's place. */
export interface AuthoredSet {
  readonly place: number;
  readonly set: PublishedSet;
  /** Number of members of the set's group. */
  readonly members: number;
}

/** Best aggregates that one collector has verified so far, one for each of its committee's subcommittees. */
export class BestSets {
  readonly #world: NetworkWorld;
  readonly #committee: number;
  readonly #role: ValidatorRole;
  readonly #place: number;
  readonly #best: Int32Array;

  constructor(world: NetworkWorld, committee: number, place: number) {
    this.#world = world;
    this.#committee = committee;
    this.#role = world.roles.of(place);
    this.#place = place;
    this.#best = new Int32Array(world.system.subcommittees).fill(noAggregate);
  }

  /**
   * Considers an aggregate of a subcommittee of this committee.
   *
   * @param aggregate index of the aggregate among all aggregates.
   */
  take(aggregate: number, aggregates: readonly AuthoredSet[]): void {
    const { subcommittees } = this.#world.system;
    keepBest(this.#best, aggregates[aggregate]!.set.group % subcommittees, aggregate, (one) => {
      const { place, set } = aggregates[one]!;
      return this.#role.rank(place, set.weight);
    });
  }

  /** Returns the collection that the collector sends. Its weight is 0 if there is none. */
  join(aggregates: readonly AuthoredSet[]): {
    readonly bits: MemberSet;
    readonly weight: number;
    readonly members: number;
  } {
    const { system, subcommittees } = this.#world;
    const first = this.#committee * system.subcommittees;
    const { start } = subcommittees[first]!;
    const last = subcommittees[first + system.subcommittees - 1]!;
    const members = last.start + last.members - start;
    const bits = emptySet(members);
    collect(this.#role, this.#best, {
      joinOwn: () => addMember(bits, this.#place - start),
      join: (aggregate, index) =>
        shiftInto(bits, aggregates[aggregate]!.set.bits, subcommittees[first + index]!.start - start),
    });
    return { bits, weight: sizeOf(bits), members };
  }
}
