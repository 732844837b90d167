import { NodeRole } from '@tutti/simulation';
import { cross, type Palette, type SharpCanvas, sharpCanvas } from '../views/canvas.ts';
import { marksPassed, type RaceLane } from './raceFile.ts';

/** State of the cell of a dead or Byzantine node. */
const failed = 254;
/** State of a cell that is not drawn yet. */
const undrawn = 255;

/**
 * Field of one protocol's nodes, one cell per node. The filled part of a cell grows with the number of contributions
 * that the cell's node holds. The cell of a node that has reached the threshold is gold and has a notch. Size and notch
 * repeat the information that the colour gives.
 */
export class RaceField {
  readonly #sharp: SharpCanvas;
  readonly #host: HTMLElement;
  readonly #side: number;
  #palette: Palette;
  #lane: RaceLane;
  /** Drawn state of each cell: a number of marks, `failed`, or `undrawn`. */
  readonly #drawn: Uint8Array;

  constructor(host: HTMLElement, lane: RaceLane, palette: Palette) {
    this.#host = host;
    this.#lane = lane;
    this.#palette = palette;
    this.#side = Math.ceil(Math.sqrt(lane.role.length));
    this.#sharp = sharpCanvas(host);
    this.#sharp.canvas.setAttribute('role', 'img');
    this.label = `${lane.protocol}, before its first moment`;
    this.#drawn = new Uint8Array(lane.role.length).fill(undrawn);
  }

  set lane(lane: RaceLane) {
    this.#lane = lane;
    this.#drawn.fill(undrawn);
  }

  set palette(palette: Palette) {
    this.#palette = palette;
    this.#drawn.fill(undrawn);
  }

  set label(text: string) {
    this.#sharp.canvas.setAttribute('aria-label', text);
  }

  /** Width available in the host, CSS pixels, at least 60. */
  get room(): number {
    return Math.max(60, Math.floor(this.#host.clientWidth));
  }

  /**
   * Resizes the field.
   *
   * @param side side of the field, CSS pixels. With several fields, read all available widths first, because resizing a
   * field invalidates the layout.
   */
  resize(side = this.room): void {
    this.#sharp.resize(side, side);
    this.#drawn.fill(undrawn);
  }

  /** Paints the cells that have changed. @param atUnits moment, in the same unit as the lane's marks. */
  draw(atUnits: number): void {
    const { context, width } = this.#sharp;
    const pitch = width / this.#side;
    const gap = pitch > 7 ? 1.5 : 0.5;
    const { perNode, role: roles } = this.#lane;
    for (let node = 0; node < roles.length; node++) {
      const passed = roles[node] === NodeRole.honest ? marksPassed(this.#lane, node, atUnits) : failed;
      if (passed === this.#drawn[node]) continue;
      this.#drawn[node] = passed;
      const x = (node % this.#side) * pitch;
      const y = Math.floor(node / this.#side) * pitch;
      const size = pitch - gap;
      context.fillStyle = this.#palette.paper;
      context.fillRect(x - 0.5, y - 0.5, pitch + 0.5, pitch + 0.5);
      if (passed === failed) this.#drawFailed(x, y, size, roles[node] === NodeRole.byzantine);
      else this.#drawLive(x, y, size, passed / perNode);
    }
  }

  #drawFailed(x: number, y: number, size: number, isByzantine: boolean): void {
    const { context } = this.#sharp;
    context.strokeStyle = isByzantine ? this.#palette.bad : this.#palette.dead;
    context.beginPath();
    if (isByzantine) cross(context, x + size / 2, y + size / 2, size / 4);
    else {
      context.moveTo(x + size * 0.25, y + size * 0.25);
      context.lineTo(x + size * 0.75, y + size * 0.75);
    }
    context.stroke();
  }

  /** @param share share of the marks that the node has reached, 0 to 1. */
  #drawLive(x: number, y: number, size: number, share: number): void {
    const { context } = this.#sharp;
    context.fillStyle = share === 1 ? this.#palette.all : this.#palette.line;
    context.fillRect(x, y, size, size);
    if (share < 1) {
      // The filled area grows by the same amount with each doubling of the number of contributions.
      const part = size * Math.sqrt(share);
      context.fillStyle = this.#palette.part;
      context.fillRect(x, y + size - part, part, part);
      return;
    }
    context.fillStyle = this.#palette.paper;
    const notch = size * 0.3;
    context.beginPath();
    context.moveTo(x + size, y);
    context.lineTo(x + size - notch, y);
    context.lineTo(x + size, y + notch);
    context.fill();
  }
}
