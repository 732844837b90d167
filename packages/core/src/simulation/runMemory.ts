import { Slab } from '../slab.ts';
import { EventQueue } from './eventQueue.ts';

/** Lends a memory to another run. @returns the run's number, by which it is known until the next begins. */
export let lend: (memory: RunMemory) => number;

/** Whether a memory is still lent to that run. */
export let isLent: (memory: RunMemory, run: number) => boolean;

export let queueOf: (memory: RunMemory) => EventQueue;

/** An empty slab with room for so many integers. */
export let slabOf: (memory: RunMemory, ints: number) => Slab;

/**
 * The arrays of runs, the nodes' state and the queue of events, lent to one run after another as its `options.memory`. A run of 64 nodes
 * spends a twelfth of its time on getting new ones. It takes as much as its largest run did.
 */
export class RunMemory {
  #queue = new EventQueue();
  #slab: Slab | undefined;
  #run = 0;

  /**
   * Gives up what the last run had: of that run nothing more is to be asked. Its nodes' state, nearly all of it, is free at once where the engine can do
   * that, rather than when it next collects: for whoever goes on to something large.
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
