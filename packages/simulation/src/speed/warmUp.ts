import { defaultScenario, type Scenario } from '../scenario/scenario.ts';

/** Methods of a run that a warm-up needs. */
interface Run {
  advance(events: number): boolean;
  result(): unknown;
}

/** Minimum number of nodes, over all runs so far, from which a warm-up saves more time than it takes. */
const worthFrom = 1024;
const nodesOfSmallRun = 64;

/**
 * Runs a small run to its end before a process has simulated many nodes, and keeps it in memory. This has two effects
 * on speed and none on results:
 *
 * - In the start phase, an engine compiles code that is specialised for that phase, and discards it later. After a
 *   complete run, it compiles less.
 * - An engine discards code that was compiled for a shape of objects if a garbage collection finds no such objects, as
 *   between two runs. The kept run has objects of every shape.
 *
 * See docs/guides/simulate.md.
 */
export class WarmUp {
  #nodesSoFar = 0;
  #kept: Run | undefined;

  /** Warms up before a run, if it is worthwhile. @param nodes number of nodes of the run that follows. */
  before(nodes: number, create: (scenario: Scenario) => Run): void {
    if (this.#kept !== undefined) return;
    this.#nodesSoFar += nodes;
    if (this.#nodesSoFar < worthFrom) return;
    this.#kept = create({ ...defaultScenario, nodes: nodesOfSmallRun });
    while (this.#kept.advance(1 << 16));
    this.#kept.result();
  }
}
