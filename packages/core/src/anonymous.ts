/**
 * The set-up of anonymous signers: members known by identity keys agree on a registry of keys without anybody knowing
 * which key is whose. {@link SetupNode} is the protocol behind its port, {@link Roll} what it holds, {@link
 * simulateSetup} plays it under virtual time.
 *
 * `@tutti/transports` has it over sockets, with ring signatures of `@tutti/wasm-bls/ring`; `docs/anonymous-setup.md`
 * says what it hides and from whom.
 *
 * @example
 * ```js
 * import { defaultSetupScenario, simulateSetup } from '@tutti/core/anonymous';
 *
 * const { live, registries, accepted, named } = simulateSetup({ ...defaultSetupScenario, nodes: 16, cheats: 1 });
 * console.log(`${live} honest members, ${registries} registry of ${accepted.mean} keys; registered twice: ${named}`);
 * ```
 *
 * ```text
 * 15 honest members, 1 registry of 15 keys; registered twice: 0
 * ```
 *
 * @packageDocumentation
 */
export { defaultSetupConfig, type SetupConfig } from './anonymous/config.ts';
export { HandleStore } from './anonymous/handleStore.ts';
export { nobody } from './anonymous/nobody.ts';
export { mostListedNames, SetupMessage, SetupNode, type SetupOptions, type SetupRefusal } from './anonymous/node.ts';
export type { DoubleRegistration, Enrolment, Roll } from './anonymous/roll.ts';
export type { RegistrationRelation, RegistrationScheme } from './anonymous/scheme.ts';
export {
  defaultSetupScenario,
  type SetupResult,
  type SetupScenario,
  simulateSetup,
} from './simulation/setup/setup.ts';
