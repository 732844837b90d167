import type { Scenario } from '@tutti/simulation';
import { count, ms } from '../formatNumber.ts';
import { chapters } from '../guide/chapters.ts';
import { say, sayError } from '../page.ts';
import type { PlayerContent } from '../player/player.ts';
import { meanTrack, runMarks } from '../run/runMarks.ts';
import { hasSeeds, lastOf, runRow, runSeeds } from '../strip/seedStrip.ts';
import { nodeStory } from '../timeline/nodeStory.ts';
import { findIn, type RunIndex } from '../timeline/runIndex.ts';
import { type FinishedRun, startRun } from '../worker/runTasks.ts';
import type { Task } from '../worker/task.ts';
import { SectionStage, type Stage, type StageListener, type StageMoment } from './stage.ts';

/** Stage whose run a worker simulates when the reader scrolls near the stage. */
export abstract class RunStage<Shows> extends SectionStage implements Stage<Shows> {
  protected index: RunIndex | undefined;
  #run: Task<FinishedRun> | undefined;
  /** Whether the simulation that was requested last has failed. The same run may then be requested again. */
  hasFailed = false;
  #content: PlayerContent | undefined;
  /** Strip that shows the same run with other seeds, if the chapter has space for a strip. */
  readonly #seeds: ReturnType<typeof runSeeds> | undefined;

  constructor(section: HTMLElement, on: StageListener) {
    super(section, on);
    const strip = section.querySelector<HTMLElement>('.seed-strip');
    if (strip !== null) this.#seeds = runSeeds(strip);
  }

  abstract readonly shows: Shows;
  abstract show(shows: Shows): void;
  abstract draw(timeUs: number): void;
  /** Selects another node. The method is absent if the picture has no selected node. */
  protected look?(node: number): void;
  /** Called when a new run is ready. */
  protected abstract adopt(index: RunIndex): void;
  /** Returns the player's content for the run. If the content has no track, the run's own track is used. */
  protected abstract contentOf(index: RunIndex): Omit<PlayerContent, 'track'> & Partial<Pick<PlayerContent, 'track'>>;

  get content(): PlayerContent | undefined {
    return this.#content;
  }

  get endUs(): number {
    return this.index?.endUs ?? 0;
  }

  words(timeUs: number): string {
    return ms(timeUs);
  }

  /**
   * Simulates a run.
   *
   * @param at position of the clock once the run is loaded. Default: the run plays from the beginning.
   */
  protected simulate(scenario: Scenario, at: StageMoment = { atUs: 0, plays: true }): void {
    this.#run?.stop();
    if (this.hasFailed) say('running', '');
    this.hasFailed = false;
    this.busyWith = `${count(scenario.nodes)} nodes`;
    this.#run = startRun(scenario);
    this.#run.result.then(
      ({ index }) => {
        this.#endRun();
        const isFirst = this.index === undefined;
        this.index = index;
        this.adopt(index);
        this.showSeeds();
        this.updateContent();
        // The link may contain a moment of the first run.
        this.on.changed(isFirst ? undefined : at);
      },
      (error: Error) => {
        this.#endRun();
        this.hasFailed = true;
        sayError(error, 'The run could not be simulated');
      },
    );
  }

  /** Whether a run has been started and has neither loaded nor failed. */
  protected get isSimulating(): boolean {
    return this.#run !== undefined;
  }

  #endRun(): void {
    this.#run = undefined;
    this.busyWith = undefined;
  }

  /** Shows the same run with other seeds. @param rows compared runs. Default: only this run. */
  protected showSeeds(rows?: readonly ReturnType<typeof runRow>[]): void {
    const { scenario, result } = this.index!.recording;
    this.#seeds?.show(hasSeeds(scenario) ? (rows ?? [runRow(scenario, lastOf(result))]) : [], scenario.seed);
  }

  /** Recomputes the content of the same run for another view. */
  protected updateContent(): void {
    if (this.index === undefined) return;
    const { index } = this;
    const find: PlayerContent['find'] = (text, afterUs) => {
      const found = findIn(index, text, afterUs);
      if (typeof found === 'object') this.look?.(found.node);
      return found;
    };
    this.#content = { track: meanTrack(index, this.endUs), find, ...this.contentOf(index) };
  }
}

/** Returns the player's content for a run from one node's point of view. */
export function nodeContent(index: RunIndex, node: number): Omit<PlayerContent, 'track'> {
  const story = nodeStory(index, node);
  return { chapters: chapters(index, story), marks: runMarks(index, story), stepsUs: story.stepTimeUs };
}
