import { version } from '@tutti/core';
import { EnvironmentError, shownValue } from '@tutti/core/input';
import type { SweepPlan } from './plan.ts';
import { parseResultLine, ResultFile, type SweepResult } from './resultFile.ts';
import { Tally } from './summary.ts';

/** Output file of a sweep, and the tally of the plan's results in the file. */
export class SweepOutput {
  readonly tally: Tally;
  readonly #file: ResultFile;
  /** Number of points completed by an earlier sweep. */
  readonly doneBefore: number;

  /**
   * Opens the output file.
   *
   * @throws EnvironmentError as {@link ResultFile}.
   */
  constructor(plan: SweepPlan, path: string) {
    this.tally = new Tally(plan);
    this.#file = new ResultFile(path, (result) => void this.tally.take(result));
    this.doneBefore = this.tally.done;
  }

  /**
   * Appends new results of the plan, and discards other results.
   *
   * @returns the new results.
   * @throws EnvironmentError as {@link ResultFile.append}; `bad-result` if a line is not a result of this version, in
   * which case nothing is appended. A worker on another machine can send such a line.
   */
  take(lines: readonly string[]): SweepResult[] {
    const results = lines.map((line) => {
      const result = line.includes('\n') ? undefined : parseResultLine(line);
      if (result === undefined)
        throw new EnvironmentError('bad-result', `expected a result of 'tutti sweep', got ${shownValue(line)}`);
      if (result.version !== version)
        throw new EnvironmentError(
          'bad-result',
          `expected a result from version ${version}, got one of ${result.version}`,
        );
      return { line, result };
    });
    const fresh = results.filter(({ result }) => this.tally.take(result));
    this.#file.append(fresh.map(({ line }) => line));
    return fresh.map(({ result }) => result);
  }

  close(): void {
    this.#file.close();
  }
}
