/**
 * What looks for a broken claim. {@link claims} lists what every run must keep: no signer counted twice, In_l never
 * shrinks, queues within their bound, and so on. {@link hunt} draws random worlds, faults and attacks until one breaks
 * a claim, and {@link shrink} makes it small. {@link checkModel} tries every order of events in a small world.
 *
 * @example
 * ```js
 * import { checkModel, tryScenario } from '@tutti/core/verification';
 * import { defaultScenario } from '@tutti/core/simulation';
 *
 * const { states, complete, broken } = checkModel({ nodes: 2 });
 * console.log(`${states} states, ${complete ? 'all there are' : 'not all'}: ${broken?.claim ?? 'no claim is broken'}`);
 * const world = { ...defaultScenario, nodes: 64, attacks: [{ name: 'invalid', share: 0.3 }], without: ['window'] };
 * console.log(`without the window, what breaks is: ${tryScenario(world)?.claim}`);
 * ```
 *
 * ```text
 * 215 states, all there are: no claim is broken
 * without the window, what breaks is: window
 * ```
 *
 * @packageDocumentation
 */
export { CheckFailed, type ClaimName, claims } from './simulation/checkers/claims.ts';
export { type ShrinkOptions, type Shrunk, shrink } from './simulation/faults/shrink.ts';
export {
  type BrokenClaim,
  checkModel,
  createModelChecker,
  type ModelChecker,
  type ModelCheckResult,
} from './simulation/modelChecker/modelChecker.ts';
export type { ModelCheckerOptions } from './simulation/modelChecker/setting.ts';
export { randomScenario, type SwarmOptions } from './simulation/swarm/draw.ts';
export { type Broken, hunt, shrinkBroken, tryScenario } from './simulation/swarm/hunt.ts';
