import type { RecordedWorld } from '@tutti/simulation';
import type { RingOrder } from './ringLayout.ts';
import { nearestOnRing, type RingArc, type RingLayout, ringLayout, turn } from './ringLayout.ts';

const turnMs = 700;
/** Space around the ring, pixels. It is larger if regions have names. */
const margins = { plain: 36, named: 84 } as const;

/** Current state of the ring. Between two arrangements, every node moves visibly to its new place. */
export class RingTurn {
  readonly #world: RecordedWorld;
  #layout: RingLayout;
  #from: { readonly angle: Float64Array; readonly margin: number; readonly atMs: number } | undefined;
  angle: Float64Array;
  /** Sines of the angles, stored so that a message's path needs no trigonometry. */
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

  arrange(order: RingOrder, atOnce: boolean): void {
    this.#from = atOnce ? undefined : { angle: this.angle.slice(), margin: this.margin, atMs: performance.now() };
    this.#layout = ringLayout(this.#world, order);
    if (!atOnce) return;
    this.angle = this.#layout.angle.slice();
    this.margin = this.#margin;
    this.#point();
  }

  #point(): void {
    for (let id = 0; id < this.angle.length; id++) {
      this.sine[id] = Math.sin(this.angle[id]!);
      this.cosine[id] = Math.cos(this.angle[id]!);
    }
  }

  /** Moves all nodes to their positions at the current moment. */
  advance(): void {
    const from = this.#from;
    if (!from) return;
    const share = Math.min(1, (performance.now() - from.atMs) / turnMs);
    const eased = share < 0.5 ? 4 * share ** 3 : 1 - (2 - 2 * share) ** 3 / 2;
    for (let id = 0; id < this.angle.length; id++) {
      this.angle[id] = from.angle[id]! + turn(this.#layout.angle[id]! - from.angle[id]!) * eased;
    }
    this.#point();
    this.margin = from.margin + (this.#margin - from.margin) * eased;
    if (share === 1) this.#from = undefined;
  }

  nearest(direction: number): number {
    return nearestOnRing(this.angle, direction);
  }
}
