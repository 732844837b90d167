import type { Fault } from '@tutti/simulation';

/** Returns the ids of the nodes that a fault names. The result is empty for random nodes and for faults of links. */
function nodesOf(fault: Fault): readonly number[] {
  if ('nodes' in fault) return 'share' in fault.nodes ? [] : fault.nodes;
  return fault.kind === 'corruption' && fault.from !== undefined && !('share' in fault.from) ? fault.from : [];
}

/** Returns the nodes with an active fault at a moment: stopped, paused, cut off, slow, or Byzantine. */
export function faultyAt(faults: readonly Fault[], timeUs: number): ReadonlySet<number> {
  const atMs = timeUs / 1000;
  const now = faults.filter((fault) => {
    const fromMs = 'atMs' in fault ? (fault.atMs ?? 0) : 0;
    const forMs = 'forMs' in fault ? (fault.forMs ?? Number.POSITIVE_INFINITY) : Number.POSITIVE_INFINITY;
    return fromMs <= atMs && atMs < fromMs + forMs;
  });
  return new Set(now.flatMap(nodesOf));
}
