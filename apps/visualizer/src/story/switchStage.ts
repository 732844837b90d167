import type { Scenario } from '@tutti/simulation';
import { Branches } from '../branches/branches.ts';
import { switches } from '../branches/branchWords.ts';
import { SwitchPanel } from '../branches/switchPanel.ts';
import { laneRun } from '../compare/laneOf.ts';
import { SideBySide, type Standing } from '../compare/sideBySide.ts';
import type { Chapter } from '../guide/chapters.ts';
import type { Mark } from '../player/marks.ts';
import { meanTrack } from '../player/meanTrack.ts';
import type { Told } from '../player/player.ts';
import { decodeState } from '../state/pageState.ts';
import type { RunIndex } from '../timeline/runIndex.ts';
import { count, ms } from '../words.ts';
import type { FinishedRun } from '../worker/messages.ts';
import { startRun } from '../worker/startRun.ts';
import type { Task } from '../worker/task.ts';
import { RunStage } from './runStage.ts';
import type { Stage, StageFields, StageListener } from './stage.ts';

const ground: Scenario = decodeState('n=64&scheme=counting&attack=invalid:0.3&node=1').scenario;
/** Without a mechanism some runs never end: they are given up, ms. */
const giveUpAfterMs = 4000;

/** The same run with a mechanism and without it, on one clock. */
class SwitchStage extends RunStage {
  readonly #side: SideBySide;
  readonly #branches: Branches;
  readonly #switches: SwitchPanel;
  #off: (typeof switches)[number] | undefined;
  #other: RunIndex | undefined;
  #otherRun: Task<FinishedRun> | undefined;

  constructor(section: HTMLElement, on: StageListener) {
    super(section, on);
    this.#side = new SideBySide(this.find('.pair-of-runs'));
    this.#branches = new Branches(
      this.find('.branches-here'),
      {
        open: (scenario, at) => {
          this.#switch(switches.find(({ isOff }) => isOff(scenario)));
          if (at !== undefined) this.on.changed({ atUs: at.timeUs, plays: false });
        },
      },
      { fields: false },
    );
    this.#switches = new SwitchPanel(this.find('.switch-panel'), this.#branches, (without) => {
      if (without === undefined) this.#switch(undefined);
      else this.#switch(switches.find(({ isOff }) => isOff(without)));
    });
  }

  get fields(): StageFields {
    return new Map(this.#off === undefined ? [] : [['without', this.#off.id]]);
  }

  show(fields: StageFields): void {
    const off = switches.find(({ id }) => id === fields.get('without'));
    if (this.index === undefined) {
      this.#off = off;
      this.play(ground);
    } else if (off !== undefined) {
      this.#branches.add(off.off(ground));
      this.#switches.show(ground);
      this.#switch(off);
    } else this.#switch(undefined);
  }

  override get endUs(): number {
    return Math.max(super.endUs, this.#other?.endUs ?? 0);
  }

  protected adopt(index: RunIndex): void {
    const { scenario, world, result } = index.recording;
    this.#branches.show(scenario, world, result.digest);
    if (this.#off !== undefined) this.#branches.add(this.#off.off(ground));
    this.#switches.show(scenario);
    this.#stand();
    if (this.#off !== undefined) this.#switch(this.#off);
  }

  #switch(off: (typeof switches)[number] | undefined): void {
    this.#otherRun?.stop();
    this.#off = off;
    this.#other = undefined;
    this.#stand();
    if (off === undefined) {
      this.retell();
      this.on.changed({ atUs: 0, plays: true });
      return;
    }
    this.#otherRun = startRun(off.off(ground), { giveUpAfterMs, sends: false });
    this.#otherRun.result.then(
      ({ index }) => {
        this.#other = index;
        this.#stand();
        this.retell();
        this.on.changed({ atUs: 0, plays: true });
      },
      (error: Error) => this.#stand(`failed: ${error.message}`),
    );
  }

  #stand(words?: string): void {
    const standings: Standing[] = [{ title: 'Handel', run: this.index && laneRun(this.index) }];
    if (this.#off !== undefined)
      standings.push({ title: `without ${this.#off.words}`, run: this.#other && laneRun(this.#other), words });
    this.#side.show(standings);
    this.on.redraw();
  }

  protected tell(index: RunIndex): Told {
    const both = [
      { name: 'Handel', run: index },
      ...(this.#other ? [{ name: `without ${this.#off!.words}`, run: this.#other }] : []),
    ];
    const marks = both.map(({ name, run }): Mark => ({ timeUs: run.endUs, label: name, kind: 'output' }));
    const { live } = index.recording.result;
    const chapters: Chapter[] = [
      {
        timeUs: 0,
        title: 'Both begin',
        text: `64 nodes, 19 of which lie. ${count(live)} are honest, and everything they hear must be checked.`,
      },
      ...both.map(({ name, run }): Chapter => {
        const { reached, checked } = run.recording.result;
        const outcome =
          reached === live
            ? `all ${count(live)} honest nodes are done`
            : `${count(reached)} of ${count(live)} honest nodes reached the [[threshold]]`;
        return {
          timeUs: run.endUs,
          title: name,
          text: `${name.charAt(0).toUpperCase()}${name.slice(1)}: ${outcome}, ${ms(run.endUs)} after the start, with ${checked.mean.toFixed(1)} checks per node.`,
        };
      }),
    ].toSorted((a, b) => a.timeUs - b.timeUs);
    const told = chapters.filter(({ timeUs }, place) => timeUs !== chapters[place + 1]?.timeUs);
    const longest = this.#other !== undefined && this.#other.endUs > index.endUs ? this.#other : index;
    return { track: meanTrack(longest), chapters: told, marks, stepsUs: told.map(({ timeUs }) => timeUs) };
  }

  draw(timeUs: number): void {
    this.#side.draw(timeUs);
  }

  resize(): void {
    this.#side.resize();
  }

  recolour(): void {
    this.#side.recolour();
  }
}

export function switchStage(section: HTMLElement, on: StageListener): Stage {
  return new SwitchStage(section, on);
}
