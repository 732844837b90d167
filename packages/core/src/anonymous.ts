/**
 * The set-up of anonymous signers: members known by identity keys agree on a registry of keys without anybody knowing
 * which key is whose. {@link SetupNode} is the protocol behind its port, {@link Roll} what it holds; {@link
 * PlainRegistrations} are registrations without cryptography, for simulations and tests.
 *
 * `@tutti/simulation/anonymous` runs it under virtual time, `@tutti/transports` has it over sockets, with ring
 * signatures of `@tutti/wasm-bls/ring`; `docs/anonymous-setup.md` says what it hides and from whom.
 *
 * @example
 * ```js
 * import { defaultSetupConfig, PlainRegistrations, SetupNode } from '@tutti/core/anonymous';
 *
 * const scheme = new PlainRegistrations(8, true);
 * const port = {
 *   nowUs: () => 0,
 *   send: (to) => console.log(`to the inbox of member ${to}`),
 *   setTimer: () => {},
 *   verify: () => 1,
 *   output: () => {},
 *   refuse: () => {},
 *   trace: () => {},
 * };
 * const own = [scheme.registration({ author: 5, text: 7 })];
 * new SetupNode({ id: 5, scheme, config: defaultSetupConfig, own, port, random: () => 0 }).start();
 * ```
 *
 * ```text
 * to the inbox of member 0
 * to the inbox of member 1
 * to the inbox of member 2
 * to the inbox of member 3
 * ```
 *
 * @packageDocumentation
 */
export { defaultSetupConfig, type SetupConfig } from './anonymous/config.ts';
export { HandleStore } from './anonymous/handleStore.ts';
export { nobody } from './anonymous/nobody.ts';
export { mostListedNames, SetupMessage, SetupNode, type SetupOptions, type SetupRefusal } from './anonymous/node.ts';
export { type PlainRegistration, PlainRegistrations } from './anonymous/plainScheme.ts';
export type { DoubleRegistration, Enrolment, Roll } from './anonymous/roll.ts';
export type { RegistrationRelation, RegistrationScheme } from './anonymous/scheme.ts';
