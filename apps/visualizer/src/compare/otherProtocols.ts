import { type ProtocolName, protocolNames, protocols, type Scenario } from '@tutti/simulation';
import { html, render } from 'lit-html';
import type { TableLines } from '../files.ts';
import { count, ms } from '../formatNumber.ts';
import { query } from '../page.ts';
import { comparedNumbers, type LaneRun, laneRun } from '../race/raceFile.ts';
import { giveUpAfterMs, maxNodesOf } from '../state/pageState.ts';
import type { RunIndex } from '../timeline/runIndex.ts';
import { type FinishedRun, startRun } from '../worker/runTasks.ts';
import type { Task } from '../worker/task.ts';
import { SideBySide } from './sideBySide.ts';

/** Maximum number of nodes for which the cells of a field are readable. */
const maxNodesCompared = 4096;
/** Number of nodes above which the page warns that the complete graph and gossip take some time. */
const longNodes = 1024;

/** Run of another protocol. */
interface OtherRun {
  readonly protocol: ProtocolName;
  readonly run: Task<FinishedRun>;
  /** Result; undefined until the run has ended. */
  lane: LaneRun | undefined;
  /** Error message of a run that failed. */
  failure: string | undefined;
}

/** Compares the shown run with runs of other protocols in the same scenario, all on one clock. */
export class OtherProtocols {
  readonly #side = new SideBySide(query('#compare-runs'));
  readonly #changed: () => void;
  readonly #button = query('#compare-fold');
  #index: RunIndex | undefined;
  #others: OtherRun[] = [];

  /** @param changed called when a run is added, is removed or ends, or when the other figures are shown or hidden. */
  constructor(changed: () => void) {
    this.#changed = changed;
    this.#button.addEventListener('click', () => {
      this.#fold(!isFolded());
      globalThis.dispatchEvent(new Event('resize'));
      this.resize();
      changed();
    });
  }

  /** Protocols compared with the run. */
  get protocols(): readonly ProtocolName[] {
    return this.#others.map(({ protocol }) => protocol);
  }

  /** Latest end time of the compared runs, including the shown run, µs; 0 if there are no other protocols. */
  get endUs(): number {
    return this.#others.length === 0 ? 0 : this.#side.endUs;
  }

  /** Shows a run, and compares it with the requested protocols. */
  show(index: RunIndex, compared: readonly ProtocolName[]): void {
    this.#stop();
    this.#index = index;
    const { scenario } = index.recording;
    query('#compare-note').textContent =
      scenario.nodes <= maxNodesCompared
        ? `Compares protocols with the same nodes, network and seed, on the same clock. Signatures are counted but not computed.${comparisonText(scenario.nodes)}`
        : `Comparisons are available only for up to ${count(maxNodesCompared)} nodes.`;
    for (const protocol of compared)
      if (protocol !== scenario.protocol && canRun(protocol, scenario)) this.#start(protocol);
    this.#draw();
  }

  /** Returns the times at which each node of each protocol reached the threshold; undefined without a comparison. */
  numbers(): TableLines | undefined {
    if (this.#others.length === 0 || this.#index === undefined) return undefined;
    return comparedNumbers([laneRun(this.#index), ...this.#others.flatMap(({ lane }) => lane ?? [])]);
  }

  /** Stops all runs, and removes the choice of protocols until the next {@link show}. */
  clear(): void {
    this.#stop();
    this.#index = undefined;
    this.#draw();
  }

  #stop(): void {
    for (const { run } of this.#others) run.stop();
    this.#others = [];
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

  #toggle(protocol: ProtocolName): void {
    const there = this.#others.find((other) => other.protocol === protocol);
    if (there === undefined) this.#start(protocol);
    else {
      there.run.stop();
      this.#others = this.#others.filter((other) => other !== there);
    }
    this.#draw();
    this.#changed();
  }

  #start(protocol: ProtocolName): void {
    const scenario: Scenario = { ...this.#index!.recording.scenario, protocol, scheme: 'counting' };
    const settle = (lane: LaneRun | undefined, failure: string | undefined) => {
      other.lane = lane;
      other.failure = failure;
      this.#draw();
      this.#changed();
    };
    const run = startRun(scenario, {
      giveUpAfterMs,
      sends: false,
      progress: (progress) => {
        if (progress.kind !== 'running') return;
        const { nowUs, reached, live } = progress;
        this.#side.say(
          this.#others.indexOf(other) + 1,
          `simulating: ${ms(nowUs)}, ${count(reached)} of ${count(live)} done …`,
        );
      },
    });
    run.result.then(
      ({ index }) => settle(laneRun(index), undefined),
      (error: Error) => settle(undefined, error.message),
    );
    const other: OtherRun = { protocol, run, lane: undefined, failure: undefined };
    this.#others.push(other);
  }

  #fold(isFolded: boolean): void {
    document.documentElement.toggleAttribute('data-folded', isFolded);
    this.#button.setAttribute('aria-pressed', String(isFolded));
  }

  #draw(): void {
    const shown = this.#index?.recording.scenario;
    const chip = (protocol: ProtocolName) =>
      html`<button type="button" class="chip" data-testid="compare-${protocol}" aria-pressed=${this.protocols.includes(protocol)} ?disabled=${shown && !canRun(protocol, shown)} @click=${() => this.#toggle(protocol)}>${protocols[protocol].title}</button>`;
    render(shown && protocolNames.filter((protocol) => protocol !== shown.protocol).map(chip), query('#compare-who'));
    const isAlone = this.#others.length === 0;
    // While no run is shown, the page stays folded for the comparison with the next run.
    if (shown && isAlone) this.#fold(false);
    this.#button.hidden = isAlone && !isFolded();
    query('#compare-runs').hidden = isAlone;
    if (!shown || isAlone) {
      this.#side.show([]);
      return;
    }
    this.#side.show([
      { title: protocols[shown.protocol].title, run: laneRun(this.#index!) },
      ...this.#others.map(({ protocol, lane, failure }) => ({
        title: protocols[protocol].title,
        run: lane,
        words: failure === undefined ? undefined : `failed: ${failure}`,
        remove: () => this.#toggle(protocol),
      })),
    ]);
  }
}

/** Returns whether the page hides everything but the figures. */
const isFolded = (): boolean => document.documentElement.hasAttribute('data-folded');

/** Returns whether a protocol can be compared in a scenario. */
function canRun(protocol: ProtocolName, { nodes }: Scenario): boolean {
  return nodes <= maxNodesCompared && nodes <= maxNodesOf(protocol);
}

/** Describes the availability and the cost of the complete graph and gossip for a number of nodes; empty if the cost is low. */
function comparisonText(nodes: number): string {
  const max = maxNodesOf('gossip');
  if (nodes > max) return ` The complete graph and gossip are available only for up to ${count(max)} nodes.`;
  if (nodes <= longNodes) return '';
  return ' With this many nodes, simulating the complete graph and gossip takes some time, but the page remains usable.';
}
