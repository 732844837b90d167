import { placeNodes } from '@tutti/ethereum';
import { count } from '../formatNumber.ts';
import { themeColours } from '../page.ts';
import { type SharpCanvas, sharpCanvas } from '../views/canvas.ts';
import { type NetworkLane, reachAt } from './networkFile.ts';

/**
 * Cells of the nodes of one link class, arranged row by row, beginning with the node that hosts the most validators.
 */
interface NodeGrid {
  /** Distance between the centres of two neighbouring cells, pixels. */
  readonly pitch: number;
  readonly columns: number;
  readonly rows: number;
  /** Nodes in the order of their cells. */
  readonly nodes: Int32Array;
  /**
   * Side of the square in each cell, pixels, in the order of the cells. The area of a square is proportional to the
   * node's number of validators. Each square is at least 1.5 pixels wide, but a node without validators has no square.
   */
  readonly sides: Float64Array;
}

/**
 * Arranges the nodes of a link class.
 *
 * @param validators number of validators per node. @param classOf link class of each node. @param of link class to
 * arrange. @param width available width, pixels. @param pitch width of a cell, pixels.
 */
export function nodeGrid(
  validators: Int32Array,
  classOf: Uint8Array,
  of: number,
  width: number,
  pitch: number,
): NodeGrid {
  const nodes = Int32Array.from(classOf.keys()).filter((node) => classOf[node] === of);
  nodes.sort((a, b) => validators[b]! - validators[a]! || a - b);
  const columns = Math.max(1, Math.floor(width / pitch));
  const max = Math.max(1, validators[nodes[0] ?? 0] ?? 1);
  const sides = Float64Array.from(nodes, (node) =>
    validators[node] === 0 ? 0 : Math.max(1.5, (pitch - 1) * Math.sqrt(validators[node]! / max)),
  );
  return { pitch, columns, rows: Math.ceil(nodes.length / columns), nodes, sides };
}

/** Space between two link classes, px. */
const gap = 24;
/** Height of the line with the name of a class, px. */
const nameHeight = 22;
/** Colours of observed nodes, each with the minimum share of votes in reach, percent. */
const reachColours = [
  [0, 'empty'],
  [1, 'held-low'],
  [34, 'held-mid'],
  [67, 'held-high'],
  [99, 'all'],
] as const;

/**
 * Draws every node, grouped by link class. The colour of an observed node shows the share of the votes in the node's
 * reach.
 */
export class NodeMapView {
  readonly #host: HTMLElement;
  readonly #sharp: SharpCanvas;
  #lane: NetworkLane | undefined;
  #grids: readonly NodeGrid[] = [];
  #tops: readonly number[] = [];
  /** Row of each node among the observed nodes; -1 for other nodes. */
  #watched = new Int32Array(0);
  #drawn = -1;

  constructor(host: HTMLElement) {
    this.#host = host;
    this.#sharp = sharpCanvas(host);
    this.#sharp.canvas.setAttribute('role', 'img');
    this.#sharp.canvas.setAttribute('aria-label', 'Nodes by link class');
  }

  show(lane: NetworkLane): void {
    this.#lane = lane;
    this.resize();
  }

  resize(): void {
    const lane = this.#lane;
    const width = this.#host.clientWidth;
    if (lane === undefined || width === 0) return;
    const { scenario, steps } = lane;
    const { validators, classOf } = placeNodes(scenario);
    const pitch = width < 560 ? 5 : 7;
    this.#grids = scenario.links.map((_, of) => nodeGrid(validators, classOf, of, width, pitch));
    this.#watched = new Int32Array(scenario.nodes).fill(-1);
    steps.observers.forEach((node, row) => {
      this.#watched[node] = row;
    });
    let top = 0;
    this.#tops = this.#grids.map(({ rows }) => {
      const at = top;
      top += nameHeight + rows * pitch + gap;
      return at;
    });
    this.#sharp.resize(width, top - gap + 2);
    this.#drawn = -1;
  }

  draw(step: number): void {
    const lane = this.#lane;
    if (lane === undefined || step === this.#drawn) return;
    this.#drawn = step;
    const { context, width, height } = this.#sharp;
    const colour = themeColours();
    context.clearRect(0, 0, width, height);
    context.font = `14px ${getComputedStyle(this.#host).fontFamily}`;
    const words = this.#grids.map(({ nodes }, of) => {
      const { name, downMbps, upMbps } = lane.scenario.links[of]!;
      context.fillStyle = colour('ink');
      context.fillText(`${name}: ${count(nodes.length)} nodes`, 0, this.#tops[of]! + 14);
      this.#paint(of, colour, (row) => reachAt(lane, row, step));
      const shares = Array.from(nodes, (node) => this.#watched[node]!)
        .filter((row) => row !== -1)
        .map((row) => reachAt(lane, row, step));
      const done = shares.filter((share) => share >= 99).length;
      return `${name}, ${count(downMbps)} Mbps down, ${count(upMbps)} up: ${count(nodes.length)} nodes; ${done} of ${shares.length} observed nodes have verified 99 % of the votes`;
    });
    this.#sharp.canvas.setAttribute('aria-label', `Nodes by link class. ${words.join('. ')}.`);
  }

  /**
   * Paints the nodes of a link class.
   *
   * @param shareOf returns the share of votes in reach of an observed node, percent, given the node's row.
   */
  #paint(of: number, colour: (name: string) => string, shareOf: (row: number) => number): void {
    const { context } = this.#sharp;
    const { pitch, columns, nodes, sides } = this.#grids[of]!;
    const top = this.#tops[of]! + nameHeight;
    const [ink, line, branch] = ['ink', 'line', 'branch'].map(colour) as [string, string, string];
    const ramp = reachColours.map(([, name]) => colour(name));
    nodes.forEach((node, place) => {
      const x = (place % columns) * pitch;
      const y = top + Math.floor(place / columns) * pitch;
      const side = sides[place]!;
      const row = this.#watched[node]!;
      if (row !== -1) {
        const share = shareOf(row);
        context.fillStyle = ink;
        context.fillRect(x - 1, y - 1, pitch + 1, pitch + 1);
        context.fillStyle = ramp[reachColours.findLastIndex(([minShare]) => share >= minShare)]!;
        context.fillRect(x, y, pitch - 1, pitch - 1);
      } else if (side === 0) {
        context.fillStyle = line;
        context.fillRect(x + pitch / 2 - 1, y + pitch / 2 - 1, 1, 1);
      } else {
        const inset = (pitch - 1 - side) / 2;
        context.fillStyle = branch;
        context.fillRect(x + inset, y + inset, side, side);
      }
    });
  }

  recolour(): void {
    this.#drawn = -1;
  }
}
