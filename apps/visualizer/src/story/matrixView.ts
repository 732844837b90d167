import { figure } from '../formatNumber.ts';
import { type SharpCanvas, sharpCanvas } from '../views/canvas.ts';
import type { Palette } from '../views/palette.ts';
import type { Hop } from './heldMatrix.ts';

/** Maximum number of nodes and signatures with labels. */
const maxNames = 16;

/** Matrix of held signatures: one row per node, one column per signature. Each level's signatures form a block. */
export class MatrixView {
  readonly #host: HTMLElement;
  readonly #sharp: SharpCanvas;
  #palette: Palette;
  #since = new Int32Array(0);
  #nodes = 0;
  #left = 0;
  #top = 0;
  #pitch = 1;
  #font = '';
  /** Followed signature with its path; undefined if there is none. */
  way: { readonly signer: number; readonly hops: readonly Hop[] } | undefined;

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
    this.#since = since as Int32Array<ArrayBuffer>;
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

  /** Returns the node of the row at a height of the host. */
  nodeUnder(x: number, y: number): number | undefined {
    const left = (this.#host.clientWidth - this.#sharp.width) / 2;
    const row = Math.floor((y - this.#top) / this.#pitch);
    return row >= 0 && row < this.#nodes && x >= left && x < left + this.#sharp.width ? row : undefined;
  }

  heldAt(node: number, timeUs: number): number {
    let held = 0;
    for (let signer = 0; signer < this.#nodes; signer++)
      if (this.#since[node * this.#nodes + signer]! <= timeUs) held++;
    return held;
  }

  draw(timeUs: number, chosen: number | undefined): void {
    const { context, width, height } = this.#sharp;
    const nodes = this.#nodes;
    const palette = this.#palette;
    const pitch = this.#pitch;
    const isNamed = nodes <= maxNames;
    const gap = pitch > 20 ? 2 : pitch > 6 ? 1 : 0.35;
    context.clearRect(0, 0, width, height);
    context.font = this.#font;
    context.textBaseline = 'middle';
    let total = 0;
    for (let node = 0; node < nodes; node++) {
      const held = this.heldAt(node, timeUs);
      total += held;
      const isAll = held === nodes;
      const y = this.#top + node * pitch;
      for (let signer = 0; signer < nodes; signer++) {
        const isIn = this.#since[node * nodes + signer]! <= timeUs;
        context.fillStyle = !isIn ? palette.line : signer === node ? palette.ink : isAll ? palette.all : palette.part;
        context.fillRect(this.#left + signer * pitch, y, pitch - gap, pitch - gap);
      }
      if (node === chosen) {
        context.strokeStyle = palette.ink;
        context.lineWidth = 2;
        context.strokeRect(this.#left - 1.5, y - 1.5, nodes * pitch - gap + 3, pitch - gap + 3);
      }
      if (!isNamed) continue;
      context.fillStyle = palette.muted;
      context.textAlign = 'right';
      context.fillText(`node ${node}`, this.#left - 10, y + pitch / 2);
      context.textAlign = 'center';
      context.fillText(String(node), this.#left + (node + 0.5) * pitch - gap / 2, this.#top - 13);
      context.fillStyle = palette.ink;
      context.textAlign = 'left';
      context.fillText(`${held}${isAll ? ' ✓' : ''}`, this.#left + nodes * pitch + 6, y + pitch / 2);
    }
    this.#drawWay(timeUs, pitch - gap);
    this.#sharp.canvas.setAttribute(
      'aria-label',
      `Signatures per node: ${figure(nodes)} nodes hold ${(total / nodes).toFixed(1)} of ${figure(nodes)} on average.`,
    );
  }

  /** Draws a ring around the followed signature in each row of its path, and lines between the rings. */
  #drawWay(timeUs: number, side: number): void {
    if (this.way === undefined) return;
    const { signer, hops } = this.way;
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
      // Each hop is curved more than the previous one.
      const [from, to] = [this.#top + rows[place - 1]! * this.#pitch + side / 2, y + side / 2];
      const right = x + side + reach;
      const bow = 12 + Math.abs(to - from) / 4;
      context.moveTo(right, from);
      context.bezierCurveTo(right + bow, from, right + bow, to, right, to);
    }
    context.stroke();
  }
}
