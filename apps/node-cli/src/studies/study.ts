import type { ResultTable } from '@tutti/lab/results';
import { Command } from 'commander';
import type { Context } from '../context.ts';
import {
  type FlagsOf,
  type FlagTable,
  forceOption,
  jsonOption,
  requireOneForm,
  svgOption,
  withFlags,
} from '../flags.ts';
import { inputFiles, isStandardOutput, requirePlace, writeWhole } from '../output/files.ts';
import { outOption, requireOut, writeStudy, writeTableOf } from '../results/tableFile.ts';

/**
 * Values of the options that the command of a study reads itself: the files for a table and a drawing, the form of the
 * printed output, and the seed.
 */
interface Asked {
  readonly out?: string;
  readonly svg?: string;
  readonly force?: boolean;
  readonly json?: boolean;
  readonly markdown?: boolean;
  readonly seed?: number;
}

/**
 * A study as data: its options, its results, and their presentation. The examples and pages of its help are in
 * helpNotes.ts, as for every command.
 */
interface Study<Table extends FlagTable, Found extends object> {
  /** Name of the command that runs the study. */
  readonly name: string;
  /** Summary for the help text, one sentence. */
  readonly about: string;
  readonly flags: Table;
  /** One-letter flags, by field name. */
  readonly short?: Readonly<Record<string, string>>;
  /** Description of the file argument, for a study that reads a file. */
  readonly file?: string;
  /**
   * Computes the study's results.
   *
   * @param file name of the file; empty for a study that reads no file.
   */
  find(flags: FlagsOf<Table>, context: Context, file: string): Found | Promise<Found>;
  /** Returns the document for `--json`. Default: the results. */
  document?(found: Found): object;
  /** Returns the rows of the table for `--out`. */
  rows(found: Found, flags: FlagsOf<Table>): readonly object[];
  /** Returns the text that is printed without `--json`. */
  text(found: Found, flags: FlagsOf<Table>): string;
  /** Returns the drawing for `--svg`; undefined for a study without a drawing. */
  draw?(found: Found): string;
  /** Further tables, by the flags that give their file names. */
  readonly tables?: { readonly [K in keyof Table]?: (found: Found) => ResultTable };
}

/** Returns the function that creates a study's command. */
export function study<Table extends FlagTable, Found extends object>(
  of: Study<Table, Found>,
): (context: Context) => Command {
  return (context) => {
    const command = withFlags(new Command(of.name).description(of.about), of.flags, of.short);
    if (of.file !== undefined) command.argument('<file>', of.file);
    if (of.draw !== undefined) command.addOption(svgOption);
    return command
      .addOption(outOption)
      .addOption(forceOption)
      .addOption(jsonOption)
      .action(() => run(of, context, command));
  };
}

async function run<Table extends FlagTable, Found extends object>(
  of: Study<Table, Found>,
  context: Context,
  command: Command,
): Promise<void> {
  const flags = command.opts<FlagsOf<Table> & Asked>();
  const { out, svg, force, json, seed } = flags;
  const tables = Object.entries(of.tables ?? {}).map(([flag, table]) => ({
    path: (flags as Readonly<Record<string, string | undefined>>)[flag],
    table: table as (found: Found) => ResultTable,
  }));
  requireOneForm(flags);
  requireOut(flags);
  for (const { path } of tables) requireOut({ out: path, force });
  if (svg !== undefined) requirePlace(svg, force);
  const found = await of.find(flags, context, command.args[0] ?? '');
  if (svg !== undefined) writeWhole(svg, of.draw!(found));
  writeStudy(out, () => of.rows(found, flags), command, seed);
  for (const { path, table } of tables) writeTableOf(path, () => table(found), command, seed);
  if (isStandardOutput(svg)) return;
  const inputs = inputFiles();
  const document = { ...(of.document?.(found) ?? found), ...(inputs !== undefined && { inputs }) };
  context.out(json ? `${JSON.stringify(document)}\n` : of.text(found, flags));
}
