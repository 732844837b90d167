import type { RecordedWorld } from '@tutti/simulation';
import { polygonContains } from 'd3';
import type { Palette } from './canvas.ts';
import type { Circle } from './messages.ts';

/** Order of the nodes on the ring. */
export type RingOrder = 'tree' | 'region';

/** Positions of the nodes on the ring, as angles in radians, clockwise from the top. */
interface RingLayout {
  readonly angle: Float64Array;
  /** Named arcs of neighbouring nodes: the regions if nodes are arranged by region, otherwise none. */
  readonly arcs: readonly RingArc[];
}

interface RingArc {
  readonly name: string;
  readonly from: number;
  readonly to: number;
}

/** Maximum angle between two regions, radians. */
const regionGap = 0.05;

/** Returns the positions of the nodes of a world on the ring. */
export function ringLayout(world: RecordedWorld, order: RingOrder): RingLayout {
  const { nodes } = world;
  if (order === 'tree') {
    return { angle: Float64Array.from({ length: nodes }, (_, id) => ((id + 0.5) / nodes) * 2 * Math.PI), arcs: [] };
  }
  const byRegion = world.regionNames.map((name, region) => ({
    name,
    ids: Array.from({ length: nodes }, (_, id) => id).filter((id) => world.region[id] === region),
  }));
  const present = byRegion.filter(({ ids }) => ids.length > 0);
  const gap = present.length > 1 ? Math.min(regionGap, Math.PI / present.length) : 0;
  const each = (2 * Math.PI - gap * present.length) / nodes;
  const angle = new Float64Array(nodes);
  const arcs: RingArc[] = [];
  let at = gap / 2;
  for (const { name, ids } of present) {
    const from = at;
    for (const id of ids) {
      angle[id] = at + each / 2;
      at += each;
    }
    arcs.push({ name, from, to: at });
    at += gap;
  }
  return { angle, arcs };
}

/** Returns the node nearest to a direction, which is in radians clockwise from the top. */
export function nearestOnRing(angle: Float64Array, direction: number): number {
  let nearest = 0;
  let min = Number.POSITIVE_INFINITY;
  for (let id = 0; id < angle.length; id++) {
    const apart = Math.abs(turn(angle[id]! - direction));
    if (apart < min) [nearest, min] = [id, apart];
  }
  return nearest;
}

/** Returns the equivalent angle in (-pi, pi]. */
export function turn(radians: number): number {
  const full = 2 * Math.PI;
  const once = ((radians % full) + full) % full;
  return once > Math.PI ? once - full : once;
}

/** Duration of the animation between two arrangements, ms. */
const turnMs = 700;
/** Space around the ring, px: `named` if regions have names. */
const margins = { plain: 36, named: 84 } as const;

/** Angles of the nodes on the ring. Between two arrangements, an animation moves every node to its new angle. */
export class RingTurn {
  readonly #world: RecordedWorld;
  #layout: RingLayout;
  #from: { readonly angle: Float64Array; readonly margin: number; readonly atMs: number } | undefined;
  angle: Float64Array;
  /** Sines of the angles, stored so that drawing a message's path needs no trigonometry. */
  readonly sine: Float64Array;
  readonly cosine: Float64Array;
  margin: number;

  constructor(world: RecordedWorld, order: RingOrder) {
    this.#world = world;
    this.#layout = ringLayout(world, order);
    this.angle = this.#layout.angle.slice();
    this.sine = this.angle.map(Math.sin);
    this.cosine = this.angle.map(Math.cos);
    this.margin = this.#margin;
  }

  get arcs(): readonly RingArc[] {
    return this.#layout.arcs;
  }

  get moving(): boolean {
    return this.#from !== undefined;
  }

  get #margin(): number {
    return this.#layout.arcs.length > 1 ? margins.named : margins.plain;
  }

  /** Starts the animation to another arrangement, or moves the nodes at once. */
  arrange(order: RingOrder, atOnce: boolean): void {
    this.#from = atOnce ? undefined : { angle: this.angle.slice(), margin: this.margin, atMs: performance.now() };
    this.#layout = ringLayout(this.#world, order);
    if (!atOnce) return;
    this.angle = this.#layout.angle.slice();
    this.margin = this.#margin;
    this.#setDirections();
  }

  #setDirections(): void {
    for (let id = 0; id < this.angle.length; id++) {
      this.sine[id] = Math.sin(this.angle[id]!);
      this.cosine[id] = Math.cos(this.angle[id]!);
    }
  }

  /** Moves all nodes to their positions at the current time of the animation. */
  advance(): void {
    const from = this.#from;
    if (!from) return;
    const share = Math.min(1, (performance.now() - from.atMs) / turnMs);
    const eased = share < 0.5 ? 4 * share ** 3 : 1 - (2 - 2 * share) ** 3 / 2;
    for (let id = 0; id < this.angle.length; id++) {
      this.angle[id] = from.angle[id]! + turn(this.#layout.angle[id]! - from.angle[id]!) * eased;
    }
    this.#setDirections();
    this.margin = from.margin + (this.#margin - from.margin) * eased;
    if (share === 1) this.#from = undefined;
  }
}

/** Space that a name at the ring needs, px. */
const nameSize = { width: 90, height: 15 };
/** Number of arcs above which overlapping names are omitted. A network may have 200 cities, each with its own arc. */
const maxNames = 24;

/** Draws the annotations of the ring: the regions with their names, the faulty nodes, and the selected node. */
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

  /**
   * Draws a ring around the selected node, with the node's name if regions have no names. @param size radius of the
   * node.
   */
  markSelected(ring: RingTurn, node: number, size: number): void {
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

  /**
   * Marks a faulty node with a dashed circle and a bar on the side of the other nodes. @param size radius of the node.
   */
  markFaulty(ring: RingTurn, node: number, size: number): void {
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

  /** Draws the arcs of the regions with their names, unless nodes are moving. */
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
        Math.abs(left - at.left) < nameSize.width && Math.abs(top - at.top) < nameSize.height;
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

/** Minimum length of a drawn line, px. A shorter line counts as a click. */
const minLength = 24;

/**
 * Line that the user draws around elements of a canvas, with a mouse or a pen. Touch input scrolls the page instead.
 */
export class Lasso {
  #line: [number, number][] = [];
  #isDrawing = false;
  /** Whether the user's last press drew a line of at least `minLength`. */
  wasDrawn = false;

  /** @param on.closed called with a function that tests whether a point of the canvas is inside the finished line. */
  constructor(
    canvas: HTMLCanvasElement,
    on: { moved(): void; closed(isInside: (x: number, y: number) => boolean): void },
  ) {
    const place = (event: PointerEvent): [number, number] => [event.offsetX, event.offsetY];
    canvas.addEventListener('pointerdown', (event) => {
      this.wasDrawn = false;
      if (event.pointerType === 'touch' || event.button !== 0) return;
      this.#isDrawing = true;
      this.#line = [place(event)];
      canvas.setPointerCapture(event.pointerId);
    });
    canvas.addEventListener('pointermove', (event) => {
      if (!this.#isDrawing) return;
      this.#line.push(place(event));
      on.moved();
    });
    canvas.addEventListener('pointerup', () => {
      if (!this.#isDrawing) return;
      this.#isDrawing = false;
      const line = this.#line;
      this.#line = [];
      on.moved();
      if (lengthOf(line) < minLength) return;
      this.wasDrawn = true;
      on.closed((x, y) => polygonContains(line, [x, y]));
    });
    canvas.addEventListener('pointercancel', () => {
      if (!this.#isDrawing) return;
      this.#isDrawing = false;
      this.#line = [];
      on.moved();
    });
  }

  /** Draws the line while the user is drawing it. */
  draw(context: CanvasRenderingContext2D, colour: string): void {
    if (this.#line.length < 2) return;
    context.strokeStyle = colour;
    context.lineWidth = 1.5;
    context.setLineDash([5, 4]);
    context.beginPath();
    for (const [x, y] of this.#line) context.lineTo(x, y);
    context.stroke();
    context.setLineDash([]);
  }
}

function lengthOf(line: readonly (readonly [number, number])[]): number {
  return line.reduce((sum, [x, y], at) => {
    const [beforeX, beforeY] = line[at - 1] ?? [x, y];
    return sum + Math.hypot(x - beforeX, y - beforeY);
  }, 0);
}
