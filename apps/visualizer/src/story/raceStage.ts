import { raceScenario } from '@tutti/lab';
import { defaultScenario, NodeRole } from '@tutti/simulation';
import { html, render } from 'lit-html';
import { capital, count as grouped } from '../formatNumber.ts';
import { type Chapter, lastPerMoment } from '../guide/guide.ts';
import { createElement } from '../html.ts';
import { query, showConclusion } from '../page.ts';
import type { Mark } from '../player/dock.ts';
import { evenPace } from '../player/playback.ts';
import type { PlayerContent } from '../player/player.ts';
import { drawBars } from '../race/raceBars.ts';
import { paceWords, raceTimeMs, storySecondAt, storySeconds } from '../race/raceClock.ts';
import { RaceField } from '../race/raceField.ts';
import {
  doneAt,
  doneTimes,
  minHeld,
  type Race,
  type RaceFile,
  type RaceLane,
  type RaceOutcome,
} from '../race/raceFile.ts';
import { RaceQuestion } from '../race/raceQuestion.ts';
import { raceWithByzantine, raceWithDead, recordedRace, replay, simulateRace } from '../race/raceRuns.ts';
import { byzantineWords, failedWords, raceTexts, secondsOfMs, sumWords, verdict } from '../race/raceText.ts';
import { runRow, runSeeds } from '../strip/seedStrip.ts';
import { type Palette, readPalette } from '../views/canvas.ts';
import { messageOf } from '../worker/task.ts';
import type { Shown } from './address.ts';
import { SectionStage, type Stage, type StageListener } from './stage.ts';

/** Page elements for one protocol, in a corner of the stage. */
interface Corner {
  readonly field: RaceField;
  readonly count: HTMLElement;
  readonly again: HTMLElement;
}

/** Number of points of the track's curve. */
const trackPoints = 120;
/** Moments with a label on the track, ms. */
const clockTimesMs = [200, 400, 1000, 2000, 5000, 10_000];

/**
 * Protocols that are simulated again with Byzantine nodes or other seeds: the sum, which is the fastest protocol if all
 * nodes are honest, and Handel.
 */
const rerunProtocols = ['handel', 'complete-graph-bulk'] as const;
/** Number of Byzantine nodes in the race with Byzantine nodes that was recorded at build time. */
const recordedByzantine = 10;

/**
 * Stage that shows five protocols with the same seed, the same network and a common clock. The race was recorded at
 * build time, so it plays immediately. A race with any number of Byzantine nodes other than the recorded one is
 * simulated on request.
 */
class RaceStage extends SectionStage implements Stage<Shown<'race'>> {
  readonly endUs = storySeconds * 1e6;
  readonly #file: RaceFile;
  readonly #corners: ReadonlyMap<RaceLane['protocol'], Corner>;
  readonly #question: RaceQuestion;
  /** Strips that show the race with other seeds, below each of the race's conclusions. */
  readonly #seeds: Readonly<Record<'honest' | 'byzantine', ReturnType<typeof runSeeds>>>;
  #race: Race;
  /** Most recent request of the reader. */
  #asked: Shown<'race'> = { dead: 0, liars: undefined };
  /** Loaded or simulated races with Byzantine nodes, by the number of these nodes. */
  readonly #withByzantine = new Map<number, Promise<Race>>();
  /** Race with the same settings and dead nodes; undefined until the reader requests it. */
  #withDeadNodes: Promise<Race> | undefined;
  /** Player content for the race; undefined while another race is being loaded. */
  #content: PlayerContent | undefined;
  #replay: { stop(): void } | undefined;

  constructor(file: RaceFile, section: HTMLElement, on: StageListener) {
    super(section, on);
    this.#file = file;
    this.#race = file.race;
    const host = this.find('#fields');
    const palette = readPalette();
    this.#corners = new Map(this.#race.lanes.map((lane) => [lane.protocol, addCorner(host, lane, palette)]));
    const asked = createElement('div', { className: 'race-question', dataset: { testid: 'race-question' } });
    host.append(asked);
    this.#question = new RaceQuestion(asked, [...this.#corners.keys()], {
      answered: () => {
        this.#content = this.#currentContent();
        on.changed({ atUs: 0, plays: true });
      },
      addByzantine: (liars) => void this.#choose({ dead: 0, liars: liars || undefined }),
    });
    this.#dead.addEventListener(
      'change',
      () => void this.#choose({ dead: this.#dead.checked ? 0.2 : 0, liars: undefined }),
    );
    this.find('#again').addEventListener('click', () => this.#playAgain());
    this.#seeds = { honest: runSeeds(this.find('#race-seeds')), byzantine: runSeeds(this.find('#byzantine-seeds')) };
    this.#content = this.#currentContent();
    this.#showOutcomes();
    showConclusion(this.find('#race-failed'), failedWords(file.outcomes));
  }

  get content(): PlayerContent | undefined {
    return this.#content;
  }

  get waits(): boolean {
    return this.#question.waits;
  }

  startSoon(): void {
    this.#question.startSoon();
    this.on.redraw();
  }

  get shows(): Shown<'race'> {
    return this.#asked;
  }

  show(asked: Shown<'race'>): void {
    if (asked.dead !== this.#asked.dead || asked.liars !== this.#asked.liars) void this.#choose(asked);
  }

  words(timeUs: number): string {
    return secondsOfMs(this.linkedMs(timeUs));
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
    if (timeUs > 0 && this.#question.waits) {
      this.#question.skip();
      this.#content = this.#currentContent();
      this.on.contentChanged();
    }
    this.#drawQuestion(timeUs);
    for (const [place, lane] of this.#race.lanes.entries()) {
      const { field, count } = this.#corners.get(lane.protocol)!;
      field.draw(atUnits);
      const live = liveIn(lane);
      const done = doneAt(lane, atUnits);
      const words =
        done === live
          ? `all after ${secondsOfMs(this.#race.outcomes[place]!.lastMs)}`
          : progressWords(lane, atUnits, done, live);
      if (count.textContent === words) continue;
      count.textContent = words;
      count.classList.toggle('done', done === live);
      field.label = `${raceTexts[lane.protocol].title} at ${secondsOfMs(timeMs)}: ${words}`;
    }
  }

  #drawQuestion(timeUs: number): void {
    this.#question.draw({
      race: this.#content === undefined ? undefined : this.#race,
      first: this.#file.race,
      asked: this.#asked.liars ?? 0,
      timeMs: this.linkedMs(timeUs),
      isOver: timeUs >= this.endUs,
    });
  }

  resize(): void {
    const fields = [...this.#corners.values()].map(({ field }) => field);
    const rooms = fields.map(({ room }) => room);
    for (const [place, field] of fields.entries()) field.resize(rooms[place]);
  }

  recolour(): void {
    const palette = readPalette();
    for (const { field } of this.#corners.values()) field.palette = palette;
  }

  get #dead(): HTMLInputElement {
    return this.find<HTMLInputElement>('#race-dead');
  }

  /**
   * Returns the end of the race, ms, at least 500. Marks are in whole units, so the last mark may be later than the
   * exact time of the last node.
   */
  #endMs(): number {
    const { lanes, outcomes } = this.#race;
    const lastMs = lanes.map((lane) => ((doneTimes(lane).at(-1) ?? 0) * this.#file.unitUs) / 1000);
    return Math.max(500, ...lastMs, ...outcomes.map((outcome) => outcome.lastMs));
  }

  async #choose(asked: Shown<'race'>): Promise<void> {
    this.#asked = asked;
    this.#dead.checked = asked.dead > 0;
    // Ends the question's countdown; at its end, the previous race would start under the label of the requested one.
    this.#question.skip();
    this.#content = undefined;
    this.find('#fields').classList.toggle('duel', asked.liars !== undefined);
    this.resize();
    // Until the requested race is loaded, the fields show the initial state instead of an old result.
    for (const { field, count } of this.#corners.values()) {
      field.draw(0);
      count.textContent = 'loading …';
      count.classList.remove('done');
    }
    this.#drawQuestion(0);
    // Without a race the clock has no range.
    this.on.changed();
    try {
      this.#take(asked, await this.#raceOf(asked));
    } catch (error) {
      this.#withDeadNodes = undefined;
      this.#withByzantine.clear();
      query('#status').textContent = `The race could not be loaded: ${messageOf(error)}`;
      this.#asked = { dead: 0, liars: undefined };
      this.#take(this.#asked, this.#file.race);
    }
  }

  async #raceOf({ dead, liars }: Shown<'race'>): Promise<Race> {
    if (liars !== undefined) {
      const race =
        this.#withByzantine.get(liars) ??
        (liars === recordedByzantine ? raceWithByzantine() : this.#simulate(dead, liars));
      this.#withByzantine.set(liars, race);
      return race;
    }
    if (dead === 0) return this.#file.race;
    this.#withDeadNodes ??= raceWithDead(this.#file);
    return this.#withDeadNodes;
  }

  #simulate(dead: number, liars: number): Promise<Race> {
    const { nodes, unitUs } = this.#file;
    return simulateRace(rerunProtocols, { nodes, dead, liars, unitUs }, (protocol, nowMs) => {
      const { count } = this.#corners.get(protocol)!;
      if (this.#content === undefined) count.textContent = `simulated up to ${secondsOfMs(nowMs)}`;
    });
  }

  #take(asked: Shown<'race'>, race: Race): void {
    // The reader may have made another choice while the race was loading.
    if (asked !== this.#asked) return;
    this.#race = race;
    this.find('#fields').classList.toggle('duel', race.liars > 0);
    this.#replay?.stop();
    const button = this.find<HTMLButtonElement>('#again');
    const isReplaying = button.disabled;
    button.disabled = false;
    for (const { again } of this.#corners.values()) again.textContent = '';
    for (const lane of race.lanes) this.#corners.get(lane.protocol)!.field.lane = lane;
    this.resize();
    this.#content = this.#currentContent();
    this.#showOutcomes();
    this.on.changed({ atUs: 0, plays: true });
    // Pressing the button may scroll to a step of the text that shows another race; that race is then replayed.
    if (isReplaying) this.#playAgain();
  }

  /** Shows the table and the sentences next to the picture. */
  #showOutcomes(): void {
    const { dead, liars, outcomes } = this.#race;
    const rows = rerunProtocols.map((protocol) => {
      const outcome = outcomes.find((one) => one.protocol === protocol)!;
      const scenario = raceScenario(protocol, this.#file.nodes, dead, liars);
      return runRow(scenario, outcome, { name: raceTexts[protocol].within, giveUpAfterMs: 60_000 });
    });
    this.#seeds[liars > 0 ? 'byzantine' : 'honest'].show(rows, defaultScenario.seed);
    if (liars > 0)
      showConclusion(this.find('#race-byzantine'), byzantineWords(this.#file.race.outcomes, outcomes, liars));
    else {
      drawBars(this.find('#bars'), outcomes);
      showConclusion(this.find('#verdict'), verdict(outcomes));
      this.find('#verdict-note').textContent = sumWords(outcomes);
    }
  }

  #currentContent(): PlayerContent {
    const { lanes, outcomes } = this.#race;
    const ends = lanes
      .map((lane, place) => ({ lane, outcome: outcomes[place]! }))
      .toSorted((a, b) => a.outcome.lastMs - b.outcome.lastMs);
    const finished = ends.filter(({ outcome }) => outcome.reached === outcome.live);
    // The track must not reveal the winner before the reader has guessed.
    const marks = withNextLabels(
      (this.#question.waits ? [] : finished).map(({ lane, outcome }) => ({
        timeUs: this.timeOf(outcome.lastMs),
        label: raceTexts[lane.protocol].title,
        kind: 'output',
      })),
      this.endUs / 20,
    );
    const total = lanes.reduce((sum, lane) => sum + liveIn(lane), 0);
    const curve = Array.from({ length: trackPoints + 1 }, (_, point): [number, number] => {
      const atUnits = (this.linkedMs((point / trackPoints) * this.endUs) * 1000) / this.#file.unitUs;
      return [point / trackPoints, lanes.reduce((sum, lane) => sum + doneAt(lane, atUnits), 0) / total];
    });
    return {
      track: { spanUs: this.endUs, curve, times: this.#times() },
      chapters: this.#chapters(finished.map(({ lane, outcome }) => [lane, outcome])),
      marks,
      stepsUs: Array.from({ length: storySeconds * 2 + 1 }, (_, step) => step * 5e5),
      pace: evenPace(1),
    };
  }

  /** Returns labels along the track, which show the time because the clock accelerates. */
  #times() {
    const endMs = this.#endMs();
    const shown = clockTimesMs.filter((ms) => ms < endMs);
    return shown.map((ms) => ({ timeUs: this.timeOf(ms), label: `${ms / 1000} s` }));
  }

  #chapters(finished: readonly (readonly [RaceLane, RaceOutcome])[]): readonly Chapter[] {
    const titles = (lanes: readonly RaceLane[]) => lanes.map(({ protocol }) => raceTexts[protocol].title).join(', ');
    const content: Chapter[] = [
      {
        timeUs: 0,
        title: 'Start',
        text:
          this.#race.liars === 0
            ? 'Every node starts with its own signature.'
            : 'Every honest node starts with its own signature, and does not know the invalid signers.',
      },
    ];
    const [fastest] = finished;
    if (fastest !== undefined) {
      const [lane, { live }] = fastest;
      const times = doneTimes(lane).map((units) => (units * this.#file.unitUs) / 1000);
      for (const [share, words] of [
        [0, 'the first node is'],
        [0.5, `half of the ${grouped(live)} nodes are`],
      ] as const) {
        const doneMs = times[Math.floor(share * (live - 1))]!;
        content.push({
          timeUs: this.timeOf(doneMs),
          title: `${raceTexts[lane.protocol].title}, ${share === 0 ? 'first' : 'half'}`,
          text: `${capital(raceTexts[lane.protocol].title)}: ${words} done after ${secondsOfMs(doneMs)}.`,
        });
      }
    }
    finished.forEach(([lane, outcome], place) => {
      const others = this.#race.lanes.filter((one) => !finished.slice(0, place + 1).some(([ahead]) => ahead === one));
      content.push({
        timeUs: this.timeOf(outcome.lastMs),
        title: raceTexts[lane.protocol].title,
        text:
          others.length === 0
            ? `${capital(raceTexts[lane.protocol].title)} is last: its last node finishes after ${secondsOfMs(outcome.lastMs)}.`
            : `${capital(raceTexts[lane.protocol].title)}: the last node finishes after ${secondsOfMs(outcome.lastMs)}. Still running: ${titles(others)}.`,
      });
    });
    return lastPerMoment(this.#question.waits ? content.slice(0, 1) : content);
  }

  #playAgain(): void {
    const button = this.find<HTMLButtonElement>('#again');
    button.disabled = true;
    const race = this.#race;
    this.#replay = replay(race, this.#file, {
      lane: (place, words, state) => {
        const { again } = this.#corners.get(race.lanes[place]!.protocol)!;
        again.textContent = words;
        again.dataset.state = state;
      },
      ended: () => {
        button.disabled = false;
      },
    });
  }
}

/**
 * Describes a lane's progress: the number of finished nodes or, before the first node has finished, the minimum number
 * of contributions that live nodes hold.
 */
function progressWords(lane: RaceLane, atUnits: number, done: number, live: number): string {
  if (done > 0) return `${grouped(done)} of ${grouped(live)} done`;
  const min = minHeld(lane, atUnits)!;
  return `each holds ${grouped(min)}${min > 1 ? '+' : ''}`;
}

/**
 * Adds the label of the next mark to a mark's label if the next mark is too close to have its own label. The track
 * omits a label that would cover another.
 */
function withNextLabels(marks: readonly Mark[], nearUs: number): readonly Mark[] {
  return marks.map((mark, place) => {
    const next = marks[place + 1];
    const isNear = next !== undefined && next.timeUs - mark.timeUs < nearUs;
    return isNear ? { ...mark, label: `${mark.label}; ${next.label}` } : mark;
  });
}

function liveIn({ role: roles }: RaceLane): number {
  return roles.filter((role) => role === NodeRole.honest).length;
}

function addCorner(host: HTMLElement, lane: RaceLane, palette: Palette): Corner {
  const { protocol } = lane;
  const run = `./run.html#protocol=${protocol.replace('-bulk', '&verification=bulk')}&n=64&scheme=counting`;
  const figure = createElement('figure', { className: 'lane', dataset: { protocol } });
  render(
    html`<figcaption><h3><a href=${run} title="Show a run of this protocol, message by message">${raceTexts[protocol].title}</a></h3><p class="count"></p><p class="checks sub">${raceTexts[protocol].way}</p></figcaption><div class="field-host"></div><p class="sub again-line"></p>`,
    figure,
  );
  host.append(figure);
  const find = (selector: string) => figure.querySelector<HTMLElement>(selector)!;
  return {
    field: new RaceField(find('.field-host'), lane, palette),
    count: find('.count'),
    again: find('.again-line'),
  };
}

export async function raceStage(section: HTMLElement, on: StageListener): Promise<Stage> {
  return new RaceStage(await recordedRace(), section, on);
}
