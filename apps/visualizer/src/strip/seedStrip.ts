import type { RunResult, Scenario } from '@tutti/simulation';
import { html, render, svg } from 'lit-html';
import { count } from '../formatNumber.ts';
import { type EditedRules, unedited } from '../rules/editedRules.ts';
import { messageOf, TaskWorker } from '../worker/task.ts';

/** Row of a strip: one protocol or one variant. */
interface SeedRow<Request> {
  /** Name of the row; empty for a strip with one row. */
  readonly name: string;
  /** Result of the shown run; undefined if the run has no value. */
  readonly own: number | undefined;
  /** Returns the worker's request for a seed. */
  readonly requestOf: (seed: number) => Request;
}

/** Number of seeds in a strip, including the seed of the shown run. */
const seedCount = 20;

/**
 * Strip that shows the same scenario with other seeds, one dot per seed, and a ring around the dot of the shown run. A
 * worker simulates one seed after another while the strip is visible.
 */
export class SeedStrip<Request> {
  readonly #host: HTMLElement;
  readonly #measure: SeedMeasure;
  readonly #start: () => Worker;
  #rows: readonly SeedRow<Request>[] = [];
  /** Results of each row, in the order of its seeds. */
  #values: (number | undefined)[][] = [];
  /** Seeds that have not been simulated yet. */
  #seeds: number[] = [];
  #worker: TaskWorker<Request, number | undefined> | undefined;
  #isRunning = false;
  /** Whether the strip is visible. */
  #isSeen = false;

  /** @param start starts a worker that answers a request with the result of its seed. */
  constructor(host: HTMLElement, measure: SeedMeasure, start: () => Worker) {
    this.#host = host;
    this.#measure = measure;
    this.#start = start;
    new IntersectionObserver((entries) => {
      this.#isSeen = entries.at(-1)!.isIntersecting;
      void this.#run();
    }).observe(host);
  }

  /**
   * Shows another run.
   *
   * @param rows at most two rows; none for a run whose seeds are not compared. @param ownSeed seed of the shown run.
   */
  show(rows: readonly SeedRow<Request>[], ownSeed: number): void {
    this.#stop();
    this.#rows = rows;
    // The result of the shown run is one of the values.
    this.#values = rows.map(({ own }) => [own]);
    const others = Array.from({ length: seedCount }, (_, place) => place + 1).filter((seed) => seed !== ownSeed);
    this.#seeds = rows.length === 0 ? [] : others.slice(0, seedCount - 1);
    // The rows are drawn before the results are known, so that the text below does not move.
    if (rows.length > 0) this.#draw();
    else render('', this.#host);
    void this.#run();
  }

  #stop(): void {
    this.#worker?.end();
    this.#worker = undefined;
    this.#isRunning = false;
  }

  /** Simulates the next seed in all rows, and then the others. */
  async #run(): Promise<void> {
    if (this.#isRunning || !this.#isSeen || this.#seeds.length === 0) return;
    this.#isRunning = true;
    const [seed] = this.#seeds;
    try {
      // After a stop, an open request stays pending, so results of a previous run are dropped.
      this.#worker ??= new TaskWorker<Request, number | undefined>(this.#start(), 'The other seeds');
      const worker = this.#worker;
      const found: (number | undefined)[] = [];
      for (const { requestOf } of this.#rows) found.push(await worker.ask(requestOf(seed!)));
      found.forEach((value, row) => {
        this.#values[row]!.push(value);
      });
      this.#seeds.shift();
      this.#draw();
      this.#isRunning = false;
      if (this.#seeds.length === 0) this.#stop();
      else void this.#run();
    } catch (error) {
      this.#stop();
      this.#seeds = [];
      render(messageOf(error), this.#host);
    }
  }

  #draw(): void {
    const found = this.#values.flat().filter((one) => one !== undefined);
    const [min, max] = [Math.min(...found), Math.max(...found)];
    const across = (value: number) => 10 + (max === min ? 140 : (280 * (value - min)) / (max - min));
    const own = this.#rows.map((row) => row.own);
    const results = this.#rows.map(({ name }, row) => ({ name, values: this.#values[row]! }));
    const words = seedWords(results, own, this.#measure, seedCount);
    const rows = results.map(({ name, values }, row) => {
      const dots = values
        .filter((one) => one !== undefined)
        .map((one) => svg`<circle cx=${across(one)} cy="11" r="3.5" />`);
      const ring = own[row] === undefined ? '' : svg`<circle class="own" cx=${across(own[row])} cy="11" r="7.5" />`;
      return html`<svg class="seeds" viewBox="0 0 300 22" role="img" aria-label=${name || words}><path d="M4 11H296" />${dots}${ring}</svg>`;
    });
    const named = rows.map((row, place) =>
      results[place]!.name === '' ? row : html`<p>${results[place]!.name}</p>${row}`,
    );
    render(html`${named}<p class="seed-words" data-rows=${rows.length}>${words}</p>`, this.#host);
  }
}

/** Quantity that a strip shows for each seed. */
interface SeedMeasure {
  /** Words that precede a value or a range, such as "the last node takes". */
  readonly verb: string;
  /** Unit of the values. */
  readonly unit: string;
  /** Words about seeds without a value. */
  readonly none: string;
  /** Words about a row whose value is greater than that of the other row. */
  readonly more: string;
}

/** Time at which the last node finishes. A run in which a node never finishes has no value. */
export const lastNode: SeedMeasure = {
  verb: 'the last node takes',
  unit: 'ms',
  none: 'some nodes never finish',
  more: 'takes longer',
};

/** Results of one protocol or variant. */
interface SeedResults {
  /** Name of the row; empty for a strip with one row. */
  readonly name: string;
  /** Results of the seeds simulated so far, in the same order in all rows; undefined for a seed without a value. */
  readonly values: readonly (number | undefined)[];
}

/**
 * Describes the results in a strip of seeds. Two rows are compared once all seeds are simulated.
 *
 * @param own result of the shown run in each row.
 * @param total number of seeds once all are simulated.
 */
export function seedWords(
  rows: readonly SeedResults[],
  own: readonly (number | undefined)[],
  measure: SeedMeasure,
  total: number,
): string {
  const known = Math.min(...rows.map(({ values }) => values.length));
  const seeds = known < total ? `${count(known)} of ${count(total)} seeds so far` : `${count(known)} seeds`;
  const ranges = rows.map(({ name, values }) => {
    const range = rangeWords(values.slice(0, known), measure);
    return name === '' ? range : `${range} (${name})`;
  });
  return `${seeds}: ${ranges.join('; ')}.${known < total ? '' : compared(rows, known, measure)}${ownWords(own, measure)}`;
}

function rangeWords(values: readonly (number | undefined)[], { verb, unit, none }: SeedMeasure): string {
  const found = values.filter((one) => one !== undefined).map(Math.round);
  const missing = values.length - found.length;
  const without = missing === 0 ? '' : `in ${count(missing)} of ${count(values.length)} seeds, ${none}`;
  if (found.length === 0) return without;
  const [min, max] = [Math.min(...found), Math.max(...found)];
  const range = `${verb} ${min === max ? count(min) : `${count(min)} to ${count(max)}`} ${unit}`.trim();
  return without === '' ? range : `${range}, and ${without}`;
}

/**
 * Counts the seeds for which the second row has a greater value than the first. A missing value counts as greater than
 * any other.
 */
function compared(rows: readonly SeedResults[], known: number, { more }: SeedMeasure): string {
  const [first, second] = rows;
  if (first === undefined || second === undefined) return '';
  const worse = second.values
    .slice(0, known)
    .filter((value, place) => (value ?? Number.POSITIVE_INFINITY) > (first.values[place] ?? Number.POSITIVE_INFINITY));
  return ` In ${worse.length === 0 ? 'none' : count(worse.length)} of ${count(known)} seeds, “${second.name}” ${more} than “${first.name}”.`;
}

function ownWords(own: readonly (number | undefined)[], { verb, unit }: SeedMeasure): string {
  const known = own.filter((value) => value !== undefined).map((value) => count(Math.round(value)));
  const values = `${verb} ${known.join(' and ')} ${unit}`.trim();
  return known.length === 0 ? '' : ` The circle marks this run: ${values}.`;
}

/** Request to simulate a scenario with one seed. */
export interface RunRequest {
  readonly scenario: Scenario;
  /** Rules that the honest nodes follow. */
  readonly edited: EditedRules;
  /** Virtual time after which a run that has not ended is stopped, ms. */
  readonly giveUpAfterMs: number;
}

/** Maximum number of nodes in a run with a seed strip. Twenty runs with more nodes would take minutes. */
const maxNodes = 1024;

/** Returns a strip that shows the time of the last node in simulated runs. */
export function runSeeds(host: HTMLElement): SeedStrip<RunRequest> {
  return new SeedStrip<RunRequest>(
    host,
    lastNode,
    () => new Worker(new URL('./seedWorker.ts', import.meta.url), { type: 'module', name: 'tutti-seeds' }),
  );
}

/**
 * Returns whether a run can be compared with other seeds. Faults name nodes by id, and with another seed an id refers
 * to a different node.
 */
export function hasSeeds({ nodes, faults }: Scenario): boolean {
  return nodes <= maxNodes && faults.length === 0;
}

/** Result of a run, used by a row that shows the time of the last node. */
interface LastNode {
  readonly reached: number;
  readonly live: number;
  /** Finish time of the last node that finished, ms. */
  readonly lastMs: number;
}

/** Virtual time after which a run with another seed counts as unfinished, ms. */
const maxRunMs = 4000;

/** Returns a row that shows the time of the last node. */
export function runRow(
  scenario: Scenario,
  { reached, live, lastMs }: LastNode,
  { name = '', giveUpAfterMs = maxRunMs, edited = unedited } = {},
): SeedRow<RunRequest> {
  return {
    name,
    own: reached === live ? lastMs : undefined,
    requestOf: (seed) => ({ scenario: { ...scenario, seed }, edited, giveUpAfterMs }),
  };
}

/** Returns the part of a result that {@link runRow} needs. */
export function lastOf({ reached, live, timeToThresholdMs }: RunResult): LastNode {
  return { reached, live, lastMs: timeToThresholdMs.max };
}
