import type { Ask } from './ask.ts';

interface Window {
  /** Requests with this number or a smaller one count as finished. */
  floor: number;
  readonly sequences: Set<number>;
}

/**
 * The requests that were certified, refused or given up. It keeps a bounded number of each member's. When a member has
 * more, the one with the smallest number is removed, and every request of that member up to this number counts as
 * finished. So no request is judged twice, and a member's requests displace nobody else's.
 */
export class FinishedAsks {
  readonly #most: number;
  readonly #windows = new Map<number, Window>();

  /** @param most number of requests that are kept of each member. */
  constructor(most: number) {
    this.#most = most;
  }

  has({ origin, sequence }: Pick<Ask, 'origin' | 'sequence'>): boolean {
    const window = this.#windows.get(origin);
    return window !== undefined && (sequence <= window.floor || window.sequences.has(sequence));
  }

  add({ origin, sequence }: Pick<Ask, 'origin' | 'sequence'>): void {
    const window = this.#windows.get(origin) ?? { floor: -1, sequences: new Set<number>() };
    this.#windows.set(origin, window);
    if (sequence <= window.floor) return;
    window.sequences.add(sequence);
    if (window.sequences.size <= this.#most) return;
    window.floor = Math.min(...window.sequences);
    window.sequences.delete(window.floor);
  }
}
