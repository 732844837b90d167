import { type Contribution, noContribution } from '@tutti/core';
import type { RegistrationScheme } from './scheme.ts';

/** An author who registered more than once, and two registrations that show it. */
export interface DoubleRegistration {
  readonly registrations: readonly [Contribution, Contribution];
  /**
   * Who it was, a member's place in the registry, where the ring signatures trace it: for two registrations with
   * different content.
   */
  readonly author: number | undefined;
}

interface Struck extends DoubleRegistration {
  /** Whether the two have the same content: a third one with another may say more of the author. */
  readonly isRepeat: boolean;
}

/** What became of a registration that holds. `known`: of an author who is struck, and says nothing new. */
export type Enrolment = 'accepted' | 'double' | 'known';

/**
 * The valid registrations, and what follows from them (v1.03 section 5.3): an author with two different ones is struck,
 * and none of them stands. Each author has one name here: that of the registration, or the offender's. What stands
 * depends only on the set of registrations, not on the order in which they came.
 */
export class Roll {
  readonly #scheme: RegistrationScheme;
  readonly #accepted = new Map<string, Contribution>();
  /** By the offender's name. */
  readonly #struck = new Map<string, Struck>();

  constructor(scheme: RegistrationScheme) {
    this.#scheme = scheme;
  }

  /** Takes a verified registration that is not here yet; retains it unless its author is struck already. */
  enrol(registration: Contribution): Enrolment {
    for (const [name, other] of this.#accepted) {
      const relation = this.#scheme.relate(other, registration);
      if (relation.kind === 'independent') continue;
      this.#accepted.delete(name);
      this.#strike(other, registration, relation);
      return 'double';
    }
    for (const [name, { registrations, isRepeat }] of this.#struck) {
      const relation = this.#scheme.relate(registrations[0], registration);
      if (relation.kind === 'independent') continue;
      if (!isRepeat || relation.offender === name) return 'known';
      this.#struck.delete(name);
      this.#scheme.release(registrations[1]);
      this.#strike(registrations[0], registration, relation);
      return 'double';
    }
    this.#scheme.retain(registration);
    this.#accepted.set(this.#scheme.name(registration), registration);
    return 'accepted';
  }

  /** Whether an unverified registration claims an author who is struck, and would say nothing new of that one. */
  isSettled(claim: Contribution): boolean {
    for (const [name, { registrations, isRepeat }] of this.#struck) {
      const relation = this.#scheme.relateClaim(claim, registrations[0]);
      if (relation.kind !== 'independent') return !isRepeat || relation.offender === name;
    }
    return false;
  }

  /** Those that stand, in the order of their names. */
  get accepted(): readonly Contribution[] {
    return [...this.#accepted].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, registration]) => registration);
  }

  /** How many stand. */
  get standing(): number {
    return this.#accepted.size;
  }

  get doubles(): readonly DoubleRegistration[] {
    return [...this.#struck.values()];
  }

  /** Authors that were heard of, whatever became of them. */
  get authors(): number {
    return this.#accepted.size + this.#struck.size;
  }

  /** One for each author: of the registration that stands, or of the offender. */
  get names(): string[] {
    return [...this.#accepted.keys(), ...this.#struck.keys()];
  }

  /** The registrations behind one of {@link names}: one, or the two of an offender; none for any other name. */
  behind(name: string): readonly Contribution[] {
    const accepted = this.#accepted.get(name);
    return accepted === undefined ? (this.#struck.get(name)?.registrations ?? []) : [accepted];
  }

  /** A registration that stands, or is one of the two of an offender, by its own name; noContribution for any other. */
  find(name: string): Contribution {
    const accepted = this.#accepted.get(name);
    if (accepted !== undefined) return accepted;
    for (const { registrations } of this.#struck.values())
      for (const one of registrations) if (this.#scheme.name(one) === name) return one;
    return noContribution;
  }

  #strike(
    one: Contribution,
    other: Contribution,
    relation: Exclude<ReturnType<RegistrationScheme['relate']>, { kind: 'independent' }>,
  ): void {
    this.#scheme.retain(other);
    this.#struck.set(relation.offender, {
      registrations: [one, other],
      author: relation.kind === 'double' ? relation.author : undefined,
      isRepeat: relation.kind === 'repeated',
    });
  }
}
