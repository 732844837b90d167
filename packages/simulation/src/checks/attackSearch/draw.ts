import type { RandomStream } from '@tutti/core';
import { requireArray } from '@tutti/core/input';
import {
  type Composition,
  maxLevels,
  maxParts,
  moments,
  type Part,
  partKinds,
  type Schedule,
} from '../../attacks/composition.ts';
import { exchangeSeeds, maxExchanges, maxStretches, type Placement, type Stretch } from '../../attacks/placement.ts';

/**
 * Maximum number of levels that a drawn composition defines, from the top; the last entry applies to all levels below.
 */
const drawnLevels = 6;

/** Draws the contributions that the Byzantine peers of each level send, and the sending times. */
export function randomComposition(random: RandomStream): Composition {
  return Array.from({ length: 1 + random.nextBelow(drawnLevels) }, () => randomParts(random));
}

/** Draws one part for most levels, two parts for some, and none for few. */
function randomParts(random: RandomStream): Part[] {
  return Array.from({ length: oneOf(random, [0, 1, 1, 1, 1, 1, 1, 2, 2, 2]) }, () => randomPart(random));
}

function randomPart(random: RandomStream): Part {
  return { what: oneOf(random, partKinds), count: randomCount(random), when: randomMoment(random) };
}

/** Draws the members of a part: all of a level's members in half of the draws, otherwise a power of two. */
function randomCount(random: RandomStream): number | undefined {
  return random.nextUnit() < 0.5 ? undefined : 1 << random.nextBelow(8);
}

function randomMoment(random: RandomStream): Part['when'] {
  return random.nextUnit() < 0.6 ? oneOf(random, moments) : randomSchedule(random);
}

function randomSchedule(random: RandomStream): Schedule {
  return { fromMs: 50 * random.nextBelow(14), everyMs: random.nextUnit() < 0.5 ? 0 : 1 + random.nextBelow(20) };
}

/**
 * Returns the composition with one change: a part's kind, count or moment; an added or removed part or level; or two
 * swapped levels.
 */
export function changed(composition: Composition, random: RandomStream): Composition {
  const levels = composition.map((parts) => [...parts]);
  const at = random.nextBelow(levels.length);
  const parts = levels[at]!;
  const which = random.nextBelow(Math.max(1, parts.length));
  const part = parts[which];
  switch (random.nextBelow(8)) {
    case 0:
      if (parts.length < maxParts) parts.splice(random.nextBelow(parts.length + 1), 0, randomPart(random));
      break;
    case 1:
      parts.splice(which, 1);
      break;
    case 2:
      if (levels.length < maxLevels) levels.splice(at, 0, randomParts(random));
      break;
    case 3:
      if (levels.length > 1) levels.splice(at, 1);
      break;
    case 4: {
      const other = random.nextBelow(levels.length);
      [levels[at], levels[other]] = [levels[other]!, parts];
      break;
    }
    case 5:
      if (part !== undefined) parts[which] = { ...part, what: oneOf(random, partKinds) };
      break;
    case 6:
      if (part !== undefined) parts[which] = { ...part, count: randomCount(random) };
      break;
    default:
      if (part !== undefined) parts[which] = { ...part, when: randomMoment(random) };
  }
  return levels;
}

/** Draws a placement. Two in three placements have stretches of a single kind. */
export function randomPlacement(random: RandomStream): Placement {
  return { stretches: Array.from({ length: oneOf(random, [1, 1, 2]) }, () => randomStretch(random)), exchanges: [] };
}

/**
 * Draws subtrees of 2 to 256 leaves. In half of the draws, one node per subtree remains honest, otherwise any power of
 * two or none.
 */
function randomStretch(random: RandomStream): Stretch {
  const order = 1 + random.nextBelow(8);
  const honest = random.nextUnit() < 0.5 ? 1 : random.nextBelow(order + 2);
  return {
    subtrees: random.nextUnit() < 0.5 ? 1 : 1 + random.nextBelow(8),
    honest: honest === 0 ? 0 : 1 << (honest - 1),
    size: 1 << order,
  };
}

/**
 * Returns the placement with one change: ids exchanged or restored, a stretch changed, added or removed, or, rarely, a
 * return to drawn ids. A change of drawn ids turns them into chosen ids.
 */
export function movedPlacement(placement: Placement | undefined, random: RandomStream): Placement | undefined {
  if (placement === undefined) return randomPlacement(random);
  const stretches = [...placement.stretches];
  const exchanges = [...placement.exchanges];
  const at = random.nextBelow(stretches.length);
  switch (random.nextBelow(8)) {
    case 0:
      return undefined;
    case 1:
      if (stretches.length > 1) stretches.splice(at, 1);
      break;
    case 2:
      if (stretches.length < maxStretches) stretches.splice(at, 0, randomStretch(random));
      break;
    case 3:
      exchanges.splice(random.nextBelow(exchanges.length + 1), 1);
      break;
    case 4:
    case 5:
      stretches[at] = randomStretch(random);
      break;
    default:
      if (exchanges.length < maxExchanges) exchanges.push(random.nextBelow(exchangeSeeds));
  }
  return { stretches, exchanges };
}

/** Draws one of the values, all with the same probability. The list must not be empty. */
export function oneOf<T>(random: RandomStream, values: readonly T[]): T {
  return values[random.nextBelow(values.length)]!;
}

/** The space of a search: trials that can be drawn, changed slightly, and compared by their results. */
export interface Hill<Trial, Tried extends Trial> {
  /** Initial trials. */
  readonly from: readonly Trial[];
  /** Number of classes. Trials are compared only within their class, numbered from 0. */
  readonly classes: number;
  classOf(trial: Trial): number;
  /** Returns a name that is equal for equal trials. */
  nameOf(trial: Trial): string;
  draw(random: RandomStream): Trial;
  /** Returns the trial with one change. */
  changed(trial: Trial, random: RandomStream): Trial;
  /** Returns a negative number if `a` harms the victims more than `b`. */
  order(a: Tried, b: Tried): number;
}

/** Number of the worst trials of a class that are kept for variation. */
const kept = 5;

/** One in this many trials is drawn at random; the other trials are variations of the worst ones. */
const drawnAnew = 3;

/** Number of consecutive repeated trials after which the search assumes that no new trials remain. */
const maxRepeats = 1000;

/**
 * Hill climbing: trials are drawn, and the worst trials are changed in small steps. The search has no clock and runs
 * nothing: it proposes trials and records their results. The seed and the number of trials therefore determine a search
 * on any machine.
 */
export class HillClimb<Trial, Tried extends Trial> {
  readonly #hill: Hill<Trial, Tried>;
  readonly #random: RandomStream;
  readonly #seen = new Set<string>();
  readonly #ahead: Trial[];
  readonly #worst: Tried[][];
  #tried = 0;

  constructor(hill: Hill<Trial, Tried>, random: RandomStream) {
    this.#hill = hill;
    this.#random = random;
    this.#ahead = [...hill.from];
    this.#worst = Array.from({ length: hill.classes }, () => []);
  }

  /** Worst trials by class, the worst first. */
  get worst(): readonly (readonly Tried[])[] {
    return this.#worst;
  }

  get tried(): number {
    return this.#tried;
  }

  /** Returns the given number of trials not proposed before; fewer if no more exist. */
  propose(count: number): readonly Trial[] {
    return Array.from({ length: count }, () => this.#next()).filter((trial) => trial !== undefined);
  }

  /** Records the results of trials, in the order in which the trials were proposed. */
  learn(results: readonly Tried[]): void {
    requireArray('results', results);
    for (const tried of results) {
      this.#tried++;
      this.#worst[this.#hill.classOf(tried)]?.push(tried);
    }
    for (const worst of this.#worst) {
      worst.sort((a, b) => this.#hill.order(a, b));
      worst.length = Math.min(worst.length, kept);
    }
  }

  #next(): Trial | undefined {
    for (let repeats = 0; repeats < maxRepeats; repeats++) {
      const trial = this.#ahead.shift() ?? this.#draw();
      const name = this.#hill.nameOf(trial);
      if (this.#seen.has(name)) continue;
      this.#seen.add(name);
      return trial;
    }
    return undefined;
  }

  #draw(): Trial {
    const random = this.#random;
    const begun = this.#worst.filter((worst) => worst.length > 0);
    if (begun.length === 0 || random.nextBelow(drawnAnew) === 0) return this.#hill.draw(random);
    let trial: Trial = oneOf(random, oneOf(random, begun));
    for (let changes = 1 + random.nextBelow(3); changes > 0; changes--) trial = this.#hill.changed(trial, random);
    return trial;
  }
}
