import {
  clientPresets,
  defaultNetworkScenario,
  type Lateness,
  type NetworkScenario,
  type NetworkSlot,
  proposals,
  runNetworkSlot,
} from '@tutti/ethereum';
import { percentile } from '@tutti/simulation';

/** A published measurement of mainnet, and the simulated slot to compare with the measurement. */
interface MainnetFigure {
  readonly what: string;
  readonly unit: 'ms' | '%';
  /** One number, or the range of numbers over several slots. */
  readonly measured: readonly [number] | readonly [number, number];
  readonly slot: keyof typeof latenesses;
  readonly source: keyof typeof sources;
  /** Returns the simulated value. */
  readonly of: (slot: ObservedSlot) => number;
  /** True if an input of the simulation was chosen so that the simulation matches the measurement. */
  readonly isFitted?: true;
  /** Cause of the difference, if the cause is known. */
  readonly cause?: string;
}

/** Publications that contain the figures, with their dates. */
const sources = {
  observatory:
    'ethpandaops/investigations@a6b830c, pages/2026-05/fcr-source-comparison: 61.0M votes, first seen by 5 sentries, 2025-12-06 to 2026-01-02',
  clocks: 'aubury.org/blog/attestation-clocks: 199,043,024 votes, time at which each was first seen, 2026-06-19',
  missed: 'ethresear.ch/t/23016: missed slots in one week of August 2025, ms after second 4 of the slot',
  committee:
    'sukunrt/batched-attestation-sim@99cafae, mainnet-data: one committee, one observer, five slots of 2026-03-25 and 2026-03-26, ms after the votes were due',
  blocks: 'ethpandaops/investigations, pages/2026-03/fcr-attestation-proxy: 1,800 slots, February and March 2026',
  relays: 'ethresear.ch/t/23016: blocks from relays in the same week; votes about 1.2 s and 3 s after the block',
  duplicates: 'reldo-site.pages.dev: 35 nodes, 24 hours to 2026-02-02',
} as const;

/** Lateness of voters, chosen so that the simulation matches the three figures from the source `missed`. */
const { late } = proposals.late.changes.lateness;

/**
 * Simulated slots for different lateness of voters. In `nobody late`, all validators vote when votes are due. In a
 * missed slot, no node receives a block to vote for. In the two other slots, the median node has processed the block
 * 0.6 s after the block is first seen, at 1.9 s (p99.9 3.8 s; ethpandaops/investigations, 2026-02-05). The processing
 * time of 0.6 s was chosen so that the first quarter of `observatory` agrees with the simulation.
 */
export const latenesses = {
  'nobody late': { headShare: 0, headMs: 0, headP99Ms: 0, late: [] },
  missed: { headShare: 0, headMs: 0, headP99Ms: 0, late },
  'December 2025': { headShare: 0.5, headMs: 2500, headP99Ms: 4000, late },
  'June 2026': { headShare: 0.85, headMs: 2500, headP99Ms: 4000, late },
} as const satisfies Record<string, Lateness>;

/**
 * Mainnet as far as its parameters are known: 64 committees of 454 validators, ten thousand nodes, and five observers
 * on every subnet.
 */
export const mainnet: NetworkScenario = {
  ...defaultNetworkScenario,
  system: 'electra',
  validators: 32 * 64 * 454,
  network: 'cities',
  client: { ...clientPresets['lighthouse-2026'], machine: 'i7-8550U', cores: 16 },
  observers: 5,
};

/**
 * A slot as seen by observers: sorted times at which the observers verified votes and aggregates; infinite for never.
 */
export interface ObservedSlot {
  readonly slot: NetworkSlot;
  /** Times at which one observer had verified each vote, ms after the votes are due. */
  readonly one: Float64Array;
  /** Times at which the first observer had verified each vote, ms since the start of the slot. */
  readonly first: Float64Array;
  /** Times at which the first of the observed nodes had verified each aggregate, ms since the start of the slot. */
  readonly aggregates: Float64Array;
  /** Time at which votes are due, ms since the start of the slot. */
  readonly dueMs: number;
}

/** Runs one kind of slot. The scenario of this slot is {@link mainnet} with changes. */
export function observedSlot(scenario: NetworkScenario, name: MainnetFigure['slot']): ObservedSlot {
  const slot = runNetworkSlot({ ...scenario, lateness: latenesses[name] });
  const { world, run } = slot;
  const dueMs = world.system.attestMs;
  const one: number[] = [];
  const first: number[] = [];
  for (const subnet of run.arrivals) {
    const places = Array.from(world.observers, (node) => subnet.members.indexOf(node));
    for (const { verifiedUs } of subnet.votes) {
      const seen = places.map((place) => msOf(verifiedUs[place]!));
      one.push(seen[0]! - dueMs);
      first.push(Math.min(...seen));
    }
  }
  // All nodes are alike on the global topic, so the run observed only a sample of 192 nodes.
  const aggregates = run.verifiedUs.map((row) => Math.min(...Array.from(row, msOf)));
  return {
    slot,
    one: Float64Array.from(one).sort(),
    first: Float64Array.from(first).sort(),
    aggregates: Float64Array.from(aggregates).sort(),
    dueMs,
  };
}

const msOf = (us: number): number => (us === -1 ? Number.POSITIVE_INFINITY : us / 1000);

const at = (sorted: Float64Array, share: number): number => percentile(sorted, share)!;
const percentAfter = (sorted: Float64Array, ms: number): number =>
  (100 * sorted.reduce((sum, one) => sum + (one > ms ? 1 : 0), 0)) / sorted.length;
const mean = (sorted: Float64Array): number => {
  const seen = sorted.filter(Number.isFinite);
  return seen.reduce((sum, one) => sum + one, 0) / seen.length;
};

/** Returns the middle of the 300 ms interval with the most votes within a time range. */
function peakMs(sorted: Float64Array, fromMs: number, toMs: number): number {
  let [best, maxCount] = [fromMs, -1];
  for (let from = fromMs; from + 300 <= toMs; from += 50) {
    const count = sorted.reduce((sum, one) => sum + (one >= from && one < from + 300 ? 1 : 0), 0);
    if (count > maxCount) [best, maxCount] = [from + 150, count];
  }
  return best;
}

function duplicates({ slot: { result } }: ObservedSlot, layer: 'subnets' | 'global'): number {
  const loads = result.layerLoads[layer]!;
  const sum = (key: 'copies' | 'duplicates') => loads.reduce((all, load) => all + load[key], 0);
  return (100 * sum('duplicates')) / sum('copies');
}

type MeasuredRange = MainnetFigure['measured'];

/** Returns the rows for one slot and one source. */
function rows(
  slot: MainnetFigure['slot'],
  source: MainnetFigure['source'],
  unit: MainnetFigure['unit'],
  figures: readonly (readonly [
    what: string,
    measured: MeasuredRange,
    of: MainnetFigure['of'],
    more?: 'fitted' | { readonly cause: string },
  ])[],
): MainnetFigure[] {
  return figures.map(([what, measured, of, more]) => ({
    what,
    unit,
    measured,
    slot,
    source,
    of,
    ...(more === 'fitted' ? { isFitted: true as const } : more),
  }));
}

const one = (share: number) => (seen: ObservedSlot) => at(seen.one, share);
const first = (share: number) => (seen: ObservedSlot) => at(seen.first, share);
const firstAfter = (ms: number) => (seen: ObservedSlot) => percentAfter(seen.first, ms);
const lateOperators = { cause: "late operators cause these late votes; the network's delays have no such tail" };
const lateVoters = {
  cause: 'validators that voted at the deadline were later in December than in the missed slots in August',
};
const fewObservers = {
  cause:
    'the simulated value is the first arrival at any of 192 nodes (280 ms for five nodes); the publication does not state the number of measuring nodes',
};

/** All figures, grouped by slot, source and unit. */
export const measuredRows: readonly MainnetFigure[] = [
  ...rows('nobody late', 'committee', 'ms', [
    ['votes, p25', [184, 247], one(0.25)],
    ['votes, p50', [271, 398], one(0.5)],
    ['votes, p95', [1401, 2107], one(0.95), lateOperators],
  ]),
  ...rows('missed', 'missed', 'ms', [
    ['votes, mean', [831], (seen) => mean(seen.first) - seen.dueMs, 'fitted'],
    ['votes, two thirds reached', [830], (seen) => at(seen.first, 2 / 3) - seen.dueMs, 'fitted'],
    ['votes, p95', [1962], (seen) => at(seen.first, 0.95) - seen.dueMs, 'fitted'],
  ]),
  ...rows('missed', 'committee', 'ms', [
    ['votes, p95', [1401, 2107], one(0.95)],
    ['votes, p99', [2252, 2774], one(0.99)],
  ]),
  ...rows('December 2025', 'observatory', 'ms', [
    ['votes, p25', [3113], first(0.25), 'fitted'],
    ['votes, p50', [4313], first(0.5)],
    ['votes, p75', [4971], first(0.75)],
    ['votes, p90', [5513], first(0.9)],
    ['votes, p95', [5923], first(0.95)],
    ['votes, p99', [6683], first(0.99)],
  ]),
  ...rows('December 2025', 'observatory', '%', [
    ['votes past 4 s', [59.2], firstAfter(4000), 'fitted'],
    ['votes past 6 s', [4.37], firstAfter(6000), lateVoters],
    ['in the next block', [99.88, 99.94], ({ slot }) => 100 * slot.result.inReach.mean],
  ]),
  ...rows('December 2025', 'relays', 'ms', [
    [
      'time between the two peaks',
      [1800],
      (seen) => peakMs(seen.first, 4000, 8000) - peakMs(seen.first, 0, 4000),
      lateVoters,
    ],
  ]),
  ...rows('June 2026', 'clocks', '%', [['votes past 4 s', [29.9], firstAfter(4000), 'fitted']]),
  ...rows('June 2026', 'clocks', 'ms', [
    ['votes, p50', [2916], first(0.5)],
    ['aggregates past 8 s, p50', [42], ({ aggregates }) => at(aggregates, 0.5) - 8000, fewObservers],
    ['aggregates past 8 s, p95', [72], ({ aggregates }) => at(aggregates, 0.95) - 8000, fewObservers],
  ]),
  ...rows('December 2025', 'duplicates', '%', [
    ['duplicates of votes', [79.5], (seen) => duplicates(seen, 'subnets')],
    ['duplicates of aggregates', [80.5], (seen) => duplicates(seen, 'global')],
  ]),
];

/**
 * Maximum relative distance from the measurement, or from the measured range, at which a row agrees with the
 * simulation.
 */
export const agreement = 0.15;

/** A figure with its measured and its simulated value. */
export interface ComparedRow extends Pick<MainnetFigure, 'what' | 'unit' | 'measured' | 'slot'> {
  readonly source: string;
  readonly simulated: number;
  /** Relative difference from the measurement, or from the nearer end of the measured range; 0 within the range. */
  readonly off: number;
  /**
   * Difference relative to the time since votes were due, for a figure that counts time from the start of the slot and
   * lies after that time.
   */
  readonly offSinceDue?: number;
  readonly verdict: 'fitted' | 'agrees' | 'differs';
  readonly cause?: string;
}

/**
 * Compares a simulated slot with the measurements for slots of its kind.
 *
 * @param seen result of {@link observedSlot} for the slot of the same name.
 */
export function comparedRows(seen: ObservedSlot, name: MainnetFigure['slot']): ComparedRow[] {
  const { dueMs } = seen;
  return measuredRows
    .filter(({ slot }) => slot === name)
    .map(({ what, unit, measured, slot, source, of, isFitted, cause }) => {
      const simulated = of(seen);
      const off = relativeDistance(simulated, measured);
      const verdict = Math.abs(off) > agreement ? 'differs' : isFitted ? 'fitted' : 'agrees';
      const isAfterDue = unit === 'ms' && measured[0] > dueMs;
      return {
        what,
        unit,
        measured,
        slot,
        source: sources[source],
        simulated,
        off,
        ...(isAfterDue && { offSinceDue: relativeDistance(simulated - dueMs, [measured[0] - dueMs]) }),
        verdict,
        ...(verdict === 'differs' && cause !== undefined && { cause }),
      };
    });
}

/** Returns the relative distance from the measurement, or from the nearer end of the measured range. */
function relativeDistance(simulated: number, measured: MeasuredRange): number {
  const [from, to = from] = measured;
  if (simulated >= from && simulated <= to) return 0;
  return simulated < from ? (simulated - from) / from : (simulated - to) / to;
}
