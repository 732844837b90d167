import { count } from '../formatNumber.ts';
import { type Palette, type SharpCanvas, sharpCanvas } from '../views/canvas.ts';
import type { Hop } from './heldMatrix.ts';

/** Maximum number of nodes and signatures for which labels are drawn. */
const maxNames = 16;

/** Drawn matrix of held signatures: one row per node, one column per signature. */
export class HeldMatrixView {
  readonly #host: HTMLElement;
  readonly #sharp: SharpCanvas;
  #palette: Palette;
  #since: Int32Array = new Int32Array(0);
  #nodes = 0;
  #left = 0;
  #top = 0;
  #pitch = 1;
  #font = '';
  /** Signature whose path is shown, and its path; undefined if there is none. */
  path: { readonly signer: number; readonly hops: readonly Hop[] } | undefined;

  constructor(host: HTMLElement, palette: Palette) {
    this.#host = host;
    this.#palette = palette;
    this.#sharp = sharpCanvas(host);
    this.#sharp.canvas.setAttribute('role', 'img');
    this.#sharp.canvas.setAttribute('aria-label', 'Signatures per node');
  }

  set palette(palette: Palette) {
    this.#palette = palette;
  }

  show(since: Int32Array, nodes: number): void {
    this.#since = since;
    this.#nodes = nodes;
    this.resize();
  }

  resize(): void {
    const { clientWidth, clientHeight } = this.#host;
    const isNamed = this.#nodes <= maxNames;
    this.#left = isNamed ? 58 : 2;
    this.#top = isNamed ? 30 : 2;
    const right = isNamed ? 34 : 2;
    const side = Math.floor(Math.min(clientWidth - this.#left - right, (clientHeight || clientWidth) - this.#top - 2));
    if (side <= 0 || this.#nodes === 0) return;
    this.#sharp.resize(this.#left + side + right, this.#top + side + 2);
    this.#pitch = side / this.#nodes;
    this.#font = `13px ${getComputedStyle(this.#host).fontFamily}`;
  }

  /** Returns the node whose row contains a point of the host, px, or undefined if there is none. */
  nodeUnder(x: number, y: number): number | undefined {
    const left = (this.#host.clientWidth - this.#sharp.width) / 2;
    const row = Math.floor((y - this.#top) / this.#pitch);
    return row >= 0 && row < this.#nodes && x >= left && x < left + this.#sharp.width ? row : undefined;
  }

  /** Returns the number of signatures that a node holds at a moment. */
  heldAt(node: number, timeUs: number): number {
    let held = 0;
    for (let signer = 0; signer < this.#nodes; signer++)
      if (this.#since[node * this.#nodes + signer]! <= timeUs) held++;
    return held;
  }

  /** Draws a moment. @param chosen node whose row is marked; undefined if there is none. */
  draw(timeUs: number, chosen: number | undefined): void {
    const { context, width, height } = this.#sharp;
    const nodes = this.#nodes;
    const gap = this.#pitch > 20 ? 2 : this.#pitch > 6 ? 1 : 0.35;
    const side = this.#pitch - gap;
    context.clearRect(0, 0, width, height);
    context.font = this.#font;
    context.textBaseline = 'middle';
    let total = 0;
    for (let node = 0; node < nodes; node++) {
      const held = this.heldAt(node, timeUs);
      total += held;
      this.#drawRow(node, timeUs, held === nodes, side);
      if (node === chosen) {
        context.strokeStyle = this.#palette.ink;
        context.lineWidth = 2;
        const y = this.#top + node * this.#pitch;
        context.strokeRect(this.#left - 1.5, y - 1.5, nodes * this.#pitch - gap + 3, side + 3);
      }
      if (nodes <= maxNames) this.#drawNames(node, held, gap);
    }
    this.#drawPath(timeUs, side);
    this.#sharp.canvas.setAttribute(
      'aria-label',
      `Signatures per node: on average, each of the ${count(nodes)} nodes holds ${(total / nodes).toFixed(1)} of ${count(nodes)} signatures.`,
    );
  }

  /** Draws the signatures of a node. @param side side of a square, CSS pixels. */
  #drawRow(node: number, timeUs: number, isAll: boolean, side: number): void {
    const { context } = this.#sharp;
    const { ink, all, part, line } = this.#palette;
    const held = isAll ? all : part;
    for (let signer = 0; signer < this.#nodes; signer++) {
      const isIn = this.#since[node * this.#nodes + signer]! <= timeUs;
      context.fillStyle = !isIn ? line : signer === node ? ink : held;
      context.fillRect(this.#left + signer * this.#pitch, this.#top + node * this.#pitch, side, side);
    }
  }

  /** Draws the labels of a node's row and of its signature's column, and the number of signatures that it holds. */
  #drawNames(node: number, held: number, gap: number): void {
    const { context } = this.#sharp;
    const y = this.#top + (node + 0.5) * this.#pitch;
    context.fillStyle = this.#palette.muted;
    context.textAlign = 'right';
    context.fillText(`node ${node}`, this.#left - 10, y);
    context.textAlign = 'center';
    context.fillText(String(node), this.#left + (node + 0.5) * this.#pitch - gap / 2, this.#top - 13);
    context.fillStyle = this.#palette.ink;
    context.textAlign = 'left';
    context.fillText(`${held}${held === this.#nodes ? ' ✓' : ''}`, this.#left + this.#nodes * this.#pitch + 6, y);
  }

  /** Draws a ring around the followed signature in each row of the signature's path, and lines between the rings. */
  #drawPath(timeUs: number, side: number): void {
    if (this.path === undefined) return;
    const { signer, hops } = this.path;
    const { context } = this.#sharp;
    const rows = [signer, ...hops.filter(({ heldUs }) => heldUs <= timeUs).map(({ to }) => to)];
    const x = this.#left + signer * this.#pitch;
    const reach = Math.max(0, 5 - side / 2);
    context.strokeStyle = this.#palette.ink;
    context.lineWidth = 2;
    context.beginPath();
    for (const [place, row] of rows.entries()) {
      const y = this.#top + row * this.#pitch;
      context.rect(x - reach, y - reach, side + 2 * reach, side + 2 * reach);
      if (place === 0) continue;
      // Lines between more distant rows are more curved, so that the lines of the path do not cover each other.
      const [from, to] = [this.#top + rows[place - 1]! * this.#pitch + side / 2, y + side / 2];
      const right = x + side + reach;
      const bow = 12 + Math.abs(to - from) / 4;
      context.moveTo(right, from);
      context.bezierCurveTo(right + bow, from, right + bow, to, right, to);
    }
    context.stroke();
  }
}
