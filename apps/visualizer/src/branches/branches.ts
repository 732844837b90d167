import type { RecordedWorld, Scenario } from '@tutti/core/simulation';
import { claims } from '@tutti/core/verification';
import { command, sameRun } from '../state/pageState.ts';
import { count, ms } from '../words.ts';
import type { BranchReport } from './branch.ts';
import { drawCurves } from './branchCurves.ts';
import { branchWords } from './branchWords.ts';
import { startBranch } from './startBranch.ts';

/** Beyond this many nodes the checkers would keep a worker for too long. */
export const mostNodesOfBranches = 1024;

/** One run among its likes. */
interface Branch {
  readonly scenario: Scenario;
  report: BranchReport | undefined;
  failure: string | undefined;
  stop(): void;
}

export interface BranchesListener {
  /** Show this run; where a moment or a node is named, that. */
  open(scenario: Scenario, at: { readonly timeUs: number; readonly node: number } | undefined): void;
}

/** Runs that differ in what breaks or is switched off, side by side: a curve and a line of a table each. */
export class Branches {
  readonly #host: HTMLElement;
  readonly #curves: SVGSVGElement;
  readonly #table: HTMLElement;
  readonly #on: BranchesListener;
  #world: RecordedWorld | undefined;
  #branches: Branch[] = [];
  #shown: Scenario | undefined;
  /** Of the run that the page shows; undefined while it goes on. */
  #digest: string | undefined;

  constructor(host: HTMLElement, on: BranchesListener) {
    this.#host = host;
    this.#on = on;
    this.#curves = document.createElementNS('http://www.w3.org/2000/svg', 'svg');
    this.#curves.classList.add('branch-curves');
    this.#table = document.createElement('div');
    this.#table.className = 'branch-table';
    host.replaceChildren(this.#curves, this.#table);
    new ResizeObserver(() => this.#draw()).observe(host);
  }

  /** The run that the page shows. One that differs from the others in more than what breaks or is off begins anew. */
  show(scenario: Scenario, world: RecordedWorld, digest: string | undefined): void {
    this.#shown = scenario;
    this.#digest = digest;
    this.#world = world;
    const [first] = this.#branches;
    if (first !== undefined && !isSameGround(first.scenario, scenario)) {
      for (const branch of this.#branches) branch.stop();
      this.#branches = [];
    }
    this.#draw();
  }

  /** Whether a run is among those that are compared. */
  has(scenario: Scenario): boolean {
    return this.#branches.some((branch) => isSame(branch.scenario, scenario));
  }

  /** Runs `scenario` beside the one that is shown, which is compared too from then on. */
  add(scenario: Scenario): void {
    if (this.#shown !== undefined) this.#start(this.#shown);
    this.#start(scenario);
  }

  remove(scenario: Scenario): void {
    this.#branches.find((branch) => isSame(branch.scenario, scenario))?.stop();
    this.#branches = this.#branches.filter((branch) => !isSame(branch.scenario, scenario));
    this.#draw();
  }

  #start(scenario: Scenario): void {
    if (this.has(scenario)) return;
    const groundMs = (this.#branches.find(({ report }) => report)?.report?.endUs ?? 0) / 1000;
    const healedMs = Math.max(0, ...scenario.faults.map(endMs));
    const run = startBranch({ scenario, giveUpAfterMs: Math.max(leastGiveUpMs, 5 * groundMs) + healedMs });
    const branch: Branch = { scenario, report: undefined, failure: undefined, stop: run.stop };
    this.#branches.push(branch);
    run.report.then(
      (report) => {
        branch.report = report;
        this.#draw();
      },
      (error: Error) => {
        branch.failure = error.message;
        this.#draw();
      },
    );
    this.#draw();
  }

  #draw(): void {
    const world = this.#world;
    this.#host.hidden = this.#branches.length === 0;
    const [ground] = this.#branches;
    if (world === undefined || ground === undefined) return;
    const reports = this.#branches.flatMap(({ report }) => (report ? [report] : []));
    // A run that never ends would leave no room for the others.
    const ended = reports.filter(({ ended }) => ended === 'reached');
    const spans = (ended.length > 0 ? ended : reports).map(({ endUs }) => endUs);
    drawCurves(
      this.#curves,
      this.#branches.map(({ report, scenario }, place) => ({
        report,
        label: String(place + 1),
        current: this.#isShown(scenario),
      })),
      { spanUs: Math.max(1, ...spans), threshold: world.threshold / world.nodes, width: this.#host.clientWidth },
    );
    this.#table.replaceChildren(this.#drawTable(world, ground));
  }

  #isShown(scenario: Scenario): boolean {
    return this.#shown !== undefined && isSame(this.#shown, scenario);
  }

  #drawTable(world: RecordedWorld, ground: Branch): HTMLTableElement {
    const table = document.createElement('table');
    const head = table.createTHead().insertRow();
    for (const title of [
      'Run',
      'hold the threshold',
      'the last after, ms',
      'messages',
      'kB',
      'checks',
      'the paper’s claims',
    ]) {
      const cell = document.createElement('th');
      cell.scope = 'col';
      cell.textContent = title;
      head.append(cell);
    }
    const body = table.createTBody();
    const plain = { ...ground.scenario, faults: [], without: [] };
    this.#branches.forEach((branch, place) => {
      const { scenario, report, failure } = branch;
      const row = body.insertRow();
      row.toggleAttribute('data-current', this.#isShown(scenario));
      const name = document.createElement('th');
      name.scope = 'row';
      const open = document.createElement('button');
      open.type = 'button';
      open.className = 'term';
      open.textContent = branchWords(scenario, plain, world);
      open.title = 'Show this run on the page';
      if (this.#isShown(scenario)) open.setAttribute('aria-current', 'true');
      open.addEventListener('click', () => this.#on.open(scenario, undefined));
      name.append(`${place + 1} `, open);
      row.append(name);
      if (report === undefined) {
        const cell = row.insertCell();
        cell.colSpan = 6;
        cell.textContent = failure === undefined ? 'running …' : `failed: ${failure}`;
        return;
      }
      const isOther = this.#isShown(scenario) && report.ended === 'reached' && report.digest !== this.#digest;
      if (isOther && this.#digest !== undefined) name.append(' (played again, it is another run than the file’s)');
      const against = place > 0 ? ground.report : undefined;
      row.insertCell().textContent = `${count(report.reached)} of ${count(report.live)}`;
      const last = report.reached === 0 ? 'never' : report.lastMs.toFixed(0);
      row.insertCell().append(last, ratio(report.lastMs, against?.lastMs));
      row.insertCell().append(count(report.messagesSent), ratio(report.messagesSent, against?.messagesSent));
      row.insertCell().append((report.bytesSent / 1000).toFixed(1), ratio(report.bytesSent, against?.bytesSent));
      row.insertCell().append(count(report.checked), ratio(report.checked, against?.checked));
      this.#drawLamps(row.insertCell(), scenario, report);
    });
    return table;
  }

  /** A lamp for each claim: red and named where it was seen broken, which is where the judging ends. */
  #drawLamps(cell: HTMLElement, scenario: Scenario, { broken }: BranchReport): void {
    cell.className = 'lamps';
    if (broken === undefined) {
      const all = document.createElement('span');
      all.className = 'lamp kept';
      all.textContent = '✓ none seen broken';
      all.title = Object.values(claims)
        .map(({ says }) => says)
        .join('\n');
      cell.append(all);
      return;
    }
    const lamp = document.createElement('button');
    lamp.type = 'button';
    lamp.className = 'lamp broken';
    lamp.textContent = `✗ ${broken.claim}, at ${ms(broken.atUs)}`;
    lamp.title = `${claims[broken.claim].says} (${claims[broken.claim].section})\n${broken.what}`;
    lamp.addEventListener('click', () => this.#on.open(scenario, { timeUs: broken.atUs, node: broken.node ?? 0 }));
    const says = document.createElement('span');
    says.className = 'sub';
    says.textContent = claims[broken.claim].says;
    cell.append(lamp, says);
  }
}

/** A branch is given this much virtual time at least, ms. */
const leastGiveUpMs = 4000;

function endMs(fault: Scenario['faults'][number]): number {
  return ('atMs' in fault ? (fault.atMs ?? 0) : 0) + ('forMs' in fault ? (fault.forMs ?? 0) : 0);
}

/** How much more or less than the first run, where that is worth a word. */
function ratio(value: number, of: number | undefined): string {
  if (of === undefined || of === 0 || value === 0) return '';
  const times = value / of;
  if (times > 0.995 && times < 1.005) return '';
  return times >= 2
    ? ` (×${times.toFixed(1)})`
    : ` (${times > 1 ? '+' : '−'}${Math.round(Math.abs(times - 1) * 100)} %)`;
}

function isSame(a: Scenario, b: Scenario): boolean {
  return sameRun({ ...a, scheme: 'counting' }, { ...b, scheme: 'counting' });
}

/** Whether two runs differ in nothing but what breaks or is switched off. */
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
