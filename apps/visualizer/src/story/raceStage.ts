import { raceScenario } from '@tutti/lab';
import { defaultScenario } from '@tutti/simulation';
import { createElement } from '../html.ts';
import { sayError, showConclusion } from '../page.ts';
import type { PlayerContent } from '../player/player.ts';
import { drawBars } from '../race/raceBars.ts';
import { RaceCorner } from '../race/raceCorner.ts';
import type { Race, RaceFile, RaceLane, RaceOutcome } from '../race/raceFile.ts';
import { RaceQuestion, recordedByzantine } from '../race/raceQuestion.ts';
import { raceWithByzantine, raceWithDead, recordedRace, replay, simulateRace } from '../race/raceRuns.ts';
import { byzantineWords, failedWords, raceTexts, secondsOfMs, sumWords, verdict } from '../race/raceText.ts';
import { RaceTimeline, storyUs } from '../race/raceTimeline.ts';
import { runRow, runSeeds } from '../strip/seedStrip.ts';
import { readPalette } from '../views/canvas.ts';
import { chapterFields, type Shown } from './address.ts';
import { SectionStage, type Stage, type StageListener } from './stage.ts';

/**
 * Protocols that are simulated again with Byzantine nodes or other seeds: the sum, which is the fastest protocol if all
 * nodes are honest, and Handel.
 */
const rerunProtocols = ['handel', 'complete-graph-bulk'] as const;

/** Returns a text that is equal for equal requests. */
const keyOf = (asked: Shown<'race'>): string => chapterFields.race.write(asked);

/** Returns whether the requested race was recorded at build time. */
const isRecorded = ({ dead, byzantine }: Shown<'race'>): boolean =>
  byzantine === undefined || (dead === 0 && byzantine === recordedByzantine);

/**
 * Stage that shows five protocols with the same seed, the same network and a common clock. The race was recorded at
 * build time, so it plays immediately. A race with any number of Byzantine nodes other than the recorded one is
 * simulated on request.
 */
class RaceStage extends SectionStage implements Stage<Shown<'race'>> {
  readonly endUs = storyUs;
  readonly #file: RaceFile;
  readonly #corners: ReadonlyMap<RaceLane['protocol'], RaceCorner>;
  readonly #question: RaceQuestion;
  /** Strips that show the race with other seeds, below each of the race's conclusions. */
  readonly #seeds: Readonly<Record<'honest' | 'byzantine', ReturnType<typeof runSeeds>>>;
  #race: Race;
  #timeline: RaceTimeline;
  /** Most recent request of the reader. */
  #asked: Shown<'race'> = chapterFields.race.first;
  /** Loaded or simulated races by the key of their request. A race that failed is not stored. */
  readonly #races = new Map<string, Promise<Race>>();
  /** Player content for the race; undefined while another race is being loaded. */
  #content: PlayerContent | undefined;
  #replay: { stop(): void } | undefined;

  constructor(file: RaceFile, section: HTMLElement, on: StageListener) {
    super(section, on);
    this.#file = file;
    this.#race = file.race;
    this.#timeline = new RaceTimeline(file.race, file.unitUs);
    const host = this.find('#fields');
    const palette = readPalette();
    this.#corners = new Map(
      this.#race.lanes.map((lane, place) => [
        lane.protocol,
        new RaceCorner(host, lane, this.#race.outcomes[place]!, palette),
      ]),
    );
    const question = createElement('div', { className: 'race-question', dataset: { testid: 'race-question' } });
    host.append(question);
    this.#question = new RaceQuestion(question, [...this.#corners.keys()], {
      answered: () => {
        this.#updateContent();
        on.changed({ atUs: 0, plays: true });
      },
      setByzantine: (count) => void this.#choose({ dead: 0, byzantine: count || undefined }),
    });
    this.#dead.addEventListener(
      'change',
      () => void this.#choose({ dead: this.#dead.checked ? 0.2 : 0, byzantine: undefined }),
    );
    this.#again.addEventListener('click', () => this.#repeat());
    this.#seeds = { honest: runSeeds(this.find('#race-seeds')), byzantine: runSeeds(this.find('#byzantine-seeds')) };
    this.#updateContent();
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
    if (keyOf(asked) !== keyOf(this.#asked)) void this.#choose(asked);
  }

  words(timeUs: number): string {
    return secondsOfMs(this.linkedMs(timeUs));
  }

  linkedMs(timeUs: number): number {
    return this.#timeline.timeMs(timeUs);
  }

  timeOf(linkedMs: number): number {
    return this.#timeline.storyUsAt(linkedMs);
  }

  draw(timeUs: number): void {
    this.find('#pace').textContent = this.#timeline.pace(timeUs);
    if (timeUs > 0 && this.#question.waits) {
      this.#question.skip();
      this.#updateContent();
      this.on.contentChanged();
    }
    this.#drawQuestion(timeUs);
    const [atUnits, timeMs] = [this.#timeline.unitsAt(timeUs), this.linkedMs(timeUs)];
    for (const { protocol } of this.#race.lanes) this.#corners.get(protocol)!.draw(atUnits, timeMs);
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

  get #again(): HTMLButtonElement {
    return this.find<HTMLButtonElement>('#again');
  }

  /** Results of the recorded race with the same dead nodes as the shown race, and without Byzantine nodes. */
  get #honest(): readonly RaceOutcome[] {
    return this.#file.outcomes.filter(({ dead }) => dead === this.#race.dead);
  }

  #drawQuestion(timeUs: number): void {
    this.#question.draw({
      race: this.#content && this.#race,
      honest: this.#honest,
      simulated: isRecorded(this.#asked) ? 0 : this.#asked.byzantine!,
      timeMs: this.linkedMs(timeUs),
      isOver: timeUs >= this.endUs,
    });
  }

  /** Shows the requested race as soon as it is available, unless the reader makes another choice in the meantime. */
  async #choose(asked: Shown<'race'>): Promise<void> {
    this.#asked = asked;
    this.#showLoading();
    try {
      const race = await this.#raceOf(asked);
      if (asked === this.#asked) this.#take(race);
    } catch (error) {
      if (asked !== this.#asked) return;
      sayError(error, 'The race could not be loaded');
      this.#asked = chapterFields.race.first;
      this.#take(this.#file.race);
    }
  }

  #raceOf(asked: Shown<'race'>): Promise<Race> {
    const key = keyOf(asked);
    const known = this.#races.get(key);
    if (known !== undefined) return known;
    const race = this.#load(asked);
    this.#races.set(key, race);
    race.catch(() => this.#races.delete(key));
    return race;
  }

  async #load(asked: Shown<'race'>): Promise<Race> {
    const { dead, byzantine } = asked;
    if (byzantine === undefined) return dead === 0 ? this.#file.race : raceWithDead(this.#file);
    if (isRecorded(asked)) return raceWithByzantine();
    const { nodes, unitUs } = this.#file;
    const key = keyOf({ dead, byzantine });
    return simulateRace(rerunProtocols, { nodes, dead, byzantine, unitUs }, (protocol, nowMs) => {
      const isAwaited = this.#content === undefined && key === keyOf(this.#asked);
      if (isAwaited) this.#corners.get(protocol)!.say(`simulated up to ${secondsOfMs(nowMs)}`);
    });
  }

  /** Shows the initial state of the requested race instead of the previous result. */
  #showLoading(): void {
    this.#dead.checked = this.#asked.dead > 0;
    // Ends the question's countdown; at its end, the previous race would start under the label of the requested one.
    this.#question.skip();
    this.#content = undefined;
    this.find('#fields').classList.toggle('duel', this.#asked.byzantine !== undefined);
    this.resize();
    for (const corner of this.#corners.values()) corner.wait();
    this.#drawQuestion(0);
    // Without a race the clock has no range.
    this.on.changed();
  }

  #take(race: Race): void {
    this.#race = race;
    this.#dead.checked = race.dead > 0;
    this.#timeline = new RaceTimeline(race, this.#file.unitUs);
    this.find('#fields').classList.toggle('duel', race.byzantine > 0);
    this.#replay?.stop();
    const isRepeating = this.#again.disabled;
    this.#again.disabled = false;
    for (const corner of this.#corners.values()) corner.clearRepeated();
    for (const [place, lane] of race.lanes.entries())
      this.#corners.get(lane.protocol)!.show(lane, race.outcomes[place]!);
    this.resize();
    this.#updateContent();
    this.#showOutcomes();
    this.on.changed({ atUs: 0, plays: true });
    // Pressing the button may scroll to a step of the text that shows another race; that race is then repeated.
    if (isRepeating) this.#repeat();
  }

  #updateContent(): void {
    // The track must not reveal the winner before the reader has guessed.
    this.#content = this.#timeline.content(this.#question.waits);
  }

  /** Shows the table and the sentences next to the picture. */
  #showOutcomes(): void {
    const { dead, byzantine, outcomes } = this.#race;
    const rows = rerunProtocols.map((protocol) => {
      const outcome = outcomes.find((one) => one.protocol === protocol)!;
      const scenario = raceScenario(protocol, this.#file.nodes, dead, byzantine);
      return runRow(scenario, outcome, { name: raceTexts[protocol].within, giveUpAfterMs: 60_000 });
    });
    this.#seeds[byzantine > 0 ? 'byzantine' : 'honest'].show(rows, defaultScenario.seed);
    if (byzantine > 0) showConclusion(this.find('#race-byzantine'), byzantineWords(this.#honest, outcomes, byzantine));
    else {
      drawBars(this.find('#bars'), outcomes);
      showConclusion(this.find('#verdict'), verdict(outcomes));
      this.find('#verdict-note').textContent = sumWords(outcomes);
    }
  }

  /** Simulates the shown race again in workers, and shows whether each protocol's digest is the same. */
  #repeat(): void {
    this.#again.disabled = true;
    const race = this.#race;
    this.#replay = replay(race, this.#file, {
      lane: (place, words, state) => this.#corners.get(race.lanes[place]!.protocol)!.sayRepeated(words, state),
      ended: () => {
        this.#again.disabled = false;
      },
    });
  }
}

/** Loads the recorded race, and creates its stage. */
export async function raceStage(section: HTMLElement, on: StageListener): Promise<Stage> {
  return new RaceStage(await recordedRace(), section, on);
}
