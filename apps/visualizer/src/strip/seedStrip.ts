import { html, render, svg } from 'lit-html';
import { TaskWorker } from '../worker/task.ts';
import { type SeedMeasure, seedWords } from './seedText.ts';

/** One protocol or variant of a strip. */
export interface SeedRow<Request> {
  /** Name of the row; empty for a strip with one row. */
  readonly name: string;
  /** Result of the shown run; undefined if it has no value. */
  readonly own: number | undefined;
  readonly requestOf: (seed: number) => Request;
}

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
   * @param rows at most two rows; none for a run whose seeds are not compared. @param ownSeed seed of the shown run.
   */
  show(rows: readonly SeedRow<Request>[], ownSeed: number): void {
    this.#stop();
    this.#rows = rows;
    // The shown run is one of the values.
    this.#values = rows.map(({ own }) => [own]);
    const others = Array.from({ length: seedCount }, (_, place) => place + 1).filter((seed) => seed !== ownSeed);
    this.#seeds = rows.length === 0 ? [] : others.slice(0, seedCount - 1);
    // The strip has its rows before it has its results, so that the text below does not move.
    if (rows.length > 0) this.#draw();
    else render('', this.#host);
    void this.#run();
  }

  #stop(): void {
    this.#worker?.end();
    this.#worker = undefined;
    this.#isRunning = false;
  }

  async #run(): Promise<void> {
    if (this.#isRunning || !this.#isSeen || this.#seeds.length === 0) return;
    this.#isRunning = true;
    this.#worker ??= new TaskWorker<Request, number | undefined>(this.#start(), 'The other seeds');
    const [seed] = this.#seeds;
    try {
      // Results that arrive after another run is shown are dropped.
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
      render((error as Error).message, this.#host);
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
