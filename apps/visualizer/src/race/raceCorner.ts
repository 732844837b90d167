import { html, render } from 'lit-html';
import { count } from '../formatNumber.ts';
import { createElement } from '../html.ts';
import type { Palette } from '../views/canvas.ts';
import { RaceField } from './raceField.ts';
import { doneAt, minHeld, type RaceLane, type RaceOutcome } from './raceFile.ts';
import type { LaneState } from './raceRuns.ts';
import { raceTexts, secondsOfMs } from './raceText.ts';

/** One protocol's part of the race's stage: its field of nodes, its progress, and the result of a repeated run. */
export class RaceCorner {
  /** Field of the protocol's nodes. */
  readonly field: RaceField;
  readonly #progress: HTMLElement;
  readonly #repeated: HTMLElement;
  #lane: RaceLane;
  #outcome: RaceOutcome;

  /** Appends the protocol's elements to a host element. */
  constructor(host: HTMLElement, lane: RaceLane, outcome: RaceOutcome, palette: Palette) {
    const { protocol } = lane;
    const run = `./run.html#protocol=${protocol.replace('-bulk', '&verification=bulk')}&n=64&scheme=counting`;
    const figure = createElement('figure', { className: 'lane', dataset: { protocol } });
    render(
      html`<figcaption><h3><a href=${run} title="Show a run of this protocol, message by message">${raceTexts[protocol].title}</a></h3><p class="count"></p><p class="checks sub">${raceTexts[protocol].way}</p></figcaption><div class="field-host"></div><p class="sub again-line"></p>`,
      figure,
    );
    host.append(figure);
    const find = (selector: string) => figure.querySelector<HTMLElement>(selector)!;
    this.field = new RaceField(find('.field-host'), lane, palette);
    this.#progress = find('.count');
    this.#repeated = find('.again-line');
    this.#lane = lane;
    this.#outcome = outcome;
  }

  /** Shows another run of the same protocol. */
  show(lane: RaceLane, outcome: RaceOutcome): void {
    this.#lane = lane;
    this.#outcome = outcome;
    this.field.lane = lane;
  }

  /** Draws a moment. @param atUnits the moment in the unit of the lane's marks. @param timeMs the same moment, ms. */
  draw(atUnits: number, timeMs: number): void {
    this.field.draw(atUnits);
    const done = doneAt(this.#lane, atUnits);
    const words = this.#progressWords(atUnits, done);
    if (this.#progress.textContent === words) return;
    this.#progress.textContent = words;
    this.#progress.classList.toggle('done', done === this.#outcome.live);
    this.field.label = `${raceTexts[this.#lane.protocol].title} at ${secondsOfMs(timeMs)}: ${words}`;
  }

  /** Shows the state before a run, until the run is available. */
  wait(): void {
    this.field.draw(0);
    this.say('loading …');
    this.#progress.classList.remove('done');
  }

  /** Shows the state of a run that is not available yet. */
  say(words: string): void {
    this.#progress.textContent = words;
  }

  /** Shows the state or the result of a repeated run. */
  sayRepeated(words: string, state: LaneState): void {
    this.#repeated.textContent = words;
    this.#repeated.dataset.state = state;
  }

  /** Removes the result of a repeated run. */
  clearRepeated(): void {
    this.#repeated.textContent = '';
    delete this.#repeated.dataset.state;
  }

  /**
   * Describes the progress: the number of finished nodes or, before the first node has finished, the minimum number of
   * contributions that live nodes hold.
   */
  #progressWords(atUnits: number, done: number): string {
    const { live, lastMs } = this.#outcome;
    if (done === live) return `all after ${secondsOfMs(lastMs)}`;
    if (done > 0) return `${count(done)} of ${count(live)} done`;
    const min = minHeld(this.#lane, atUnits)!;
    return `each holds ${count(min)}${min > 1 ? '+' : ''}`;
  }
}
