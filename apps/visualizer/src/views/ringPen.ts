import type { Circle } from './chord.ts';
import type { Palette } from './palette.ts';
import type { RingTurn } from './ringTurn.ts';

/** Size of a name, pixels. Names closer than this would overlap. */
const wordSize = { width: 90, height: 15 };
/** Number of arcs above which names without space are left out. A network may have 200 cities. */
const maxNames = 24;

/** Draws the marks of the ring: names, regions, ticks, and the selected node. */
export class RingPen {
  readonly #context: CanvasRenderingContext2D;
  readonly #circle: Circle;
  readonly #palette: Palette;
  readonly #font: string;

  constructor(context: CanvasRenderingContext2D, circle: Circle, palette: Palette, font: string) {
    this.#context = context;
    this.#circle = circle;
    this.#palette = palette;
    this.#font = font;
  }

  /** Draws a ring around the selected node, with its name if regions have no names. @param size radius of the node. */
  choose(ring: RingTurn, node: number, size: number): void {
    const context = this.#context;
    const { x, y, radius } = this.#circle;
    const angle = ring.angle[node]!;
    context.strokeStyle = this.#palette.ink;
    context.lineWidth = 1.75;
    context.beginPath();
    context.arc(x + radius * Math.sin(angle), y - radius * Math.cos(angle), size + 3.5, 0, 2 * Math.PI);
    context.stroke();
    if (ring.arcs.length === 0) this.#word(String(node), angle, radius + size + 13, this.#palette.ink, '600 12px');
  }

  /** Marks a node with a fault, using a dashed circle and a bar towards the other nodes. */
  wound(ring: RingTurn, node: number, size: number): void {
    const context = this.#context;
    const { x, y, radius } = this.#circle;
    const angle = ring.angle[node]!;
    context.strokeStyle = this.#palette.bad;
    context.lineWidth = 2;
    context.setLineDash([3, 2]);
    context.beginPath();
    context.arc(x + radius * Math.sin(angle), y - radius * Math.cos(angle), size + 2.5, 0, 2 * Math.PI);
    context.stroke();
    context.setLineDash([]);
    const half = (size + 4) / radius;
    context.beginPath();
    context.arc(x, y, radius - size - 6, angle - half - Math.PI / 2, angle + half - Math.PI / 2);
    context.stroke();
  }

  /** Marks a node as finished with a tick, which needs no colour. */
  tick(left: number, top: number, size: number): void {
    const context = this.#context;
    context.strokeStyle = this.#palette.paper;
    context.lineWidth = size / 4;
    context.beginPath();
    context.moveTo(left - size * 0.45, top);
    context.lineTo(left - size * 0.1, top + size * 0.38);
    context.lineTo(left + size * 0.48, top - size * 0.38);
    context.stroke();
  }

  regions(ring: RingTurn): void {
    if (ring.moving) return;
    const context = this.#context;
    const { x, y, radius } = this.#circle;
    const named: { left: number; top: number }[] = [];
    for (const { name, from, to } of ring.arcs) {
      context.strokeStyle = this.#palette.line;
      context.lineWidth = 2;
      context.beginPath();
      context.arc(x, y, radius + 13, from - Math.PI / 2, to - Math.PI / 2);
      context.stroke();
      const middle = (from + to) / 2;
      const [left, top] = [(radius + 25) * Math.sin(middle), (radius + 25) * Math.cos(middle)];
      const isNear = (at: { left: number; top: number }) =>
        Math.abs(left - at.left) < wordSize.width && Math.abs(top - at.top) < wordSize.height;
      if (ring.arcs.length > maxNames && named.some(isNear)) continue;
      named.push({ left, top });
      this.#word(name, middle, radius + 25, this.#palette.muted, '12px');
    }
  }

  #word(text: string, angle: number, radius: number, colour: string, font: string): void {
    const context = this.#context;
    context.font = `${font} ${this.#font}`;
    context.fillStyle = colour;
    context.textBaseline = 'middle';
    const sine = Math.sin(angle);
    context.textAlign = Math.abs(sine) < 0.3 ? 'center' : sine > 0 ? 'left' : 'right';
    context.fillText(text, this.#circle.x + radius * sine, this.#circle.y - radius * Math.cos(angle));
  }
}
