/**
 * Searches for a violated claim. {@link claims} lists the claims that every run must satisfy: no signer counts twice,
 * In_l never shrinks, queues are bounded, and so on. {@link randomScenario} draws a scenario with faults and attacks,
 * {@link tryScenario} returns the claim that it violates, and {@link shrinkBroken} shrinks the scenario.
 * {@link createModelChecker} tries every order of events with a few nodes. {@link AttackSearch} searches for the plan
 * that delays honest nodes most.
 *
 * @example
 * ```js
 * import { createModelChecker, tryScenario } from '@tutti/simulation/checks';
 * import { defaultScenario } from '@tutti/simulation';
 *
 * const checker = createModelChecker({ nodes: 2 });
 * while (checker.advance(1000));
 * const { states, complete, broken } = checker.result();
 * console.log(`${states} states, ${complete ? 'all there are' : 'not all'}: ${broken?.claim ?? 'no claim is broken'}`);
 * const world = { ...defaultScenario, nodes: 64, attacks: [{ name: 'invalid', share: 0.3 }], without: ['window'] };
 * console.log(`without the window, what breaks is: ${tryScenario(world)?.claim}`);
 * ```
 *
 * ```text
 * 193 states, all there are: no claim is broken
 * without the window, what breaks is: window
 * ```
 *
 * @packageDocumentation
 */
export { CheckFailed, type ClaimName, claims } from './checkers/claims.ts';
export {
  AttackSearch,
  type AttackSearchOptions,
  type IdRule,
  idRules,
  type SearchClass,
  type SearchObjective,
  type SearchWorld,
  searchObjectives,
  searchPatienceMs,
  type Trial,
  type Tried,
  triedAs,
} from './checks/attackSearch/attackSearch.ts';
export {
  type BrokenClaim,
  createModelChecker,
  type ModelChecker,
  type ModelCheckResult,
} from './checks/modelChecker/modelChecker.ts';
export { type ModelCheckerOptions, modelCheckerSettings } from './checks/modelChecker/setting.ts';
export { type ShrinkOptions, type Shrunk, shrink } from './checks/shrink.ts';
export { randomScenario, type SwarmOptions, swarmSettings } from './checks/swarm/draw.ts';
export { type Broken, hunt, shrinkBroken, tryScenario } from './checks/swarm/hunt.ts';
