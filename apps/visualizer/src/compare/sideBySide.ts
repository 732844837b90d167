import { NodeRole } from '@tutti/core/simulation';
import { RaceField } from '../race/raceField.ts';
import { doneAt, type RaceLane } from '../race/raceFile.ts';
import type { RunIndex } from '../timeline/runIndex.ts';
import { type Palette, readPalette } from '../views/palette.ts';
import { count, ms } from '../words.ts';
import { laneOf } from './laneOf.ts';

/** One run of those that stand side by side. */
export interface Standing {
  readonly title: string;
  /** Undefined while it is played. */
  readonly index: RunIndex | undefined;
  /** What it is at instead. */
  readonly words?: string | undefined;
  /** Takes it away. */
  readonly remove?: (() => void) | undefined;
}

interface Shown {
  readonly standing: Standing;
  readonly lane: RaceLane | undefined;
  readonly field: RaceField | undefined;
  readonly count: HTMLElement;
}

/** Runs side by side on one clock, a field of cells each. */
export class SideBySide {
  readonly #host: HTMLElement;
  #palette: Palette = readPalette();
  #shown: readonly Shown[] = [];

  constructor(host: HTMLElement) {
    this.#host = host;
    host.classList.add('standing');
  }

  /** When the last of them ends, microseconds. */
  get endUs(): number {
    return Math.max(0, ...this.#shown.map(({ standing }) => standing.index?.endUs ?? 0));
  }

  show(standings: readonly Standing[]): void {
    this.#host.replaceChildren();
    this.#host.dataset.many = String(standings.length);
    this.#shown = standings.map((standing) => this.#add(standing));
    // Each made the others narrower.
    this.resize();
  }

  draw(timeUs: number): void {
    for (const { standing, lane, field, count: words } of this.#shown) {
      if (lane === undefined || field === undefined) continue;
      field.draw(timeUs);
      const { reached, live } = standing.index!.recording.result;
      const done = doneAt(lane, timeUs);
      const said =
        done === live
          ? `all ${count(live)} after ${ms(lastUs(lane))}`
          : timeUs >= standing.index!.endUs && reached < live
            ? `${count(reached)} of ${count(live)}, and it ended`
            : `${count(done)} of ${count(live)} hold the threshold`;
      if (words.textContent === said) continue;
      words.textContent = said;
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
    const figure = document.createElement('figure');
    figure.className = 'lane';
    const caption = document.createElement('figcaption');
    const title = document.createElement('h3');
    title.textContent = standing.title;
    const words = document.createElement('p');
    words.className = 'count';
    words.textContent = standing.words ?? 'playing …';
    caption.append(title, words);
    if (standing.remove) {
      const remove = document.createElement('button');
      remove.type = 'button';
      remove.className = 'quiet remove';
      remove.textContent = '×';
      remove.setAttribute('aria-label', `Take ${standing.title} away`);
      remove.addEventListener('click', standing.remove);
      caption.append(remove);
    }
    const fieldHost = document.createElement('div');
    fieldHost.className = 'field-host';
    figure.append(caption, fieldHost);
    this.#host.append(figure);
    if (standing.index === undefined) return { standing, lane: undefined, field: undefined, count: words };
    const lane = laneOf(standing.index);
    return { standing, lane, field: new RaceField(fieldHost, lane, this.#palette), count: words };
  }
}

/** When the last of the nodes that came to the threshold had it, microseconds. */
function lastUs({ marks, perNode, alive }: RaceLane): number {
  let last = 0;
  alive.forEach((role, id) => {
    if (role === NodeRole.honest) last = Math.max(last, marks[(id + 1) * perNode - 1]!);
  });
  return last;
}
