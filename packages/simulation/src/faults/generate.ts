import { RandomStream, shuffle } from '@tutti/core';
import { listOf, oneOf, requireArray, requireIn, requireInteger, requireObject } from '@tutti/core/input';
import {
  type Fault,
  type FaultKind,
  faultKinds,
  longestFaultMs,
  maxFaults,
  type NodeSet,
} from '../scenario/faultPlan.ts';
import type { Scenario } from '../scenario/scenario.ts';

/** Options of {@link generateFaults}. */
export interface GenerateOptions {
  /** Seed of the plan, an integer from 0 to 2^32 - 1. */
  readonly seed: number;
  /**
   * Time by which every temporary fault has ended, ms, an integer from 2 to 600,000. Crashes and wrong clocks are
   * permanent.
   */
  readonly healedByMs: number;
  /** Maximum number of faults, an integer from 1 to 1000. Default: 6. */
  readonly max?: number;
  /** Kinds of faults from which the plan is drawn. Default: all. */
  readonly kinds?: readonly FaultKind[];
}

/**
 * Draws a fault plan under which a scenario must still satisfy termination and fairness (v1.03 section 2.4). All faults
 * end, except crashes of at most a third of the honest nodes, and clocks with bounded errors.
 *
 * Faults that would violate these two properties are not drawn. Without authenticated channels, no message is
 * corrupted, because the sender of a corrupted message would be blacklisted.
 *
 * @returns at least one fault, unless no kind is left to draw from.
 */
export function generateFaults(
  scenario: Pick<Scenario, 'nodes' | 'dead' | 'attacks' | 'authenticated'>,
  options: GenerateOptions,
): Fault[] {
  requireObject('scenario', scenario);
  requireArray('scenario.attacks', scenario.attacks);
  requireObject('options', options);
  const { seed, healedByMs, max = 6, kinds = faultKinds } = options;
  requireInteger('healedByMs', healedByMs, 2, longestFaultMs);
  requireInteger('max', max, 1, maxFaults);
  requireIn('kinds', kinds, listOf(oneOf(faultKinds)));
  const { nodes, dead, attacks, authenticated } = scenario;
  const silent = attacks.reduce((sum, { share }) => sum + Math.ceil(nodes * share), Math.ceil(nodes * dead));
  const crashable = Math.floor(Math.max(0, nodes - silent) / 3);
  const toCrash = [...shuffle(nodes, seed, 'generated crashes').subarray(0, crashable)];
  const possible = kinds.filter(
    (kind) => (kind !== 'crash' || crashable > 0) && (kind !== 'corruption' || authenticated),
  );
  if (possible.length === 0) return [];
  const draw = (purpose: string) => new FaultDraw(seed, purpose, nodes, healedByMs);
  return Array.from({ length: draw('generated faults').from(1, max) }, (_, place) => {
    const kind = chooseNamed(possible, seed, `generated fault ${place}`);
    return draw(`generated fault ${place}, ${kind}`).fault(kind, toCrash);
  });
}

/** Draws for one purpose from one stream, in the order of the calls. */
export class Draw {
  readonly #random: RandomStream;

  constructor(seed: number, purpose: string) {
    this.#random = new RandomStream(seed, purpose);
  }

  /** Returns an integer in [min, max]. */
  from(min: number, max: number): number {
    return min + this.#random.nextBelow(max - min + 1);
  }

  /** Returns a multiple of 0.01 in [0.01, max]. */
  share(max: number): number {
    return this.from(1, Math.round(max * 100)) / 100;
  }

  /** Returns one of the values, all with the same probability. */
  oneOf<T>(values: readonly T[]): T {
    return values[this.from(0, values.length - 1)]!;
  }

  /** Returns true with the given probability. */
  isTrue(probability: number): boolean {
    return this.#random.nextUnit() < probability;
  }
}

/** Draws for one fault. */
class FaultDraw extends Draw {
  readonly #nodes: number;
  readonly #healedByMs: number;

  constructor(seed: number, purpose: string, nodes: number, healedByMs: number) {
    super(seed, purpose);
    this.#nodes = nodes;
    this.#healedByMs = healedByMs;
  }

  fault(kind: FaultKind, toCrash: readonly number[]): Fault {
    switch (kind) {
      case 'crash':
        return { kind, nodes: this.#some(toCrash), atMs: this.from(0, this.#healedByMs - 1) };
      case 'restart':
        return { kind, nodes: this.#nodeSet(), ...this.#window(), state: this.oneOf(['lost', 'kept']) };
      case 'pause':
      case 'partition':
        return { kind, nodes: this.#nodeSet(), ...this.#window() };
      case 'loss':
        return { kind, share: this.share(0.6), ...this.#links(), ...this.#window() };
      case 'duplication':
        return { kind, share: this.share(1), withinMs: this.from(0, 200), ...this.#links(), ...this.#window() };
      case 'reordering':
        return { kind, share: this.share(1), byMs: this.from(1, 500), ...this.#links(), ...this.#window() };
      case 'corruption':
        return {
          kind,
          share: this.share(0.5),
          of: this.oneOf(['signature', 'bits']),
          ...this.#links(),
          ...this.#window(),
        };
      case 'slow-links':
        return { kind, byMs: this.from(1, 500), ...this.#links(), ...this.#window() };
      case 'slow-nodes':
        return { kind, nodes: this.#nodeSet(), factor: this.from(2, 20), ...this.#window() };
      case 'skew':
        return { kind, nodes: this.#nodeSet(), byMs: this.from(-2000, 2000) };
      case 'drift':
        return { kind, nodes: this.#nodeSet(), rate: this.from(50, 200) / 100 };
    }
  }

  #window(): { atMs: number; forMs: number } {
    const atMs = this.from(0, this.#healedByMs - 1);
    return { atMs, forMs: this.from(1, this.#healedByMs - atMs) };
  }

  #nodeSet(): NodeSet {
    return this.from(0, 1) === 0 ? { share: this.share(0.5) } : this.#some([...Array(this.#nodes).keys()]);
  }

  /** Returns one to eight of the ids, ascending. */
  #some(ids: readonly number[]): number[] {
    const some = new Set(Array.from({ length: this.from(1, Math.min(8, ids.length)) }, () => this.oneOf(ids)));
    return [...some].sort((a, b) => a - b);
  }

  /** Returns the links that a fault affects; in half of the draws, all links. */
  #links(): { from?: NodeSet; to?: NodeSet } {
    const which = this.from(0, 5);
    return { ...(which % 3 === 1 ? { from: this.#nodeSet() } : {}), ...(which >= 4 ? { to: this.#nodeSet() } : {}) };
  }
}

/**
 * Chooses one of the names by a seed, each with the same probability. Each name draws its own number, and the greatest
 * wins. An additional name therefore changes a choice only if that name is chosen.
 *
 * @param purpose distinguishes this choice from others with the same seed.
 */
export function chooseNamed<Name extends string>(names: readonly Name[], seed: number, purpose: string): Name {
  const drawn = names.map((name) => ({ name, number: new RandomStream(seed, `${purpose}: ${name}`).nextUint32() }));
  return drawn.reduce((best, one) => (one.number > best.number ? one : best)).name;
}
