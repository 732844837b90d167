import { requireInteger } from '../../errors.ts';

/** Something that breaks. Plain data: a list of these is a scenario's fault plan. */
export type Fault = {
  /** The node stops for good. */
  readonly kind: 'crash';
  readonly node: number;
  readonly atMs: number;
};

/** @throws RangeError naming the fault and the field. */
export function checkFaults(faults: readonly Fault[], nodes: number): void {
  for (const [index, fault] of faults.entries()) requireInteger(`faults[${index}].node`, fault.node, 0, nodes - 1);
}

/** The nodes that a plan ends for good. */
export function neverBack(faults: readonly Fault[]): Set<number> {
  return new Set(faults.filter((fault) => fault.kind === 'crash').map((fault) => fault.node));
}
