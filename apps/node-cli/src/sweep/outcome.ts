import { version } from '@tutti/core';
import { WorldError } from '@tutti/core/errors';
import type { SweepPlan } from './plan.ts';
import { parseResultLine, type SweepResult } from './result.ts';
import { ResultFile } from './resultFile.ts';
import { Tally } from './tally.ts';

/** A sweep's output file and the counts of its contents, which are kept consistent. */
export class Outcome {
  readonly tally: Tally;
  readonly file: ResultFile;
  /** Number of points that an earlier sweep completed. */
  readonly doneBefore: number;

  /**
   * Opens the file.
   *
   * @throws WorldError as {@link ResultFile}.
   */
  constructor(plan: SweepPlan, path: string) {
    this.tally = new Tally(plan);
    this.file = new ResultFile(path, (result) => void this.tally.take(result));
    this.doneBefore = this.tally.done;
  }

  /**
   * Appends new results, and discards those that exist already.
   *
   * @returns the new results.
   * @throws WorldError `cannot-write`; `bad-result` for a line that is not a result of this version, which only a
   * foreign worker can send.
   */
  take(lines: readonly string[]): SweepResult[] {
    const fresh: SweepResult[] = [];
    const freshLines: string[] = [];
    for (const line of lines) {
      const result = line.includes('\n') ? undefined : parseResultLine(line);
      if (result === undefined) {
        throw new WorldError(
          'bad-result',
          `expected a result of 'tutti sweep', got ${JSON.stringify(line.slice(0, 40))}`,
        );
      }
      if (result.version !== version) {
        throw new WorldError('bad-result', `expected a result from version ${version}, got one of ${result.version}`);
      }
      if (!this.tally.take(result)) continue;
      fresh.push(result);
      freshLines.push(line);
    }
    this.file.append(freshLines);
    return fresh;
  }
}
