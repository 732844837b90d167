import { defaultScenario, type Scenario } from '../scenario/scenario.ts';

/** Methods of a run that a warm-up needs. */
interface Run {
  advance(events: number): boolean;
  result(): unknown;
}

/** Minimum number of nodes, over all runs including the next one, from which a warm-up saves more time than it takes. */
const worthFrom = 1024;
const nodesOfSmallRun = 64;

/**
 * Runs a small run to its end before a process simulates its 1024th node, and keeps the run in memory. The warm-up has
 * two effects on speed and none on results:
 *
 * - In the start phase, an engine compiles code that is specialised for that phase, and discards it later. After a
 *   complete run, the engine compiles less code.
 * - An engine discards code compiled for a shape of objects if a garbage collection finds no objects of that shape, as
 *   happens between two runs. The run kept in memory has objects of every shape.
 *
 * See docs/guides/simulate.md.
 */
export class WarmUp {
  #nodesSoFar = 0;
  #kept: Run | undefined;

  /** Warms up before a run if the warm-up saves time. @param nodes number of nodes in the run that follows. */
  before(nodes: number, create: (scenario: Scenario) => Run): void {
    if (this.#kept !== undefined) return;
    this.#nodesSoFar += nodes;
    if (this.#nodesSoFar < worthFrom) return;
    this.#kept = create({ ...defaultScenario, nodes: nodesOfSmallRun });
    while (this.#kept.advance(1 << 16));
    this.#kept.result();
  }
}
