import { type AggregationScheme, type Contribution, MessageFlag, noContribution } from '@tutti/core';
import { oneOf, requireArray, requireIn, requireObject } from '@tutti/core/input';
import {
  createSimulation,
  type Extensions,
  type MessageBytes,
  type ProtocolName,
  type RunResult,
  type Scenario,
  type Simulation,
  type SimulationOptions,
} from '@tutti/simulation';
import { QuirkMemory, type ReferenceQuirk, referenceQuirks } from './quirkMemory.ts';
import { QuirkyNode } from './quirkyNode.ts';

/**
 * Length, in bytes, of a message of the Go reference without its bitset's words: the field names and types that gob
 * repeats in each message (84), three lengths of the bitset (12) and a BN256 signature (64). Go's encoder takes up to
 * four bytes more for lengths over 127. The smallest message of the published runs, 236 bytes, has one such byte.
 */
const fixedBytes = 84 + 12 + 64;

/** Length of an individual contribution: a BN256 signature and gob's prefix, bytes. */
const individualBytes = 64 + 3;

/**
 * Returns the length of a message in the encoding of the Go reference in the published runs (v1.03 section 6), bytes.
 * The message's bitset has words of 64 bits.
 *
 * @param hasIndividual whether the message includes the sender's individual contribution.
 */
export function goReferenceBytes(scheme: AggregationScheme, aggregate: Contribution, hasIndividual: boolean): number {
  const words = (scheme.tree.size(scheme.block(aggregate)) + 63) >>> 6;
  return fixedBytes + 8 * words + (hasIndividual ? individualBytes : 0);
}

/**
 * Returns a function that gives a run's messages the lengths of the Go reference. The Go reference's Handel sends the
 * individual contribution until the level is complete, even if the aggregate is the same contribution.
 */
function goReferenceLengths(scheme: AggregationScheme, protocol: ProtocolName): MessageBytes {
  return (aggregate, individual, flags) =>
    goReferenceBytes(
      scheme,
      aggregate,
      protocol === 'handel' ? (flags & MessageFlag.levelReceived) === 0 : individual !== noContribution,
    );
}

/** Properties of the Go reference that the nodes of a run have, in addition to the lengths of its messages. */
export interface GoReference {
  /** Deviations of Handel's nodes; empty for nodes of other protocols. */
  readonly quirks: readonly ReferenceQuirk[];
}

/** A scenario of the laboratory. */
export interface LabScenario extends Scenario {
  /** Properties that make the nodes behave like those of the Go reference. Undefined for this project's own nodes. */
  readonly goReference?: GoReference;
}

/**
 * Creates a run of a scenario of the laboratory, ready to be advanced.
 *
 * @throws the errors of `createSimulation`; TypeError if `goReference` has the wrong type; RangeError for deviations
 * that the scenario's nodes cannot have.
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
