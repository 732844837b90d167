/**
 * The set-up for anonymous signers in virtual time: {@link simulateSetup} runs the `SetupNode` of
 * `@tutti/anonymous/setup`, including members that cheat.
 *
 * @example
 * ```js
 * import { defaultSetupScenario, simulateSetup } from '@tutti/anonymous/simulation';
 *
 * const { live, registries, accepted, named } = simulateSetup({ ...defaultSetupScenario, nodes: 16, cheats: 1 });
 * const result = `${live} honest members, ${registries} registry of ${accepted.mean} keys`;
 * console.log(`${result}; registered twice: member ${named}`);
 * ```
 *
 * ```text
 * 15 honest members, 1 registry of 15 keys; registered twice: member 0
 * ```
 *
 * @packageDocumentation
 */
export {
  defaultSetupScenario,
  type SetupResult,
  type SetupScenario,
  setupScenarioSettings,
  simulateSetup,
} from './simulation/setup.ts';
