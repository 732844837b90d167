import { type MeshSlot, playMeshExperiment } from '@tutti/simulation/internal/slots';
import { Command } from 'commander';
import { askedFor } from '../askedFor.ts';
import { forceOption, jsonOption } from '../commonFlags.ts';
import type { Context } from '../context.ts';
import { integerFlag } from '../flags.ts';
import { networkOption } from '../horn/networkFlags.ts';
import { checked } from '../horn/parameterFlags.ts';
import { type AssumedExperiment, variedExperiments } from '../horn/variedExperiments.ts';
import { grouped } from '../numbers.ts';
import { readNamed } from '../output/files.ts';
import { columnTable } from '../output/tables.ts';
import { outOption, requireOut, writeStudy } from '../results/tableFile.ts';
import { Interrupted } from '../usageError.ts';
import '../networks.ts';

interface Flags {
  readonly network: string;
  readonly slots?: number;
  readonly vary?: boolean;
  readonly out?: string;
  readonly force?: boolean;
  readonly json?: boolean;
}

const shares = { p5: 0.05, p25: 0.25, p50: 0.5, p75: 0.75, p90: 0.9, p95: 0.95, p99: 0.99, last: 1 } as const;

const pooledShares = { p50: 0.5, p90: 0.9, p95: 0.95, p99: 0.99, p999: 0.999, last: 1 } as const;

/** A slot of a simulation: ms after publishing. */
export interface BesideRow {
  readonly simulation: string;
  readonly assumption?: string;
  readonly slot: number;
  /** Of what one node received: each quantile is the median over the nodes. */
  readonly ofNodeMs: Readonly<Record<keyof typeof shares, number | null>>;
  /** Until a message has reached half and nine tenths of the nodes: the mean over messages. */
  readonly halfOfNodesMs: number;
  readonly mostOfNodesMs: number;
  readonly receivedBytes: number;
  readonly sentBytes: number;
}

/** Over all messages, and all nodes but their own, of all slots: ms after publishing, null for never. */
export type PooledMs = Readonly<Record<keyof typeof pooledShares, number | null>>;

/** What `tutti horn beside --json` prints. */
export interface HornBesideDocument {
  readonly network: string;
  readonly rows: readonly BesideRow[];
  readonly pooled: readonly Pooled[];
}

interface Pooled {
  readonly simulation: string;
  /** With `--vary`: what was assumed otherwise. */
  readonly assumption?: string;
  readonly ms: PooledMs;
}

export function hornBesideCommand(context: Context): Command {
  return new Command('beside')
    .description("Play another simulator's configuration of gossipsub: simctl's, for Shadow.")
    .argument('<file>', 'its configuration, YAML')
    .addOption(networkOption('cities'))
    .option('--slots <n>', 'play the first so many slots alone (default: all)', integerFlag('--slots', 1, 32))
    .option('--vary', 'play it with one assumption at a time otherwise, too')
    .addOption(outOption)
    .addOption(forceOption)
    .addOption(jsonOption)
    .action(async (file: string, { network, slots, vary, out, force, json }: Flags, self: Command) => {
      requireOut({ out, force });
      const { readShadowFile } = await askedFor(() => import('../horn/shadowFile.ts'), 'horn beside', ['yaml']);
      const experiments = checked(() => readShadowFile(readNamed(file), network));
      const rows: BesideRow[] = [];
      const pooled: Pooled[] = [];
      const all = experiments.flatMap(({ name, experiment }) => {
        const played: readonly AssumedExperiment[] = vary === true ? variedExperiments(experiment) : [{ experiment }];
        return played.map((one) => ({ name, ...one }));
      });
      for (const { name, experiment, assumption } of all) {
        await new Promise(setImmediate);
        if (context.signal.aborted) throw new Interrupted();
        const most = slots ?? experiment.slots;
        const played = checked(() => playMeshExperiment({ ...experiment, slots: Math.min(most, experiment.slots) }));
        const assumed = assumption === undefined ? {} : { assumption };
        rows.push(...played.map((slot, index) => ({ ...rowOf(name, index + 1, slot), ...assumed })));
        pooled.push({ simulation: name, ...assumed, ms: pooledMs(played) });
      }
      writeStudy(out, () => rows.map((row) => ({ network, ...row })), self);
      context.out(
        json ? `${JSON.stringify({ network, rows, pooled } satisfies HornBesideDocument)}\n` : text(rows, pooled),
      );
    });
}

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
    mostOfNodesMs: reached(0.9),
    receivedBytes,
    sentBytes,
  };
}

const at = (sorted: Float64Array, share: number): number => sorted[Math.floor(share * (sorted.length - 1))]!;

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

function text(rows: readonly BesideRow[], pooled: HornBesideDocument['pooled']): string {
  const head = ['', 'slot', ...Object.keys(shares), 'half of the nodes', 'nine tenths', 'MB in', 'MB out'];
  return `${columnTable(
    head,
    rows.map(({ simulation, assumption, slot, ofNodeMs, halfOfNodesMs, mostOfNodesMs, receivedBytes, sentBytes }) => [
      assumption ?? simulation,
      String(slot),
      ...Object.values(ofNodeMs).map((ms) => (ms === null ? '-' : grouped(ms))),
      grouped(halfOfNodesMs),
      grouped(mostOfNodesMs),
      grouped(receivedBytes / 1e6, 2),
      grouped(sentBytes / 1e6, 2),
    ]),
  )}\nms after publishing: of what a node receives, the median node; then until a message is at so many nodes, the mean message.\n\n${columnTable(
    ['over messages and nodes', ...Object.keys(pooledShares)],
    pooled.map(({ simulation, assumption, ms }) => [
      assumption ?? simulation,
      ...Object.values(ms).map((one) => (one === null ? '-' : grouped(one))),
    ]),
  )}`;
}
