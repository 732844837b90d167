import type { RecordedWorld, Scenario } from '@tutti/simulation';
import { claims } from '@tutti/simulation/checks';
import { html, nothing, render, type TemplateResult } from 'lit-html';
import { SideBySide } from '../compare/sideBySide.ts';
import { count, ms } from '../formatNumber.ts';
import { createElement } from '../html.ts';
import { changedRules, type EditedRules, unedited } from '../rules/editedRules.ts';
import { command, sameRun } from '../state/pageState.ts';
import { drawingIn } from '../views/drawing.ts';
import { task } from '../worker/task.ts';
import type { BranchReport, BranchRequest } from './branch.ts';
import { drawCurves } from './branchCurves.ts';
import { branchWords, ruleWords } from './branchText.ts';

/** Maximum number of nodes. With more nodes, the checkers would take too long. */
export const maxNodesOfBranches = 1024;

/** One of the compared runs. */
interface Branch {
  readonly scenario: Scenario;
  /** Rules of the branch's honest nodes. */
  readonly edited: EditedRules;
  /** Scenario of the run from which the branch was derived; undefined for the first run. */
  readonly from: Scenario | undefined;
  report: BranchReport | undefined;
  failure: string | undefined;
  stop(): void;
}

interface BranchesListener {
  /** Called to show a run, at a given moment and node if there is one. Absent if the page shows only one run. */
  open?(scenario: Scenario, at: { readonly timeUs: number; readonly node: number } | undefined): void;
  /** Called when the compared runs, their results or the size of the drawings change. */
  changed?(): void;
}

/**
 * Compares runs that differ in faults or switches, on one clock. Each run has a field of cells, a curve and a table
 * row.
 */
export class Branches {
  readonly #host: HTMLElement;
  readonly #curves: SVGSVGElement;
  readonly #table = createElement('div', { className: 'branch-table' });
  readonly #on: BranchesListener;
  #world: RecordedWorld | undefined;
  #branches: Branch[] = [];
  #shown: Scenario | undefined;
  /** Digest of the shown run; undefined if the run was still in progress when it was shown. */
  #digest: string | undefined;

  readonly #fields = createElement('div');
  readonly #side: SideBySide | undefined;

  /** @param options.fields false if the page has its own fields of cells. */
  constructor(host: HTMLElement, on: BranchesListener, options: { readonly fields?: boolean } = {}) {
    this.#host = host;
    this.#on = on;
    this.#side = options.fields === false ? undefined : new SideBySide(this.#fields);
    host.replaceChildren(...(this.#side ? [this.#fields] : []));
    this.#curves = drawingIn(host, 'branch-curves');
    host.append(this.#table);
    new ResizeObserver(() => {
      this.#side?.resize();
      this.#draw();
      this.#on.changed?.();
    }).observe(host);
  }

  /**
   * Sets the run that the page shows. If the run differs from the branches in more than faults and switches, the
   * branches are removed.
   */
  show(scenario: Scenario, world: RecordedWorld, digest: string | undefined): void {
    this.#shown = scenario;
    this.#digest = digest;
    this.#world = world;
    const [first] = this.#branches;
    if (first !== undefined && !isSameGround(first.scenario, scenario)) {
      for (const branch of this.#branches) branch.stop();
      this.#branches = [];
    }
    this.#update();
  }

  /**
   * Latest end time of the branches in which every live node produces its output, or of all simulated branches if there
   * is no such branch, µs; 0 if no branch has been simulated. If a run that never ends were included, it would leave no
   * space for the other curves.
   */
  get endUs(): number {
    const reports = this.#branches.flatMap(({ report }) => report ?? []);
    const reached = reports.filter(({ ended }) => ended === 'reached');
    return Math.max(0, ...(reached.length > 0 ? reached : reports).map(({ endUs }) => endUs));
  }

  draw(timeUs: number): void {
    this.#side?.draw(timeUs);
  }

  recolour(): void {
    this.#side?.recolour();
  }

  /** Returns whether a run is among the compared runs. */
  has(scenario: Scenario, edited = unedited): boolean {
    return this.#branches.some((branch) => isSame(branch, { scenario, edited }));
  }

  /** Returns the result of a run, or undefined while the result is unknown. */
  reportOf(scenario: Scenario, edited = unedited): BranchReport | undefined {
    return this.#branches.find((branch) => isSame(branch, { scenario, edited }))?.report;
  }

  /**
   * Runs `scenario` with the given rules, for comparison with the shown run.
   *
   * @param from scenario of the run from which this one was derived.
   */
  add(scenario: Scenario, edited = unedited, from = this.#shown): void {
    if (this.#shown !== undefined) this.#start(this.#shown);
    this.#start(scenario, edited, from);
  }

  /** Adds the run from which the shown run was derived, unless the comparison already contains it. */
  addBefore(scenario: Scenario): void {
    if (this.has(scenario)) return;
    this.#start(scenario);
    if (this.#shown !== undefined) this.#start(this.#shown, unedited, scenario);
  }

  remove(scenario: Scenario, edited = unedited): void {
    const isMeant = (branch: Branch) => isSame(branch, { scenario, edited });
    this.#branches.find(isMeant)?.stop();
    this.#branches = this.#branches.filter((branch) => !isMeant(branch));
    this.#update();
  }

  /**
   * Removes a run from the comparison. If the removed run is shown, the page shows the run from which it was derived
   * instead, or the first run if that run was removed too.
   */
  #undo(branch: Branch): void {
    const { scenario, edited, from } = branch;
    const isOrigin = (one: Branch) => from !== undefined && isSame(one, { scenario: from, edited: unedited });
    const back = this.#branches.find(isOrigin) ?? this.#branches[0]!;
    const wasShown = this.#isShown(branch);
    this.remove(scenario, edited);
    if (wasShown) this.#on.open?.(back.scenario, undefined);
  }

  #start(scenario: Scenario, edited = unedited, from?: Scenario): void {
    if (this.has(scenario, edited)) return;
    const groundMs = (this.#branches.find(({ report }) => report)?.report?.endUs ?? 0) / 1000;
    const healedMs = Math.max(0, ...scenario.faults.map(endMs));
    const giveUpAfterMs = Math.max(minGiveUpMs, 5 * groundMs) + healedMs;
    const worker = new Worker(new URL('./branchWorker.ts', import.meta.url), { type: 'module', name: 'tutti-branch' });
    const run = task<BranchRequest, BranchReport>(worker, 'The branch', { scenario, edited, giveUpAfterMs });
    const branch: Branch = { scenario, edited, from, report: undefined, failure: undefined, stop: run.stop };
    this.#branches.push(branch);
    run.result.then(
      (report) => {
        branch.report = report;
        this.#update();
      },
      (error: Error) => {
        branch.failure = error.message;
        this.#update();
      },
    );
    this.#update();
  }

  /** Updates the page after the compared runs or their results have changed. */
  #update(): void {
    this.#host.hidden = this.#branches.length === 0;
    const [ground] = this.#branches;
    const world = this.#world;
    const plain = ground && plainOf(ground);
    this.#side?.show(
      this.#branches.map((branch, place) => ({
        title: `${place + 1} ${plain && world ? wordsOf(branch, plain, world) : ''}`,
        run: branch.report,
        words: branch.failure === undefined ? undefined : `failed: ${branch.failure}`,
      })),
    );
    this.#draw();
    this.#on.changed?.();
  }

  /** Draws the curves and the table. */
  #draw(): void {
    const world = this.#world;
    const [ground] = this.#branches;
    if (world === undefined || ground === undefined) return;
    drawCurves(
      this.#curves,
      this.#branches.flatMap((branch, place) =>
        branch.report ? { report: branch.report, label: String(place + 1), current: this.#isShown(branch) } : [],
      ),
      { spanUs: Math.max(1, this.endUs), threshold: world.threshold / world.nodes, width: this.#host.clientWidth },
    );
    render(this.#drawTable(world, ground), this.#table);
  }

  #isShown(branch: Branch): boolean {
    return this.#shown !== undefined && isSame(branch, { scenario: this.#shown, edited: unedited });
  }

  #drawTable(world: RecordedWorld, ground: Branch): TemplateResult {
    const titles = ['Run', 'nodes done', 'last node, ms', 'messages', 'kB', 'checks', 'the paper’s claims'];
    const rows = this.#branches.map((branch, place) => this.#row(branch, place, { world, ground }));
    return html`<table><thead><tr>${titles.map((title) => html`<th scope="col">${title}</th>`)}</tr></thead><tbody>${rows}</tbody></table>`;
  }

  #row(
    branch: Branch,
    place: number,
    { world, ground }: { readonly world: RecordedWorld; readonly ground: Branch },
  ): TemplateResult {
    const { scenario, report, failure } = branch;
    const isShown = this.#isShown(branch);
    const isOther =
      isShown && report?.ended === 'reached' && this.#digest !== undefined && report.digest !== this.#digest;
    const words = wordsOf(branch, plainOf(ground), world);
    const open = this.#canOpen(branch)
      ? html`<button type="button" class="term" title="Show this run on the page" aria-current=${isShown ? 'true' : nothing} @click=${() => this.#on.open?.(scenario, undefined)}>${words}</button>`
      : words;
    const undo =
      place === 0
        ? nothing
        : html` <button type="button" class="quiet undo" data-testid="undo" @click=${() => this.#undo(branch)}>Undo</button>`;
    const name = html`<th scope="row">${place + 1} ${open}${undo}${isOther ? ' (simulated here; this run differs from the file’s run)' : nothing}</th>`;
    if (report === undefined)
      return html`<tr ?data-current=${isShown}>${name}<td colspan="6">${failure === undefined ? 'running …' : `failed: ${failure}`}</td></tr>`;
    const against = place > 0 ? ground.report : undefined;
    const { reached, live, lastMs, messagesSent, bytesSent, checked } = report;
    const cells = [
      `${count(reached)} of ${count(live)}`,
      `${reached === 0 ? 'never' : lastMs.toFixed(0)}${ratio(lastMs, against?.lastMs)}`,
      `${count(messagesSent)}${ratio(messagesSent, against?.messagesSent)}`,
      `${(bytesSent / 1000).toFixed(1)}${ratio(bytesSent, against?.bytesSent)}`,
      `${count(checked)}${ratio(checked, against?.checked)}`,
    ];
    return html`<tr ?data-current=${isShown}>${name}${cells.map((cell) => html`<td>${cell}</td>`)}<td class="lamps">${this.#lamps(branch, report)}</td></tr>`;
  }

  /** Returns whether the page can show a branch. The page shows only runs with Handel's own rules. */
  #canOpen(branch: Branch): boolean {
    return this.#on.open !== undefined && !isEdited(branch);
  }

  /**
   * Draws a lamp for each claim. The lamp of a violated claim is red and shows the claim's name. Checking ends at the
   * first violation.
   */
  #lamps(branch: Branch, { broken }: BranchReport): TemplateResult {
    if (broken === undefined) {
      const all = Object.values(claims).map(({ says }) => says);
      return html`<span class="lamp kept" title=${all.join('\n')}>✓ all hold</span>`;
    }
    const { says, section } = claims[broken.claim];
    const at = { timeUs: broken.atUs, node: broken.node ?? 0 };
    return html`<button type="button" class="lamp broken" title="${says} (${section})\n${broken.what}" ?disabled=${!this.#canOpen(branch)} @click=${() => this.#on.open?.(branch.scenario, at)}>✗ ${broken.claim}, at ${ms(broken.atUs)}</button><span class="sub">${says}</span>`;
  }
}

/**
 * Returns the settings that all branches share: the scenario without faults, and with all mechanisms in `without`
 * switched on.
 */
function plainOf({ scenario }: Branch): Scenario {
  return { ...scenario, faults: [], without: [] };
}

function isEdited({ edited }: Pick<Branch, 'edited'>): boolean {
  return changedRules(edited).length > 0;
}

/** Describes how a branch differs from the shared settings. */
function wordsOf(branch: Branch, plain: Scenario, world: RecordedWorld): string {
  const words = branchWords(branch.scenario, plain, world);
  if (!isEdited(branch)) return words;
  const own = ruleWords(branch.edited);
  return isSame({ ...branch, edited: unedited }, { scenario: plain, edited: unedited }) ? own : `${words}; ${own}`;
}

/** Minimum virtual time for which a branch may run, ms. */
const minGiveUpMs = 4000;

function endMs(fault: Scenario['faults'][number]): number {
  return ('atMs' in fault ? (fault.atMs ?? 0) : 0) + ('forMs' in fault ? (fault.forMs ?? 0) : 0);
}

/** Describes the ratio of a value to that of the first run, if the difference is large enough to mention. */
function ratio(value: number, of: number | undefined): string {
  if (of === undefined || of === 0 || value === 0) return '';
  const times = value / of;
  if (times > 0.995 && times < 1.005) return '';
  return times >= 2
    ? ` (×${times.toFixed(1)})`
    : ` (${times > 1 ? '+' : '−'}${Math.round(Math.abs(times - 1) * 100)}\u00a0%)`;
}

function isSame(a: Pick<Branch, 'scenario' | 'edited'>, b: Pick<Branch, 'scenario' | 'edited'>): boolean {
  const isRun = sameRun({ ...a.scenario, scheme: 'counting' }, { ...b.scenario, scheme: 'counting' });
  return isRun && ruleWords(a.edited) === ruleWords(b.edited);
}

/** Returns whether two runs differ only in faults and switched-off mechanisms. */
function isSameGround(a: Scenario, b: Scenario): boolean {
  const ground = (scenario: Scenario) =>
    command({
      ...scenario,
      scheme: 'counting',
      faults: [],
      without: [],
      authenticated: true,
      fastPath: 0,
      levelStartMs: 0,
    });
  return ground(a) === ground(b);
}
