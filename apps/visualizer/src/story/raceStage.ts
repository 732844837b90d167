import { html, render } from 'lit-html';
import { fetched } from '../files.ts';
import type { Chapter } from '../guide/chapter.ts';
import { made } from '../made.ts';
import { part } from '../page.ts';
import type { Mark } from '../player/marks.ts';
import { evenPace } from '../player/pace.ts';
import type { Told } from '../player/player.ts';
import { drawBars } from '../race/raceBars.ts';
import { paceWords, raceTimeMs, storySecondAt, storySeconds } from '../race/raceClock.ts';
import { RaceField } from '../race/raceField.ts';
import {
  doneAt,
  minHeld,
  type Race,
  type RaceFile,
  type RaceLane,
  type RaceOutcome,
  readRace,
  readRaceFile,
} from '../race/raceFile.ts';
import { RaceQuestion } from '../race/raceQuestion.ts';
import { checkingWords, raceTitles, seconds, verdict } from '../race/raceText.ts';
import { replay } from '../race/replay.ts';
import { readPalette } from '../views/palette.ts';
import { count as grouped } from '../words.ts';
import { messageOf } from '../worker/task.ts';
import type { Shown } from './address.ts';
import { SectionStage, type Stage, type StageListener } from './stage.ts';

/** One protocol's corner of the stage. */
interface Corner {
  readonly field: RaceField;
  readonly count: HTMLElement;
  readonly again: HTMLElement;
}

/** Points of the track's curve. */
const trackPoints = 120;
/** Moments that the track names, ms. */
const clockTimesMs = [200, 400, 1000, 2000, 5000, 10_000];

/** Five ways, one seed, one network, one clock: recorded when the page was made, so that it plays at once. */
class RaceStage extends SectionStage implements Stage<Shown<'race'>> {
  readonly endUs = storySeconds * 1e6;
  readonly #file: RaceFile;
  readonly #corners: readonly Corner[];
  readonly #question: RaceQuestion;
  #race: Race;
  /** The same race with dead nodes, once it was requested. */
  #dying: Promise<Race> | undefined;
  /** Undefined while another race is loaded. */
  #told: Told | undefined;
  #replay: { stop(): void } | undefined;

  constructor(file: RaceFile, section: HTMLElement, on: StageListener) {
    super(section, on);
    this.#file = file;
    this.#race = file.race;
    const host = this.find('#fields');
    const palette = readPalette();
    this.#corners = this.#race.lanes.map((lane) => addCorner(host, lane, palette));
    const asked = made('div', { className: 'race-question', dataset: { testid: 'race-question' } });
    host.append(asked);
    this.#question = new RaceQuestion(asked, () => on.changed({ atUs: 0, plays: true }));
    const handle = this.find<HTMLInputElement>('#race-n');
    const sizes = this.#sizes();
    handle.max = String(sizes.length - 1);
    handle.value = String(sizes.indexOf(file.nodes));
    handle.addEventListener('input', () => this.#showOutcomes());
    this.#dead.addEventListener('change', () => void this.#choose(this.#dead.checked));
    this.find('#again').addEventListener('click', () => this.#playAgain());
    this.#told = this.#tell();
    this.#showOutcomes();
  }

  get told(): Told | undefined {
    return this.#told;
  }

  get waits(): boolean {
    return this.#question.waits;
  }

  get shows(): Shown<'race'> {
    return { dead: this.#race.dead };
  }

  show({ dead }: Shown<'race'>): void {
    const isDying = dead > 0;
    if (isDying !== this.#race.dead > 0) void this.#choose(isDying);
  }

  words(timeUs: number): string {
    return seconds(this.linkedMs(timeUs));
  }

  linkedMs(timeUs: number): number {
    return raceTimeMs(timeUs / 1e6, this.#endMs());
  }

  timeOf(linkedMs: number): number {
    return Math.round(storySecondAt(linkedMs, this.#endMs()) * 1e6);
  }

  draw(timeUs: number): void {
    const timeMs = this.linkedMs(timeUs);
    const atUnits = (timeMs * 1000) / this.#file.unitUs;
    this.find('#pace').textContent = paceWords(timeUs / 1e6, this.#endMs());
    if (timeUs > 0) this.#question.skip();
    this.#question.draw(
      this.#race.lanes.map((lane) => this.#outcome(lane)),
      timeUs >= this.endUs,
    );
    this.#race.lanes.forEach((lane, place) => {
      const { field, count } = this.#corners[place]!;
      field.draw(atUnits);
      const live = liveIn(lane);
      const done = doneAt(lane, atUnits);
      const words =
        done === live ? `all after ${seconds(this.#outcome(lane).lastMs)}` : progressWords(lane, atUnits, done, live);
      if (count.textContent === words) return;
      count.textContent = words;
      count.classList.toggle('done', done === live);
      field.label = `${raceTitles[lane.protocol]} at ${seconds(timeMs)}: ${words}`;
    });
  }

  resize(): void {
    const rooms = this.#corners.map(({ field }) => field.room);
    for (const [place, { field }] of this.#corners.entries()) field.resize(rooms[place]);
  }

  recolour(): void {
    const palette = readPalette();
    for (const { field } of this.#corners) field.palette = palette;
  }

  get #dead(): HTMLInputElement {
    return this.find<HTMLInputElement>('#race-dead');
  }

  #outcome({ protocol }: RaceLane): RaceOutcome {
    const { nodes, outcomes } = this.#file;
    return outcomes.find((one) => one.protocol === protocol && one.nodes === nodes && one.dead === this.#race.dead)!;
  }

  #endMs(): number {
    return Math.max(500, ...this.#race.lanes.map((lane) => this.#outcome(lane).lastMs));
  }

  #sizes(): readonly number[] {
    return [...new Set(this.#file.outcomes.map(({ nodes }) => nodes))];
  }

  async #choose(isDying: boolean): Promise<void> {
    this.#dead.checked = isDying;
    this.#told = undefined;
    try {
      if (isDying) this.#dying ??= raceOfDying();
      this.#take(isDying ? await this.#dying! : this.#file.race);
    } catch (error) {
      this.#dying = undefined;
      part('#status').textContent = `The race could not be loaded: ${messageOf(error)}`;
      this.#take(this.#file.race);
    }
  }

  #take(race: Race): void {
    const isDying = race.dead > 0;
    // The reader may have chosen again since.
    if (isDying && !this.#dead.checked) return;
    this.#race = race;
    this.#dead.checked = isDying;
    this.#replay?.stop();
    const button = this.find<HTMLButtonElement>('#again');
    const isReplaying = button.disabled;
    button.disabled = false;
    this.#race.lanes.forEach((lane, place) => {
      this.#corners[place]!.field.lane = lane;
      this.#corners[place]!.again.textContent = '';
    });
    this.#told = this.#tell();
    this.#showOutcomes();
    this.on.changed({ atUs: 0, plays: true });
    // A press on the button may scroll to the step with another race: that one is then meant.
    if (isReplaying) this.#playAgain();
  }

  #showOutcomes(): void {
    const nodes = this.#sizes()[Number(this.find<HTMLInputElement>('#race-n').value)]!;
    const outcomes = this.#file.outcomes.filter((one) => one.nodes === nodes && one.dead === this.#race.dead);
    this.find('#race-n-value').textContent = grouped(nodes);
    drawBars(this.find('#bars'), outcomes);
    this.find('#verdict').textContent = verdict(outcomes);
  }

  #tell(): Told {
    const lanes = this.#race.lanes;
    const ends = lanes
      .map((lane) => ({ lane, outcome: this.#outcome(lane) }))
      .toSorted((a, b) => a.outcome.lastMs - b.outcome.lastMs);
    const finished = ends.filter(({ outcome }) => outcome.reached === outcome.live);
    const marks = markedTogether(
      finished.map(({ lane, outcome }) => ({
        timeUs: this.timeOf(outcome.lastMs),
        label: raceTitles[lane.protocol],
        kind: 'output',
      })),
      this.endUs / 20,
    );
    const everybody = lanes.reduce((sum, lane) => sum + liveIn(lane), 0);
    const curve = Array.from({ length: trackPoints + 1 }, (_, point): [number, number] => {
      const atUnits = (this.linkedMs((point / trackPoints) * this.endUs) * 1000) / this.#file.unitUs;
      return [point / trackPoints, lanes.reduce((sum, lane) => sum + doneAt(lane, atUnits), 0) / everybody];
    });
    return {
      track: { spanUs: this.endUs, curve, times: this.#times() },
      chapters: this.#chapters(finished.map(({ lane, outcome }) => [lane, outcome])),
      marks,
      stepsUs: Array.from({ length: storySeconds * 2 + 1 }, (_, step) => step * 5e5),
      pace: evenPace(1),
    };
  }

  /** The clock goes ever faster: what it says along the track. */
  #times() {
    const endMs = this.#endMs();
    const shown = clockTimesMs.filter((ms) => ms < endMs);
    return shown.map((ms) => ({ timeUs: this.timeOf(ms), label: `${ms / 1000} s` }));
  }

  #chapters(finished: readonly (readonly [RaceLane, RaceOutcome])[]): readonly Chapter[] {
    const titles = (lanes: readonly RaceLane[]) => lanes.map(({ protocol }) => raceTitles[protocol]).join(', ');
    const told: Chapter[] = [
      {
        timeUs: 0,
        title: 'Start',
        text: 'Everybody has signed. Each node begins with one signature, its own; a square grows with each doubling of what it holds.',
      },
    ];
    finished.forEach(([lane, outcome], place) => {
      const others = this.#race.lanes.filter((one) => !finished.slice(0, place + 1).some(([ahead]) => ahead === one));
      told.push({
        timeUs: this.timeOf(outcome.lastMs),
        title: raceTitles[lane.protocol],
        text:
          others.length === 0
            ? `${raceTitles[lane.protocol]} is the last, after ${seconds(outcome.lastMs)}.`
            : `${raceTitles[lane.protocol]} is done after ${seconds(outcome.lastMs)}. Still at it: ${titles(others)}.`,
      });
    });
    return told.filter(({ timeUs }, place) => timeUs !== told[place + 1]?.timeUs);
  }

  #playAgain(): void {
    const button = this.find<HTMLButtonElement>('#again');
    button.disabled = true;
    this.#replay = replay(this.#race, this.#file.nodes, {
      lane: (place, words, state) => {
        this.#corners[place]!.again.textContent = words;
        this.#corners[place]!.again.dataset.state = state;
      },
      ended: () => {
        button.disabled = false;
      },
    });
  }
}

/** Describes a lane's progress: the minimum that every node holds, until the first are done. */
function progressWords(lane: RaceLane, atUnits: number, done: number, live: number): string {
  if (done > 0) return `${grouped(done)} of ${grouped(live)} done`;
  const least = minHeld(lane, atUnits)!;
  return `each holds ${grouped(least)}${least > 1 ? '+' : ''}`;
}

/** Marks that stand too near each other for two names have both at the first. */
function markedTogether(marks: readonly Mark[], nearUs: number): readonly Mark[] {
  return marks.map((mark, place) => {
    const next = marks[place + 1];
    const isNear = next !== undefined && next.timeUs - mark.timeUs < nearUs;
    return isNear ? { ...mark, label: `${mark.label}; ${next.label}` } : mark;
  });
}

function liveIn({ alive }: RaceLane): number {
  return alive.reduce((sum, one) => sum + one, 0);
}

function addCorner(
  host: HTMLElement,
  { protocol, ...lane }: RaceLane,
  palette: ReturnType<typeof readPalette>,
): Corner {
  const run = `./run.html#protocol=${protocol.replace('-bulk', '&verification=bulk')}&n=64&scheme=counting`;
  const figure = made('figure', { className: 'lane', dataset: { protocol } });
  render(
    html`<figcaption><h3><a href=${run} title="Watch one run of it, message by message">${raceTitles[protocol]}</a></h3><p class="count"></p><p class="checks sub">${checkingWords[protocol] ?? 'checks aggregates'}</p></figcaption><div class="field-host"></div><p class="sub again-line"></p>`,
    figure,
  );
  host.append(figure);
  const find = (selector: string) => figure.querySelector<HTMLElement>(selector)!;
  const field = new RaceField(find('.field-host'), { protocol, ...lane }, palette);
  return { field, count: find('.count'), again: find('.again-line') };
}

async function raceOfDying(): Promise<Race> {
  return readRace(await fetched(new URL('../race/raceDying.json', import.meta.url)));
}

export async function raceStage(section: HTMLElement, on: StageListener): Promise<Stage> {
  return new RaceStage(readRaceFile(await fetched(new URL('../race/race.json', import.meta.url))), section, on);
}
