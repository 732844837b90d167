/**
 * The members of a group: their keys, weights, addresses and proofs, and the terms that they agree on.
 * {@link registryDigest} identifies a registry, {@link verifyEntry} verifies the proofs of one entry.
 * `@tutti/certificates` reads and writes registries as files.
 *
 * @example
 * ```js
 * import { blsVariantOf, isWeakNetworkKey } from '@tutti/core/registry';
 *
 * console.log(blsVariantOf([{ publicKey: new Uint8Array(96) }]), isWeakNetworkKey(new Uint8Array(32)));
 * ```
 *
 * ```text
 * min-sig true
 * ```
 *
 * @packageDocumentation
 */
export {
  identityStatement,
  looksLikeIdentity,
  registrationStatement,
  registryBeaconStatement,
  ringKeyStatement,
} from './registry/identity.ts';
export { canonicalNetworkKey, isWeakNetworkKey, networkKeyBytes } from './registry/networkKeys.ts';
export {
  type AgreedRegistry,
  type BlsVariant,
  blsLengths,
  blsPublicKeyBytes,
  blsSignatureBytes,
  blsVariantOf,
  defaultThreshold,
  type Endpoint,
  type ProvenEntry,
  type RegistryEntry,
  type RegistryHash,
  type RegistryTerms,
  type RegistryTransport,
  type RegistryVerifier,
  registryDigest,
  registryParts,
  registryTransports,
  type Share,
  verifyEntry,
  weightsOf,
} from './registry/registry.ts';
