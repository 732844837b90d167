import { createSimulation, defaultScenario } from '@tutti/core/simulation';

/** From this many nodes on a run is long enough to gain more by it than it takes. */
const worthFrom = 1024;
const nodesOfWarmUp = 64;

/**
 * Plays 64 nodes to the end before the first, large run of a process. While everybody starts, the engine compiles what
 * gets hot for the values of that phase alone, and throws it away when others come: a fifth less is compiled where it
 * has seen a whole run before. See docs/simulation.md.
 *
 * @param nodes of the run that follows.
 * @returns events that were played, 0 where the run is not worth it.
 */
export function warmUp(nodes: number): number {
  if (nodes < worthFrom) return 0;
  const simulation = createSimulation({ ...defaultScenario, nodes: nodesOfWarmUp });
  while (simulation.advance(1 << 16));
  simulation.result();
  return simulation.events;
}
