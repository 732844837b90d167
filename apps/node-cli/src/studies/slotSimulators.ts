import { seedSetting } from '@tutti/core/input';
import { type MeshExperiment, type MeshSlot, runMeshExperiment } from '@tutti/ethereum';
import { percentile } from '@tutti/simulation';
import { warn } from '../context.ts';
import { ignoredText, ofFile } from '../files/settingsText.ts';
import { flag, integer, ranged, seedsFlag, seedsFrom, toggle } from '../flags.ts';
import { networkFlag } from '../horn/networkFlags.ts';
import { readShadowFile } from '../horn/shadowFile.ts';
import { readInput } from '../output/files.ts';
import { type StatedWorld, worldLine } from '../output/statedWorld.ts';
import { counted, grouped, rowsTable } from '../output/text.ts';
import {
  fieldsOverSeeds,
  type OverSeeds,
  rowsOfRuns,
  rowsWithSeeds,
  runBySeed,
  spreadColumn,
  spreadMeaning,
} from '../results/overSeeds.ts';
import { loadAllNetworks } from '../simulatedRun.ts';
import { study } from './study.ts';

await loadAllNetworks();

const shares = { p5: 0.05, p25: 0.25, p50: 0.5, p75: 0.75, p90: 0.9, p95: 0.95, p99: 0.99, last: 1 } as const;

const pooledShares = { p50: 0.5, p90: 0.9, p95: 0.95, p99: 0.99, p999: 0.999, last: 1 } as const;

/** One slot of a simulation with one seed; times are in ms after publication. */
interface SimulatorRow {
  readonly simulation: string;
  readonly assumption?: string;
  readonly slot: number;
  /** Quantiles over the messages that one node has received, each as the median over the nodes. */
  readonly ofNodeMs: Readonly<Record<keyof typeof shares, number | null>>;
  /**
   * Times until half, and nine tenths, of the nodes have a message, as means over messages; null if some message does not
   * reach that share of the nodes.
   */
  readonly halfOfNodesMs: number | null;
  readonly nineTenthsOfNodesMs: number | null;
  readonly receivedBytes: number;
  readonly sentBytes: number;
}

/**
 * Quantiles over all messages of all slots and all nodes except the publisher, ms after publication; null if the
 * quantile's share is never reached.
 */
type PooledMs = Readonly<Record<keyof typeof pooledShares, number | null>>;

/** Output of `tutti slots compare-simulators --json`. Each number is a summary over seeds. */
interface SimulatorsDocument {
  readonly world: StatedWorld;
  readonly network: string;
  readonly seeds: readonly number[];
  readonly rows: readonly (Omit<SimulatorRow, OfSeed> & OverSeeds<Pick<SimulatorRow, OfSeed>>)[];
  readonly pooled: readonly (Omit<Pooled, 'ms'> & OverSeeds<Pick<Pooled, 'ms'>>)[];
}

const ofSeed = ['ofNodeMs', 'halfOfNodesMs', 'nineTenthsOfNodesMs', 'receivedBytes', 'sentBytes'] as const;
type OfSeed = (typeof ofSeed)[number];

/** Results of each slot, and of all slots of each simulation, one per seed. */
interface Found extends Pick<SimulatorsDocument, 'world' | 'network' | 'seeds'> {
  readonly slots: readonly (readonly SimulatorRow[])[];
  readonly all: readonly (readonly Pooled[])[];
}

interface Pooled {
  readonly simulation: string;
  /** Changed assumption, if `--vary-assumptions` is given. */
  readonly assumption?: string;
  readonly ms: PooledMs;
}

/** Maximum size of a configuration, bytes. Configurations are written by hand. */
const maxSettingsBytes = 2 ** 20;

export const slotSimulators = study({
  name: 'compare-simulators',
  about:
    'Simulate a gossipsub configuration that was written for another simulator: a simctl configuration for Shadow.',
  file: 'its configuration, YAML',
  flags: {
    network: networkFlag('cities'),
    slots: flag('<n>', 'number of slots to simulate, from the first one on (default: all)', integer(1, 32)),
    varyAssumptions: toggle('also simulate variants of the configuration that change one assumption at a time'),
    seed: flag('<n>', 'first seed (default: the seed in the configuration)', ranged(seedSetting.range)),
    seeds: seedsFlag(3),
  },
  async find({ network, slots, varyAssumptions: vary, seed, seeds: count }, context, file): Promise<Found> {
    const { text } = readInput(file, maxSettingsBytes);
    const { experiments, ignored } = ofFile(file, () => readShadowFile(text, network));
    warn(ignoredText(file, ignored));
    const seeds = seedsFrom(seed ?? experiments[0]!.experiment.seed, count);
    const all = experiments.flatMap(({ name, experiment }) => {
      const asked: readonly AssumedExperiment[] = vary === true ? variedExperiments(experiment) : [{ experiment }];
      return asked.map((one) => ({ name, ...one }));
    });
    const run = ({ name, experiment, assumption }: (typeof all)[number], seed: number) => {
      const max = Math.min(slots ?? experiment.slots, experiment.slots);
      const simulated = ofFile(file, () => runMeshExperiment({ ...experiment, slots: max, seed }));
      const assumed = assumption === undefined ? {} : { assumption };
      return {
        rows: simulated.map((slot, at): SimulatorRow => ({ ...rowOf(name, at + 1, slot), ...assumed })),
        pooled: { simulation: name, ...assumed, ms: pooledMs(simulated) },
      };
    };
    const groups = await runBySeed(all, seeds, run, 'runs', context);
    const world = meshWorld(
      experiments.map(({ experiment }) => experiment),
      seeds,
    );
    return {
      ...{ world, network, seeds },
      slots: groups.flatMap((runs) => rowsOfRuns(runs.map(({ rows }) => rows))),
      all: groups.map((runs) => runs.map(({ pooled }) => pooled)),
    };
  },
  document: ({ slots, all, ...of }): SimulatorsDocument => ({
    ...of,
    rows: slots.map((group) => fieldsOverSeeds(group, ofSeed)),
    pooled: all.map((group) => fieldsOverSeeds(group, ['ms'])),
  }),
  rows: ({ network, seeds, slots }) => rowsWithSeeds(slots, seeds).map((row) => ({ network, ...row })),
  text,
});

/**
 * Describes the settings of a configuration. For a setting that differs between the configuration's simulations, all
 * values are given.
 */
function meshWorld(experiments: readonly MeshExperiment[], seeds: readonly number[]): StatedWorld {
  const each = (of: (experiment: MeshExperiment) => string) => [...new Set(experiments.map(of))].join(' or ');
  return {
    profile: 'gossipsub only, as configured',
    nodes: each(({ nodes, topics }) => `${grouped(nodes)} on each of ${counted(topics, 'topic')}`),
    cores: each(({ batchMs, eachUs }) => `1 core, ${batchMs} ms per batch and ${eachUs} μs per message`),
    start: each(({ slotMs }) => `messages sent at the start of slots of ${grouped(slotMs)} ms`),
    network: each(({ network }) => network),
    links: each(({ superShare, superMbps, homeMbps }) => {
      const home = `${homeMbps.join('/')} Mbps down/up`;
      return superShare > 0 ? `${grouped(100 * superShare)} % ${superMbps.join('/')}, others ${home}` : home;
    }),
    seeds,
  };
}

function rowOf(simulation: string, slot: number, { ms, receivedBytes, sentBytes }: MeshSlot): SimulatorRow {
  const nodes = Array.from(ms[0]!, (_, node) => Float64Array.from(ms, (row) => row[node]!).sort());
  const ofNodeMs = quantiles(shares, (share) => at(Float64Array.from(nodes, (one) => at(one, share)).sort(), 0.5));
  const reached = quantiles(
    { halfOfNodesMs: 0.5, nineTenthsOfNodesMs: 0.9 },
    (share) => ms.reduce((sum, row) => sum + at(row.toSorted(), share), 0) / ms.length,
  );
  return {
    simulation,
    slot,
    ofNodeMs,
    ...reached,
    receivedBytes,
    sentBytes,
  };
}

const at = (sorted: Float64Array, share: number): number => percentile(sorted, share)!;

/** Returns the time for each share; null if the time is infinite. */
function quantiles<Name extends string>(
  of: Readonly<Record<Name, number>>,
  at: (share: number) => number,
): Readonly<Record<Name, number | null>> {
  const found = Object.entries<number>(of).map(([name, share]) => {
    const ms = at(share);
    return [name, Number.isFinite(ms) ? ms : null];
  });
  return Object.fromEntries(found);
}

function pooledMs(slots: readonly MeshSlot[]): PooledMs {
  const all = slots.flatMap(({ ms }) => ms.flatMap((row) => Array.from(row).filter((one) => one > 0)));
  const sorted = Float64Array.from(all).sort();
  return quantiles(pooledShares, (share) => at(sorted, share));
}

function text({ world, slots, all }: Found): string {
  const named = ([of]: readonly (SimulatorRow | Pooled)[]) => of!.assumption ?? of!.simulation;
  const ofSlots = rowsTable<readonly SimulatorRow[]>(slots, [
    ['', named],
    ['slot', ([row]) => String(row!.slot)],
    ...namesOf(shares).map((share) => spreadColumn<SimulatorRow>(share, ({ ofNodeMs }) => ofNodeMs[share])),
    spreadColumn('at half of the nodes', ({ halfOfNodesMs }) => halfOfNodesMs),
    spreadColumn('at nine tenths', ({ nineTenthsOfNodesMs }) => nineTenthsOfNodesMs),
    spreadColumn('MB in', ({ receivedBytes }) => receivedBytes / 1e6, 2),
    spreadColumn('MB out', ({ sentBytes }) => sentBytes / 1e6, 2),
  ]);
  const together = rowsTable<readonly Pooled[]>(all, [
    ['over messages and nodes', named],
    ...namesOf(pooledShares).map((share) => spreadColumn<Pooled>(share, ({ ms }) => ms[share])),
  ]);
  return `${ofSlots}\nTimes are in ms after publishing. The percentile columns are percentiles of a node's messages, for the median node. The other time columns give the time until a message has reached that share of the nodes, for the mean message. ${spreadMeaning}\n\n${together}\n${worldLine(world)}\n`;
}

const namesOf = <T extends object>(of: T) => Object.keys(of) as (keyof T & string)[];

/** An experiment, and the name of its changed assumption, if any. */
interface AssumedExperiment {
  readonly assumption?: string;
  readonly experiment: MeshExperiment;
}

/** Initial congestion window of quic-go: 32 packets of 1,280 bytes. */
const quicWindowBytes = 32 * 1280;

/**
 * Returns the original experiment, and copies with one assumption at a time changed to that of another simulator. The
 * results show how much of a difference each assumption explains.
 */
export function variedExperiments(experiment: MeshExperiment): AssumedExperiment[] {
  const { gossip, superMbps, homeMbps, batchMs } = experiment;
  const withGossip = (changes: Partial<MeshExperiment['gossip']>) => ({ gossip: { ...gossip, ...changes } });
  const part = ([down, up]: readonly [number, number], of: number) => [down / of, up / of] as const;
  const d = Math.max(1, Math.round(gossip.d / 2));
  const cases: Readonly<Record<string, Partial<MeshExperiment>>> = {
    unchanged: {},
    'copies sent in parallel': withGossip({ sharesUpload: true }),
    'congestion windows': withGossip({ windowBytes: quicWindowBytes }),
    'both of the above changes': withGossip({ sharesUpload: true, windowBytes: quicWindowBytes }),
    'no IDONTWANT': withGossip({ idontwantBytes: undefined }),
    'no IHAVE': withGossip({ dLazy: 0 }),
    'half as many mesh peers': withGossip({ d, dLow: d, dHigh: Math.max(d, Math.round(gossip.dHigh / 2)) }),
    'links at half the bandwidth': { superMbps: part(superMbps, 2), homeMbps: part(homeMbps, 2) },
    'links at a tenth of the bandwidth': { superMbps: part(superMbps, 10), homeMbps: part(homeMbps, 10) },
    '10 % of the copies lost': withGossip({ lostShare: 0.1 }),
    '30 % of the copies lost': withGossip({ lostShare: 0.3 }),
    '30 ms more per batch': { batchMs: batchMs + 30 },
  };
  return Object.entries(cases).map(([assumption, changes]) => ({
    assumption,
    experiment: { ...experiment, ...changes },
  }));
}
