import type { RunResult, Scenario } from '@tutti/simulation';
import { html, render, svg } from 'lit-html';
import { type Task, task } from '../worker/task.ts';
import { seedWords } from './seedText.ts';

/** A scenario to be run once for each seed. */
export interface SeedRequest {
  readonly scenario: Scenario;
  readonly seeds: readonly number[];
}

/** Twenty runs of more nodes would keep a worker for long. */
const maxNodes = 256;
const seedCount = 20;

/** The same scenario with other seeds, a dot each at the time of its last node, and this run ringed: is it a rule? */
export class SeedStrip {
  readonly #host: HTMLElement;
  #wanted: { readonly scenario: Scenario; readonly ownMs: number | undefined } | undefined;
  #isSeen = false;
  #task: Task<readonly (number | undefined)[]> | undefined;

  constructor(host: HTMLElement) {
    this.#host = host;
    // The runs are made once somebody sees where their result will stand.
    new IntersectionObserver((entries) => {
      this.#isSeen = entries.at(-1)!.isIntersecting;
      this.#load();
    }).observe(host);
  }

  show(scenario: Scenario, { reached, live, timeToThresholdMs }: RunResult): void {
    this.#task?.stop();
    render('', this.#host);
    // What is done to nodes by their number is another thing with another seed.
    this.#wanted =
      scenario.nodes > maxNodes || scenario.faults.length > 0
        ? undefined
        : { scenario, ownMs: reached === live ? timeToThresholdMs.max : undefined };
    this.#load();
  }

  #load(): void {
    if (!this.#isSeen || this.#wanted === undefined) return;
    const { scenario, ownMs } = this.#wanted;
    this.#wanted = undefined;
    // This run is one of them.
    const others = Array.from({ length: seedCount }, (_, place) => place + 1).filter((seed) => seed !== scenario.seed);
    const seeds = others.slice(0, seedCount - 1);
    const worker = new Worker(new URL('./seedWorker.ts', import.meta.url), { type: 'module', name: 'tutti-seeds' });
    this.#task = task<SeedRequest, readonly (number | undefined)[]>(worker, 'The other seeds', { scenario, seeds });
    this.#task.result.then(
      (lastMs) => this.#draw([...lastMs, ownMs], ownMs),
      (error: Error) => render(error.message, this.#host),
    );
  }

  #draw(lastMs: readonly (number | undefined)[], ownMs: number | undefined): void {
    const done = lastMs.filter((one) => one !== undefined);
    const [least, most] = [Math.min(...done), Math.max(...done)];
    const across = (ms: number) => 10 + (most === least ? 140 : (280 * (ms - least)) / (most - least));
    const words = seedWords(lastMs, ownMs);
    render(
      html`<svg class="seeds" viewBox="0 0 300 22" role="img" aria-label=${words}><path d="M4 11H296" />${done.map((ms) => svg`<circle cx=${across(ms)} cy="11" r="3.5" />`)}${ownMs === undefined ? '' : svg`<circle class="own" cx=${across(ownMs)} cy="11" r="7.5" />`}</svg><p>${words}</p>`,
      this.#host,
    );
  }
}
