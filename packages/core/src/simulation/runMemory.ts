import { Slab } from '../slab.ts';
import { EventQueue } from './eventQueue.ts';

/**
 * The arrays of runs, the nodes' state and the queue of events, lent to one run after another as its `options.memory`. A run of 64 nodes
 * spends a twelfth of its time on getting new ones. It takes as much as its largest run did.
 */
export class RunMemory {
  readonly #queue = new EventQueue();
  #slab: Slab | undefined;
  #run = 0;

  /** Lends it to another run. @returns the run's number, by which it is known until the next begins. */
  begin(): number {
    this.#queue.clear();
    this.#slab?.clear();
    return ++this.#run;
  }

  /** Whether it is still lent to that run. */
  isLent(run: number): boolean {
    return run === this.#run;
  }

  get queue(): EventQueue {
    return this.#queue;
  }

  /** An empty slab with room for so many integers. */
  slab(ints: number): Slab {
    if (this.#slab === undefined || this.#slab.ints.length < ints) this.#slab = new Slab(ints);
    return this.#slab;
  }
}
