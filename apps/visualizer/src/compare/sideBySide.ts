import { html, nothing, render } from 'lit-html';
import { count, ms } from '../formatNumber.ts';
import { createElement } from '../html.ts';
import { write } from '../page.ts';
import { RaceField } from '../race/raceField.ts';
import { doneAt, doneTimes, type LaneRun } from '../race/raceFile.ts';
import { type Palette, readPalette } from '../views/canvas.ts';

/** One of the runs side by side. */
export interface ComparedRun {
  readonly title: string;
  /** Result of the run; undefined until it has ended. */
  readonly run: LaneRun | undefined;
  /** Status text of a run without a result. Default: the run is being simulated. */
  readonly words?: string | undefined;
  /** Removes the run from the comparison. */
  readonly remove?: (() => void) | undefined;
}

/** Run and its elements on the page. */
interface ShownRun {
  readonly compared: ComparedRun;
  readonly field: RaceField | undefined;
  /** Element of the status text. */
  readonly status: HTMLElement;
}

/** Shows runs side by side on one clock, with a field of cells for each run. */
export class SideBySide {
  readonly #host: HTMLElement;
  #palette: Palette = readPalette();
  #shown: readonly ShownRun[] = [];

  constructor(host: HTMLElement) {
    this.#host = host;
    host.classList.add('standing');
  }

  /** Latest end time of the runs, µs. */
  get endUs(): number {
    return Math.max(0, ...this.#shown.map(({ compared }) => compared.run?.endUs ?? 0));
  }

  /** Replaces the runs. */
  show(runs: readonly ComparedRun[]): void {
    this.#host.replaceChildren();
    this.#shown = runs.map((run) => this.#add(run));
    // Adding a field makes the other fields narrower.
    this.resize();
    for (const { field } of this.#shown) field?.draw(0);
  }

  /** Sets the status text of a run in progress. @param place index of the run. */
  say(place: number, words: string): void {
    const shown = this.#shown[place];
    if (shown && shown.compared.run === undefined) shown.status.textContent = words;
  }

  draw(timeUs: number): void {
    for (const { compared, field, status } of this.#shown) {
      if (compared.run === undefined || field === undefined) continue;
      field.draw(timeUs);
      const { lane, reached, live, endUs } = compared.run;
      const done = doneAt(lane, timeUs);
      const said =
        done === live
          ? `all ${count(live)} after ${ms(doneTimes(lane).at(-1) ?? 0)}`
          : timeUs >= endUs && reached < live
            ? `${count(reached)} of ${count(live)} nodes at the end of the run`
            : `${count(done)} of ${count(live)} nodes have finished`;
      if (status.textContent === said) continue;
      write(status, said);
      status.classList.toggle('done', done === live);
      field.label = `${compared.title} at ${ms(timeUs)}: ${said}`;
    }
  }

  resize(): void {
    for (const { field } of this.#shown) field?.resize();
  }

  recolour(): void {
    this.#palette = readPalette();
    for (const { field } of this.#shown) if (field) field.palette = this.#palette;
  }

  #add(compared: ComparedRun): ShownRun {
    const { title, run, words = 'simulating …', remove } = compared;
    const button = html`<button type="button" class="quiet remove" aria-label="Remove ${title}" @click=${remove}>×</button>`;
    const figure = createElement('figure', { className: 'lane' });
    render(
      html`<figcaption><h3>${title}</h3><p class="count"></p>${remove ? button : nothing}</figcaption><div class="field-host"></div>`,
      figure,
    );
    this.#host.append(figure);
    const status = figure.querySelector<HTMLElement>('.count')!;
    status.textContent = run === undefined ? words : '\u00a0';
    const fieldHost = figure.querySelector<HTMLElement>('.field-host')!;
    const field = run && new RaceField(fieldHost, run.lane, this.#palette);
    return { compared, field, status };
  }
}
