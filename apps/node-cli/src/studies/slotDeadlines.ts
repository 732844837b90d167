import { inProportion, type Summary, summaryOf, votingSystems } from '@tutti/ethereum';
import { drawMap, onPaper, wide } from '@tutti/lab/drawing';
import type { Context } from '../context.ts';
import { badValue, type FlagsOf, flag, listFlag, numberFlag, seedsFlag, seedsFrom, toggle } from '../flags.ts';
import { networkFlags, networkScenario, proposalFlag, proposalsFlag } from '../horn/networkFlags.ts';
import { type NetworkRow, networkRowsBySeed } from '../horn/networkRow.ts';
import {
  inPercent,
  meanPercent,
  networkWorld,
  settingColumns,
  sufficientShare,
  votesInReach,
} from '../horn/networkSummary.ts';
import { type StatedWorld, worldLine } from '../output/statedWorld.ts';
import { counted, grouped, markdownTable, rowsTable } from '../output/text.ts';
import { overSeeds, spreadMeaning, spreadText } from '../results/overSeeds.ts';
import { study } from './study.ts';

/** Place of a cell in the grid: a set of proposals, a slot length and a pair of deadlines. */
interface Place {
  readonly proposal: string;
  readonly slotMs: number;
  /** Deadlines for votes and for aggregates, ms since the start of the slot. */
  readonly attestMs: number;
  readonly aggregateMs: number;
}

const percentiles = [50, 95, 99] as const;
const layers = { vote: 'subnets', aggregate: 'global' } as const;

/**
 * Percentiles of two delays in the first slot: from casting a vote until a node of its subnet has verified it, and from
 * publishing an aggregate until a node has verified it, ms; null if a percentile is never reached with some seed.
 */
type Delays = Readonly<Record<`${keyof typeof layers}P${(typeof percentiles)[number]}Ms`, Summary | null>>;

/** Results for one place in the grid, over seeds and over proposers. */
interface DeadlineCell extends Place, Delays {
  /** Share of the cast votes that no aggregator has received by its deadline, in the first slot, percent. */
  readonly lateVotesPercent: Summary;
  /** Share of the verifications of aggregates that are not complete when the first slot's block is built, percent. */
  readonly lateAggregatesPercent: Summary;
  /**
   * Share of the cast votes that a proposer has when it builds the block of the last consecutive slot, percent, over all
   * proposers and all seeds.
   */
  readonly inBlockPercent: Summary;
  /** Share of the cast votes in that block by seed, percent; for each seed, the mean over its proposers. */
  readonly bySeedPercent: Summary;
  /** Layers that are not finished at their deadline in the first slot with at least one seed. */
  readonly unfinishedLayers: string;
}

/** Output of `tutti slots deadlines --json`. */
interface SlotDeadlinesDocument {
  readonly world: StatedWorld;
  readonly seeds: readonly number[];
  readonly cells: readonly DeadlineCell[];
}

/** Results, and the settings that are common to all cells. */
interface Found {
  readonly document: SlotDeadlinesDocument;
  /** Deadlines of each cell, percent of the slot. */
  readonly due: readonly string[];
  readonly shared: NetworkRow;
}

/** Deadlines in basis points of a slot: those of Gloas, the current ones, and a later one for aggregates. */
const attestPoints = [2500, 3333];
const aggregatePoints = [5000, 6667, 7500];

/** Returns a reader for a comma-separated list of numbers from `min` to `max`. `form` describes the list in errors. */
const numbers = (form: string, min: number, max: number) => (name: string) =>
  listFlag(numberFlag(name, form, (one) => one >= min && one <= max));

const points = 'basis points of the slot, 1 to 9999, comma-separated';
const milliseconds = 'milliseconds from 1 to 600000, comma-separated';
const pointsFlag = (what: string, standing: readonly number[]) =>
  flag('<list>', `times at which ${what} are due, in ${points}`, numbers(points, 1, 9999), standing);
const millisecondsFlag = (what: string) =>
  flag(
    '<list>',
    `times at which ${what} are due in slots of every length, in ${milliseconds}`,
    numbers(milliseconds, 1, 6e5),
  );

const { proposal: _, parts: __, slotMs: ___, ...others } = networkFlags;
const flags = {
  slotSeconds: flag(
    '<list>',
    'slot lengths',
    numbers('seconds from 1 to 600, comma-separated', 1, 600),
    [12, 10, 8, 6, 4],
  ),
  attestBps: pointsFlag('votes', attestPoints),
  aggregateBps: pointsFlag('aggregates', aggregatePoints),
  attestMs: millisecondsFlag('votes'),
  aggregateMs: millisecondsFlag('aggregates'),
  proposals: proposalsFlag('proposals and lateness', ['none', 'late'], 'none and late'),
  seeds: seedsFlag(),
  markdown: toggle('print a Markdown table for a page of the docs'),
  ...others,
};
type Flags = FlagsOf<typeof flags>;

export const slotDeadlines = study({
  name: 'deadlines',
  about:
    'Simulate slots of several lengths with a grid of deadlines for votes and aggregates. Count the votes that miss a deadline and the votes in the next block.',
  flags,
  find,
  document: ({ document }) => document,
  rows: ({ document: { cells, seeds }, shared }) =>
    cells.map((cell) => ({ ...settingColumns(shared), links: linksText(shared), seeds: seeds.length, ...cell })),
  text: (found, { markdown }) => (markdown ? markdownText(found) : text(found.document)),
  draw,
});

/**
 * Returns the grid: pairs of deadlines that are in order and lie within the slot, each with its deadlines in percent of
 * the slot. Deadlines given in basis points have the same percentage for all slot lengths, although the times are
 * rounded.
 */
function placesOf(asked: Flags): { readonly place: Place; readonly percents: readonly number[] }[] {
  return asked.proposals.flatMap((proposal) =>
    asked.slotSeconds.flatMap((seconds) => {
      const slotMs = 1000 * seconds;
      const timesOf = (times: readonly number[] | undefined, bps: readonly number[]) =>
        times?.map((ms) => ({ ms, percent: (100 * ms) / slotMs })) ??
        bps.map((one) => ({ ms: Math.round((slotMs * one) / 10_000), percent: one / 100 }));
      return timesOf(asked.attestMs, asked.attestBps).flatMap((attest) =>
        timesOf(asked.aggregateMs, asked.aggregateBps)
          .filter(({ ms }) => attest.ms < ms && ms < slotMs)
          .map(({ ms, percent }) => ({
            place: { proposal, slotMs, attestMs: attest.ms, aggregateMs: ms },
            percents: [attest.percent, percent],
          })),
      );
    }),
  );
}

async function find(asked: Flags, context: Context): Promise<Found> {
  const places = placesOf(asked);
  if (places.length === 0) {
    const [unit, given] = asked.aggregateMs === undefined ? ['bps', asked.aggregateBps] : ['ms', asked.aggregateMs];
    throw badValue(`--aggregate-${unit}`, 'a deadline after that of votes and within a slot', given.join(','));
  }
  const seeds = seedsFrom(asked.seed, asked.seeds);
  const scenarios = places.map(({ place: { proposal, slotMs, attestMs, aggregateMs } }) => {
    const scenario = networkScenario('electra', { ...asked, proposal: proposalFlag('--proposals')(proposal) });
    const times = { ...inProportion(votingSystems.electra, slotMs), attestMs, aggregateMs };
    return { ...scenario, changes: { ...scenario.changes, ...times } };
  });
  const { maxConsecutiveSlots, jobs } = asked;
  const groups = await networkRowsBySeed(scenarios, seeds, { maxConsecutiveSlots }, jobs, context);
  const cells = places.map(({ place }, at) => cellOf(place, groups[at]!));
  const document = { world: networkWorld(scenarios, seeds), seeds, cells };
  // Whole percentages are shown unless they are equal for different deadlines.
  const [whole, exact] = [0, 2].map((digits) =>
    places.map(({ percents }) => percents.map((one) => grouped(one, digits)).join(' and ')),
  );
  const due = new Set(whole).size === new Set(exact).size ? whole! : exact!;
  return { document, due, shared: groups[0]![0]! };
}

function cellOf(place: Place, rows: readonly NetworkRow[]): DeadlineCell {
  const delays = Object.entries(layers).flatMap(([name, layer]) =>
    percentiles.map((p) => {
      const times = rows.map(({ result }) => result.delays[layer]?.[`p${p}Ms`] ?? null);
      return [`${name}P${p}Ms`, overSeeds(times)];
    }),
  );
  return {
    ...place,
    lateVotesPercent: summaryOf(rows.map(({ result }) => 100 * (1 - result.published / result.cast))),
    lateAggregatesPercent: summaryOf(rows.map(({ result }) => 100 * (1 - (result.delays.global?.inTime ?? 0)))),
    // Consecutive slots may pass on a backlog, so only the last slot counts, as in the map of slot lengths.
    inBlockPercent: inPercent(votesInReach(rows)),
    bySeedPercent: summaryOf(rows.map(({ inRow }) => meanPercent(inRow.at(-1)!))),
    ...(Object.fromEntries(delays) as Delays),
    unfinishedLayers: [...new Set(rows.flatMap(({ result }) => result.unfinished))].join(' '),
  };
}

/**
 * Returns the link classes as one text, with the share, name, and download and upload bandwidth of each class, Mbps.
 */
function linksText({ links }: NetworkRow): string {
  return links.map(({ name, share, downMbps, upMbps }) => `${share} ${name} ${downMbps}/${upMbps}`).join(', ');
}

function text({ world, cells }: SlotDeadlinesDocument): string {
  const spread = (of: Summary | null, digits = 0) => (of === null ? 'never' : spreadText(of, digits));
  const table = rowsTable(cells, [
    ['votes', votesOf],
    ['slot, ms', ({ slotMs }) => slotMs],
    ['votes due, ms', ({ attestMs }) => attestMs],
    ['aggregates due, ms', ({ aggregateMs }) => aggregateMs],
    ['late votes, %', ({ lateVotesPercent }) => spread(lateVotesPercent, 2)],
    ['late aggregates, %', ({ lateAggregatesPercent }) => spread(lateAggregatesPercent, 2)],
    ['in the next block, %', ({ inBlockPercent }) => spread(inBlockPercent, 1)],
    ['worst proposer, %', ({ inBlockPercent }) => inBlockPercent.min, 1],
    ['a vote, p95, ms', ({ voteP95Ms }) => spread(voteP95Ms)],
    ['an aggregate, p95, ms', ({ aggregateP95Ms }) => spread(aggregateP95Ms)],
    ['unfinished', ({ unfinishedLayers }) => unfinishedLayers || '-'],
  ]);
  const meaning =
    'Late votes: votes that have not reached any aggregator when aggregates are due. Late aggregates: aggregates that are not yet verified when the block is proposed.';
  return `${table}\n${meaning} ${spreadMeaning} The column "in the next block" is also averaged over all nodes that could propose.\n${worldLine(world)}\n`;
}

/** Returns one row per pair of deadlines, and one column per slot length. */
function markdownText(found: Found): string {
  const { cells, world } = found.document;
  const slots = [...new Set(cells.map(({ slotMs }) => slotMs))];
  const lines = rowsOf(found).map(({ of }) => {
    const own = slots.map((slotMs) => {
      const cell = of.find((one) => one.slotMs === slotMs);
      if (cell === undefined) return '';
      const due = `${grouped(cell.attestMs)}, ${grouped(cell.aggregateMs)}`;
      return `${due}: ${grouped(cell.bySeedPercent.min, 1)} (${grouped(cell.lateVotesPercent.mean, 1)})`;
    });
    return [votesOf(of[0]!), ...own];
  });
  const head = ['votes', ...slots.map((slotMs) => `slot of ${slotMs / 1000} s`)];
  return `${markdownTable(head, lines)}\n${worldLine(world)}\n`;
}

function votesOf({ proposal }: DeadlineCell): string {
  return proposal === 'none' ? 'on time' : proposal;
}

/** Groups the cells with the same proposal and the same deadlines in percent of the slot. */
function rowsOf({ document: { cells }, due }: Found): { readonly due: string; readonly of: readonly DeadlineCell[] }[] {
  const keys = cells.map(({ proposal }, at) => `${proposal}: ${due[at]}`);
  return [...new Set(keys)].map((key) => ({
    due: due[keys.indexOf(key)]!,
    of: cells.filter((_, at) => keys[at] === key),
  }));
}

/** Draws the map for `--svg`. The map shows the shares of the seed with the fewest votes in the block. */
function draw(found: Found): string {
  const { cells, seeds } = found.document;
  const slotSeconds = [...new Set(cells.map(({ slotMs }) => slotMs / 1000))].sort((a, b) => a - b);
  const drawn = rowsOf(found).map(({ due, of }) => {
    const simulated = of
      .map(({ slotMs, bySeedPercent }) => ({ slotSeconds: slotMs / 1000, inReachPercent: bySeedPercent.min }))
      .sort((a, b) => a.slotSeconds - b.slotSeconds);
    const failing = simulated.findLastIndex(({ inReachPercent }) => inReachPercent < 100 * sufficientShare);
    return {
      preset: `votes: ${votesOf(of[0]!)}`,
      value: `due at ${due} % of the slot`,
      ownSeconds: votingSystems.electra.slotMs / 1000,
      slotSeconds: simulated[failing + 1]?.slotSeconds ?? null,
      simulated,
    };
  });
  const title = `Votes in the next block, %, by slot length and by the deadlines for votes and for aggregates: minimum over ${counted(seeds.length, 'seed')}, ${counted(found.shared.validators, 'validator')}`;
  return onPaper([{ title, drawing: drawMap({ slotSeconds, cells: drawn }, wide) }], title);
}
