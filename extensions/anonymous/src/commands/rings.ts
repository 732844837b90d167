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
import { ringSchemes } from '../members/openRings.ts';
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
    .description('Print what rings of each size cost a set-up, and how well they hide a signer.')
    .option('-n, --nodes <n>', 'members, 4 to 1024', integerFlag('--nodes', 4, 1024), 1024)
    .option(
      '--known <share>',
      'share of the others who reveal which keys are theirs',
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
      const rows = ringSizes(nodes).map((size) => ringCosts(nodes, size, known, ringSchemes));
      if (svg !== undefined) writeWhole(svg, drawn(rows, nodes, known));
      writeStudy(out, () => rows.map((row) => ({ members: nodes, knownShare: known, ...row })), self);
      if (isStandardOutput(svg)) return;
      answer(context, json, { members: nodes, known, rows }, text(rows, nodes, known));
    });
}

function text(rows: readonly RingCosts[], members: number, known: number): string {
  const table = columnTable(
    [
      'ring',
      'rings',
      'a registration, bytes',
      'traceable, bytes',
      'all of them, MB',
      'traceable, MB',
      'multiplications',
      'traceable, multiplications',
      'hidden among',
      'nobody else hidden',
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
  return `${table}\n${wrapped(`${counted(members, 'member')}, of whom ${known * 100} % tell which keys are theirs. All bytes and multiplications are one member's.`)}\n`;
}

function drawn(rows: readonly RingCosts[], members: number, known: number): string {
  const curve = (name: string, y: (row: RingCosts) => number, axis: 'left' | 'right' = 'left') => ({
    name,
    axis,
    points: rows.map((row) => ({ x: row.size, y: y(row) })),
  });
  const x = { label: 'members a ring', unit: '', scale: 'log' } as const;
  const figure = new Figure(
    [
      {
        title: `What a set-up of ${members} costs each member`,
        x,
        left: { label: 'verifying', unit: 'group multiplications', scale: 'log' },
        right: { label: 'receiving', unit: 'MB', scale: 'log' },
        series: [],
        curves: () => [
          curve('multiplications, linkable', (row) => row.linkableMultiplications),
          curve('multiplications, traceable', (row) => row.traceableMultiplications),
          curve('MB, linkable', (row) => (row.linkableBytes * members) / 1e6, 'right'),
          curve('MB, traceable', (row) => (row.traceableBytes * members) / 1e6, 'right'),
        ],
      },
      {
        title: `How well it hides a signer when ${known * 100} % tell which keys are theirs`,
        x,
        left: { label: 'hidden among', unit: 'members', scale: 'log' },
        series: [],
        curves: () => [
          curve('nobody tells', (row) => members / row.rings),
          curve(`${known * 100} % tell`, (row) => row.hiddenAmong),
        ],
      },
    ],
    () => {
      throw new RangeError('runs: expected none, for all is counted');
    },
  );
  return standaloneSvg(figure, `Rings for ${members} anonymous signers`);
}
