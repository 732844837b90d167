import { percentText } from '@tutti/core';
import {
  answer,
  Command,
  type Context,
  columnTable,
  counted,
  forceOption,
  fourDigits,
  grouped,
  integerFlag,
  isStandardOutput,
  jsonOption,
  numberFlag,
  outOption,
  requireOut,
  requirePlace,
  svgOption,
  wrapped,
  writeStudy,
  writeWhole,
} from '@tutti/node-cli/command';
import { Figure, standaloneSvg } from '@tutti/node-cli/drawing';
import { type RingCosts, ringCosts, ringSizes } from '../runtime.ts';

interface RingsFlags {
  readonly nodes: number;
  readonly known: number;
  readonly svg?: string;
  readonly out?: string;
  readonly force?: boolean;
  readonly json?: boolean;
}

export function anonymousRingsCommand(context: Context): Command {
  return new Command('rings')
    .description('Print the costs of a set-up and the anonymity of a signer by ring size.')
    .option('-n, --nodes <n>', 'number of members, 4 to 1024', integerFlag('--nodes', 4, 1024), 1024)
    .option(
      '--known <share>',
      'share of the other members that reveal their keys',
      numberFlag('--known', 'a number from 0 to 1', (share) => share >= 0 && share <= 1),
      0.5,
    )
    .addOption(svgOption)
    .addOption(outOption)
    .addOption(forceOption)
    .addOption(jsonOption)
    .action(({ nodes, known, svg, out, force, json }: RingsFlags, self: Command) => {
      if (svg !== undefined) requirePlace(svg, force);
      requireOut({ out, force });
      const rows = ringSizes(nodes).map((size) => ringCosts(nodes, size, known));
      if (svg !== undefined) writeWhole(svg, drawn(rows, nodes, known));
      writeStudy(out, () => rows.map((row) => ({ members: nodes, knownShare: known, ...row })), self);
      if (isStandardOutput(svg)) return;
      answer(context, json, { members: nodes, known, rows }, text(rows, nodes, known));
    });
}

function text(rows: readonly RingCosts[], members: number, known: number): string {
  const table = columnTable(
    [
      'ring size',
      'rings',
      'bytes per registration',
      'traceable, bytes',
      'all registrations, MB',
      'traceable, MB',
      'multiplications',
      'traceable, multiplications',
      'mean anonymity set',
      'probability of identification',
    ],
    rows.map((row) => [
      grouped(row.size),
      grouped(row.rings),
      grouped(row.linkableBytes),
      grouped(row.traceableBytes),
      grouped((row.linkableBytes * members) / 1e6, 2),
      grouped((row.traceableBytes * members) / 1e6, 2),
      grouped(row.linkableMultiplications),
      grouped(row.traceableMultiplications),
      grouped(row.hiddenAmong, 1),
      row.exposedChance < 1e-9 ? 'under 1e-9' : fourDigits(row.exposedChance),
    ]),
  );
  return `${table}\n${wrapped(`${counted(members, 'member')}; ${percentText(known)} of the other members reveal their keys. Bytes and multiplications are per member.`)}\n`;
}

function drawn(rows: readonly RingCosts[], members: number, known: number): string {
  const curve = (name: string, y: (row: RingCosts) => number, axis: 'left' | 'right' = 'left') => ({
    name,
    axis,
    points: rows.map((row) => ({ x: row.size, y: y(row) })),
  });
  const x = { label: 'ring size, members', unit: '', scale: 'log' } as const;
  const figure = new Figure(
    [
      {
        title: `Costs per member of a set-up with ${members} members`,
        x,
        left: { label: 'verification', unit: 'group multiplications', scale: 'log' },
        right: { label: 'received', unit: 'MB', scale: 'log' },
        series: [],
        curves: () => [
          curve('multiplications, linkable', (row) => row.linkableMultiplications),
          curve('multiplications, traceable', (row) => row.traceableMultiplications),
          curve('MB, linkable', (row) => (row.linkableBytes * members) / 1e6, 'right'),
          curve('MB, traceable', (row) => (row.traceableBytes * members) / 1e6, 'right'),
        ],
      },
      {
        title: `Anonymity of a signer if ${percentText(known)} of the other members reveal their keys`,
        x,
        left: { label: 'mean anonymity set', unit: 'members', scale: 'log' },
        series: [],
        curves: () => [
          curve('no member reveals its key', (row) => ringCosts(members, row.size, 0).hiddenAmong),
          curve(`${percentText(known)} reveal their keys`, (row) => row.hiddenAmong),
        ],
      },
    ],
    () => {
      throw new RangeError('runs: expected none, because the figure shows computed values only');
    },
  );
  return standaloneSvg(figure, `Rings for ${members} anonymous signers`);
}
