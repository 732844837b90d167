import { summaryOf, type VotingSystemName, votingSystems } from '@tutti/ethereum';
import { drawMap, onPaper, wide } from '@tutti/lab/drawing';
import { type MapCell, mapRows } from '@tutti/lab/results';
import { type Context, UsageError } from '../context.ts';
import { badChoiceValue, badValue, type FlagsOf, flag, optionOf, seedsFlag, seedsFrom, several } from '../flags.ts';
import { clientText, type NetworkFlags, networkFlags, networkScenario, systemsFlag } from '../horn/networkFlags.ts';
import { type NetworkRow, type NetworkTask, networkRows } from '../horn/networkRow.ts';
import { inReachColumns, meanPercent, networkWorld, sufficientShare } from '../horn/networkSummary.ts';
import { Counter } from '../output/progress.ts';
import { type StatedWorld, worldLine } from '../output/statedWorld.ts';
import { grouped, rowsTable, seedsText } from '../output/text.ts';
import { spreadMeaning, spreadText } from '../results/overSeeds.ts';
import { study } from './study.ts';

/** Flags of a slot that can be varied, by name. */
const varied = Object.fromEntries(
  (
    [
      ...(['machine', 'links', 'cores', 'client', 'keySums', 'distribution', 'validators', 'beaconNodes'] as const),
      ...(['subcommittees', 'aggregators', 'collectors', 'parts', 'proposal', 'participation', 'reserved'] as const),
    ] satisfies (keyof NetworkFlags)[]
  ).map((key) => [optionOf(key, networkFlags[key]).name(), key]),
);

interface Variation {
  readonly name: string;
  readonly values: readonly string[];
}

/** Result of one system with one value of each varied flag. */
interface VariedCell extends MapCell {
  readonly preset: VotingSystemName;
  readonly value: string;
  /** Values of the varied flags, by flag name. */
  readonly inputs: Readonly<Record<string, string>>;
  /**
   * Shortest sufficient slot length, minimum and maximum over the seeds, s. `slotSeconds` is the shortest length that
   * is sufficient with all seeds.
   */
  readonly shortest: { readonly min: number | null; readonly max: number | null };
  readonly simulated: readonly SimulatedLength[];
}

/** Summary of one slot length over the seeds for which the search tried this length. */
interface SimulatedLength extends Required<MapCell['simulated'][number]> {
  readonly seeds: number;
  readonly inReachMinPercent: number;
  readonly inReachMaxPercent: number;
  readonly inReachP10Percent: number;
  readonly inReachP90Percent: number;
}

/** Output of `tutti slots map --json`. */
interface SlotMapDocument {
  readonly varied: string;
  readonly world: StatedWorld;
  readonly seeds: readonly number[];
  readonly slotSeconds: readonly number[];
  readonly cells: readonly VariedCell[];
}

const defaultPresets: readonly VotingSystemName[] = ['strawman', 'horn', 'handel-committees'];
const defaultSeconds: readonly number[] = [3, 4, 6, 8, 12, 16, 22, 32, 48];
const defaultVary = 'machine=raspberry-pi-4,i7-8550U,i9-11980HK';

function varyFlag(text: string): Variation {
  const [name = '', list = '', ...others] = text.split('=');
  const values = list.split(',').filter((value) => value !== '');
  if (!Object.hasOwn(varied, name) || values.length === 0 || others.length > 0) {
    const names = Object.keys(varied);
    throw badChoiceValue('--vary', names, text, `NAME=VALUE,VALUE, where NAME is one of ${names.join(', ')}`, name);
  }
  return { name, values };
}

function rangeFlag(text: string): number[] {
  const [, from, to] = /^(\d{1,3})\.\.(\d{1,3})$/.exec(text) ?? [];
  const [first, last] = [Number(from), Number(to)];
  if (!(first >= 1 && last >= first && last <= 600))
    throw badValue('--slot-range', 'A..B, whole seconds from 1 to 600', text);
  return Array.from({ length: last - first + 1 }, (_, index) => first + index);
}

function secondsFlag(text: string): number[] {
  const seconds = text.split(',').map(Number);
  const isValid = seconds.every((one, index) => one >= 0.1 && one <= 600 && !(one <= seconds[index - 1]!));
  if (!isValid) throw badValue('--slot-seconds', 'seconds from 0.1 to 600, ascending, comma-separated', text);
  return seconds;
}

// The study sets the length of the slot itself.
const { slotMs: _, ...others } = networkFlags;

const flags = {
  preset: systemsFlag(defaultPresets.join(', ')),
  vary: flag(
    '<name=values>',
    `one of ${Object.keys(varied).join(', ')}, followed by its values, comma-separated; repeatable; all combinations are simulated (default: ${defaultVary})`,
    several(() => varyFlag),
  ),
  slotSeconds: flag(
    '<list>',
    `slot lengths to try, in ascending order (default: ${defaultSeconds})`,
    () => secondsFlag,
  ),
  seeds: seedsFlag(3),
  slotRange: flag('<a..b>', 'try all whole seconds from A to B, instead of --slot-seconds', () => rangeFlag),
  ...others,
};
type Flags = FlagsOf<typeof flags>;

export const slotMap = study({
  name: 'map',
  about:
    'Find the shortest slot for which 99 % of the votes are in the next block, for each system on each machine or link.',
  flags,
  find: search,
  rows: tableRows,
  text,
  draw: mapPicture,
});

/** State of the search for one system, one combination of the flags' values and one seed. */
interface Cell {
  readonly preset: VotingSystemName;
  readonly seed: number;
  readonly inputs: Readonly<Record<string, string>>;
  /**
   * Indices of slot lengths: the longest length known to be insufficient (-1 if none is), and the shortest length known
   * to be sufficient (the number of lengths if none is).
   */
  insufficient: number;
  sufficient: number;
  readonly simulated: Required<MapCell['simulated'][number]>[];
}

/** Finds the shortest sufficient slot length for each system and each combination of the flags' values. */
async function search(asked: Flags, context: Context): Promise<SlotMapDocument> {
  const { vary = [varyFlag(defaultVary)], preset = defaultPresets, jobs } = asked;
  const names = vary.map(({ name }) => name);
  if (new Set(names).size < names.length) throw badValue('--vary', 'each NAME at most once', names.join(', '));
  if (asked.slotRange !== undefined && asked.slotSeconds !== undefined)
    throw new UsageError('--slot-range: cannot be combined with --slot-seconds');
  const slotSeconds = asked.slotRange ?? asked.slotSeconds ?? defaultSeconds;
  const seeds = seedsFrom(asked.seed, asked.seeds);
  const unknown = { insufficient: -1, sufficient: slotSeconds.length };
  const groups = preset.flatMap((one) =>
    combinations(vary).map((inputs) =>
      seeds.map((seed): Cell => ({ preset: one, seed, inputs, ...unknown, simulated: [] })),
    ),
  );
  const cells = groups.flat();
  const scenarioOf = ({ preset: of, seed, inputs }: Cell, index: number) => {
    const read = Object.entries(inputs).map(([name, value]) => {
      const key = varied[name]!;
      return [key, networkFlags[key].read!(`--vary ${name}`)(value)];
    });
    return networkScenario(of, { ...asked, seed, ...Object.fromEntries(read), slotMs: 1000 * slotSeconds[index]! });
  };
  const world = networkWorld(
    cells.map((cell) => scenarioOf(cell, 0)),
    seeds,
  );
  const taskOf = (cell: Cell, index: number) => ({
    scenario: scenarioOf(cell, index),
    maxConsecutiveSlots: asked.maxConsecutiveSlots,
  });
  await bisect(cells, slotSeconds, taskOf, jobs, context);
  return {
    varied: names.join(', '),
    world: { ...world, start: 'votes are due after the same share of the slot for every slot length' },
    seeds,
    slotSeconds,
    cells: groups.map((group) => cellOver(group, slotSeconds)),
  };
}

/**
 * Searches for the shortest sufficient slot length by bisection, for all cells at once. If one slot length is
 * sufficient for a system, longer slots are assumed to be sufficient too.
 *
 * @param taskOf returns the task that simulates a cell with the slot length of the given index.
 */
async function bisect(
  cells: readonly Cell[],
  slotSeconds: readonly number[],
  taskOf: (cell: Cell, index: number) => NetworkTask,
  jobs: number,
  context: Context,
): Promise<void> {
  const counter = new Counter(context, 'running', cells.length * Math.ceil(Math.log2(slotSeconds.length + 1)), 'slots');
  try {
    for (;;) {
      const open = cells.filter(({ insufficient, sufficient }) => sufficient - insufficient > 1);
      if (open.length === 0) return;
      const middles = open.map(({ insufficient, sufficient }) => (insufficient + sufficient) >>> 1);
      const tasks = open.map((cell, at) => taskOf(cell, middles[at]!));
      const rows = await networkRows(tasks, jobs, context, counter);
      for (const [at, cell] of open.entries()) addResult(cell, middles[at]!, slotSeconds[middles[at]!]!, rows[at]!);
    }
  } finally {
    counter.done();
  }
}

/** Adds the result for one slot length to a cell. */
function addResult(cell: Cell, index: number, slotSeconds: number, { result, inRow }: NetworkRow): void {
  // The last consecutive slot counts, so that a growing backlog is included.
  const inReach = inRow.at(-1)!;
  if (inReach.mean >= sufficientShare) cell.sufficient = index;
  else cell.insufficient = index;
  cell.simulated.push({
    slotSeconds,
    inReachPercent: meanPercent(inReach),
    unfinished: result.unfinished.length > 0,
  });
}

/** Summarises a cell over its seeds. */
function cellOver(group: readonly Cell[], slotSeconds: readonly number[]): VariedCell {
  const { preset, inputs } = group[0]!;
  const lengths = group.map(({ sufficient }) => sufficient).sort((a, b) => a - b);
  const lengthAt = (index: number) => slotSeconds[index] ?? null;
  const simulated = slotSeconds.flatMap((seconds): SimulatedLength[] => {
    const of = group.flatMap((one) => one.simulated.filter((length) => length.slotSeconds === seconds));
    if (of.length === 0) return [];
    return [
      {
        slotSeconds: seconds,
        ...inReachColumns(summaryOf(of.map(({ inReachPercent }) => inReachPercent))),
        unfinished: of.some(({ unfinished }) => unfinished),
        seeds: of.length,
      },
    ];
  });
  return {
    preset,
    value: Object.values(inputs).join(', '),
    inputs,
    ownSeconds: votingSystems[preset].slotMs / 1000,
    slotSeconds: lengthAt(lengths.at(-1)!),
    shortest: { min: lengthAt(lengths[0]!), max: lengthAt(lengths.at(-1)!) },
    simulated,
  };
}

/** Returns all combinations of the flags' values. */
function combinations(vary: readonly Variation[]): Cell['inputs'][] {
  const [first, ...rest] = vary;
  if (first === undefined) return [{}];
  return first.values.flatMap((value) => combinations(rest).map((others) => ({ [first.name]: value, ...others })));
}

/** Column names of the varied flags in other studies. */
const columnOf: Readonly<Record<string, string>> = { reserved: 'reservedShare', participation: 'participationShare' };

/** Converts an input to a column value: numeric texts become numbers, and other texts are unchanged. */
function inputOf(text: string): number | string {
  return /^\d+(\.\d+)?$/.test(text) ? Number(text) : text;
}

/** Returns one row per system, inputs and simulated slot length, over the seeds for which the search tried it. */
function tableRows({ cells }: SlotMapDocument, flags: Flags): object[] {
  const { validators, beaconNodes, distribution, network, reserved, machine, cores, keySums, participation } = flags;
  const { client, proposal = [], seed } = flags;
  const setting = {
    ...{ validators, beaconNodes, distribution, network, reservedShare: reserved, machine, cores },
    ...{ client: clientText(client), keySums, participationShare: participation },
    ...{ proposal: proposal.join('+') || 'none', seed },
  };
  return mapRows(cells, ({ inputs, simulated }, seconds) => {
    const { slotSeconds: _, unfinished: __, ...found } = simulated.find(({ slotSeconds }) => slotSeconds === seconds)!;
    const varied = Object.entries(inputs).map(([name, value]) => [columnOf[name] ?? name, inputOf(value)]);
    return { ...setting, ...found, ...Object.fromEntries(varied) };
  });
}

function text({ varied: name, world, seeds, slotSeconds, cells }: SlotMapDocument): string {
  const length = (of: number | null) =>
    of === null ? `over ${slotSeconds.at(-1)}` : grouped(of, Number.isInteger(of) ? 0 : 1);
  const share = ({ inReachPercent: mean, inReachP10Percent: p10, inReachP90Percent: p90 }: SimulatedLength) =>
    spreadText({ mean, p10, p90 }, 1);
  const table = rowsTable(cells, [
    ['', ({ preset }) => preset],
    [name, ({ value }) => value],
    [
      'slot for 99 %, s',
      ({ shortest: { min, max } }) => (min === max ? length(min) : `${length(min)} to ${length(max)}`),
    ],
    [
      'votes in reach by slot length, %',
      ({ simulated }) =>
        simulated.map((one) => `${one.slotSeconds} s: ${share(one)}${one.unfinished ? '*' : ''}`).join(', '),
    ],
  ]);
  return `${table}
The shortest of ${slotSeconds.join(', ')} s, with all parts of a slot in proportion; over ${seedsText(seeds)}, where two lengths are given. ${spreadMeaning} * A layer was unfinished at the start of the next layer or at the block.
${worldLine(world)}
`;
}

/** Draws the map for `--svg`. */
function mapPicture(document: SlotMapDocument): string {
  const title = `Votes in the next block, by slot length and ${document.varied}, with the contour of 99 %`;
  return onPaper([{ title, drawing: drawMap(document, wide) }], title);
}
