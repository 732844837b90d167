/**
 * Parts of the simulator for simulations of other protocols: the queue of events in virtual time, the networks that
 * scenarios name, the digest of a run, nodes of a scenario's protocol, nodes with planned faults, and the summary (min,
 * mean, max) of a measure.
 *
 * @example
 * ```js
 * import { createNetwork } from '@tutti/simulation/engine';
 *
 * const network = createNetwork('constant:20', 4, 1);
 * console.log(`${network.oneWayUs(0, 1)} microseconds`);
 * ```
 *
 * ```text
 * 20000 microseconds
 * ```
 *
 * @packageDocumentation
 */
export { byzantineBeforeHonest } from './attacks/firstPlaces.ts';
export { loadFactor } from './checkers/invariants.ts';
export { EventQueue } from './engine/eventQueue.ts';
export { maxPlaces } from './engine/network/matrixNetwork.ts';
export {
  createNetwork,
  type FileNetwork,
  type MakeNetwork,
  networkForms,
  networkText,
  registerNetwork,
  unregisterNetwork,
} from './engine/network/network.ts';
export { type Latencies, maxRecordedPlaces, type NamedNetwork, renumbered } from './engine/network/networkModel.ts';
export { FaultyNode, type FaultyNodeOptions } from './faults/faultyNode.ts';
export { Digest, spread } from './run/metrics.ts';
export type { TextReader } from './text/fieldText.ts';
export { createPriorities, honestNodes } from './world/honest.ts';
