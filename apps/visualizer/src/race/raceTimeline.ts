import { capital, count } from '../formatNumber.ts';
import { type Chapter, lastPerMoment } from '../guide/chapter.ts';
import type { Mark } from '../player/dock.ts';
import { evenPace } from '../player/playback.ts';
import type { PlayerContent } from '../player/player.ts';
import { paceWords, raceTimeMs, storySecondAt, storySeconds } from './raceClock.ts';
import { doneAt, doneTimes, type Race, type RaceLane, type RaceOutcome } from './raceFile.ts';
import { finished, raceTexts, secondsOfMs } from './raceText.ts';

/** Duration of a race's story, µs. */
export const storyUs = storySeconds * 1e6;

/** Number of points of the track's curve. */
const trackPoints = 120;
/** Times of the race with a label on the track, ms. */
const labelledMs = [200, 400, 1000, 2000, 5000, 10_000];
/** Distance below which two marks share a label, because the track omits a label that would cover another, µs. */
const nearUs = storyUs / 20;

/** Race on the clock of its story, which accelerates. Moments of the story are in µs, and times of the race in ms. */
export class RaceTimeline {
  readonly #race: Race;
  readonly #unitUs: number;
  readonly #endMs: number;

  /** @param unitUs unit of the marks in the race's lanes, µs. */
  constructor(race: Race, unitUs: number) {
    this.#race = race;
    this.#unitUs = unitUs;
    // Marks are in whole units, so the last mark may be later than the exact time of the last node.
    const lastMarksMs = race.lanes.map((lane) => this.#msOf(doneTimes(lane).at(-1) ?? 0));
    this.#endMs = Math.max(500, ...lastMarksMs, ...race.outcomes.map(({ lastMs }) => lastMs));
  }

  /** Returns the race's time at a moment of the story, ms. */
  timeMs(atUs: number): number {
    return raceTimeMs(atUs / 1e6, this.#endMs);
  }

  /** Returns the moment of the story at which the race reaches a time, µs. */
  storyUsAt(timeMs: number): number {
    return Math.round(storySecondAt(timeMs, this.#endMs) * 1e6);
  }

  /** Returns the race's time at a moment of the story, in the unit of the marks. */
  unitsAt(atUs: number): number {
    return (this.timeMs(atUs) * 1000) / this.#unitUs;
  }

  /** Describes the speed of the race's clock at a moment of the story, relative to a real clock. */
  pace(atUs: number): string {
    return paceWords(atUs / 1e6, this.#endMs);
  }

  /**
   * Returns what the player shows along the story.
   *
   * @param hidesResults whether marks and chapters that name finished protocols are left out, because the reader still
   * guesses the winner.
   */
  content(hidesResults: boolean): PlayerContent {
    const done = finished(this.#race.outcomes);
    return {
      track: { spanUs: storyUs, curve: this.#curve(), times: this.#times() },
      chapters: hidesResults ? [this.#start()] : this.#chapters(done),
      marks: hidesResults ? [] : this.#marks(done),
      stepsUs: Array.from({ length: storySeconds * 2 + 1 }, (_, step) => step * 5e5),
      pace: evenPace(1),
    };
  }

  /** Returns the share of finished nodes over all lanes, along the track. */
  #curve(): [number, number][] {
    const { lanes, outcomes } = this.#race;
    const total = outcomes.reduce((sum, { live }) => sum + live, 0);
    return Array.from({ length: trackPoints + 1 }, (_, point) => {
      const share = point / trackPoints;
      const atUnits = this.unitsAt(share * storyUs);
      return [share, lanes.reduce((sum, lane) => sum + doneAt(lane, atUnits), 0) / total];
    });
  }

  /** Returns labels along the track, which show the time because the clock accelerates. */
  #times(): { readonly timeUs: number; readonly label: string }[] {
    return labelledMs
      .filter((ms) => ms < this.#endMs)
      .map((ms) => ({ timeUs: this.storyUsAt(ms), label: `${ms / 1000} s` }));
  }

  /** Returns a mark for the end of each finished protocol. A mark close before another one also names the other. */
  #marks(done: readonly RaceOutcome[]): Mark[] {
    const ends = done.map(({ protocol, lastMs }) => ({
      timeUs: this.storyUsAt(lastMs),
      label: raceTexts[protocol].title,
    }));
    return ends.map(({ timeUs, label }, place) => {
      const next = ends[place + 1];
      const isNear = next !== undefined && next.timeUs - timeUs < nearUs;
      return { timeUs, label: isNear ? `${label}; ${next.label}` : label, kind: 'output' };
    });
  }

  #chapters(done: readonly RaceOutcome[]): readonly Chapter[] {
    const [fastest] = done;
    const progress = fastest === undefined ? [] : this.#progress(fastest);
    const ends = done.map((outcome, place) => this.#end(outcome, done.slice(0, place)));
    return lastPerMoment([this.#start(), ...progress, ...ends]);
  }

  #start(): Chapter {
    const text =
      this.#race.byzantine === 0
        ? 'Every node starts with its own signature.'
        : 'Every honest node starts with its own signature and does not know which signers are invalid.';
    return { timeUs: 0, title: 'Start', text };
  }

  /** Returns chapters for the times at which the first node and half of the nodes of a finished protocol are done. */
  #progress({ protocol, live }: RaceOutcome): Chapter[] {
    const times = doneTimes(this.#laneOf(protocol));
    const { title } = raceTexts[protocol];
    const parts = [
      { name: 'first', words: 'the first node has finished', place: 0 },
      { name: 'half', words: `half of the ${count(live)} nodes have finished`, place: Math.floor((live - 1) / 2) },
    ];
    return parts.map(({ name, words, place }) => {
      const doneMs = this.#msOf(times[place]!);
      const text = `${capital(title)}: ${words} after ${secondsOfMs(doneMs)}.`;
      return { timeUs: this.storyUsAt(doneMs), title: `${title}, ${name}`, text };
    });
  }

  /** Returns the chapter for the end of a protocol. @param earlier protocols that finished earlier. */
  #end({ protocol, lastMs }: RaceOutcome, earlier: readonly RaceOutcome[]): Chapter {
    const { title } = raceTexts[protocol];
    const running = this.#race.lanes
      .map((lane) => lane.protocol)
      .filter((other) => other !== protocol && !earlier.some((one) => one.protocol === other));
    const after = secondsOfMs(lastMs);
    const text =
      running.length === 0
        ? `${capital(title)} is last: its last node finishes after ${after}.`
        : `${capital(title)}: the last node finishes after ${after}. Still running: ${running.map((one) => raceTexts[one].title).join(', ')}.`;
    return { timeUs: this.storyUsAt(lastMs), title, text };
  }

  #laneOf(protocol: RaceLane['protocol']): RaceLane {
    return this.#race.lanes.find((lane) => lane.protocol === protocol)!;
  }

  #msOf(units: number): number {
    return (units * this.#unitUs) / 1000;
  }
}
