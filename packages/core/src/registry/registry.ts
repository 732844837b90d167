import { requireArray, requireBytesIn, requireMethods, requireObject } from '../arguments.ts';
import { type BlsVariant, blsLengths } from '../bls.ts';
import { asciiBytes, toHex } from '../bytes.ts';
import { EnvironmentError } from '../errors.ts';
import { sumOfWeights } from '../stakes/stakes.ts';
import { identityStatement, isWeakNetworkKey, networkKeyBytes } from './identity.ts';

/**
 * Returns the variant of a BLS registry, derived from the length of the first key. For an empty list, the variant is
 * `min-pk`.
 */
export function blsVariantOf(entries: readonly Pick<RegistryEntry, 'publicKey'>[]): BlsVariant {
  requireArray('entries', entries);
  return entries[0]?.publicKey.length === blsLengths['min-sig'].publicKey ? 'min-sig' : 'min-pk';
}

/**
 * Address of a packet's source or destination. `host` is an IP address, or a name that the transport itself resolves,
 * such as an onion name behind a proxy.
 */
export interface Endpoint {
  readonly host: string;
  readonly port: number;
}

/** Transports over which the nodes in a registry file can be reached. */
export const registryTransports = ['udp', 'tcp'] as const;
/** Transport over which a node in a registry file can be reached. */
export type RegistryTransport = (typeof registryTransports)[number];

/** One node of a registry: its keys, its proofs and its address. */
export interface RegistryEntry {
  /** BLS public key: 48 bytes, compressed G1 (`min-pk`), or 96 bytes, compressed G2 (`min-sig`). */
  readonly publicKey: Uint8Array;
  /**
   * Proof of possession of the secret key, 96 bytes (`min-sig`: 48). Without this proof, a rogue key could cancel the
   * other keys.
   */
  readonly proofOfPossession: Uint8Array;
  /** X25519 public key, 32 bytes. */
  readonly networkKey: Uint8Array;
  /** BLS signature on `identityStatement(publicKey, networkKey)` under this entry's key, 96 bytes (`min-sig`: 48). */
  readonly networkKeyProof: Uint8Array;
  readonly endpoint: Endpoint;
  /**
   * Weight of the member's signature: positive, with a total for all members of less than 2^63. Default: equal weights.
   */
  readonly weight?: bigint;
}

/** Registry entry with its proofs but without its address. */
export type ProvenEntry = Omit<RegistryEntry, 'endpoint'>;

/** Verifier of the signatures in a registry. Every BLS implementation in this project provides this interface. */
export interface RegistryVerifier {
  verifyPossession(publicKey: Uint8Array, proof: Uint8Array): boolean;
  verify(publicKey: Uint8Array, message: Uint8Array, signature: Uint8Array): boolean;
}

/**
 * Verifies an entry's signatures, which show that a member holds the BLS key and owns the network key. Also checks that
 * the network key is not of low order.
 *
 * @param index position of the entry, for error messages.
 * @throws EnvironmentError `registry-bad-proof`, `registry-bad-network-proof` or `registry-weak-network-key`;
 * RangeError for a network key of another length.
 */
export function verifyEntry(entry: ProvenEntry, index: number, verifier: RegistryVerifier): void {
  requireBytesIn('entry', entry, ['publicKey', 'proofOfPossession', 'networkKey', 'networkKeyProof']);
  requireMethods('verifier', verifier, ['verify', 'verifyPossession']);
  const { publicKey, networkKey } = entry;
  if (isWeakNetworkKey(networkKey))
    throw new EnvironmentError(
      'registry-weak-network-key',
      `registry entry ${index}: expected a valid networkKey, got one of low order; its owner must make a new key`,
    );
  if (!verifier.verifyPossession(publicKey, entry.proofOfPossession))
    throw new EnvironmentError(
      'registry-bad-proof',
      `registry entry ${index}: proofOfPossession is not valid for publicKey ${toHex(publicKey)}; its owner must make a new proof`,
    );
  if (!verifier.verify(publicKey, identityStatement(publicKey, networkKey), entry.networkKeyProof))
    throw new EnvironmentError(
      'registry-bad-network-proof',
      `registry entry ${index}: networkKeyProof does not bind networkKey ${toHex(networkKey)} to the publicKey; its owner must make a new proof`,
    );
}

/** Exact share of the total weight, as a fraction. */
export interface Share {
  readonly numerator: bigint;
  readonly denominator: bigint;
}

/**
 * Default share of the total weight that the signers of a certificate must have: 67 of 100. A registry may state
 * another share.
 */
export const defaultThreshold: Share = { numerator: 67n, denominator: 100n };

/** Terms that the members of a registry agreed on, in addition to their keys and weights. */
export interface RegistryTerms {
  /** Position in a sequence of registries. Default: 0. */
  readonly epoch?: bigint | undefined;
  /** Share of the total weight that the signers of a certificate must have. Default: `defaultThreshold`. */
  readonly threshold?: Share | undefined;
  /**
   * Share of the total weight by which the signers must exceed the threshold before a member publishes a certificate.
   * With this margin, verifiers whose registry has changed slightly still accept the certificate. Greater than 0.
   * Default: no margin.
   */
  readonly margin?: Share | undefined;
}

/** All data on which the members of a registry agree: everything except the addresses. */
export interface AgreedRegistry extends RegistryTerms {
  readonly entries: readonly Pick<RegistryEntry, 'publicKey' | 'networkKey' | 'weight'>[];
}

/** Name of the signature suite for each public key length: BLS min-pk, BLS min-sig and Pixel. */
const suites: Readonly<Record<number, string>> = {
  48: 'BLS_SIG_BLS12381G2_XMD:SHA-256_SSWU_RO_POP_',
  96: 'BLS_SIG_BLS12381G1_XMD:SHA-256_SSWU_RO_POP_',
  49: 'PIXEL_BLS12381G2_POP',
};

/** A SHA-256 implementation, such as `nodeCrypto` or `nobleCrypto` of `@tutti/transports`. */
export interface RegistryHash {
  /** Returns the hash of the concatenated parts, 32 bytes. */
  sha256(parts: Iterable<Uint8Array>): Uint8Array;
}

/**
 * Returns the digest that identifies a registry: SHA-256 of everything on which the members agree, 32 bytes. The digest
 * does not cover addresses, so a change of a member's address does not change the digest.
 *
 * @throws RangeError for invalid entries or terms.
 */
export function registryDigest(hash: RegistryHash, registry: AgreedRegistry): Uint8Array {
  requireMethods('hash', hash, ['sha256']);
  return hash.sha256(registryParts(registry));
}

/**
 * Returns the bytes that the digest of a registry covers. Each field has a fixed length or a length prefix, so that two
 * different registries never have the same bytes.
 *
 * @throws RangeError for invalid entries or terms.
 */
export function registryParts(registry: AgreedRegistry): Uint8Array[] {
  requireObject('registry', registry, 'an object with entries');
  const { entries, epoch = 0n, threshold = defaultThreshold, margin } = registry;
  requireArray('entries', entries);
  for (const [index, entry] of entries.entries())
    requireBytesIn(`entries[${index}]`, entry, ['publicKey', 'networkKey']);
  const suite = asciiBytes(suiteOf(entries));
  const weights = weightsOf(entries);
  return [
    asciiBytes('tutti registry v3'),
    Uint8Array.of(suite.length),
    suite,
    eightBytes('epoch', epoch),
    ...shareParts('threshold', threshold),
    ...(margin === undefined ? [eightBytes('margin', 0n), eightBytes('margin', 1n)] : shareParts('margin', margin)),
    eightBytes('entries', BigInt(entries.length)),
    ...entries.flatMap(({ publicKey, networkKey }, index) => [
      publicKey,
      networkKey,
      eightBytes('weight', weights?.[index] ?? 1n),
    ]),
  ];
}

/** @throws RangeError for keys of different lengths, or of a length that belongs to no suite. */
function suiteOf(entries: AgreedRegistry['entries']): string {
  const length = entries[0]?.publicKey.length;
  const suite = suites[length ?? 0];
  if (suite === undefined)
    throw new RangeError(
      `entries: expected public keys of ${Object.keys(suites).join(', ')} bytes, got ${length ?? 'no entry'}`,
    );
  for (const [index, { publicKey, networkKey }] of entries.entries()) {
    if (publicKey.length !== length)
      throw new RangeError(`entries[${index}].publicKey: expected ${length} bytes, got ${publicKey.length}`);
    if (networkKey.length !== networkKeyBytes)
      throw new RangeError(`entries[${index}].networkKey: expected ${networkKeyBytes} bytes, got ${networkKey.length}`);
  }
  return suite;
}

/** @throws RangeError unless the share is in (0, 1], with integers less than 2^64. */
function shareParts(label: string, { numerator, denominator }: Share): Uint8Array[] {
  if (typeof numerator !== 'bigint' || numerator <= 0n || denominator < numerator)
    throw new RangeError(`${label}: expected a share greater than 0 and at most 1, got ${numerator}/${denominator}`);
  return [eightBytes(`${label}.numerator`, numerator), eightBytes(`${label}.denominator`, denominator)];
}

/**
 * Returns the weights of the entries, or undefined if no entry has a weight.
 *
 * @throws RangeError if only some entries have a weight, for a weight that is not positive, and for a sum of 2^63 or
 * more.
 */
export function weightsOf(entries: readonly Pick<RegistryEntry, 'weight'>[]): bigint[] | undefined {
  requireArray('entries', entries);
  for (const [index, entry] of entries.entries()) requireObject(`entries[${index}]`, entry);
  if (entries.every(({ weight }) => weight === undefined)) return undefined;
  const weights = entries.map(({ weight }, index) => {
    if (weight !== undefined) return weight;
    throw new RangeError(`entries[${index}].weight: expected a weight (because other entries have weights), got none`);
  });
  sumOfWeights(weights);
  return weights;
}

function eightBytes(label: string, value: bigint): Uint8Array {
  if (typeof value !== 'bigint' || value < 0n || value >= 2n ** 64n)
    throw new RangeError(`${label}: expected a bigint from 0 to 2^64 - 1, got ${value}`);
  const bytes = new Uint8Array(8);
  new DataView(bytes.buffer).setBigUint64(0, value);
  return bytes;
}
