import { arrivalQuantiles, runNetworkSlot, validateNetworkScenario } from '@tutti/ethereum';
import { breathe } from '../context.ts';
import { flag } from '../flags.ts';
import { type NetworkFlags, networkFlags, networkScenario, proposalFlag } from '../horn/networkFlags.ts';
import { validated } from '../horn/parameterFlags.ts';
import { counted, grouped } from '../numbers.ts';
import { rowsTable } from '../output/tables.ts';
import { study } from './study.ts';

/** Result of one set of proposals. */
export interface ProposalRow {
  readonly proposal: string;
  readonly attesters: number;
  readonly beaconNodes: number;
  readonly distribution: string;
  readonly seed: number;
  readonly slotMs: number;
  readonly votes: number;
  /** Time from casting a vote until a node of its subnet has verified it; null for never. */
  readonly p50Ms: number | null;
  readonly p90Ms: number | null;
  readonly p99Ms: number | null;
  readonly p999Ms: number | null;
  /** Bytes received per node, for votes only. */
  readonly receivedBytes: number;
  readonly coreSeconds: number;
  readonly inReach: number;
}

/** Output of `tutti horn proposals --json`. */
export interface HornProposalsDocument {
  readonly rows: readonly ProposalRow[];
}

const compared = ['none', 'bundles', 'batches', 'dvt', 'gloas+cap', 'gloas+cap+bundles', 'gloas+cap+batches'];

export const hornProposals = study({
  name: 'proposals',
  about: 'Run a slot of today under each proposal of 2026: when votes arrive, and for how many bytes.',
  flags: {
    compare: flag(
      '<list>',
      'proposals, with commas between; + joins several',
      () => (text: string) => {
        for (const one of text.split(',')) proposalFlag(one);
        return text.split(',');
      },
      compared,
      'each of them, and with the cap',
    ),
    ...networkFlags,
  },
  async find(flags, context): Promise<HornProposalsDocument> {
    const rows: ProposalRow[] = [];
    for (const proposal of flags.compare) {
      await breathe(context);
      rows.push(rowOf(proposal, flags));
    }
    return { rows };
  },
  rows: ({ rows }) => rows.map(studyRow),
  text: ({ rows }) => text(rows),
});

/** Returns a row with the column names of other studies of slots. */
function studyRow({ attesters, inReach, ...row }: ProposalRow): object {
  return { preset: 'electra', validators: attesters, ...row, inReachPercent: 100 * inReach };
}

function rowOf(proposal: string, flags: NetworkFlags): ProposalRow {
  const scenario = networkScenario('electra', { ...flags, proposal: proposalFlag(proposal) });
  validated(() => validateNetworkScenario(scenario));
  const { world, run, result } = runNetworkSlot(scenario);
  const [p50Ms, p90Ms, p99Ms, p999Ms] = arrivalQuantiles(run, [0.5, 0.9, 0.99, 0.999]).map((ms) =>
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
  const first = rows[0]!;
  const beside = (of: (row: ProposalRow) => number | null) => (row: ProposalRow) => {
    const [one, base] = [of(row), of(first)];
    return one === null || base === null ? '-' : `${grouped(one)} (${grouped((100 * one) / base - 100)} %)`;
  };
  const table = rowsTable(rows, [
    ['', ({ proposal }) => proposal],
    ['votes', ({ votes }) => votes],
    ['p50, ms', beside(({ p50Ms }) => p50Ms)],
    ['p90', beside(({ p90Ms }) => p90Ms)],
    ['p99', beside(({ p99Ms }) => p99Ms)],
    ['p99.9', beside(({ p999Ms }) => p999Ms)],
    ['kB in for votes', beside(({ receivedBytes }) => receivedBytes / 1000)],
    ['core seconds', ({ coreSeconds }) => coreSeconds, 2],
    ['in the next block, %', ({ inReach }) => 100 * inReach, 1],
  ]);
  return `${table}\nA node's mean; from casting a vote until a node of its subnet has verified it. ${counted(first.beaconNodes, 'node')}, ${first.distribution}; in brackets, beside ${first.proposal}.\n`;
}
