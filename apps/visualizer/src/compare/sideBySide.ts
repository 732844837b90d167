import { NodeRole } from '@tutti/simulation';
import { html, nothing, render } from 'lit-html';
import { count, ms } from '../formatNumber.ts';
import { createElement } from '../html.ts';
import { write } from '../page.ts';
import { RaceField } from '../race/raceField.ts';
import { doneAt, type LaneRun, type RaceLane } from '../race/raceFile.ts';
import { type Palette, readPalette } from '../views/canvas.ts';

/** One of the runs side by side. */
export interface Standing {
  readonly title: string;
  /** Result of the run; undefined until it has ended. */
  readonly run: LaneRun | undefined;
  /** Status text for a run in progress. */
  readonly words?: string | undefined;
  /** Removes the run from the comparison. */
  readonly remove?: (() => void) | undefined;
}

interface Shown {
  readonly standing: Standing;
  readonly field: RaceField | undefined;
  readonly count: HTMLElement;
}

/** Shows runs side by side on one clock, with a field of cells for each run. */
export class SideBySide {
  readonly #host: HTMLElement;
  #palette: Palette = readPalette();
  #shown: readonly Shown[] = [];

  constructor(host: HTMLElement) {
    this.#host = host;
    host.classList.add('standing');
  }

  /** Latest end time of the runs, µs. */
  get endUs(): number {
    return Math.max(0, ...this.#shown.map(({ standing }) => standing.run?.endUs ?? 0));
  }

  show(standings: readonly Standing[]): void {
    this.#host.replaceChildren();
    this.#host.dataset.many = String(standings.length);
    this.#shown = standings.map((standing) => this.#add(standing));
    // Adding a field makes the other fields narrower.
    this.resize();
    for (const { field } of this.#shown) field?.draw(0);
  }

  /** Sets the status text of a run in progress. */
  say(place: number, words: string): void {
    const shown = this.#shown[place];
    if (shown && shown.standing.run === undefined) shown.count.textContent = words;
  }

  draw(timeUs: number): void {
    for (const { standing, field, count: words } of this.#shown) {
      if (standing.run === undefined || field === undefined) continue;
      field.draw(timeUs);
      const { lane, reached, live, endUs } = standing.run;
      const done = doneAt(lane, timeUs);
      const said =
        done === live
          ? `all ${count(live)} after ${ms(lastUs(lane))}`
          : timeUs >= endUs && reached < live
            ? `${count(reached)} of ${count(live)} at the end of the run`
            : `${count(done)} of ${count(live)} reached the threshold`;
      if (words.textContent === said) continue;
      write(words, said);
      words.classList.toggle('done', done === live);
      field.label = `${standing.title} at ${ms(timeUs)}: ${said}`;
    }
  }

  resize(): void {
    for (const { field } of this.#shown) field?.resize();
  }

  recolour(): void {
    this.#palette = readPalette();
    for (const { field } of this.#shown) if (field) field.palette = this.#palette;
  }

  #add(standing: Standing): Shown {
    const { title, words: now = 'simulating …', remove } = standing;
    const button = html`<button type="button" class="quiet remove" aria-label="Remove ${title}" @click=${remove}>×</button>`;
    const figure = createElement('figure', { className: 'lane' });
    render(
      html`<figcaption><h3>${title}</h3><p class="count"></p>${remove ? button : nothing}</figcaption><div class="field-host"></div>`,
      figure,
    );
    this.#host.append(figure);
    const words = figure.querySelector<HTMLElement>('.count')!;
    words.textContent = standing.run === undefined ? now : '\u00a0';
    const fieldHost = figure.querySelector<HTMLElement>('.field-host')!;
    const field = standing.run && new RaceField(fieldHost, standing.run.lane, this.#palette);
    return { standing, field, count: words };
  }
}

/** Returns the time at which the last node to reach the threshold reached it, µs. */
function lastUs({ marks, perNode, alive }: RaceLane): number {
  let last = 0;
  alive.forEach((role, id) => {
    if (role === NodeRole.honest) last = Math.max(last, marks[(id + 1) * perNode - 1]!);
  });
  return last;
}
