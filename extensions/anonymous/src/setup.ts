/**
 * The set-up for anonymous signers: members that are known by identity keys agree on a registry of keys without
 * revealing which key belongs to which member. {@link SetupNode} is the protocol behind its port, and {@link Roll}
 * contains its state. {@link PlainRegistrations} implements registrations without cryptography, for simulations and
 * tests.
 *
 * `@tutti/anonymous/simulation` runs the set-up in virtual time, and `@tutti/anonymous/runtime` runs it over transports
 * with ring signatures from `@tutti/anonymous/ring`; the README describes what the set-up hides and from whom.
 *
 * @example
 * ```js
 * import { defaultSetupConfig, PlainRegistrations, SetupNode } from '@tutti/anonymous/setup';
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
export { defaultSetupConfig, type SetupConfig, setupSettings, validateSetupConfig } from './setup/config.ts';
export { HandleStore } from './setup/handleStore.ts';
export { nobody } from './setup/inbox.ts';
export { maxListedNames, SetupMessage, SetupNode, type SetupOptions, type SetupRefusal } from './setup/node.ts';
export { type PlainRegistration, PlainRegistrations } from './setup/plainRegistrations.ts';
export { type DoubleRegistration, type Enrolment, identifiedAuthors, type Roll } from './setup/roll.ts';
export type { RegistrationRelation, RegistrationScheme } from './setup/scheme.ts';
