import { type Contribution, noContribution } from '../protocol.ts';
import type { RegistrationScheme } from './scheme.ts';

/** Two registrations of one author. */
export interface DoubleRegistration {
  readonly registrations: readonly [Contribution, Contribution];
  /** Who it was, a member's place in the registry, where the ring signatures trace it. */
  readonly author: number | undefined;
}

/** What became of a registration that holds. */
export type Enrolment = 'accepted' | 'repeated' | 'double';

/**
 * The valid registrations, and what follows from them (v1.03 section 5.3): two by one author are both discarded. The
 * result depends only on the set of registrations, not on the order in which they came, so nodes that have received the
 * same ones have the same anonymous registry.
 */
export class Roll {
  readonly #scheme: RegistrationScheme;
  readonly #accepted = new Map<string, Contribution>();
  readonly #doubles: DoubleRegistration[] = [];

  constructor(scheme: RegistrationScheme) {
    this.#scheme = scheme;
  }

  /** Takes a verified registration; retains it unless another had the same content. */
  enrol(registration: Contribution): Enrolment {
    for (const [name, other] of this.#accepted) {
      const relation = this.#scheme.relate(other, registration);
      if (relation.kind === 'independent') continue;
      if (relation.kind === 'repeated') return this.#keepLesser(name, other, registration);
      this.#accepted.delete(name);
      this.#scheme.retain(registration);
      this.#doubles.push({ registrations: [other, registration], author: relation.author });
      return 'double';
    }
    for (const double of this.#doubles) {
      const [first, second] = double.registrations;
      const relations = [this.#scheme.relate(first, registration), this.#scheme.relate(second, registration)];
      if (relations.some(({ kind }) => kind !== 'independent')) return 'repeated';
    }
    this.#scheme.retain(registration);
    this.#accepted.set(this.#scheme.name(registration), registration);
    return 'accepted';
  }

  /** Whether an unverified registration claims an author who is already out. */
  isOfDouble(claim: Contribution): boolean {
    return this.#doubles.some(({ registrations }) => this.#scheme.claimsAuthorOf(claim, registrations[0]));
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
    return this.#doubles;
  }

  /** Authors that were heard of, whatever became of them. */
  get authors(): number {
    return this.#accepted.size + this.#doubles.length;
  }

  /** A registration that stands, or is half of a double, by its name; noContribution for any other. */
  find(name: string): Contribution {
    const accepted = this.#accepted.get(name);
    if (accepted !== undefined) return accepted;
    for (const { registrations } of this.#doubles)
      for (const one of registrations) if (this.#scheme.name(one) === name) return one;
    return noContribution;
  }

  /** Of two with the same content, the one that all nodes keep. */
  #keepLesser(name: string, other: Contribution, registration: Contribution): Enrolment {
    const its = this.#scheme.name(registration);
    if (its < name) {
      this.#accepted.delete(name);
      this.#scheme.release(other);
      this.#scheme.retain(registration);
      this.#accepted.set(its, registration);
    }
    return 'repeated';
  }
}
