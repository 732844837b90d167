import { shuffle } from '@tutti/core';
import { partOf, requireArray } from '@tutti/core/input';
import type { Crash, Fault, FaultKind, NodeSet, Pause, Restart } from '../scenario/faultPlan.ts';
import type { Scenario } from '../scenario/scenario.ts';

/**
 * Names each fault's random stream by the fault's kind and its index among the faults of that kind. Removing a fault
 * from a plan does not change the draws of the other kinds.
 */
export function named(faults: readonly Fault[]): readonly { readonly fault: Fault; readonly purpose: string }[] {
  requireArray('faults', faults);
  const before = new Map<FaultKind, number>();
  return faults.map((fault) => {
    const place = before.get(fault.kind) ?? 0;
    before.set(fault.kind, place + 1);
    return { fault, purpose: `faults ${fault.kind} ${place}` };
  });
}

/** Returns the ids in a set. @param purpose name of the draw, used if the set is a share. */
export function idsIn(set: NodeSet, nodes: number, seed: number, purpose: string): readonly number[] {
  if (!('share' in set)) return set;
  return [...shuffle(nodes, seed, purpose).subarray(0, partOf(nodes, set.share))];
}

/** Kinds of outages of a node, in ascending order of severity. */
export const outageKinds = ['pause', 'kept', 'lost', 'crash'] as const;
/** One of {@link outageKinds}. */
export type OutageKind = (typeof outageKinds)[number];

/** An interval in µs, which includes its start and excludes its end. */
export interface Span {
  readonly fromUs: number;
  /** End of the interval; infinite if the interval lasts until the end of the run. */
  readonly untilUs: number;
}

/** An interval in which a node does nothing. */
export interface Outage extends Span {
  readonly kind: OutageKind;
}

/** An interval in which a node's verifications take longer. */
export interface Slowness extends Span {
  readonly factor: number;
}

/** The planned faults of one node. */
export interface NodeFaults {
  /** Outages of the node in ascending order of time, not overlapping. */
  readonly outages: readonly Outage[];
  readonly slow: readonly Slowness[];
  /** Offset of the node's clock from the common clock at the origin, µs; negative if the node's clock is behind. */
  readonly skewUs: number;
  /** Seconds of the node's clock per true second. */
  readonly rate: number;
}

/** Returns the planned faults of the nodes, by id; nodes without faults have no entry. */
export function faultsByNode(faults: readonly Fault[], nodes: number, seed: number): ReadonlyMap<number, NodeFaults> {
  const found = new Map<number, { outages: Outage[]; slow: Slowness[]; skewUs: number; rate: number }>();
  for (const { fault, purpose } of named(faults)) {
    if (!isOfNodes(fault)) continue;
    for (const id of idsIn(fault.nodes, nodes, seed, purpose)) {
      const at = found.get(id) ?? { outages: [], slow: [], skewUs: 0, rate: 1 };
      found.set(id, at);
      if (fault.kind === 'slow-nodes') at.slow.push({ ...spanOf(fault), factor: fault.factor });
      else if (fault.kind === 'drift') at.rate *= fault.rate;
      else if (fault.kind === 'skew') at.skewUs += Math.round(fault.byMs * 1000);
      else at.outages.push(outageOf(fault));
    }
  }
  return new Map([...found].map(([id, { outages, ...rest }]) => [id, { outages: merged(outages), ...rest }]));
}

/** Returns whether a node crashes, which is permanent. */
export const crashes = ({ outages }: NodeFaults): boolean => outages.some(({ kind }) => kind === 'crash');

/** Returns the interval of a fault. */
export function spanOf({ atMs = 0, forMs }: { readonly atMs?: number; readonly forMs?: number }): Span {
  const fromUs = Math.round(atMs * 1000);
  return { fromUs, untilUs: forMs === undefined ? Number.POSITIVE_INFINITY : fromUs + Math.round(forMs * 1000) };
}

/** A fault of nodes, as opposed to the network between nodes. */
export type NodeFault = Extract<Fault, { kind: 'crash' | 'restart' | 'pause' | 'slow-nodes' | 'skew' | 'drift' }>;

const nodeKinds: readonly string[] = [
  'crash',
  'restart',
  'pause',
  'slow-nodes',
  'skew',
  'drift',
] satisfies NodeFault['kind'][];

/** Returns whether a fault affects nodes, as opposed to the network between nodes. */
export function isOfNodes(fault: Fault): fault is NodeFault {
  return nodeKinds.includes(fault.kind);
}

function outageOf(fault: Crash | Restart | Pause): Outage {
  return { ...spanOf(fault), kind: fault.kind === 'restart' ? fault.state : fault.kind };
}

/** Merges outages that overlap or touch into one outage of the most severe kind among them. */
function merged(outages: readonly Outage[]): Outage[] {
  const apart: Outage[] = [];
  for (const next of outages.toSorted((a, b) => a.fromUs - b.fromUs)) {
    const last = apart.at(-1);
    if (last === undefined || next.fromUs > last.untilUs) {
      apart.push(next);
      continue;
    }
    const worst = Math.max(outageKinds.indexOf(last.kind), outageKinds.indexOf(next.kind));
    apart[apart.length - 1] = {
      fromUs: last.fromUs,
      untilUs: Math.max(last.untilUs, next.untilUs),
      kind: outageKinds[worst]!,
    };
  }
  return apart;
}

/** All faults of a run. */
export interface PlannedFaults {
  readonly all: readonly Fault[];
  /** Faults of each node; nodes without faults have no entry. */
  readonly byNode: ReadonlyMap<number, NodeFaults>;
}

/** Returns all faults of a scenario, and those of each node. */
export function plannedFaults(scenario: Scenario): PlannedFaults {
  const all = allFaults(scenario);
  return { all, byNode: faultsByNode(all, scenario.nodes, scenario.seed) };
}

/** Returns a scenario's fault plan, plus a restart of the nodes that are absent at first. */
export function allFaults(scenario: Scenario): readonly Fault[] {
  const { faults, absentMs } = scenario;
  const nodes = absentNodes(scenario);
  if (nodes.length === 0) return faults;
  return [...faults, { kind: 'restart', nodes, atMs: 0, forMs: absentMs, state: 'lost' }];
}

/**
 * Returns the nodes that are absent at first. Dead nodes, and Byzantine nodes that are drawn by the seed alone, are
 * drawn from the other nodes first.
 */
export function absentNodes({ absent, nodes, seed }: Scenario): number[] {
  const count = absent < 1 ? partOf(nodes, absent) : absent;
  return [...shuffle(nodes, seed, 'dead').subarray(nodes - count)];
}

/** Countable effects of a fault plan. */
export type Injected = FaultKind | 'missed';

/**
 * Counts of a plan's effects so far: nodes that crashed, restarted or paused, or have wrong clocks; messages that were
 * lost, cut off by a partition, duplicated, delayed, corrupted or slowed; slowed verifications; and messages not
 * received because the node was down.
 */
export class InjectedCounts {
  readonly #counts = new Map<Injected, number>();

  count(what: Injected): void {
    this.#counts.set(what, (this.#counts.get(what) ?? 0) + 1);
  }

  toRecord(): Record<string, number> {
    return Object.fromEntries([...this.#counts].sort(([a], [b]) => (a < b ? -1 : 1)));
  }
}
