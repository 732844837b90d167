import type { Contribution } from '@tutti/core';
import type { RegistrationRelation, RegistrationScheme } from './scheme.ts';

/** An author that registered more than once, with two registrations as proof. */
export interface DoubleRegistration {
  readonly registrations: readonly [Contribution, Contribution];
  /**
   * Index of the author in the registry, if the ring signatures trace the author, which requires two registrations with
   * different content.
   */
  readonly author: number | undefined;
}

interface Excluded extends DoubleRegistration {
  /**
   * Whether the two registrations have the same content. A third registration with different content may then reveal
   * more about the author.
   */
  readonly isRepeat: boolean;
}

/** Returns the authors that double registrations identify, ascending and without repetitions. */
export function identifiedAuthors(doubles: readonly Pick<DoubleRegistration, 'author'>[]): number[] {
  const authors = doubles.flatMap(({ author }) => (author === undefined ? [] : [author]));
  return [...new Set(authors)].sort((a, b) => a - b);
}

/**
 * Result of adding a valid registration. `known`: the author is already excluded, and the registration reveals nothing
 * new.
 */
export type Enrolment = 'accepted' | 'double' | 'known';

/**
 * The valid registrations, and the consequences of double registrations (v1.03 section 5.3). An author with two
 * different registrations is excluded, together with all of its registrations. On the roll, each author has one name:
 * the name of its registration, or the name of the offender. The accepted registrations depend on the set of
 * registrations, but not on their order.
 */
export class Roll {
  readonly #scheme: RegistrationScheme;
  readonly #accepted = new Map<string, Contribution>();
  /** Excluded authors, by the name of the offender. */
  readonly #excluded = new Map<string, Excluded>();

  constructor(scheme: RegistrationScheme) {
    this.#scheme = scheme;
  }

  /**
   * Adds a verified registration that is not on the roll yet. The registration is retained unless the result is
   * `known`.
   */
  enrol(registration: Contribution): Enrolment {
    for (const [name, other] of this.#accepted) {
      const relation = this.#scheme.relate(other, registration);
      if (relation.kind === 'independent') continue;
      this.#accepted.delete(name);
      this.#exclude(other, registration, relation);
      return 'double';
    }
    for (const [name, { registrations, isRepeat }] of this.#excluded) {
      const relation = this.#scheme.relate(registrations[0], registration);
      if (relation.kind === 'independent') continue;
      if (!isRepeat || relation.offender === name) return 'known';
      this.#excluded.delete(name);
      this.#scheme.release(registrations[1]);
      this.#exclude(registrations[0], registration, relation);
      return 'double';
    }
    this.#scheme.retain(registration);
    this.#accepted.set(this.#scheme.name(registration), registration);
    return 'accepted';
  }

  /**
   * Returns whether an unverified registration claims an excluded author, and would reveal nothing new about the
   * author.
   */
  isSettled(claim: Contribution): boolean {
    for (const [name, { registrations, isRepeat }] of this.#excluded) {
      const relation = this.#scheme.relateClaim(claim, registrations[0]);
      if (relation.kind !== 'independent') return !isRepeat || relation.offender === name;
    }
    return false;
  }

  /** Accepted registrations, in the order of their names. */
  get accepted(): readonly Contribution[] {
    return [...this.#accepted].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, registration]) => registration);
  }

  /** Number of accepted registrations. */
  get acceptedCount(): number {
    return this.#accepted.size;
  }

  /** Authors that registered more than once. */
  get doubles(): readonly DoubleRegistration[] {
    return [...this.#excluded.values()];
  }

  /** Number of accepted and excluded authors. */
  get authors(): number {
    return this.#accepted.size + this.#excluded.size;
  }

  /** Names, one per author: of the accepted registration, or of the offender. */
  get names(): string[] {
    return [...this.#accepted.keys(), ...this.#excluded.keys()];
  }

  /**
   * Returns the registrations for one of the {@link names}: a single registration, or the two registrations of an
   * offender; none for any other name.
   */
  registrationsOf(name: string): readonly Contribution[] {
    const accepted = this.#accepted.get(name);
    return accepted === undefined ? (this.#excluded.get(name)?.registrations ?? []) : [accepted];
  }

  /** Returns whether a registration with this name is accepted, or is one of the two registrations of an offender. */
  has(name: string): boolean {
    const offenders = [...this.#excluded.values()];
    return (
      this.#accepted.has(name) ||
      offenders.some(({ registrations }) => registrations.some((one) => this.#scheme.name(one) === name))
    );
  }

  #exclude(
    one: Contribution,
    other: Contribution,
    relation: Exclude<RegistrationRelation, { kind: 'independent' }>,
  ): void {
    this.#scheme.retain(other);
    this.#excluded.set(relation.offender, {
      registrations: [one, other],
      author: relation.kind === 'double' ? relation.author : undefined,
      isRepeat: relation.kind === 'repeated',
    });
  }
}
