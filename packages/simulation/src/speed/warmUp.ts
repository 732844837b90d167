import { defaultScenario, type Scenario } from '../scenario/scenario.ts';

/** What a warm-up needs of a run. */
interface Run {
  advance(events: number): boolean;
  result(): unknown;
}

/** From this many nodes on, of all runs so far together, the runs that follow gain more by it than it takes. */
const worthFrom = 1024;
const nodesOfSmallRun = 64;

/**
 * Runs a small run to the end before a process has simulated many nodes, and keeps it. Two things come of that, and
 * nothing of it shows:
 *
 * - While everybody starts, an engine compiles what gets hot for the values of that phase alone, and throws it away when
 *   others come. It compiles less where it has seen a whole run before.
 * - What an engine has compiled for objects of some shape it throws away when a collection of garbage finds none of
 *   them, as between two runs. Those of the run that is kept are of every shape.
 *
 * See docs/guides/simulate.md.
 */
export class WarmUp {
  #nodesSoFar = 0;
  #kept: Run | undefined;

  /** @param nodes of the run that follows. */
  before(nodes: number, create: (scenario: Scenario) => Run): void {
    if (this.#kept !== undefined) return;
    this.#nodesSoFar += nodes;
    if (this.#nodesSoFar < worthFrom) return;
    this.#kept = create({ ...defaultScenario, nodes: nodesOfSmallRun });
    while (this.#kept.advance(1 << 16));
    this.#kept.result();
  }
}
