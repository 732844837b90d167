import { shuffle } from '@tutti/core';
import { addMember, emptySet, honestRole, type MemberSet, type SlotClock, type ValidatorRole } from '@tutti/core/horn';
import { partOf } from '@tutti/core/input';
import { type HornAttack, type HornAttackShare, hornAttackNamed } from '../../horn/attacks.ts';
import type { NetworkScenario } from '../../horn/network/scenario.ts';
import type { VotingSystem } from '../../horn/network/systems.ts';

/** A group of places whose votes are aggregated together. */
export interface VoteGroup extends Pick<Elected, 'start' | 'members'> {
  /** Index of the group. */
  readonly index: number;
}

/**
 * Removes the votes that Eve withholds from subnets. Eve knows in advance which of her validators are elected.
 * Depending on the election, Eve withholds the votes of her validators in the group.
 *
 * @param casts 1 for each place that votes; changed to 0 for withheld votes.
 * @param attack index of the attack, by place; -1 for none.
 */
export function withholdVotes(
  casts: Uint8Array,
  attacks: readonly HornAttackShare[],
  attack: Int8Array,
  groups: Iterable<Elected>,
): void {
  const rules = attacks.map(({ name }) => hornAttackNamed(name)!);
  if (rules.length === 0) return;
  for (const { start, members, aggregators } of groups) {
    const votes = rules.map((rule, index) => rule.votes(aggregators.some((place) => attack[place] === index)));
    for (let place = start; place < start + members; place++) {
      if (votes[attack[place]!] === false) casts[place] = 0;
    }
  }
}

/** State that determines the roles of validators. */
interface RoleSetting {
  readonly attacks: readonly HornAttackShare[];
  /** Index of the attack in which each validator takes part, by place; -1 for none. */
  readonly attack: Int8Array;
  /** Returns the group of a place. */
  groupOf(place: number): VoteGroup;
  readonly clock: SlotClock;
  /** True if the system has collectors. */
  readonly collects: boolean;
  readonly seed: number;
}

/** Roles of all validators in a slot. Eve's validators act as their attack prescribes. */
export class SlotRoles {
  readonly #setting: RoleSetting;
  readonly #honest: ValidatorRole;
  readonly #attacks: readonly HornAttack[];
  readonly #hers = new Map<number, MemberSet>();
  readonly #orders = new Map<number, Int32Array>();

  constructor(setting: RoleSetting) {
    this.#setting = setting;
    this.#honest = honestRole(setting.clock);
    this.#attacks = setting.attacks.map(({ name }) => hornAttackNamed(name)!);
  }

  /** Returns the role of the validator at a place. */
  of(place: number): ValidatorRole {
    const attack = this.#attackAt(place);
    if (attack === undefined) return this.#honest;
    const { groupOf, clock, collects } = this.#setting;
    const group = groupOf(place);
    const member = place - group.start;
    const hers = this.#hersAt(place, group);
    const order = this.#orderOf(group);
    return {
      clock: attack.clock(clock, collects),
      collection: attack.collection,
      aggregate: (verified) => attack.aggregate({ verified, hers, order, member }),
      rank: (author, weight) => (attack.prefersHers && this.#isSame(place, author) ? weight + group.members : weight),
    };
  }

  /** Returns whether a validator is Byzantine. */
  isEve(place: number): boolean {
    return this.#attackAt(place) !== undefined;
  }

  /** Returns whether a validator is Byzantine and aggregates later than others. */
  isLate(place: number): boolean {
    const { clock, collects } = this.#setting;
    const attack = this.#attackAt(place);
    return attack !== undefined && attack.clock(clock, collects).aggregateUs > clock.aggregateUs;
  }

  #attackAt(place: number): HornAttack | undefined {
    return this.#attacks[this.#setting.attack[place]!];
  }

  /** Returns whether two validators take part in the same attack. */
  #isSame(place: number, other: number): boolean {
    return this.#setting.attack[place] === this.#setting.attack[other];
  }

  /** Returns the members of a group that take part in the same attack as the Byzantine validator at a place. */
  #hersAt(place: number, { index, start, members }: VoteGroup): MemberSet {
    const key = index * this.#attacks.length + this.#setting.attack[place]!;
    let set = this.#hers.get(key);
    if (set === undefined) {
      set = emptySet(members);
      for (let member = 0; member < members; member++) {
        if (this.#isSame(place, start + member)) addMember(set, member);
      }
      this.#hers.set(key, set);
    }
    return set;
  }

  /** Returns the members of a group in the order in which Eve omits them; see `EveKnowledge`. */
  #orderOf({ index, members }: VoteGroup): Int32Array {
    let order = this.#orders.get(index);
    if (order === undefined) {
      order = shuffle(members, this.#setting.seed, `left out of subcommittee ${index}`);
      this.#orders.set(index, order);
    }
    return order;
  }
}

/**
 * Returns the index of Eve's attack in which each node takes part, -1 for none. Eve runs nodes of her own. Nodes are
 * drawn one after another, and each drawn node becomes Eve's if its validators fit into the rest of her share.
 */
export function eveNodes({ attacks, nodes, seed }: NetworkScenario, validators: Int32Array): Int8Array {
  const attackOf = new Int8Array(nodes).fill(-1);
  if (attacks.length === 0) return attackOf;
  const all = validators.reduce((sum, one) => sum + one, 0);
  const order = shuffle(nodes, seed, 'nodes of Eve');
  attacks.forEach(({ share }, index) => {
    let left = partOf(all, share);
    for (const node of order) {
      const of = validators[node]!;
      if (of === 0 || of > left || attackOf[node] !== -1) continue;
      attackOf[node] = index;
      left -= of;
    }
  });
  return attackOf;
}

/** A group of places, with the validators elected to aggregate its votes. */
export interface Elected {
  readonly start: number;
  readonly members: number;
  readonly aggregators: readonly number[];
}

/** Range of a committee. */
interface CommitteeRange {
  /** Index of the committee's first subcommittee. */
  readonly first: number;
  /** First place of the committee. */
  readonly start: number;
  readonly members: number;
}

/** Returns the range of a committee, whose subcommittees are consecutive. */
export function committeeRange(
  system: Pick<VotingSystem, 'subcommittees'>,
  subcommittees: readonly Omit<Elected, 'aggregators'>[],
  committee: number,
): CommitteeRange {
  const first = committee * system.subcommittees;
  const { start } = subcommittees[first]!;
  const last = subcommittees[first + system.subcommittees - 1]!;
  return { first, start, members: last.start + last.members - start };
}

/** Returns the members of a group that vote on its subnet, and the honest members among them. */
export function votesIn(
  { start, members }: Elected,
  casts: Uint8Array,
  attack: Int8Array,
): { readonly casts: MemberSet; readonly honest: MemberSet } {
  const all = emptySet(members);
  const honest = emptySet(members);
  for (let member = 0; member < members; member++) {
    if (casts[start + member] === 0) continue;
    addMember(all, member);
    if (attack[start + member] === -1) addMember(honest, member);
  }
  return { casts: all, honest };
}

/** Returns the number of votes that each node casts. */
export function votesByNode(casts: Uint8Array, nodeAt: Int32Array, nodes: number): Int32Array {
  const votesOf = new Int32Array(nodes);
  casts.forEach((one, place) => {
    votesOf[nodeAt[place]!]! += one;
  });
  return votesOf;
}

/** Returns a function that finds the group of a place. Groups are consecutive, and their sizes may differ. */
export function groupsByPlace(groups: readonly Elected[]): (place: number) => VoteGroup {
  const last = groups.at(-1)!;
  const voters = last.start + last.members;
  return (place) => {
    let index = Math.floor((place * groups.length) / voters);
    while (place < groups[index]!.start) index--;
    while (place >= groups[index]!.start + groups[index]!.members) index++;
    return { index, start: groups[index]!.start, members: groups[index]!.members };
  };
}
