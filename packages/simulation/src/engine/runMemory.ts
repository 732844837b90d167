import { Slab } from '@tutti/core/packed';
import { EventQueue } from './eventQueue.ts';

/**
 * The arrays of runs: the nodes' state and the queue of events. Successive runs reuse the arrays through
 * `options.memory`. Without reuse, a run of 64 nodes spends a twelfth of its time on allocation. Until {@link free},
 * the arrays have the size that the largest run so far required.
 */
export class RunMemory {
  #queue = new EventQueue();
  #slab: Slab | undefined;
  #run = 0;

  /**
   * Frees the memory of the last run, which must not be used afterwards. If the engine supports it, this call frees
   * almost all of the nodes' state at once instead of at the next garbage collection. Use it before a large allocation.
   */
  free(): void {
    this.#run++;
    this.#queue = new EventQueue();
    this.#slab?.free();
    this.#slab = undefined;
  }

  /** Queue of the run's events, for the simulation. */
  get queue(): EventQueue {
    return this.#queue;
  }

  /** Slab of the nodes' states, for the simulation; undefined before the first {@link reserve}. */
  get slab(): Slab | undefined {
    return this.#slab;
  }

  /** Empties the memory for another run. @returns the run's number, which identifies it until the next run begins. */
  lend(): number {
    this.#queue.clear();
    this.#slab?.clear();
    return ++this.#run;
  }

  /** Returns whether the run with this number is still using the memory. */
  isLent(run: number): boolean {
    return run === this.#run;
  }

  /** Returns the slab of the run that {@link lend} began, with room for at least the given number of integers. */
  reserve(ints: number): Slab {
    if (this.#slab === undefined || this.#slab.ints.length < ints) this.#slab = new Slab(ints);
    return this.#slab;
  }
}
