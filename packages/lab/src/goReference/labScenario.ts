import { oneOf, requireArray, requireIn, requireObject } from '@tutti/core/settings';
import {
  createSimulation,
  type Extensions,
  type RunResult,
  type Scenario,
  type Simulation,
  type SimulationOptions,
} from '@tutti/simulation';
import { goReferenceLengths } from './messageBytes.ts';
import { QuirkMemory, QuirkyNode, type ReferenceQuirk, referenceQuirks } from './referenceQuirks.ts';

/** What the nodes of a run have of the Go reference besides the lengths of its messages. */
export interface GoReference {
  /** Quirks of Handel's nodes; none for nodes of other protocols. */
  readonly quirks: readonly ReferenceQuirk[];
}

/** A scenario of the laboratory. */
export interface LabScenario extends Scenario {
  /** Makes the nodes those of the Go reference; undefined for this project's own. */
  readonly goReference?: GoReference;
}

/**
 * Makes a run of a scenario of the laboratory, ready to be advanced.
 *
 * @throws as `createSimulation`; RangeError for quirks that the scenario's nodes cannot have.
 */
export function createLabSimulation(scenario: LabScenario, options: SimulationOptions = {}): Simulation {
  requireObject('scenario', scenario, 'an object like that of defaultScenario');
  requireObject('options', options);
  const { goReference, ...plain } = scenario;
  if (goReference === undefined) return createSimulation(plain, options);
  requireObject('goReference', goReference);
  requireArray('goReference.quirks', goReference.quirks);
  return createSimulation(plain, { ...options, ...extensionsOf(goReference, plain) });
}

/** Runs a scenario of the laboratory to its end. */
export function simulateLab(scenario: LabScenario, options: SimulationOptions = {}): RunResult {
  const simulation = createLabSimulation(scenario, options);
  while (simulation.advance(1 << 20));
  return simulation.result();
}

function extensionsOf({ quirks }: GoReference, scenario: Scenario): Pick<Extensions, 'around' | 'messageBytes'> {
  const messageBytes: Extensions['messageBytes'] = ({ scheme }) => goReferenceLengths(scheme, scenario.protocol);
  for (const quirk of quirks) requireIn('goReference.quirks', quirk, oneOf(referenceQuirks));
  if (quirks.length === 0) return { messageBytes };
  const { protocol, branching, batch, weights, fastPath } = scenario;
  for (const [name, value, expected] of [
    ['protocol', protocol, 'handel'],
    ['branching', branching, 2],
    ['batch', batch, 1],
    ['weights', weights, 'equal'],
  ] as const)
    requireIn(`${name} with quirks of the Go reference`, value, oneOf([expected]));
  return {
    messageBytes,
    around: ({ scheme }) => {
      const memory = new QuirkMemory(scheme, quirks, fastPath);
      return (id, port, make) => {
        const quirky = new QuirkyNode(id, port, memory);
        return quirky.around(make(quirky));
      };
    },
  };
}
