import { shuffle } from '@tutti/core';
import { addMember, emptySet, honestRole, type MemberSet, type SlotClock, type ValidatorRole } from '@tutti/core/horn';
import { type HornAttack, type HornAttackShare, hornAttackNamed } from '../../horn/attacks.ts';

/** Validators in a range of places whose votes are aggregated together. */
export interface VoteGroup {
  /** Index of the group. */
  readonly index: number;
  readonly start: number;
  readonly members: number;
}

/**
 * Decides which votes are cast on a subnet. Eve knows in advance which of her validators are elected. Depending on
 * that, she withholds the votes of her other validators in the subcommittee.
 *
 * @param casts 1 for each place that votes; changed to 0 for withheld votes. @param attack index of the attack, by
 * place. @param groups subcommittees with the places of their aggregators.
 */
export function withholdVotes(
  casts: Uint8Array,
  attacks: readonly HornAttackShare[],
  attack: Int8Array,
  groups: Iterable<Omit<VoteGroup, 'index'> & { readonly aggregators: readonly number[] }>,
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

/** Eve's knowledge before a slot begins. */
export interface EveSetting {
  readonly attacks: readonly HornAttackShare[];
  /** Index of the attack in which each validator takes part, by place; -1 for none. */
  readonly attack: Int8Array;
  /** Returns the subcommittee of a place. */
  groupOf(place: number): VoteGroup;
  readonly clock: SlotClock;
  /** True if there are collectors. */
  readonly collects: boolean;
  readonly seed: number;
}

/** Roles of all validators in a slot, including Eve's prearranged ones. They are the same in every simulation mode. */
export class SlotRoles {
  readonly #setting: EveSetting;
  readonly #honest: ValidatorRole;
  readonly #attacks: readonly HornAttack[];
  readonly #hers = new Map<number, MemberSet>();
  readonly #orders = new Map<number, Int32Array>();

  constructor(setting: EveSetting) {
    this.#setting = setting;
    this.#honest = honestRole(setting.clock);
    this.#attacks = setting.attacks.map(({ name }) => hornAttackNamed(name)!);
  }

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

  /** Returns the members of a subcommittee that take part in the same attack as one of Eve's validators. */
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

  /** Returns the members of a subcommittee in the order in which they are left out; see `EveKnowledge`. */
  #orderOf({ index, members }: VoteGroup): Int32Array {
    let order = this.#orders.get(index);
    if (order === undefined) {
      order = shuffle(members, this.#setting.seed, `left out of subcommittee ${index}`);
      this.#orders.set(index, order);
    }
    return order;
  }
}
