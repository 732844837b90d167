import { sumOfWeights } from '@tutti/core';
import { requireArray, requireBytesIn, requireMethods, requireSuite } from '../arguments.ts';
import { identityStatement } from '../channel/identity.ts';
import { isWeakNetworkKey } from '../channel/networkKey.ts';
import type { CryptoSuite } from '../crypto/suite.ts';
import { toHex } from '../hex.ts';
import type { Endpoint } from '../transport/transport.ts';
import { WorldError } from '../worldError.ts';

/** Of BLS12-381 with keys in G1, compressed, and signatures in G2, compressed. */
export const blsPublicKeyBytes = 48;
export const blsSignatureBytes = 96;

/** Which group BLS keys are in: G1, in 48 bytes, or G2, in 96; signatures are in the other. */
export type BlsVariant = 'min-pk' | 'min-sig';

/** Bytes of a compressed key, and of a compressed signature or proof of possession. */
export const blsLengths: Readonly<Record<BlsVariant, { readonly publicKey: number; readonly signature: number }>> = {
  'min-pk': { publicKey: blsPublicKeyBytes, signature: blsSignatureBytes },
  'min-sig': { publicKey: 96, signature: 48 },
};

/** The variant of a registry of BLS, which its keys' length says. */
export function blsVariantOf(entries: readonly Pick<RegistryEntry, 'publicKey'>[]): BlsVariant {
  requireArray('entries', entries);
  return entries[0]?.publicKey.length === blsLengths['min-sig'].publicKey ? 'min-sig' : 'min-pk';
}

/** One node: who signs, who speaks for it on the network, and where it listens. */
export interface RegistryEntry {
  /** BLS public key, 48 bytes, compressed G1; 96, G2, of min-sig, whose signatures and proofs have 48. */
  readonly publicKey: Uint8Array;
  /** Proof of possession of the secret key, 96 bytes; without it a rogue key could cancel the others. */
  readonly proofOfPossession: Uint8Array;
  /** X25519 public key, 32 bytes. */
  readonly networkKey: Uint8Array;
  /** BLS signature of this entry's key over `identityStatement(publicKey, networkKey)`, 96 bytes. */
  readonly networkKeyProof: Uint8Array;
  readonly endpoint: Endpoint;
  /** What its signature weighs: positive, all together less than 2^63. Default: all weigh the same. */
  readonly weight?: bigint;
}

/** What a registry's signatures are verified with; any BLS implementation of this project is one. */
export interface RegistryVerifier {
  verifyPossession(publicKey: Uint8Array, proof: Uint8Array): boolean;
  verify(publicKey: Uint8Array, message: Uint8Array, signature: Uint8Array): boolean;
}

/**
 * Verifies an entry's signatures: that somebody holds the key, and that the network key is theirs; and that the network
 * key is one that a secret can be shared with.
 *
 * @param index the entry's place, for the message of an error.
 * @throws WorldError `registry-bad-proof`, `registry-bad-network-proof` or `registry-weak-network-key`.
 */
export function verifyEntry(
  crypto: CryptoSuite,
  entry: RegistryEntry,
  index: number,
  verifier: RegistryVerifier,
): void {
  requireSuite(crypto);
  requireBytesIn('entry', entry, ['publicKey', 'proofOfPossession', 'networkKey', 'networkKeyProof']);
  requireMethods('verifier', verifier, ['verify', 'verifyPossession']);
  const { publicKey, networkKey: peerKey } = entry;
  if (isWeakNetworkKey(crypto, peerKey))
    throw new WorldError(
      'registry-weak-network-key',
      `registry entry ${index}: networkKey is of low order; its owner must make a new one`,
    );
  if (!verifier.verifyPossession(publicKey, entry.proofOfPossession))
    throw new WorldError(
      'registry-bad-proof',
      `registry entry ${index}: proofOfPossession does not hold for publicKey ${toHex(publicKey)}; its owner must prove it again`,
    );
  if (!verifier.verify(publicKey, identityStatement(publicKey, peerKey), entry.networkKeyProof))
    throw new WorldError(
      'registry-bad-network-proof',
      `registry entry ${index}: networkKeyProof does not bind networkKey ${toHex(peerKey)} to the publicKey; its owner must sign it again`,
    );
}

/**
 * Names a registry: SHA-256 over all of it but the addresses, which may change without making it another. 32 bytes.
 *
 * @param epoch of registries that follow each other: 0 for the first.
 */
export function registryDigest(
  crypto: CryptoSuite,
  entries: readonly Pick<RegistryEntry, 'publicKey' | 'networkKey' | 'weight'>[],
  epoch = 0n,
): Uint8Array {
  requireSuite(crypto);
  return crypto.sha256(registryParts(entries, epoch));
}

/** What a registry's digest is over. */
export function registryParts(
  entries: readonly Pick<RegistryEntry, 'publicKey' | 'networkKey' | 'weight'>[],
  epoch: bigint,
): Uint8Array[] {
  requireArray('entries', entries);
  for (const [index, entry] of entries.entries())
    requireBytesIn(`entries[${index}]`, entry, ['publicKey', 'networkKey']);
  const weights = weightsOf(entries);
  const label = (text: string): Uint8Array => new TextEncoder().encode(text);
  if (weights === undefined && epoch === 0n)
    return [label('tutti registry v1'), ...entries.flatMap((entry) => [entry.publicKey, entry.networkKey])];
  return [
    label('tutti registry v2'),
    eightBytes(epoch),
    ...entries.flatMap(({ publicKey, networkKey }, index) => [
      publicKey,
      networkKey,
      eightBytes(weights?.[index] ?? 1n),
    ]),
  ];
}

/**
 * What the entries weigh, by entry; undefined where none says.
 *
 * @throws RangeError where some say and others do not, for a weight that is not positive, and for a sum of 2^63.
 */
export function weightsOf(entries: readonly Pick<RegistryEntry, 'weight'>[]): bigint[] | undefined {
  if (entries.every(({ weight }) => weight === undefined)) return undefined;
  const weights = entries.map(({ weight }, index) => {
    if (weight !== undefined) return weight;
    throw new RangeError(`entries[${index}].weight: expected one, since others have theirs, got none`);
  });
  sumOfWeights(weights);
  return weights;
}

function eightBytes(value: bigint): Uint8Array {
  if (value < 0n || value >= 2n ** 64n) throw new RangeError(`epoch: expected an integer under 2^64, got ${value}`);
  const bytes = new Uint8Array(8);
  new DataView(bytes.buffer).setBigUint64(0, value);
  return bytes;
}
