import { type MeshSlot, runMeshExperiment } from '@tutti/ethereum';
import { percentile } from '@tutti/simulation';
import { breathe } from '../context.ts';
import { ignoredText } from '../files/fieldTable.ts';
import { ofFile } from '../files/settingsText.ts';
import { flag, integer, toggle } from '../flags.ts';
import { networkFlag } from '../horn/networkFlags.ts';
import { validated } from '../horn/parameterFlags.ts';
import { readShadowFile } from '../horn/shadowFile.ts';
import { type AssumedExperiment, variedExperiments } from '../horn/variedExperiments.ts';
import { readInput } from '../output/readInput.ts';
import { rowsTable, type TableColumn } from '../output/tables.ts';
import { warn } from '../output/warnings.ts';
import '../networks.ts';
import { study } from './study.ts';

const shares = { p5: 0.05, p25: 0.25, p50: 0.5, p75: 0.75, p90: 0.9, p95: 0.95, p99: 0.99, last: 1 } as const;

const pooledShares = { p50: 0.5, p90: 0.9, p95: 0.95, p99: 0.99, p999: 0.999, last: 1 } as const;

/** A slot of a simulation, with times in ms after publication. */
export interface BesideRow {
  readonly simulation: string;
  readonly assumption?: string;
  readonly slot: number;
  /** Quantiles of the messages that one node received, each as the median over the nodes. */
  readonly ofNodeMs: Readonly<Record<keyof typeof shares, number | null>>;
  /** Mean time over messages until half and nine tenths of the nodes have a message. */
  readonly halfOfNodesMs: number;
  readonly maxOfNodesMs: number;
  readonly receivedBytes: number;
  readonly sentBytes: number;
}

/** Quantiles over all messages of all slots and all nodes but the publisher, ms after publication; null for never. */
export type PooledMs = Readonly<Record<keyof typeof pooledShares, number | null>>;

/** Output of `tutti slots compare-simulators --json`. */
export interface HornBesideDocument {
  readonly network: string;
  readonly rows: readonly BesideRow[];
  readonly pooled: readonly Pooled[];
}

interface Pooled {
  readonly simulation: string;
  /** Changed assumption, with `--vary`. */
  readonly assumption?: string;
  readonly ms: PooledMs;
}

/** Maximum size of a configuration, which is written by hand. */
const maxSettingsBytes = 2 ** 20;

export const slotSimulators = study({
  name: 'compare-simulators',
  about: "Run another simulator's configuration of gossipsub: simctl's, for Shadow.",
  file: 'its configuration, YAML',
  flags: {
    network: networkFlag('cities'),
    slots: flag('<n>', 'run the first so many slots alone (default: all)', integer(1, 32)),
    vary: toggle('run it with one assumption at a time otherwise, too'),
  },
  async find({ network, slots, vary }, context, file): Promise<HornBesideDocument> {
    const { text } = readInput(file, maxSettingsBytes);
    const { experiments, ignored } = validated(() => ofFile(file, () => readShadowFile(text, network)));
    warn(ignoredText(file, ignored));
    const rows: BesideRow[] = [];
    const pooled: Pooled[] = [];
    const all = experiments.flatMap(({ name, experiment }) => {
      const asked: readonly AssumedExperiment[] = vary === true ? variedExperiments(experiment) : [{ experiment }];
      return asked.map((one) => ({ name, ...one }));
    });
    for (const { name, experiment, assumption } of all) {
      await breathe(context);
      const most = slots ?? experiment.slots;
      const run = validated(() => runMeshExperiment({ ...experiment, slots: Math.min(most, experiment.slots) }));
      const assumed = assumption === undefined ? {} : { assumption };
      rows.push(...run.map((slot, index) => ({ ...rowOf(name, index + 1, slot), ...assumed })));
      pooled.push({ simulation: name, ...assumed, ms: pooledMs(run) });
    }
    return { network, rows, pooled };
  },
  rows: ({ network, rows }) => rows.map((row) => ({ network, ...row })),
  text,
});

function rowOf(simulation: string, slot: number, { ms, receivedBytes, sentBytes }: MeshSlot): BesideRow {
  const nodes = Array.from(ms[0]!, (_, node) => Float64Array.from(ms, (row) => row[node]!).sort());
  const ofNodeMs = Object.fromEntries(
    Object.entries(shares).map(([name, share]) => {
      const median = at(Float64Array.from(nodes, (one) => at(one, share)).sort(), 0.5);
      return [name, Number.isFinite(median) ? median : null];
    }),
  ) as BesideRow['ofNodeMs'];
  const reached = (share: number) => ms.reduce((sum, row) => sum + at(row.toSorted(), share), 0) / ms.length;
  return {
    simulation,
    slot,
    ofNodeMs,
    halfOfNodesMs: reached(0.5),
    maxOfNodesMs: reached(0.9),
    receivedBytes,
    sentBytes,
  };
}

const at = (sorted: Float64Array, share: number): number => percentile(sorted, share)!;

function pooledMs(slots: readonly MeshSlot[]): PooledMs {
  const all = slots.flatMap(({ ms }) => ms.flatMap((row) => Array.from(row).filter((one) => one > 0)));
  const sorted = Float64Array.from(all).sort();
  return Object.fromEntries(
    Object.entries(pooledShares).map(([name, share]) => {
      const ms = at(sorted, share);
      return [name, Number.isFinite(ms) ? ms : null];
    }),
  ) as PooledMs;
}

function text({ rows, pooled }: HornBesideDocument): string {
  const named = ({ simulation, assumption }: BesideRow | Pooled) => assumption ?? simulation;
  const slots = rowsTable(rows, [
    ['', named],
    ['slot', ({ slot }) => String(slot)],
    ...namesOf(shares).map((share): TableColumn<BesideRow> => [share, ({ ofNodeMs }) => ofNodeMs[share]]),
    ['half of the nodes', ({ halfOfNodesMs }) => halfOfNodesMs],
    ['nine tenths', ({ maxOfNodesMs }) => maxOfNodesMs],
    ['MB in', ({ receivedBytes }) => receivedBytes / 1e6, 2],
    ['MB out', ({ sentBytes }) => sentBytes / 1e6, 2],
  ]);
  const all = rowsTable(pooled, [
    ['over messages and nodes', named],
    ...namesOf(pooledShares).map((share): TableColumn<Pooled> => [share, ({ ms }) => ms[share]]),
  ]);
  return `${slots}\nms after publishing: of what a node receives, the median node; then until a message is at so many nodes, the mean message.\n\n${all}`;
}

const namesOf = <T extends object>(of: T) => Object.keys(of) as (keyof T & string)[];
