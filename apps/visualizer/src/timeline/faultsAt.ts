import type { Fault } from '@tutti/simulation';

/** Nodes that a fault names one by one; none where it draws them or is of links. */
function nodesOf(fault: Fault): readonly number[] {
  if ('nodes' in fault) return 'share' in fault.nodes ? [] : fault.nodes;
  return fault.kind === 'corruption' && fault.from !== undefined && !('share' in fault.from) ? fault.from : [];
}

/** Nodes to which something is being done at a moment: they are stopped, paused, cut off, slow, or lie. */
export function faultyAt(faults: readonly Fault[], timeUs: number): ReadonlySet<number> {
  const atMs = timeUs / 1000;
  const now = faults.filter((fault) => {
    const fromMs = 'atMs' in fault ? (fault.atMs ?? 0) : 0;
    const forMs = 'forMs' in fault ? (fault.forMs ?? Number.POSITIVE_INFINITY) : Number.POSITIVE_INFINITY;
    return fromMs <= atMs && atMs < fromMs + forMs;
  });
  return new Set(now.flatMap(nodesOf));
}
