import type { RandomStream } from '@tutti/core';
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
  return Array.from({ length: drawOne(random, [0, 1, 1, 1, 1, 1, 1, 2, 2, 2]) }, () => randomPart(random));
}

function randomPart(random: RandomStream): Part {
  return { what: drawOne(random, partKinds), count: randomCount(random), when: randomMoment(random) };
}

/** Draws the members of a part: all of a level's members in half of the draws, otherwise a power of two. */
function randomCount(random: RandomStream): number | undefined {
  return random.nextUnit() < 0.5 ? undefined : 1 << random.nextBelow(8);
}

function randomMoment(random: RandomStream): Part['when'] {
  return random.nextUnit() < 0.6 ? drawOne(random, moments) : randomSchedule(random);
}

function randomSchedule(random: RandomStream): Schedule {
  return { fromMs: 50 * random.nextBelow(14), everyMs: random.nextUnit() < 0.5 ? 0 : 1 + random.nextBelow(20) };
}

/**
 * Returns the composition with at most one change: a part's kind, count or moment; an added or removed part or level;
 * or two swapped levels.
 */
export function changedComposition(composition: Composition, random: RandomStream): Composition {
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
      if (part !== undefined) parts[which] = { ...part, what: drawOne(random, partKinds) };
      break;
    case 6:
      if (part !== undefined) parts[which] = { ...part, count: randomCount(random) };
      break;
    default:
      if (part !== undefined) parts[which] = { ...part, when: randomMoment(random) };
  }
  return levels;
}

/** Draws a placement without exchanges: two in three placements have one stretch, the others two. */
export function randomPlacement(random: RandomStream): Placement {
  return { stretches: Array.from({ length: drawOne(random, [1, 1, 2]) }, () => randomStretch(random)), exchanges: [] };
}

/**
 * Draws subtrees of 2 to 256 leaves. In half of the draws, one node per subtree remains honest, otherwise any power of
 * two up to the subtree's size, or none.
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
 * Returns the placement with at most one change: ids exchanged or restored, a stretch changed, added or removed, or,
 * rarely, a return to drawn ids. A change of drawn ids turns them into chosen ids.
 */
export function changedPlacement(placement: Placement | undefined, random: RandomStream): Placement | undefined {
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
export function drawOne<T>(random: RandomStream, values: readonly T[]): T {
  return values[random.nextBelow(values.length)]!;
}
