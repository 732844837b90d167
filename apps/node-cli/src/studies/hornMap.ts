import { type VotingSystemName, validateNetworkScenario, votingSystemNames, votingSystems } from '@tutti/ethereum';
import { drawMap, onPaper, wide } from '@tutti/lab/drawing';
import { type MapCell, mapRows } from '@tutti/lab/results';
import type { Context } from '../context.ts';
import { badChoiceValue, badValue, choice, type FlagsOf, flag, optionOf, several } from '../flags.ts';
import { clientText, type NetworkFlags, networkFlags, networkScenario } from '../horn/networkFlags.ts';
import { networkRows } from '../horn/networkRows.ts';
import { meanPercent } from '../horn/networkStudy.ts';
import { validated } from '../horn/parameterFlags.ts';
import { grouped } from '../numbers.ts';
import { Counter } from '../output/progress.ts';
import { rowsTable } from '../output/tables.ts';
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

/** One system with one value of each varied flag. */
interface VariedCell extends MapCell {
  readonly preset: VotingSystemName;
  readonly value: string;
  /** The same by the name of the varied flag. */
  readonly inputs: Readonly<Record<string, string>>;
  readonly played: readonly Required<MapCell['played'][number]>[];
}

/** Output of `tutti horn map --json`. */
export interface HornMapDocument {
  readonly varied: string;
  readonly slotSeconds: readonly number[];
  readonly cells: readonly VariedCell[];
}

/** Share of the votes in reach from which a slot is long enough for a system. */
const frontier = 0.99;

const defaultPresets: readonly VotingSystemName[] = ['strawman', 'horn', 'handel-committees'];
const defaultVary = 'machine=raspberry-pi-4,i7-8550U,i9-11980HK';

function varyFlag(text: string): Variation {
  const [name = '', list = ''] = text.split('=', 2);
  const values = list.split(',').filter((value) => value !== '');
  if (!Object.hasOwn(varied, name) || values.length === 0) {
    const names = Object.keys(varied);
    throw badChoiceValue('--vary', names, text, `NAME=VALUE,VALUE with one of ${names.join(', ')}`, name);
  }
  return { name, values };
}

function rangeFlag(text: string): number[] {
  const [, from, to] = /^(\d{1,3})\.\.(\d{1,3})$/.exec(text) ?? [];
  const [first, last] = [Number(from), Number(to)];
  if (!(first >= 1 && last >= first && last <= 600))
    throw badValue('--slots', 'A..B, whole seconds from 1 to 600', text);
  return Array.from({ length: last - first + 1 }, (_, index) => first + index);
}

function secondsFlag(text: string): number[] {
  const seconds = text.split(',').map(Number);
  const isAscending = seconds.every((one, index) => one > (seconds[index - 1] ?? 0.09) && one <= 600);
  if (!isAscending) throw badValue('--slot-seconds', 'seconds from 0.1 to 600, ascending, with commas between', text);
  return seconds;
}

const flags = {
  preset: flag(
    '<name>',
    `one of ${votingSystemNames.join(', ')}; repeatable (default: ${defaultPresets.join(', ')})`,
    several(choice(votingSystemNames)),
  ),
  vary: flag(
    '<name=values>',
    `one of ${Object.keys(varied).join(', ')}, and its values, separated by commas; repeatable: each with each (default: ${defaultVary})`,
    several(() => varyFlag),
  ),
  slotSeconds: flag(
    '<list>',
    'lengths to try, in ascending order',
    () => secondsFlag,
    [3, 4, 6, 8, 12, 16, 22, 32, 48],
  ),
  slots: flag('<a..b>', 'the same, every second from one to another', () => rangeFlag),
  ...networkFlags,
};
type Flags = FlagsOf<typeof flags>;

export const hornMap = study({
  name: 'map',
  about:
    'Find the shortest slot with which each system has 99 % of the votes in the next block, on each machine or link.',
  flags,
  find: search,
  rows: tableRows,
  text,
  draw: mapPicture,
});

interface Cell {
  readonly preset: VotingSystemName;
  readonly inputs: Readonly<Record<string, string>>;
  /** Indices of lengths: the longest known to be too short, and the shortest known to be long enough. */
  failing: number;
  doing: number;
  readonly played: VariedCell['played'][number][];
}

/**
 * Searches by bisection, for all cells at once. If one slot is long enough for a system, a longer one is assumed to be
 * too.
 */
async function search(asked: Flags, context: Context): Promise<HornMapDocument> {
  const { vary = [varyFlag(defaultVary)], preset = defaultPresets, jobs } = asked;
  const slotSeconds = asked.slots ?? asked.slotSeconds;
  const cells = preset.flatMap((one) =>
    combinations(vary).map(
      (inputs): Cell => ({ preset: one, inputs, failing: -1, doing: slotSeconds.length, played: [] }),
    ),
  );
  const scenarioOf = ({ preset: of, inputs }: Cell, index: number) => {
    const read = Object.entries(inputs).map(([name, value]) => {
      const key = varied[name]!;
      return [key, networkFlags[key].read!(`--vary ${name}`)(value)];
    });
    return networkScenario(of, { ...asked, ...Object.fromEntries(read), slotMs: 1000 * slotSeconds[index]! });
  };
  for (const cell of cells) validated(() => validateNetworkScenario(scenarioOf(cell, 0)));
  const counter = new Counter(context, 'running', cells.length * Math.ceil(Math.log2(slotSeconds.length + 1)), 'slots');
  try {
    for (;;) {
      const open = cells.filter(({ failing, doing }) => doing - failing > 1);
      if (open.length === 0) break;
      const middles = open.map(({ failing, doing }) => (failing + doing) >>> 1);
      const rows = await networkRows(
        open.map((cell, at) => ({
          scenario: scenarioOf(cell, middles[at]!),
          inRow: asked.inRow,
          chain: { slots: 1, missed: 0, omitting: 0 },
        })),
        Math.min(jobs, open.length),
        context,
        counter,
      );
      open.forEach((cell, at) => {
        const { unfinished } = rows[at]!.result;
        // The last slot counts, so that a backlog that grows from slot to slot does too.
        const inReach = rows[at]!.inRow.at(-1)!;
        const index = middles[at]!;
        if (inReach.mean >= frontier) cell.doing = index;
        else cell.failing = index;
        cell.played.push({
          slotSeconds: slotSeconds[index]!,
          inReachPercent: meanPercent(inReach),
          unfinished: unfinished.length > 0,
        });
      });
    }
  } finally {
    counter.done();
  }
  return {
    varied: vary.map(({ name }) => name).join(', '),
    slotSeconds,
    cells: cells.map(({ preset: of, inputs, doing, played }) => ({
      preset: of,
      value: Object.values(inputs).join(', '),
      inputs,
      ownSeconds: votingSystems[of].slotMs / 1000,
      slotSeconds: slotSeconds[doing] ?? null,
      played: played.sort((a, b) => a.slotSeconds - b.slotSeconds),
    })),
  };
}

/** Returns all combinations of the values. */
function combinations(vary: readonly Variation[]): Cell['inputs'][] {
  const [first, ...rest] = vary;
  if (first === undefined) return [{}];
  return first.values.flatMap((value) => combinations(rest).map((others) => ({ [first.name]: value, ...others })));
}

/** Column names of other studies for the same figures. */
const columnOf: Readonly<Record<string, string>> = { reserved: 'reservedShare', participation: 'participationShare' };

/** Returns an input as a column has it, varied or not. */
function inputOf(text: string): number | string {
  return /^\d+(\.\d+)?$/.test(text) ? Number(text) : text;
}

/** Returns one row per slot that was run. */
function tableRows({ cells }: HornMapDocument, flags: Flags): object[] {
  const { validators, beaconNodes, distribution, network, reserved, machine, cores, client, keySums, seed } = flags;
  const setting = {
    ...{ validators, beaconNodes, distribution, network, reservedShare: reserved, machine, cores },
    ...{ client: clientText(client), keySums, participationShare: flags.participation },
    ...{ proposal: (flags.proposal ?? []).join('+') || 'none', seed },
  };
  return mapRows(cells, ({ inputs }) => ({
    ...setting,
    ...Object.fromEntries(Object.entries(inputs).map(([name, value]) => [columnOf[name] ?? name, inputOf(value)])),
  }));
}

function text({ varied: name, slotSeconds, cells }: HornMapDocument): string {
  const table = rowsTable(cells, [
    ['', ({ preset }) => preset],
    [name, ({ value }) => value],
    [
      'slot for 99 %, s',
      ({ slotSeconds: of }) => (of === null ? `over ${slotSeconds.at(-1)}` : grouped(of, Number.isInteger(of) ? 0 : 1)),
    ],
    [
      'played, votes in reach, %',
      ({ played }) =>
        played
          .map((one) => `${one.slotSeconds} s: ${grouped(one.inReachPercent, 1)}${one.unfinished ? '*' : ''}`)
          .join(', '),
    ],
  ]);
  return `${table}
The shortest of ${slotSeconds.join(', ')} s, all parts of a slot in proportion. * A layer was unfinished when the next began.
`;
}

/** Returns the drawing of `--svg`. */
function mapPicture(document: HornMapDocument): string {
  const title = `Votes in the next block, by length of slot and ${document.varied}: where it is 99 %`;
  return onPaper([{ title, drawing: drawMap(document, wide) }], title);
}
