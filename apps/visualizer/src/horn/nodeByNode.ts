import { render } from 'lit-html';
import { figure } from '../formatNumber.ts';
import { query } from '../page.ts';
import type { TableLines } from '../state/tableFile.ts';
import { wordTable } from '../views/drawing.ts';
import { writeMoment } from './momentTable.ts';
import type { NetworkLane } from './networkFile.ts';
import { nodeNumbers, queueNumbers, reachOfClass, reachOfNodes } from './networkNumbers.ts';
import { NodeMapView } from './nodeMapView.ts';
import { QueueView } from './queueView.ts';

/** Draws the mean load of a node of each class during the slot. */
function drawLoads(host: HTMLElement, { result, scenario }: NetworkLane): void {
  const lines = scenario.links.map(({ name, downMbps, upMbps }, of) => {
    const { receivedBytes, sentBytes, copies, duplicates, coreSeconds } = result.loads[of]!;
    return [
      name,
      `${figure(downMbps)}/${figure(upMbps)}`,
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
  readonly #queue = new QueueView(query('#queue'));
  #lane: NetworkLane | undefined;
  /** Whether the current slot is drawn, which takes several tasks. */
  #isDrawn = false;

  constructor() {
    // Focusable, so that wide content can be scrolled with the keyboard.
    query('#loads').tabIndex = 0;
  }

  /**
   * Draws each part in its own task, so that the page stays responsive in between. Stops when another slot is shown.
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
    const sent = steps.sent[step]!;
    const verified = steps.verified.map((counts) => counts[step]!);
    writeMoment('voters', [result.cast]);
    writeMoment('reach', [
      inVotes(reachOfNodes(lane, step)),
      ...lane.scenario.links.map((_, of) => inVotes(reachOfClass(lane, of, step))),
    ]);
    writeMoment('sent', [Math.round(sent)]);
    writeMoment('verified', [undefined, ...verified.map(Math.round)]);
    writeMoment('waits', [undefined, ...verified.map((count) => Math.max(0, Math.round(sent - count)))]);
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
