import { area, line, type ScaleLinear, scaleLinear } from 'd3';
import { render, svg } from 'lit-html';
import type { TableLines } from '../files.ts';
import { count } from '../formatNumber.ts';
import { query } from '../page.ts';
import { axisBelow, drawingIn, lineFrom, set, textAt, wordTable } from '../views/drawing.ts';
import { type NetworkLane, nodeNumbers, queueNumbers, reachOfClass, reachOfNodes } from './networkFile.ts';
import { NodeMapView } from './nodeMapView.ts';
import { writeMoment } from './slotStage.ts';

/** Height of the panel of a link class, px. */
const panelHeight = 132;
/** Space between two panels, px. */
const panelGap = 34;

/**
 * Draws the global topic as a queue: the messages sent, the messages verified by a node of each class, and the messages
 * waiting in between.
 */
class TopicQueueView {
  readonly #host: HTMLElement;
  readonly #svg: SVGSVGElement;
  #lane: NetworkLane | undefined;
  #x: ScaleLinear<number, number> = scaleLinear();

  constructor(host: HTMLElement) {
    this.#host = host;
    this.#svg = drawingIn(host, 'queue', 'Messages on the global topic');
  }

  show(lane: NetworkLane): void {
    this.#lane = lane;
    this.resize();
  }

  resize(): void {
    const lane = this.#lane;
    if (lane === undefined) return;
    const { steps, scenario, result } = lane;
    const { sent, verified, stepMs } = steps;
    const width = Math.max(280, this.#host.clientWidth);
    const [left, right] = [12, width - 12];
    const [first, last] = shownSteps(lane);
    this.#x = scaleLinear([first, last], [left, right]).clamp(true);
    const x = this.#x;
    const height = scenario.links.length * (panelHeight + panelGap) + 20;
    const places = sent.map((_, step) => step).slice(first, last + 1);
    const panels = scenario.links.map(({ name }, of) => {
      const top = of * (panelHeight + panelGap) + 24;
      const y = scaleLinear([0, Math.max(1, result.globalMessages)], [top + panelHeight - 24, top]);
      const [above, below] = [(step: number) => y(sent[step]!), (step: number) => y(verified[of]![step]!)];
      const path = (kind: string, d: string | null) => svg`<path class=${kind} d=${d}></path>`;
      return svg`<g>${path('verified', area<number>(x, y(0), below)(places))}${path('waits', area<number>(x, below, above)(places))}${path('sent', line<number>(x, above)(places))}${lineFrom('base', [left, y(0)], [right, y(0)])}${textAt('name', [0, top - 10], name)}<text class="now" data-of=${of} x=${right} y=${top - 10}></text></g>`;
    });
    const bottom = height - 26;
    const seconds = scaleLinear([(first * stepMs) / 1000, (last * stepMs) / 1000], [left, right]);
    set(this.#svg, { width, height });
    render(
      svg`${panels}${axisBelow(seconds, bottom, 's')}<line class="playhead" y1="14" y2=${bottom}></line>`,
      this.#svg,
    );
  }

  draw(step: number): void {
    const lane = this.#lane;
    if (lane === undefined) return;
    const sent = Math.round(lane.steps.sent[step]!);
    set(this.#svg.querySelector('.playhead'), { x1: this.#x(step), x2: this.#x(step) });
    const words = lane.scenario.links.map(({ name }, of) => {
      const now = `${count(waitingAt(lane, of, step))} of ${count(sent)} waiting`;
      this.#svg.querySelector(`[data-of="${of}"]`)!.textContent = now;
      return `at a ${name} node ${now}`;
    });
    set(this.#svg, { 'aria-label': `Messages on the global topic: ${words.join(', ')}.` });
  }
}

/**
 * Returns the first and the last step of the queue's time axis. The axis starts one second before the first message. It
 * ends two seconds after nodes of every class have verified 99.9 % of the messages, or at the end of the slot.
 */
function shownSteps({ steps: { sent, verified, stepMs }, result }: NetworkLane): [first: number, last: number] {
  const first = Math.max(0, sent.findIndex((messages) => messages > 0) - Math.round(1000 / stepMs));
  const done = sent.findIndex(
    (_, step) => step > first && verified.every((counts) => counts[step]! >= 0.999 * result.globalMessages),
  );
  const end = sent.length - 1;
  return [first, done === -1 ? end : Math.min(end, done + Math.round(2000 / stepMs))];
}

/** Returns the number of messages of the global topic that wait at a node of a link class, or that it dropped. */
function waitingAt({ steps: { sent, verified } }: NetworkLane, of: number, step: number): number {
  return Math.max(0, Math.round(sent[step]! - verified[of]![step]!));
}

/** Draws the mean load of a node of each link class during the slot. */
function drawLoads(host: HTMLElement, { result, scenario }: NetworkLane): void {
  const lines = scenario.links.map(({ name, downMbps, upMbps }, of) => {
    const { receivedBytes, sentBytes, copies, duplicates, coreSeconds } = result.loads[of]!;
    return [
      name,
      `${count(downMbps)}/${count(upMbps)}`,
      (receivedBytes / 1e6).toFixed(1),
      (sentBytes / 1e6).toFixed(1),
      `${((100 * duplicates) / Math.max(1, copies)).toFixed(0)} %`,
      coreSeconds.toFixed(2),
    ];
  });
  const columns = ['per node', 'Mbps down/up', 'MB in', 'MB out', 'duplicates', 'core seconds'];
  render(wordTable(columns, lines), host);
}

/** Views of one slot node by node: its nodes, the queue of the global topic, and the numbers at the moment. */
export class NodeByNode {
  readonly #map = new NodeMapView(query('#node-map'));
  readonly #queue = new TopicQueueView(query('#queue'));
  #lane: NetworkLane | undefined;
  /** Whether {@link show} has drawn all parts of the current slot. */
  #isDrawn = false;

  constructor() {
    // The table can be focused, so that the keyboard can scroll it.
    query('#loads').tabIndex = 0;
  }

  /**
   * Draws each part in a separate task, so that the page stays responsive in between. Stops drawing when another slot
   * is shown.
   */
  async show(lane: NetworkLane): Promise<void> {
    this.#lane = lane;
    this.#isDrawn = false;
    const parts = [() => this.#map.show(lane), () => this.#queue.show(lane), () => drawLoads(query('#loads'), lane)];
    for (const draw of parts) {
      await new Promise((resolve) => setTimeout(resolve));
      if (this.#lane !== lane) return;
      draw();
    }
    this.#isDrawn = true;
  }

  clear(): void {
    this.#lane = undefined;
  }

  draw(timeUs: number): void {
    if (this.#lane === undefined || !this.#isDrawn) return;
    const lane = this.#lane;
    const step = stepAt(lane, timeUs);
    this.#map.draw(step);
    this.#queue.draw(step);
    const { steps, result } = lane;
    const inVotes = (share: number | undefined) =>
      share === undefined ? undefined : Math.round((share / 100) * result.cast);
    writeMoment('voters', [result.cast]);
    writeMoment('reach', [
      inVotes(reachOfNodes(lane, step)),
      ...lane.scenario.links.map((_, of) => inVotes(reachOfClass(lane, of, step))),
    ]);
    writeMoment('sent', [Math.round(steps.sent[step]!)]);
    writeMoment('verified', [undefined, ...steps.verified.map((counts) => Math.round(counts[step]!))]);
    writeMoment('waits', [undefined, ...steps.verified.map((_, of) => waitingAt(lane, of, step))]);
  }

  numbers(view: string, timeUs: number): TableLines | undefined {
    if (this.#lane === undefined) return undefined;
    if (view === 'node-map') return nodeNumbers(this.#lane, stepAt(this.#lane, timeUs));
    return view === 'queue' ? queueNumbers(this.#lane) : undefined;
  }

  resize(): void {
    this.#map.resize();
    this.#queue.resize();
  }

  recolour(): void {
    this.#map.recolour();
  }
}

function stepAt({ steps }: NetworkLane, timeUs: number): number {
  return Math.min(steps.sent.length - 1, Math.floor(timeUs / 1000 / steps.stepMs));
}
