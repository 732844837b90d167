import {
  answer,
  Command,
  type Context,
  Counter,
  columnTable,
  grouped,
  jsonOption,
  wrapped,
} from '@tutti/node-cli/command';
import { type MeasuredDocument, measured, turns } from './measurements.ts';
import { handelTable, type PixelTable, publishedTables } from './tables.ts';

/** Creates the command `tutti pixel tables`. */
export function pixelTablesCommand(context: Context): Command {
  return new Command('tables')
    .description("Print the paper's tables, the same tables computed from their inputs, and measurements for table 3.")
    .option('--no-measured', 'leave out the measurements on this machine')
    .addOption(jsonOption)
    .action(async ({ measured: measure, json }: { measured: boolean; json?: boolean }) => {
      const tables = [...publishedTables(), handelTable()];
      const here = measure ? await measuredWithProgress(context) : null;
      answer(
        context,
        json,
        { tables, measured: here },
        [...tables.map(tableText), ...(here === null ? [] : [measuredText(here)])].join('\n'),
      );
    });
}

async function measuredWithProgress(context: Context): Promise<MeasuredDocument> {
  const counter = new Counter(context, 'measuring', turns, 'turns');
  const document = await measured(() => counter.step());
  counter.done();
  return document;
}

function tableText({ title, rows }: PixelTable): string {
  const verdict = (follows: boolean | null): string => (follows === null ? '-' : follows ? 'yes' : 'NO');
  const cells = rows.map(({ item, unit, paper, computed, follows }) => [
    `${item}, ${unit}`,
    paper === null ? '-' : grouped(paper, 2),
    grouped(computed, 2),
    verdict(follows),
  ]);
  return `${wrapped(title)}\n\n${columnTable(['', 'the paper', 'computed', 'follows'], cells)}`;
}

function measuredText({ rows, verifyMs, pixelByBls, updateMs }: MeasuredDocument): string {
  return [
    wrapped(
      'Table 3, measured here (the minimum CPU time of several turns; on another machine only the ratios hold)\n',
    ),
    columnTable(
      ['signatures', 'Pixel, kernel, ms', 'by one', 'Ed25519, ms', 'Ed25519 by Pixel'],
      rows.map((row) => [
        grouped(row.signatures),
        grouped(row.pixelWasm, 2),
        grouped(row.byOne, 2),
        grouped(row.ed25519, 1),
        grouped(row.ed25519ByPixel, 2),
      ]),
    ),
    wrapped(
      `A verification, ms: BLS ${grouped(verifyMs.blsWasm, 2)}, Pixel ${grouped(verifyMs.pixelWasm, 2)} (${grouped(pixelByBls, 2)} times), with e(pk, h) kept ${grouped(verifyMs.pixelWasmKept, 2)}, on noble-curves ${grouped(verifyMs.pixelNoble, 1)}.`,
    ),
    `A key update by one period, mean of 63: ${grouped(updateMs, 1)} ms.\n`,
  ].join('\n');
}
