import { arrivalQuantiles, checkNetworkScenario, playNetworkSlot } from '@tutti/simulation/slots';
import { Command, Option } from 'commander';
import { forceOption, jsonOption } from '../commonFlags.ts';
import type { Context } from '../context.ts';
import { addNetworkFlags, type NetworkFlags, networkScenario, proposalFlag } from '../horn/networkFlags.ts';
import { checked } from '../horn/parameterFlags.ts';
import { counted, grouped } from '../numbers.ts';
import { columnTable } from '../output/tables.ts';
import { outOption, requireOut, writeStudy } from '../results/tableFile.ts';
import { Interrupted } from '../usageError.ts';

interface Flags extends NetworkFlags {
  readonly compare: readonly string[];
  readonly out?: string;
  readonly force?: boolean;
  readonly json?: boolean;
}

/** One set of proposals as played. */
export interface ProposalRow {
  readonly proposal: string;
  readonly attesters: number;
  readonly beaconNodes: number;
  readonly distribution: string;
  readonly seed: number;
  readonly slotMs: number;
  readonly votes: number;
  /** From casting a vote until a node of its subnet has verified it; null for never. */
  readonly p50Ms: number | null;
  readonly p90Ms: number | null;
  readonly p99Ms: number | null;
  readonly p999Ms: number | null;
  /** A node's, for votes alone. */
  readonly receivedBytes: number;
  readonly coreSeconds: number;
  readonly inReach: number;
}

/** What `tutti horn proposals --json` prints. */
export interface HornProposalsDocument {
  readonly rows: readonly ProposalRow[];
}

const compared = ['none', 'bundles', 'batches', 'dvt', 'gloas+cap', 'gloas+cap+bundles', 'gloas+cap+batches'];

export function hornProposalsCommand(context: Context): Command {
  const command = new Command('proposals')
    .description('Play a slot of today under each proposal of 2026: when votes arrive, and for how many bytes.')
    .addOption(
      new Option('--compare <list>', 'proposals, with commas between; + joins several')
        .argParser((text: string) => {
          for (const one of text.split(',')) proposalFlag(one);
          return text.split(',');
        })
        .default(compared, 'each of them, and with the cap'),
    );
  return addNetworkFlags(command)
    .addOption(outOption)
    .addOption(forceOption)
    .addOption(jsonOption)
    .action(async (flags: Flags, self: Command) => {
      requireOut(flags);
      const rows: ProposalRow[] = [];
      for (const proposal of flags.compare) {
        await new Promise(setImmediate);
        if (context.signal.aborted) throw new Interrupted();
        rows.push(rowOf(proposal, flags));
      }
      writeStudy(flags.out, () => rows.map(studyRow), self, flags.seed);
      context.out(flags.json ? `${JSON.stringify({ rows } satisfies HornProposalsDocument)}\n` : text(rows));
    });
}

/** By the names that the other studies of slots have for the same. */
function studyRow({ attesters, inReach, ...row }: ProposalRow): object {
  return { preset: 'electra', validators: attesters, ...row, inReachPercent: 100 * inReach };
}

function rowOf(proposal: string, flags: NetworkFlags): ProposalRow {
  const scenario = networkScenario('electra', { ...flags, proposal: proposalFlag(proposal) });
  checked(() => checkNetworkScenario(scenario));
  const { world, played, result } = playNetworkSlot(scenario);
  const [p50Ms, p90Ms, p99Ms, p999Ms] = arrivalQuantiles(played, [0.5, 0.9, 0.99, 0.999]).map((ms) =>
    Number.isFinite(ms) ? ms : null,
  ) as [number | null, number | null, number | null, number | null];
  const ofNode = (key: 'receivedBytes' | 'coreSeconds') =>
    result.layerLoads.subnets!.reduce((sum, load, index) => sum + load[key] * scenario.links[index]!.share, 0);
  return {
    proposal,
    attesters: scenario.validators,
    beaconNodes: scenario.nodes,
    distribution: scenario.distribution,
    seed: scenario.seed,
    slotMs: world.system.slotMs,
    votes: result.cast,
    ...{ p50Ms, p90Ms, p99Ms, p999Ms },
    receivedBytes: ofNode('receivedBytes'),
    coreSeconds: ofNode('coreSeconds'),
    inReach: result.inReach.mean,
  };
}

function text(rows: readonly ProposalRow[]): string {
  const [first] = rows;
  const beside = (one: number | null, base: number | null) =>
    one === null || base === null ? '-' : `${grouped(one)} (${grouped((100 * one) / base - 100)} %)`;
  const table = columnTable(
    ['', 'votes', 'p50, ms', 'p90', 'p99', 'p99.9', 'kB in for votes', 'core seconds', 'in the next block, %'],
    rows.map((row) => [
      row.proposal,
      grouped(row.votes),
      ...(['p50Ms', 'p90Ms', 'p99Ms', 'p999Ms'] as const).map((key) => beside(row[key], first![key])),
      beside(row.receivedBytes / 1000, first!.receivedBytes / 1000),
      grouped(row.coreSeconds, 2),
      grouped(100 * row.inReach, 1),
    ]),
  );
  return `${table}\nA node's mean; from casting a vote until a node of its subnet has verified it. ${counted(first!.beaconNodes, 'node')}, ${first!.distribution}; in brackets, beside ${first!.proposal}.\n`;
}
