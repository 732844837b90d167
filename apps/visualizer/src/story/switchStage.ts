import { type MatrixAttack, type MatrixRow, matrixGiveUpMs, matrixRows, matrixScenario } from '@tutti/lab';
import { NodeRole, type Scenario } from '@tutti/simulation';
import { Branches } from '../branches/branches.ts';
import { SwitchPanel } from '../branches/switchPanel.ts';
import { type ComparedRun, SideBySide } from '../compare/sideBySide.ts';
import { capital, count, ms } from '../formatNumber.ts';
import { type Chapter, lastPerMoment } from '../guide/chapter.ts';
import { type Conclusion, sayError, showConclusion } from '../page.ts';
import type { Mark } from '../player/dock.ts';
import type { PlayerContent } from '../player/player.ts';
import { laneRun } from '../race/raceFile.ts';
import { switches } from '../rules/editedRules.ts';
import { meanTrack } from '../run/runMarks.ts';
import { lastOf, runRow } from '../strip/seedStrip.ts';
import { heldSinceUs } from '../timeline/heldSteps.ts';
import { heardBy } from '../timeline/nodeStory.ts';
import type { RunIndex } from '../timeline/runIndex.ts';
import { type FinishedRun, startRun } from '../worker/runTasks.ts';
import type { Task } from '../worker/task.ts';
import { cellShown, type Shown } from './address.ts';
import { attackTexts, type MatrixFile, matrixFile, matrixSentence, rowTitle } from './attackMatrix.ts';
import { leftOutConclusion, switchConclusion } from './conclusions.ts';
import { RunStage } from './runStage.ts';
import type { StageListener, StageMoment } from './stage.ts';

const [handel] = matrixRows;
/** Number of nodes in the runs of the matrix. A link omits this number. */
const matrixNodes = 64;

/**
 * Stage that compares Handel with the same scenario without one mechanism, or with a baseline, on one clock. The
 * comparison corresponds to one cell of the matrix.
 */
export class SwitchStage extends RunStage<Shown<'switch-off'>> {
  readonly #side: SideBySide;
  readonly #branches: Branches;
  readonly #switches: SwitchPanel;
  #attack: MatrixAttack = 'invalid';
  #nodes = matrixNodes;
  /** Mechanism that is switched off, or baseline; undefined if there is none. */
  #row: MatrixRow | undefined;
  #other: RunIndex | undefined;
  #otherRun: Task<FinishedRun> | undefined;
  #matrix: MatrixFile | undefined;
  /** Whether the clock waits for both runs, because a link may name a moment after the end of Handel's run. */
  #isAwaited = false;

  constructor(section: HTMLElement, on: StageListener) {
    super(section, on);
    this.#side = new SideBySide(this.find('.pair-of-runs'));
    this.#branches = new Branches(
      this.find('.branches-here'),
      {
        open: (scenario, at) => {
          const row = rowOf(switches.find(({ isOff }) => isOff(scenario))?.id);
          this.#compare(row, at && { atUs: at.timeUs, plays: false });
        },
      },
      { fields: false },
    );
    this.#switches = new SwitchPanel(this.find('.switch-panel'), this.#branches, (id) => {
      // The verification window has an effect only with about 200 nodes or more. Without certain other rules, runs with
      // this number of nodes may never end.
      this.show({
        ...cellShown(id),
        attack: id === 'individual-contributions' ? 'censor' : 'invalid',
        nodes: id === 'window' ? 256 : undefined,
      });
      this.#isAwaited = false;
    });
    matrixFile().then(
      (file) => {
        this.#matrix = file;
        this.#say();
      },
      (error) => sayError(error, 'The results of many seeds could not be loaded'),
    );
  }

  override get content(): PlayerContent | undefined {
    return this.#isAwaited ? undefined : super.content;
  }

  get shows(): Shown<'switch-off'> {
    return {
      ...cellShown(this.#row?.id),
      attack: this.#attack,
      nodes: this.#nodes === matrixNodes ? undefined : this.#nodes,
    };
  }

  show({ without, row: baseline, attack, nodes }: Shown<'switch-off'>): void {
    const row = rowOf(without ?? baseline);
    const isLoaded = this.index !== undefined && !this.isSimulating && !this.hasFailed;
    if (isLoaded && attack === this.#attack && (nodes ?? matrixNodes) === this.#nodes) {
      this.#compare(row);
      return;
    }
    this.#attack = attack;
    this.#nodes = nodes ?? matrixNodes;
    this.#row = row;
    this.#isAwaited = row !== undefined;
    this.#other = undefined;
    this.#otherRun?.stop();
    const scenario = this.#scenarioOf(handel!)!;
    this.#switches.show(scenario, row?.id);
    this.#showRuns();
    this.#say();
    this.simulate(scenario);
  }

  override get endUs(): number {
    return Math.max(super.endUs, this.#other?.endUs ?? 0);
  }

  protected adopt(index: RunIndex): void {
    const { scenario, world, result } = index.recording;
    this.#branches.show(scenario, world, result.digest);
    if (this.#row !== undefined) {
      this.#compare(this.#row);
      return;
    }
    this.#switches.show(scenario, undefined);
    this.#showRuns();
  }

  /**
   * Compares one row of the matrix with Handel. If no row is given, only Handel is shown.
   *
   * @param at position of the clock once both runs are loaded.
   */
  #compare(row: MatrixRow | undefined, at: StageMoment = { atUs: 0, plays: true }): void {
    this.#otherRun?.stop();
    this.hasFailed = false;
    this.#row = row;
    this.#other = undefined;
    this.#showSwitch();
    this.#showRuns();
    this.#say();
    this.showSeeds();
    const scenario = row && this.#scenarioOf(row);
    if (row === undefined || scenario === undefined) {
      // Handel's run, if it has just ended, is shown first.
      queueMicrotask(() => this.#endComparison(at, row && 'this attack does not apply to this baseline'));
      return;
    }
    this.busyWith = `${count(this.#nodes)} nodes: ${rowTitle(row.id)}`;
    this.#otherRun = startRun(scenario, { giveUpAfterMs: matrixGiveUpMs, sends: false });
    this.#otherRun.result.then(
      ({ index }) => {
        this.#other = index;
        this.#endComparison(at);
        this.showSeeds();
      },
      (error: Error) => {
        this.hasFailed = true;
        this.#endComparison(at, `failed: ${error.message}`);
      },
    );
  }

  /** Marks the mechanism that is switched off. Only one mechanism is switched off at a time. */
  #showSwitch(): void {
    const original = this.index!.recording.scenario;
    for (const { id, off } of switches) {
      if (id === this.#row?.id) this.#branches.add(off(original));
      else this.#branches.remove(off(original));
    }
    this.#switches.show(original, this.#row?.id);
  }

  /** Shows the runs that are loaded. @param words reason why there is no other run. */
  #endComparison(at: StageMoment, words?: string): void {
    this.busyWith = undefined;
    this.#isAwaited = false;
    this.#showRuns(words);
    this.#say();
    this.updateContent();
    this.on.changed(at);
  }

  /** Returns the scenario of a cell of the matrix, with the requested number of nodes. */
  #scenarioOf(row: MatrixRow): Scenario | undefined {
    const scenario = matrixScenario(row, this.#attack, 1);
    return scenario && { ...scenario, nodes: this.#nodes };
  }

  /** Shows both runs. @param words status of the other run. Default: the other run is being simulated. */
  #showRuns(words?: string): void {
    const size = `, ${count(this.#nodes)} nodes`;
    const standings: ComparedRun[] = [{ title: `Handel${size}`, run: this.index && laneRun(this.index) }];
    if (this.#row === undefined)
      standings.push({ title: 'without …', run: undefined, words: 'switch a rule off to see the run' });
    else standings.push({ title: `${rowTitle(this.#row.id)}${size}`, run: this.#other && laneRun(this.#other), words });
    this.#side.show(standings);
    this.on.redraw();
  }

  /** Shows Handel and the other run with other seeds, once both results are known. */
  protected override showSeeds(): void {
    const rows = [this.index, this.#row && this.#other].flatMap((run, place) => {
      if (run === undefined) return [];
      const { scenario, result } = run.recording;
      const name = place === 0 ? 'Handel' : rowTitle(this.#row!.id);
      return [runRow(scenario, lastOf(result), { name, giveUpAfterMs: matrixGiveUpMs })];
    });
    super.showSeeds(rows.length === 2 ? rows : []);
  }

  /** Describes the mechanism that is switched off, the disadvantage, and the result over many seeds. */
  #say(): void {
    const row = this.#row;
    const off = switches.find(({ id }) => id === row?.id);
    this.find('#switch-what').textContent =
      `${row === undefined ? 'With all rules' : capital(rowTitle(row.id))} (${count(this.#nodes)} nodes)`;
    this.find('#switch-words').textContent = off?.lost ?? '';
    this.find('#switch-attack').textContent = attackTexts[this.#attack].replace(' %', '\u00a0%');
    this.find('#switch-nodes').textContent = count(this.#nodes);
    this.find('#switch-right').textContent =
      row === undefined || off !== undefined ? 'all except the one that you switch off' : rowTitle(row.id);
    const conclusion = this.#conclusion();
    showConclusion(this.find('#switch-said'), conclusion);
    this.find('#switch-first').textContent = conclusion.said;
    showConclusion(this.find('#switch-left-out'), this.#leftOut());
  }

  /** Returns the conclusion: for the matrix's number of nodes over many seeds, for other sizes from the two runs. */
  #conclusion(): Conclusion {
    const [whole, other] = [this.index, this.#other].map((run) => run?.recording.result);
    if (this.#nodes !== matrixNodes)
      return whole === undefined || other === undefined || this.#row === undefined
        ? { said: '', facts: [] }
        : switchConclusion(whole, other, rowTitle(this.#row.id));
    return this.#matrix === undefined
      ? { said: '', facts: [] }
      : { said: matrixSentence(this.#matrix, this.#row?.id ?? 'handel', this.#attack), facts: [] };
  }

  /** Returns the conclusion about the nodes that a censor excluded, based on two finished runs of Handel. */
  #leftOut(): Conclusion {
    const none = { said: '', facts: [] };
    if (this.#attack !== 'censor' || this.#row === undefined || !this.index || !this.#other) return none;
    const [whole, without] = [heardBy(this.index), heardBy(this.#other)];
    if (whole === undefined || without === undefined) return none;
    const { role: roles } = this.index.recording.world;
    const honest = [...roles.keys()].filter((id) => roles[id] === NodeRole.honest);
    return leftOutConclusion(whole, without, honest, rowTitle(this.#row.id));
  }

  protected contentOf(index: RunIndex): PlayerContent {
    const both = [
      { name: 'Handel', run: index },
      ...(this.#other ? [{ name: rowTitle(this.#row!.id), run: this.#other }] : []),
    ];
    const marks = both.map(({ name, run }): Mark => ({ timeUs: run.endUs, label: name, kind: 'output' }));
    const { live } = index.recording.result;
    const chapters: Chapter[] = [
      {
        timeUs: 0,
        title: 'Both start',
        text: `${count(this.#nodes)} nodes start${live === this.#nodes ? '' : `, ${count(live)} of them honest`}. A node verifies every contribution before it uses it.`,
      },
      ...both.flatMap(({ name, run }) => partsDone(name, run)),
      ...both.map(({ name, run }): Chapter => {
        const { reached, checked } = run.recording.result;
        const outcome =
          reached === live
            ? `all ${count(live)} honest nodes have finished`
            : `${count(reached)} of ${count(live)} honest nodes reached the [[threshold]]`;
        return {
          timeUs: run.endUs,
          title: name,
          text: `${capital(name)}: ${outcome} after ${ms(run.endUs)}, with ${checked.mean.toFixed(1)} checks per node.`,
        };
      }),
    ].toSorted((a, b) => a.timeUs - b.timeUs);
    const shown = lastPerMoment(chapters);
    const longest = this.#other !== undefined && this.#other.endUs > index.endUs ? this.#other : index;
    return { track: meanTrack(longest), chapters: shown, marks, stepsUs: shown.map(({ timeUs }) => timeUs) };
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

/** Returns chapters for the times at which the first node and half of the honest nodes of a run have finished. */
function partsDone(name: string, { recording: { world, result }, steps, endUs }: RunIndex): Chapter[] {
  const times = [...world.role]
    .flatMap((role, id) => (role === NodeRole.honest ? [heldSinceUs(steps, id, world.threshold)] : []))
    .filter((timeUs) => timeUs !== undefined)
    .toSorted((a, b) => a - b);
  const title = capital(name);
  return [1, Math.ceil(result.live / 2)].flatMap((done) => {
    const timeUs = times[done - 1];
    if (timeUs === undefined || timeUs >= endUs) return [];
    const what =
      done === 1 ? 'the first node has finished' : `${count(done)} of ${count(result.live)} honest nodes have finished`;
    return [{ timeUs, title, text: `${title}: ${what} after ${ms(timeUs)}.` }];
  });
}

function rowOf(id: string | undefined): MatrixRow | undefined {
  return matrixRows.find((row) => row.id === id && row !== handel);
}
