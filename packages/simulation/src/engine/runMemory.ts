import { Slab } from '@tutti/core/packed';
import { EventQueue } from './eventQueue.ts';

/** Lends a memory to another run. @returns the run's number, by which it is known until the next begins. */
export let lend: (memory: RunMemory) => number;

/** Whether a memory is still lent to that run. */
export let isLent: (memory: RunMemory, run: number) => boolean;

export let queueOf: (memory: RunMemory) => EventQueue;

/** An empty slab with room for this many integers. */
export let slabOf: (memory: RunMemory, ints: number) => Slab;

/**
 * The arrays of runs, the nodes' state and the queue of events, lent to one run after another as `options.memory`.
 * Without it, a run of 64 nodes spends a twelfth of its time on allocating new ones. It keeps the size of its largest
 * run.
 */
export class RunMemory {
  #queue = new EventQueue();
  #slab: Slab | undefined;
  #run = 0;

  /**
   * Frees what the last run had; that run must not be used any more. If the engine can, nearly all of its nodes' state
   * is freed at once, rather than at the next garbage collection, for callers that go on to something large.
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
