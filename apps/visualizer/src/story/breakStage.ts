import { NodeRole, type RunResult, type Scenario } from '@tutti/simulation';
import { Branches } from '../branches/branches.ts';
import { breakWords, unbrokenWords } from '../branches/branchText.ts';
import { BreakPanel, withoutLastFault } from '../branches/breakPanel.ts';
import { query } from '../page.ts';
import type { PlayerContent } from '../player/player.ts';
import { decodeState, encodeState, firstState, sameRun } from '../state/pageState.ts';
import type { RunIndex } from '../timeline/runIndex.ts';
import { readPalette } from '../views/canvas.ts';
import { Tip } from '../views/drawing.ts';
import { FlightView } from '../views/flightView.ts';
import { drawFlightLegend } from '../views/legends.ts';
import type { Shown } from './address.ts';
import { nodeContent, RunStage } from './runStage.ts';
import type { StageListener } from './stage.ts';

const honest: Scenario = decodeState('n=64&scheme=counting').scenario;
const attacked: Scenario = decodeState('n=64&scheme=counting&attack=invalid:0.33').scenario;
/** Maximum number of nodes in the chapter's runs. */
const maxNodes = 1024;

/** Stage at which the user injects a fault into a run, and compares the result with the original. */
export class BreakStage extends RunStage<Shown<'break-it'>> {
  readonly #flight: FlightView;
  readonly #branches: Branches;
  readonly #panel: BreakPanel;
  #node = 0;
  /** Most recently requested scenario; undefined before the first request. */
  #asked: Scenario | undefined;
  /** Result of the run without Byzantine nodes; undefined until it is simulated. */
  #honest: RunResult | undefined;

  constructor(section: HTMLElement, on: StageListener) {
    super(section, on);
    const host = this.find('.ring');
    this.#flight = new FlightView(host, readPalette(), {
      select: (node) => this.#panel.press(node),
      circle: (nodes) => this.#panel.circle(nodes),
      redraw: () => on.redraw(),
    });
    // The ring uses the space above the text below it, whose number of lines changes.
    new ResizeObserver(() => {
      this.resize();
      on.redraw();
    }).observe(host);
    this.#branches = new Branches(this.find('.branches-here'), {
      open: (scenario, at) => {
        this.#asked = scenario;
        if (at !== undefined) this.#node = at.node;
        this.simulate(scenario, { atUs: at?.timeUs ?? on.now(), plays: false });
      },
      changed: () => {
        this.#say();
        on.redraw();
      },
    });
    this.#panel = new BreakPanel(this.find('.break-panel'), this.#branches, {
      now: () => on.now(),
      open: (branch, atUs) => {
        this.#addHistoryEntry();
        this.#asked = branch;
        // Faults are marked before the simulation. Messages are drawn after the simulation.
        this.#flight.faults = branch.faults;
        on.redraw();
        this.simulate(branch, { atUs, plays: true });
      },
    });
    this.find<HTMLButtonElement>('#break-byzantine').addEventListener('click', () => {
      this.#addHistoryEntry();
      this.#start(this.find('#break-byzantine').getAttribute('aria-checked') === 'true' ? honest : attacked);
    });
    new Tip().follow(host, (x, y) => {
      const node = this.#flight.nodeUnder(x, y);
      const world = this.index?.recording.world;
      return node === undefined || !world ? undefined : `node ${node}, ${world.regionNames[world.region[node]!]}`;
    });
  }

  get shows(): Shown<'break-it'> {
    const scenario = this.#asked ?? honest;
    // A written link contains the whole run. The field `byzantine` only serves links that are typed.
    const run = () => encodeState({ ...firstState, scenario, node: this.#node, between: 'region' });
    return { run: sameRun(scenario, honest) ? undefined : run(), byzantine: false };
  }

  show({ run, byzantine }: Shown<'break-it'>): void {
    if (run === undefined) this.#start(byzantine ? attacked : honest);
    else {
      const { scenario, node, notices } = decodeState(run, maxNodes);
      if (notices.length > 0) query('#status').textContent = notices.join(' ');
      this.#node = node;
      this.#start({ ...scenario, scheme: 'counting' });
    }
  }

  /** Adds the next entry to the browser's history. The current entry keeps this run at this moment. */
  #addHistoryEntry(): void {
    const here = /[#&]t=/.test(location.hash) ? location.href : `${location.href}&t=${this.on.now() / 1000}`;
    history.replaceState(null, '', here);
    history.pushState(null, '', here);
  }

  #start(scenario: Scenario): void {
    if (this.#asked !== undefined && sameRun(this.#asked, scenario) && !this.hasFailed) return;
    this.#asked = scenario;
    this.simulate(scenario);
  }

  /** Describes the effect of the shown fault. */
  #say(): void {
    const words = this.#effectWords();
    const said = this.find('#break-said');
    if (said.textContent !== words) said.textContent = words;
  }

  /** Returns the description of the shown fault's effect; empty until the runs with and without the fault are known. */
  #effectWords(): string {
    const recording = this.index?.recording;
    const asked = this.#asked;
    if (recording === undefined || asked === undefined) return '';
    if (asked.faults.length === 0) return unbrokenWords(asked, recording.result, this.#honest);
    const before = this.#branches.reportOf(withoutLastFault(asked));
    return breakWords(asked, recording.world, before, this.#branches.reportOf(asked));
  }

  protected override look(node: number): void {
    this.#node = node;
    this.#flight.node = node;
    this.#panel.node = node;
    this.updateContent();
    this.on.changed({ atUs: this.on.now(), plays: false });
  }

  protected adopt(index: RunIndex): void {
    const { scenario, world, result } = index.recording;
    if (sameRun(scenario, honest)) this.#honest = result;
    this.find('#break-byzantine').setAttribute('aria-checked', String(scenario.attacks.length > 0));
    if (world.role[this.#node] !== NodeRole.honest) this.#node = world.role.indexOf(NodeRole.honest);
    this.#flight.show(index, 'region');
    this.#flight.node = this.#node;
    drawFlightLegend(this.find('.legend'), index.recording);
    this.#branches.show(scenario, world, result.digest);
    // A link to a run with a fault also shows the run without the fault.
    if (scenario.faults.length > 0) this.#branches.addBefore(withoutLastFault(scenario));
    this.#say();
    this.#panel.show(index);
    this.#panel.node = this.#node;
  }

  protected contentOf(index: RunIndex): Omit<PlayerContent, 'track'> {
    return nodeContent(index, this.#node);
  }

  draw(timeUs: number): void {
    this.#flight.draw(timeUs);
    this.#panel.draw(timeUs);
    this.#branches.draw(timeUs);
  }

  resize(): void {
    if (this.index) this.#flight.resize();
  }

  recolour(): void {
    this.#flight.palette = readPalette();
    this.#branches.recolour();
  }
}
