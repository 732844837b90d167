/**
 * The set-up for anonymous signers (v1.03 section 5.3): each member of a registry adds a key to the next registry, and
 * a ring signature hides which key belongs to the member. {@link SetupRuntime} runs the set-up over transports,
 * {@link makeRegistration} signs a registration, and {@link ringCosts} computes the costs of rings. The module runs in
 * pages and in Node.
 *
 * @example
 * ```js
 * import { ringsOf } from '@tutti/anonymous/runtime';
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

export type { RegistrationFault } from './transports/registration.ts';
export {
  makeRegistration,
  type RegistrationSigner,
  SignedRegistrations,
  type SignedRegistrationsOptions,
} from './transports/registrations.ts';
export {
  type RingCosts,
  ringCosts,
  ringSizes,
} from './transports/ringCosts.ts';
export { ringsOf } from './transports/rings.ts';
export type { SetupRings } from './transports/setupRings.ts';
export { type SetupReport, SetupRuntime, type SetupRuntimeOptions } from './transports/setupRuntime.ts';
