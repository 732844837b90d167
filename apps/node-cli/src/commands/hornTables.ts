import { defaultHornParameters, type HornParameters, type HornPreset, hornPresets } from '@tutti/core/horn';
import { type HornGrid, type HornTable, hornTableNames } from '@tutti/ethereum';
import { Command } from 'commander';
import { answer, type Context } from '../context.ts';
import { choice, type FlagsOf, flag, jsonFlag, withFlags } from '../flags.ts';
import { givenParameters, parameterFlags, parameterNames, validated } from '../horn/slotFlags.ts';
import { gridCells, hornTables, remarksOf, rowCells } from '../horn/tables.ts';
import { postWorld, worldLine } from '../output/statedWorld.ts';
import { columnTable, wrapped } from '../output/text.ts';

const ownFlags = {
  section: flag('<name>', `one of ${hornTableNames.join(', ')} (default: all)`, choice(hornTableNames)),
  preset: flag(
    '<name>',
    'post: values from the post; electra: blocks as they are since EIP-7549',
    choice(Object.keys(hornPresets) as HornPreset[]),
    'post',
  ),
  json: jsonFlag,
};

type TablesFlags = FlagsOf<typeof ownFlags> & Partial<HornParameters>;

export function hornTablesCommand(context: Context): Command {
  const command = new Command('tables').description(
    "Print Horn's quantities: each figure of the post next to the value computed from the post's inputs.",
  );
  withFlags(withFlags(command, ownFlags), parameterFlags(parameterNames));
  return command.action(({ section, json, preset, ...given }: TablesFlags) => {
    const parameters = givenParameters(given, { ...defaultHornParameters, ...hornPresets[preset] });
    const names = section === undefined ? hornTableNames : [section];
    const tables = validated(() => hornTables(names, parameters));
    const world = postWorld({
      validators: parameters.validators,
      machine: 'the machine named in the row, if any',
      seeds: [1],
      also: ['computed from formulas; the sizes of codes and of elections are sampled'],
    });
    const words = `${tables.map(text).join('\n')}\n${wrapped(`${worldLine(world)}\n`)}`;
    answer(context, json, { world, parameters, tables: tables.map(document) }, words);
  });
}

/** Converts a table to a document in which every row has all keys, with null for absent values. */
function document({ rows, ...table }: HornTable & { name: string }): object {
  return {
    ...table,
    rows: rows.map(({ item, unit, post, exact, follows, why }) => ({
      item,
      unit,
      post: post ?? null,
      exact,
      follows: follows ?? null,
      why: why ?? null,
    })),
  };
}

const marks = { none: '-', no: 'NO', remark: (number: number) => `[${number}]` };

function text({ name, title, section, rows, grids }: HornTable & { name: string }): string {
  const remarks = remarksOf(rows);
  return [
    wrapped(`${title} (${name})`),
    wrapped(`Horn: ${section}\n`),
    columnTable(
      ['', 'the post', 'exact', 'follows'],
      rows.map((row) => rowCells(row, remarks, marks)),
    ),
    ...(remarks.length === 0 ? [] : [wrapped(remarks.map((remark, index) => `[${index + 1}] ${remark}\n`).join(''))]),
    ...grids.map(grid),
  ].join('\n');
}

function grid(of: HornGrid): string {
  return `${wrapped(`${of.title}:`)}\n\n${columnTable(of.columns, gridCells(of))}`;
}
