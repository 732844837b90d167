import { drawMap, onPaper, wide } from '@tutti/lab/drawing';
import { mapRows } from '@tutti/lab/results';
import {
  checkNetworkScenario,
  machineNames,
  nodeDistributions,
  type VotingSystemName,
  votingSystemNames,
  votingSystems,
} from '@tutti/simulation/slots';
import { Command, Option } from 'commander';
import { forceOption, svgOption } from '../commonFlags.ts';
import type { Context } from '../context.ts';
import { badChoiceValue, badValue, choiceFlag, type FlagReader, integerFlag, numberFlag } from '../flags.ts';
import {
  addNetworkFlags,
  clientFlag,
  clientText,
  linksFlag,
  type NetworkFlags,
  networkScenario,
  partsFlag,
  proposalFlag,
} from '../horn/networkFlags.ts';
import { meanPercent } from '../horn/networkStudy.ts';
import { checked } from '../horn/parameterFlags.ts';
import { playNetwork } from '../horn/playNetwork.ts';
import { grouped } from '../numbers.ts';
import { isStandardOutput, requirePlace, writeWhole } from '../output/files.ts';
import { Counter } from '../output/progress.ts';
import { columnTable } from '../output/tables.ts';
import { outOption, requireOut, writeStudy } from '../results/tableFile.ts';

/** What can be varied: the flag's key, and how its values are read. */
const varied = {
  machine: ['machine', choiceFlag('--vary machine', machineNames)],
  links: ['links', linksFlag],
  cores: ['cores', integerFlag('--vary cores', 1, 256)],
  client: ['client', clientFlag],
  'key-sums': ['keySums', choiceFlag('--vary key-sums', ['naive', 'subtracting'] as const)],
  distribution: ['distribution', choiceFlag('--vary distribution', nodeDistributions)],
  validators: ['validators', integerFlag('--vary validators', 64, 2 ** 20)],
  'beacon-nodes': ['beaconNodes', integerFlag('--vary beacon-nodes', 16, 20_000)],
  subcommittees: ['subcommittees', integerFlag('--vary subcommittees', 1, 4096)],
  aggregators: ['aggregators', integerFlag('--vary aggregators', 1, 4096)],
  collectors: ['collectors', integerFlag('--vary collectors', 1, 4096)],
  parts: ['parts', partsFlag],
  proposal: ['proposal', proposalFlag],
  participation: [
    'participation',
    numberFlag('--vary participation', 'a number from 0.01 to 1', (one) => one >= 0.01 && one <= 1),
  ],
  reserved: ['reserved', numberFlag('--vary reserved', 'a number from 0 to 0.99', (one) => one <= 0.99)],
} as const satisfies Record<string, readonly [keyof NetworkFlags, FlagReader<unknown>]>;
type Varied = keyof typeof varied;

interface Variation {
  readonly name: Varied;
  readonly values: readonly string[];
}

interface Flags extends NetworkFlags {
  readonly preset: readonly VotingSystemName[];
  readonly vary?: readonly Variation[];
  readonly slotSeconds: readonly number[];
  readonly slots?: readonly number[];
  readonly out?: string;
  readonly svg?: string;
  readonly force?: boolean;
  readonly json?: boolean;
}

/** One system with one value of each thing that is varied. */
export interface MapCell {
  readonly preset: VotingSystemName;
  readonly value: string;
  /** The same by the name of what is varied. */
  readonly inputs: Readonly<Partial<Record<Varied, string>>>;
  /** The slot that the system has, s. */
  readonly ownSeconds: number;
  /**
   * The shortest slot tried that has 99 % of the votes in the next proposer's reach, s; null where the longest has not.
   */
  readonly slotSeconds: number | null;
  /**
   * What was played: slots' lengths and the votes in reach, percent; and whether a layer was unfinished when the next
   * began.
   */
  readonly played: readonly {
    readonly slotSeconds: number;
    readonly inReachPercent: number;
    readonly unfinished: boolean;
  }[];
}

/** What `tutti horn map --json` prints. */
export interface HornMapDocument {
  readonly varied: string;
  readonly slotSeconds: readonly number[];
  readonly cells: readonly MapCell[];
}

/** Share of the votes that a slot must give for a system to manage with it. */
const frontier = 0.99;

export function hornMapCommand(context: Context): Command {
  const command = new Command('map')
    .description(
      'Find the shortest slot with which each system has 99 % of the votes in the next block, on each machine or link.',
    )
    .option(
      '--preset <name>',
      `one of ${votingSystemNames.join(', ')}; repeatable (default: strawman, horn, handel-committees)`,
      (text: string, before: readonly VotingSystemName[] | undefined) => [
        ...(before ?? []),
        choiceFlag('--preset', votingSystemNames)(text),
      ],
    )
    .addOption(
      new Option(
        '--vary <name=values>',
        `one of ${Object.keys(varied).join(', ')}, and its values, separated by commas; repeatable: each with each (default: ${defaultVary})`,
      ).argParser((text: string, before: readonly Variation[] | undefined) => [...(before ?? []), varyFlag(text)]),
    )
    .option(
      '--slot-seconds <list>',
      'lengths to try, in ascending order',
      secondsFlag,
      [3, 4, 6, 8, 12, 16, 22, 32, 48],
    )
    .addOption(new Option('--slots <a..b>', 'the same, every second from one to another').argParser(rangeFlag));
  return addNetworkFlags(command)
    .addOption(svgOption)
    .addOption(outOption)
    .addOption(forceOption)
    .option('--json', 'print one JSON document')
    .action(async (flags: Flags, self: Command) => {
      requireOut(flags);
      if (flags.svg !== undefined) requirePlace(flags.svg, flags.force);
      const document = await search(flags, context);
      if (flags.svg !== undefined) writeWhole(flags.svg, mapPicture(document));
      writeStudy(flags.out, () => tableRows(document, flags), self, flags.seed);
      if (!isStandardOutput(flags.svg)) context.out(flags.json ? `${JSON.stringify(document)}\n` : text(document));
    });
}

const defaultVary = 'machine=raspberry-pi-4,i7-8550U,i9-11980HK';

function varyFlag(text: string): Variation {
  const [name = '', list = ''] = text.split('=', 2);
  const values = list.split(',').filter((value) => value !== '');
  if (!Object.hasOwn(varied, name) || values.length === 0) {
    const names = Object.keys(varied);
    throw badChoiceValue('--vary', names, text, `NAME=VALUE,VALUE with one of ${names.join(', ')}`, name);
  }
  return { name: name as Varied, values };
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

interface Cell {
  readonly preset: VotingSystemName;
  readonly inputs: Readonly<Partial<Record<Varied, string>>>;
  /** Indices of lengths: the longest known to fail, and the shortest known to do. */
  failing: number;
  doing: number;
  readonly played: MapCell['played'][number][];
}

/** By bisection, for all cells at once: a system that manages with one slot is assumed to manage with a longer one. */
async function search(flags: Flags, context: Context): Promise<HornMapDocument> {
  const { vary = [varyFlag(defaultVary)], preset = ['strawman', 'horn', 'handel-committees'] as const, jobs } = flags;
  const slotSeconds = flags.slots ?? flags.slotSeconds;
  const cells = preset.flatMap((one) =>
    combinations(vary).map(
      (inputs): Cell => ({ preset: one, inputs, failing: -1, doing: slotSeconds.length, played: [] }),
    ),
  );
  const scenarioOf = ({ preset: of, inputs }: Cell, index: number) => {
    const read = Object.entries(inputs).map(([name, value]) => {
      const [key, reader] = varied[name as Varied];
      return [key, reader(value)];
    });
    return networkScenario(of, { ...flags, ...Object.fromEntries(read), slotMs: 1000 * slotSeconds[index]! });
  };
  for (const cell of cells) checked(() => checkNetworkScenario(scenarioOf(cell, 0)));
  const counter = new Counter(context, 'playing', cells.length * Math.ceil(Math.log2(slotSeconds.length + 1)), 'slots');
  try {
    for (;;) {
      const open = cells.filter(({ failing, doing }) => doing - failing > 1);
      if (open.length === 0) break;
      const middles = open.map(({ failing, doing }) => (failing + doing) >>> 1);
      const rows = await playNetwork(
        open.map((cell, at) => ({
          scenario: scenarioOf(cell, middles[at]!),
          inRow: flags.inRow,
          chain: { slots: 1, missed: 0, griefing: 0 },
        })),
        Math.min(jobs, open.length),
        context,
        counter,
      );
      open.forEach((cell, at) => {
        const { unfinished } = rows[at]!.result;
        // A backlog that grows from slot to slot counts.
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

/** Each value of one with each of the others. */
function combinations(vary: readonly Variation[]): Cell['inputs'][] {
  const [first, ...rest] = vary;
  if (first === undefined) return [{}];
  return first.values.flatMap((value) => combinations(rest).map((others) => ({ [first.name]: value, ...others })));
}

/** By the names that other studies have for the same. */
const columnOf: Readonly<Record<string, string>> = { reserved: 'reservedShare', participation: 'participationShare' };

/** As a column has it, whether it is varied or not. */
function inputOf(text: string): number | string {
  return /^\d+(\.\d+)?$/.test(text) ? Number(text) : text;
}

/** A row a slot that was played. */
function tableRows({ cells }: HornMapDocument, flags: NetworkFlags): object[] {
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
  const rows = cells.map(({ preset, value, slotSeconds: seconds, played }) => [
    preset,
    value,
    seconds === null ? `over ${slotSeconds.at(-1)}` : grouped(seconds, Number.isInteger(seconds) ? 0 : 1),
    played
      .map((one) => `${one.slotSeconds} s: ${grouped(one.inReachPercent, 1)}${one.unfinished ? '*' : ''}`)
      .join(', '),
  ]);
  return `${columnTable(['', name, 'slot for 99 %, s', 'played, votes in reach, %'], rows)}
The shortest of ${slotSeconds.join(', ')} s, all parts of a slot in proportion. * A layer was unfinished when the next began.
`;
}

/** What `--svg` draws. */
export function mapPicture(document: HornMapDocument): string {
  const title = `Votes in the next block, by length of slot and ${document.varied}: where it is 99 %`;
  return onPaper([{ title, drawing: drawMap(document, wide) }], title);
}
