import { type HornAttack, hornAttackNamed } from '../../horn/attacks.ts';
import { EveStrategy } from '../../horn/eveStrategy.ts';
import { addMember, emptySet, type MemberSet } from '../../horn/play/memberSet.ts';
import { shuffle } from '../../overlay/shuffle.ts';
import type { SlotScenario } from './slotScenario.ts';
import type { SlotWorld } from './slotWorld.ts';

/** What Eve has arranged before the slot begins, the same for every way of playing it. */
export class Eve {
  readonly #scenario: SlotScenario;
  readonly #world: SlotWorld;
  readonly #attacks: readonly HornAttack[];
  readonly #hers = new Map<number, MemberSet>();
  readonly #orders = new Map<number, Int32Array>();

  constructor(scenario: SlotScenario, world: SlotWorld) {
    this.#scenario = scenario;
    this.#world = world;
    this.#attacks = scenario.attacks.map(({ name }) => hornAttackNamed(name)!);
  }

  /** What one of her validators decides; undefined for others' validators. */
  strategy(place: number): EveStrategy | undefined {
    const attack = this.#attacks[this.#world.attack[place]!];
    if (attack === undefined) return undefined;
    const { subcommittee: members, clock, collects } = this.#world;
    return new EveStrategy({
      attack,
      member: place % members,
      members,
      hers: this.#hersAt(place),
      order: this.#orderAt(place),
      clock,
      collects,
      isHers: (author) => this.#isSame(place, author),
    });
  }

  /** Whether a validator is hers and aggregates later than others. */
  isLate(place: number): boolean {
    const { clock, collects } = this.#world;
    const attack = this.#attacks[this.#world.attack[place]!];
    return attack !== undefined && attack.clock(clock, collects).aggregateUs > clock.aggregateUs;
  }

  /** Whether two validators take part in the same attack. */
  #isSame(place: number, other: number): boolean {
    return this.#world.attack[place] === this.#world.attack[other];
  }

  /** Who takes part, in its subcommittee, in the attack of one of her validators. */
  #hersAt(place: number): MemberSet {
    const { attack, subcommittee } = this.#world;
    const index = Math.floor(place / subcommittee);
    const key = index * this.#attacks.length + attack[place]!;
    let set = this.#hers.get(key);
    if (set === undefined) {
      set = emptySet(subcommittee);
      for (let member = 0; member < subcommittee; member++) {
        if (this.#isSame(place, index * subcommittee + member)) addMember(set, member);
      }
      this.#hers.set(key, set);
    }
    return set;
  }

  /** The members of a validator's subcommittee in the order in which they are left out: see `EveKnowledge`. */
  #orderAt(place: number): Int32Array {
    const { subcommittee } = this.#world;
    const index = Math.floor(place / subcommittee);
    let order = this.#orders.get(index);
    if (order === undefined) {
      order = shuffle(subcommittee, this.#scenario.seed, `left out of subcommittee ${index}`);
      this.#orders.set(index, order);
    }
    return order;
  }
}
