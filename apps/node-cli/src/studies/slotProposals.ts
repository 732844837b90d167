import {
  arrivalQuantiles,
  isAbove,
  type NetworkScenario,
  proposerShares,
  runNetworkSlot,
  type Summary,
  summaryOf,
} from '@tutti/ethereum';
import { seedsFlag, seedsFrom } from '../flags.ts';
import { networkScenario, proposalFlag, proposalsFlag, scenarioFlags } from '../horn/networkFlags.ts';
import { meanOverNodes } from '../horn/networkRow.ts';
import { inPercent, inReachColumns, networkWorld } from '../horn/networkSummary.ts';
import { type StatedWorld, worldLine } from '../output/statedWorld.ts';
import { grouped, rowsTable } from '../output/text.ts';
import { runBySeed, spreadMeaning, spreadText } from '../results/overSeeds.ts';
import { study } from './study.ts';

const shares = { p50Ms: 0.5, p90Ms: 0.9, p95Ms: 0.95, p99Ms: 0.99, p999Ms: 0.999 } as const;

/**
 * Quantiles of the time from casting a vote until a node of its subnet has verified it, ms; null if a quantile is never
 * reached with some seed.
 */
type VoteTimes = Readonly<Record<keyof typeof shares, Summary | null>>;

/** Result of one set of proposals. */
interface ProposalRow extends VoteTimes {
  readonly proposal: string;
  readonly attesters: number;
  readonly beaconNodes: number;
  readonly distribution: string;
  readonly seeds: readonly number[];
  readonly slotMs: number;
  /** Number of votes cast with the first seed. */
  readonly votes: number;
  /** Number of bytes of votes per node. */
  readonly receivedBytes: Summary;
  readonly sentBytes: Summary;
  readonly coreSeconds: Summary;
  /** Share of the cast votes that a proposer has received, over all possible proposers and all seeds. */
  readonly inReach: Summary;
}

/** Output of `tutti slots proposals --json`. */
interface SlotProposalsDocument {
  readonly world: StatedWorld;
  readonly seeds: readonly number[];
  /** Scenario without proposals, which is common to all rows. */
  readonly scenario: NetworkScenario;
  readonly rows: readonly ProposalRow[];
}

const { proposal: _, ...otherFlags } = scenarioFlags;

const defaultProposals = ['none', 'bundles', 'batches', 'dvt', 'gloas+cap', 'gloas+cap+bundles', 'gloas+cap+batches'];

export const slotProposals = study({
  name: 'proposals',
  about:
    'Simulate a present-day slot under each proposal of 2026, and measure the arrival times of votes and the bytes that nodes receive.',
  flags: {
    proposals: proposalsFlag('proposals', defaultProposals, defaultProposals.join(', ')),
    seeds: seedsFlag(),
    ...otherFlags,
  },
  async find(flags, context): Promise<SlotProposalsDocument> {
    const seeds = seedsFrom(flags.seed, flags.seeds);
    const scenarios = flags.proposals.map((proposal) =>
      networkScenario('electra', { ...flags, proposal: proposalFlag('--proposals')(proposal) }),
    );
    const run = (scenario: NetworkScenario, seed: number) => slotOf({ ...scenario, seed });
    const groups = await runBySeed(scenarios, seeds, run, 'slots', context);
    const rows = groups.map((runs, at) => rowOf(flags.proposals[at]!, scenarios[at]!, seeds, runs));
    return { world: networkWorld(scenarios, seeds), seeds, scenario: networkScenario('electra', flags), rows };
  },
  rows: ({ rows }) => rows.map(studyRow),
  text,
});

/** Renames the fields of a row to match those of the other slot studies. */
function studyRow({ attesters, inReach, seeds, ...row }: ProposalRow): object {
  const columns = inReachColumns(inPercent(inReach));
  return { preset: 'electra', validators: attesters, seed: seeds[0], seeds: seeds.length, ...row, ...columns };
}

function rowOf(
  proposal: string,
  scenario: NetworkScenario,
  seeds: readonly number[],
  runs: readonly ReturnType<typeof slotOf>[],
): ProposalRow {
  const over = (of: (run: (typeof runs)[number]) => number) => summaryOf(runs.map(of));
  const quantile = (at: number) =>
    runs.every(({ arrivals }) => Number.isFinite(arrivals[at])) ? over(({ arrivals }) => arrivals[at]!) : null;
  return {
    proposal,
    attesters: scenario.validators,
    beaconNodes: scenario.nodes,
    distribution: scenario.distribution,
    seeds,
    slotMs: runs[0]!.slotMs,
    votes: runs[0]!.votes,
    ...(Object.fromEntries(Object.keys(shares).map((name, at) => [name, quantile(at)])) as VoteTimes),
    receivedBytes: over((run) => run.receivedBytes),
    sentBytes: over((run) => run.sentBytes),
    coreSeconds: over((run) => run.coreSeconds),
    inReach: summaryOf(
      runs.flatMap(({ proposers }) => proposers.shares),
      runs.flatMap(({ proposers }) => proposers.validators),
    ),
  };
}

/** Returns the results of a slot that the study needs. */
function slotOf(scenario: NetworkScenario) {
  const slot = runNetworkSlot(scenario);
  const { world, run, result } = slot;
  const ofNode = (key: 'receivedBytes' | 'sentBytes' | 'coreSeconds') =>
    meanOverNodes(result.layerLoads.subnets!, scenario.links, key);
  return {
    slotMs: world.system.slotMs,
    votes: result.cast,
    arrivals: arrivalQuantiles(run, Object.values(shares)),
    receivedBytes: ofNode('receivedBytes'),
    sentBytes: ofNode('sentBytes'),
    coreSeconds: ofNode('coreSeconds'),
    proposers: proposerShares(slot),
  };
}

function text({ rows, world }: SlotProposalsDocument): string {
  const first = rows[0]!;
  const compared =
    (of: (row: ProposalRow) => Summary | null, digits = 0, times = 1) =>
    (row: ProposalRow) => {
      const [one, base] = [of(row), of(first)];
      if (one === null || base === null) return '-';
      const spread = spreadText(one, digits, times);
      const isApart = isAbove(one, base) || isAbove(base, one);
      return isApart ? `${spread} ${grouped((100 * one.mean) / base.mean - 100)} %` : spread;
    };
  const table = rowsTable(rows, [
    ['', ({ proposal }) => proposal],
    ['votes', ({ votes }) => votes],
    ['p50, ms', compared(({ p50Ms }) => p50Ms)],
    ['p90', compared(({ p90Ms }) => p90Ms)],
    ['p95', compared(({ p95Ms }) => p95Ms)],
    ['p99', compared(({ p99Ms }) => p99Ms)],
    ['p99.9', compared(({ p999Ms }) => p999Ms)],
    ['kB received for votes', compared(({ receivedBytes }) => receivedBytes, 0, 1e-3)],
    ['core seconds for votes', compared(({ coreSeconds }) => coreSeconds, 2)],
    ['in the next block, %', ({ inReach }) => spreadText(inReach, 1, 100)],
  ]);
  const meaning = `Means per node. The times run from the casting of a vote until a node in the vote's subnet has verified it. ${spreadMeaning} The column "in the next block" is also averaged over all nodes that could propose. A difference from ${first.proposal} is stated, in %, only if the intervals do not overlap.`;
  return `${table}\n${meaning}\n${worldLine(world)}\n`;
}
