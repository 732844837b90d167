import { shuffle } from '@tutti/core';
import { partOf, requireArray } from '@tutti/core/settings';
import type { Fault, FaultKind, NodeSet } from '../scenario/faultPlan.ts';

/** A fault with the name of its randomness. */
export interface NamedFault {
  readonly fault: Fault;
  readonly purpose: string;
}

/**
 * Names each fault's randomness by its kind and its place among the faults of that kind: removing a fault from a plan
 * does not change what is drawn for the other kinds.
 */
export function named(faults: readonly Fault[]): readonly NamedFault[] {
  requireArray('faults', faults);
  const before = new Map<FaultKind, number>();
  return faults.map((fault) => {
    const place = before.get(fault.kind) ?? 0;
    before.set(fault.kind, place + 1);
    return { fault, purpose: `faults ${fault.kind} ${place}` };
  });
}

/** The ids of a set. @param purpose names the draw where the set is a share. */
export function idsIn(set: NodeSet, nodes: number, seed: number, purpose: string): readonly number[] {
  if (!('share' in set)) return set;
  return [...shuffle(nodes, seed, purpose).subarray(0, partOf(nodes, set.share))];
}
