import { createSimulation, type Simulation } from '../src/run/simulation.ts';
import type { Scenario } from '../src/scenario/scenario.ts';
import type { SimulationOptions } from '../src/world/extensions.ts';

/** Runs a simulation to its end, with the given number of events per call. */
export function ended(scenario: Scenario, options: SimulationOptions = {}, events = 1 << 16): Simulation {
  const simulation = createSimulation(scenario, options);
  while (simulation.advance(events));
  return simulation;
}
