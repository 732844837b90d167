/**
 * Behaviour of Byzantine nodes. An {@link Attack} wraps nodes and ports; the honest code is unaware of it.
 * {@link attacks} lists all attacks, and a simulation accepts additional ones. {@link readPlan} reads a plan in the
 * notation of scenarios; `@tutti/simulation/checks` searches for the plan that delays honest nodes most.
 *
 * @example
 * ```js
 * import { attackNamed, attacks } from '@tutti/simulation/attacks';
 * import { defaultScenario, simulate } from '@tutti/simulation';
 *
 * console.log(`${attacks.length} attacks; the first: ${attackNamed('silent').aim}`);
 * const world = { ...defaultScenario, nodes: 64, seed: 2 };
 * for (const name of ['silent', 'invalid']) {
 *   const { timeToThresholdMs, checked } = simulate({ ...world, attacks: [{ name, share: 0.3 }] });
 *   console.log(`${name}: ${timeToThresholdMs.mean.toFixed(0)} ms, ${checked.mean.toFixed(0)} verifications per node`);
 * }
 * ```
 *
 * ```text
 * 14 attacks; the first: Sends nothing, so that levels stay incomplete and the nodes that contact the attacker receive no answer.
 * silent: 417 ms, 11 verifications per node
 * invalid: 442 ms, 23 verifications per node
 * ```
 *
 * @packageDocumentation
 */
export type {
  Attack,
  AttackSetting,
  ByzantinePort,
  Coalition,
  HonestRules,
  PlacementSetting,
} from './attacks/attack.ts';
export { attackNamed, attacks, choosesIds, delayBoundMs } from './attacks/attacks.ts';
export {
  type AttackPlan,
  type Composition,
  type Part,
  readComposition,
  readPlan,
  type Schedule,
} from './attacks/composition.ts';
export { isolatePlan } from './attacks/isolate.ts';
export type { Placement, Stretch } from './attacks/placement.ts';
export { type WireRound, wireAttacks, wireSetting } from './attacks/wire.ts';
export { worstFinds } from './attacks/worstFinds.ts';
