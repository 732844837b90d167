import { RandomStream } from '../packages/core/src/random.ts';

/** A source of random inputs, determined by a seed. */
export class Draw {
  readonly #random: RandomStream;

  constructor(seed: number) {
    this.#random = new RandomStream(seed, 'pinned');
  }

  integer(min: number, max: number): number {
    return min + this.#random.nextBelow(max - min + 1);
  }

  /** Returns a random number in [min, max). */
  number(min: number, max: number): number {
    return min + this.#random.nextUnit() * (max - min);
  }

  one<T>(list: readonly T[]): T {
    return list[this.#random.nextBelow(list.length)]!;
  }

  chance(share: number): boolean {
    return this.#random.nextUnit() < share;
  }

  /** Returns the elements that are drawn with this probability each, in their order. */
  some<T>(list: readonly T[], share = 0.5): T[] {
    return list.filter(() => this.chance(share));
  }

  list<T>(length: number, make: (draw: Draw, index: number) => T): T[] {
    return Array.from({ length }, (_, index) => make(this, index));
  }
}

/** Returns one value for each of the seeds 1 to `count`. */
export function drawn<T>(count: number, make: (draw: Draw, seed: number) => T): T[] {
  return Array.from({ length: count }, (_, index) => make(new Draw(index + 1), index + 1));
}
