import { requireFunction, requireInteger, requireObject } from '@tutti/core/input';
import type { Fault, NodeSet } from '../scenario/faultPlan.ts';
import type { Scenario } from '../scenario/scenario.ts';
import { validateLiveNodes } from '../world/world.ts';

/** Options of {@link shrink}. */
export interface ShrinkOptions {
  /** Maximum number of calls of `fails`. Default: 300. */
  readonly tries?: number;
}

/** Result of {@link shrink}. */
export interface Shrunk {
  /** Scenario that fails in the same way, and is not larger in any respect. */
  readonly scenario: Scenario;
  /** Number of calls of `fails`. */
  readonly tries: number;
}

/**
 * Makes a failing scenario smaller for a reader, as long as it still fails (delta debugging): fewer faults, attacks and
 * nodes, and faults that are shorter and concern fewer nodes. The search is greedy and deterministic: each smaller
 * scenario that fails is the starting point of the next step.
 *
 * @param fails runs a scenario and returns whether it fails in the same way; called only with scenarios that can run.
 * @throws RangeError if the scenario is invalid, cannot run or does not fail; TypeError for an argument of the wrong type.
 */
export function shrink(scenario: Scenario, fails: (smaller: Scenario) => boolean, options: ShrinkOptions = {}): Shrunk {
  requireObject('options', options);
  const { tries: max = 300 } = options;
  requireInteger('tries', max, 1, 2 ** 31 - 1);
  validateLiveNodes(scenario);
  requireFunction('fails', fails);
  if (!fails(scenario)) throw new RangeError('scenario: expected a scenario that fails, got one that succeeds');
  let smallest = scenario;
  let tries = 1;
  const next = (ways: (of: Scenario) => Iterable<Scenario>): Scenario | undefined => {
    for (const candidate of ways(smallest)) {
      if (tries === max) return undefined;
      if (!canRun(candidate)) continue;
      tries++;
      if (fails(candidate)) return candidate;
    }
    return undefined;
  };
  for (let isSmaller = true; isSmaller; ) {
    isSmaller = false;
    for (const ways of [withFewerFaults, withFewerAttacks, withFewerNodes, withLess]) {
      for (let found = next(ways); found !== undefined; found = next(ways)) {
        smallest = found;
        isSmaller = true;
      }
    }
  }
  return { scenario: smallest, tries };
}

/**
 * Returns whether a scenario can run. A smaller or simpler scenario may be invalid: with fewer nodes, an id may have no
 * node, or every honest node may crash; and a simpler network may lack the machines that another field needs.
 */
export function canRun(scenario: Scenario): boolean {
  try {
    validateLiveNodes(scenario);
    return true;
  } catch (error) {
    if (error instanceof RangeError) return false;
    throw error;
  }
}

function* withFewerFaults(scenario: Scenario): Iterable<Scenario> {
  for (const faults of withoutParts(scenario.faults)) yield { ...scenario, faults };
}

function* withFewerAttacks(scenario: Scenario): Iterable<Scenario> {
  for (const attacks of withoutParts(scenario.attacks)) yield { ...scenario, attacks };
  if (scenario.dead > 0) yield { ...scenario, dead: 0 };
  if (scenario.desyncMs > 0) yield { ...scenario, desyncMs: 0 };
}

function* withFewerNodes(scenario: Scenario): Iterable<Scenario> {
  for (const nodes of smallerThan(scenario.nodes)) {
    const faults = scenario.faults.flatMap((fault) => amongFirst(fault, nodes));
    yield { ...scenario, nodes, faults };
  }
}

/** Yields the scenario with smaller or fewer faults and attacks. */
function* withLess(scenario: Scenario): Iterable<Scenario> {
  for (const [index, fault] of scenario.faults.entries()) {
    for (const less of smallerFaults(fault)) yield { ...scenario, faults: scenario.faults.with(index, less) };
  }
  for (const [index, attack] of scenario.attacks.entries()) {
    const attacks = scenario.attacks.with(index, { ...attack, share: halfShare(attack.share) });
    if (attack.share > 0.01) yield { ...scenario, attacks };
  }
}

/**
 * Yields a list without all of its items, without its second half, its first half, its last quarter, and so on to
 * single items. The last items come first, because without the high ids there can be fewer nodes.
 */
function* withoutParts<T>(list: readonly T[]): Iterable<readonly T[]> {
  for (let part = list.length; part >= 1; part = Math.floor(part / 2)) {
    for (let end = list.length; end > 0; end -= part) {
      const start = Math.max(0, end - part);
      yield list.toSpliced(start, end - start);
    }
  }
}

/** Returns half of a number, three quarters of it, and the number minus one. */
function smallerThan(count: number): number[] {
  const less = new Set([Math.floor(count / 2), Math.floor((3 * count) / 4), count - 1]);
  return [...less].filter((nodes) => nodes >= 1 && nodes < count);
}

/** Returns the fault without nonexistent ids; an empty list if a set would have no ids left. */
function amongFirst(fault: Fault, nodes: number): Fault[] {
  let made = fault;
  for (const [field, set] of nodeSetsOf(fault)) {
    if ('share' in set) continue;
    const left = set.filter((id) => id < nodes);
    if (left.length === 0) return [];
    made = { ...made, [field]: left };
  }
  return [made];
}

/** Numeric fields of faults that shrinking halves, and the minimum absolute value of each. */
const minimums = { forMs: 1, byMs: 1, withinMs: 0, share: 0.01, factor: 1 };

function* smallerFaults(fault: Fault): Iterable<Fault> {
  const fields: Readonly<Record<string, unknown>> = { ...fault };
  for (const [field, set] of nodeSetsOf(fault)) {
    for (const less of smallerSets(set)) yield { ...fault, [field]: less };
  }
  for (const [field, min] of Object.entries(minimums)) {
    const value = fields[field];
    if (typeof value !== 'number') continue;
    const half = field === 'share' ? halfShare(value) : Math.trunc(value / 2);
    if (Math.abs(half) >= min && Math.abs(half) < Math.abs(value)) yield { ...fault, [field]: half };
  }
}

function smallerSets(set: NodeSet): NodeSet[] {
  if (!('share' in set)) return [...withoutParts(set)].filter(({ length }) => length > 0);
  const half = halfShare(set.share);
  return half > 0 ? [{ share: half }] : [];
}

/** Returns half of a share, rounded down to a multiple of 0.01. */
function halfShare(share: number): number {
  return Math.floor(share * 50) / 100;
}

function nodeSetsOf(fault: Fault): [field: string, set: NodeSet][] {
  return (['nodes', 'from', 'to'] as const).flatMap((field) => {
    const set = (fault as { readonly [name in typeof field]?: NodeSet })[field];
    return set === undefined ? [] : [[field, set]];
  });
}
