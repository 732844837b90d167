import { type Calibration, type CalibrationPart, calibrationParts, leanCalibrations } from '@tutti/simulation/lean';
import { Command } from 'commander';
import { forceOption } from '../commonFlags.ts';
import type { Context } from '../context.ts';
import { choiceFlag } from '../flags.ts';
import { grouped } from '../numbers.ts';
import { answer } from '../output/answer.ts';
import { wrapped } from '../output/folded.ts';
import { Counter } from '../output/progress.ts';
import { columnTable } from '../output/tables.ts';
import { outOption, requireOut, writeStudy } from '../results/tableFile.ts';
import { Interrupted } from '../usageError.ts';

interface Flags {
  readonly part?: CalibrationPart;
  readonly out?: string;
  readonly force?: boolean;
  readonly json?: boolean;
}

/** What `tutti lean calibration --json` prints. */
export interface LeanCalibrationDocument {
  /** Of all rows, how far off the one is that is furthest off, as a share. */
  readonly mostOff: number;
  readonly rows: readonly (Omit<Calibration, 'ours'> & {
    readonly ours: number;
    /** Ours over the published figure, less one. */
    readonly off: number;
  })[];
}

export function leanCalibrationCommand(context: Context): Command {
  return new Command('calibration')
    .description('Measure the laboratory against what others have published: provers, sizes, BEAMSIM, devnets.')
    .option(
      '--part <name>',
      `one of ${calibrationParts.join(', ')}; default: all`,
      choiceFlag('--part', calibrationParts),
    )
    .addOption(outOption)
    .addOption(forceOption)
    .option('--json', 'print one JSON document')
    .action(async ({ part, out, force, json }: Flags, self: Command) => {
      requireOut({ out, force });
      const asked = leanCalibrations.filter((one) => part === undefined || one.part === part);
      const counter = new Counter(context, 'measuring', asked.length, 'figures');
      const rows: LeanCalibrationDocument['rows'][number][] = [];
      try {
        for (const { ours: measure, ...one } of asked) {
          await new Promise(setImmediate);
          if (context.signal.aborted) throw new Interrupted();
          const ours = measure();
          rows.push({ ...one, ours, off: ours / one.measured - 1 });
          counter.step();
        }
      } finally {
        counter.done();
      }
      const mostOff = rows.reduce((all, { off }) => Math.max(all, Math.abs(off)), 0);
      const document = { mostOff, rows };
      writeStudy(out, () => rows.map(studyRow), self);
      answer(context, json, document, text(document));
    });
}

/** `unit` is that of `published` and `ours`, which every row has its own of. */
function studyRow({ measured, within, off, ...row }: LeanCalibrationDocument['rows'][number]): object {
  return { ...row, published: measured, offShare: off, withinShare: within };
}

function text({ mostOff, rows }: LeanCalibrationDocument): string {
  const table = columnTable(
    ['figure', 'published', 'ours', 'off, %', 'source', 'date'],
    rows.map(({ what, unit, measured, ours, off, source, date }) => [
      what,
      `${grouped(measured, 3)} ${unit}`,
      grouped(ours, 3),
      grouped(100 * off, 1),
      source,
      date,
    ]),
  );
  return `${table}\n${wrapped(`Off by at most ${grouped(100 * mostOff, 1)} %.`)}\n`;
}
