/**
 * The set-up of anonymous signers (v1.03 5.3): each member of a registry adds a key to the next one, and a ring
 * signature hides whose. {@link SetupRuntime} runs it over transports, {@link makeRegistration} signs a registration,
 * {@link ringCosts} says what one costs. Runs in pages and in Node.
 *
 * @example
 * ```js
 * import { ringsOf } from '@tutti/transports/anonymous';
 *
 * const placement = Int32Array.of(5, 2, 7, 0, 3, 6, 1, 4, 8);
 * for (const ring of ringsOf(placement, 4)) console.log(`a ring of members ${ring.join(', ')}`);
 * ```
 *
 * ```text
 * a ring of members 0, 2, 5, 7
 * a ring of members 1, 3, 4, 6, 8
 * ```
 *
 * @packageDocumentation
 */
export type { RegistrationFault } from './anonymous/registration.ts';
export {
  makeRegistration,
  type RegistrationSigner,
  SignedRegistrations,
  type SignedRegistrationsOptions,
} from './anonymous/registrations.ts';
export {
  type RingCosts,
  type RingSignatureKind,
  type RingSignatureKinds,
  ringCosts,
  ringSizes,
} from './anonymous/ringCosts.ts';
export { ringsOf } from './anonymous/rings.ts';
export type { LinkMark, SetupRings } from './anonymous/setupRings.ts';
export { type SetupReport, SetupRuntime, type SetupRuntimeOptions } from './anonymous/setupRuntime.ts';
export { ringKeyStatement } from './channel/identity.ts';
