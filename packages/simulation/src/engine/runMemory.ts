import { Slab } from '@tutti/core/packed';
import { EventQueue } from './eventQueue.ts';

/** Lends a memory to another run. @returns the run's number, which identifies it until the next run begins. */
export let lend: (memory: RunMemory) => number;

/** Returns whether a memory is still lent to that run. */
export let isLent: (memory: RunMemory, run: number) => boolean;

export let queueOf: (memory: RunMemory) => EventQueue;

/** Returns an empty slab with room for this number of integers. */
export let slabOf: (memory: RunMemory, ints: number) => Slab;

/**
 * The arrays of runs: the nodes' state and the queue of events. They are lent to one run after another as
 * `options.memory`. Without it, a run of 64 nodes spends a twelfth of its time on allocation. It keeps the size of its
 * largest run.
 */
export class RunMemory {
  #queue = new EventQueue();
  #slab: Slab | undefined;
  #run = 0;

  /**
   * Frees the memory of the last run, which must not be used afterwards. If the engine supports it, almost all of the
   * nodes' state is freed at once instead of at the next garbage collection. Use it before a large allocation.
   */
  free(): void {
    this.#run++;
    this.#queue = new EventQueue();
    this.#slab?.free();
    this.#slab = undefined;
  }

  static {
    lend = (memory) => {
      memory.#queue.clear();
      memory.#slab?.clear();
      return ++memory.#run;
    };
    isLent = (memory, run) => run === memory.#run;
    queueOf = (memory) => memory.#queue;
    slabOf = (memory, ints) => {
      if (memory.#slab === undefined || memory.#slab.ints.length < ints) memory.#slab = new Slab(ints);
      return memory.#slab;
    };
  }
}
