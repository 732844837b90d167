import { joinBytes, misuse, requireBytes, requireBytesList, shownName } from './arguments.ts';
import type { Bls } from './bls.ts';
import type { Decoded } from './points.ts';
import { suites, type Variant } from './suite.ts';

/**
 * Defences against rogue keys (draft-irtf-cfrg-bls-signature, section 3): distinct messages, the key as a prefix of
 * each signed message, or a proof of possession for each key.
 */
export type Scheme = 'basic' | 'message-augmentation' | 'proof-of-possession';

/** Suffixes of the ciphersuites' names (draft, section 4.2). */
const tags: Readonly<Record<Scheme, 'NUL' | 'AUG' | 'POP'>> = {
  basic: 'NUL',
  'message-augmentation': 'AUG',
  'proof-of-possession': 'POP',
};

/**
 * Operations of a ciphersuite from the draft (section 3); lengths are those in `suites`.
 *
 * Keys and signatures may be arbitrary bytes from an untrusted peer; invalid ones result in `false` or a code. As in
 * Bls, an argument that is not a Uint8Array, an invalid secret key, or an empty list to sum throws an error.
 */
export interface Ciphersuite {
  /**
   * Name of the suite, which is also its domain separation tag, for example
   * `BLS_SIG_BLS12381G1_XMD:SHA-256_SSWU_RO_NUL_`.
   */
  readonly name: string;
  readonly variant: Variant;
  readonly scheme: Scheme;
  /** Derives a secret key (KeyGen, section 2.3). */
  keyGen(ikm: Uint8Array): Uint8Array;
  /** Returns the public key of a secret key (SkToPk, section 2.4). */
  publicKey(secretKey: Uint8Array): Uint8Array;
  /** Reads a public key (KeyValidate, section 2.5), and returns the uncompressed key or an error code. */
  validatePublicKey(publicKey: Uint8Array): Decoded;
  /** Signs a message (Sign, section 3.1, 3.2.1 or 3.3). */
  sign(secretKey: Uint8Array, message: Uint8Array): Uint8Array;
  /** Verifies a signature (Verify, section 3.1, 3.2.2 or 3.3). */
  verify(publicKey: Uint8Array, message: Uint8Array, signature: Uint8Array): boolean;
  /** Returns the sum of signatures (Aggregate, section 2.8). */
  aggregateSignatures(signatures: readonly Uint8Array[]): Uint8Array;
  /**
   * Verifies the sum of signatures on several messages (AggregateVerify, section 3.1.1, 3.2.3 or 3.3). In the basic
   * scheme, equal messages give `false`.
   */
  aggregateVerify(publicKeys: readonly Uint8Array[], messages: readonly Uint8Array[], signature: Uint8Array): boolean;
}

/** Additional operations of the scheme with proofs of possession (draft, section 3.3). */
export interface PossessionCiphersuite extends Ciphersuite {
  /** Proves possession of a secret key (PopProve, section 3.3.2). */
  provePossession(secretKey: Uint8Array): Uint8Array;
  /** Verifies a proof of possession (PopVerify, section 3.3.3). */
  verifyPossession(publicKey: Uint8Array, proof: Uint8Array): boolean;
  /** Verifies the sum of several keys' signatures on one message (FastAggregateVerify, section 3.3.4). */
  fastAggregateVerify(publicKeys: readonly Uint8Array[], message: Uint8Array, signature: Uint8Array): boolean;
}

/** Returns a key followed by a message. The scheme with message augmentation signs this concatenation. */
const augmented = (publicKey: Uint8Array, message: Uint8Array): Uint8Array => joinBytes([publicKey, message]);

/** Returns whether all messages are distinct. */
function areDistinct(messages: readonly Uint8Array[]): boolean {
  return new Set(messages.map((message) => message.join())).size === messages.length;
}

/**
 * Creates a ciphersuite of the draft, on any implementation and either variant.
 *
 * @param bls - implementation from loadBls; its variant is also the suite's variant.
 * @returns the suite, with proofs of possession if the scheme requires them.
 * @throws RangeError for an unknown scheme.
 */
export function ciphersuite(bls: Bls, scheme: 'proof-of-possession'): PossessionCiphersuite;
export function ciphersuite(bls: Bls, scheme: Scheme): Ciphersuite;
export function ciphersuite(bls: Bls, scheme: Scheme): Ciphersuite | PossessionCiphersuite {
  if (!Object.hasOwn(tags, scheme))
    throw misuse(RangeError, 'scheme', `one of ${Object.keys(tags).join(', ')}`, shownName(scheme));
  const name = `BLS_SIG_BLS12381${suites[bls.variant].signatureGroup}_XMD:SHA-256_SSWU_RO_${tags[scheme]}_`;
  const domain = new TextEncoder().encode(name);
  const suite: Ciphersuite = {
    name,
    variant: bls.variant,
    scheme,
    keyGen: bls.keyGen,
    publicKey: bls.publicKey,
    validatePublicKey: bls.validatePublicKey,
    sign: (secretKey, message) => bls.sign(secretKey, message, domain),
    verify: (publicKey, message, signature) => bls.verify(publicKey, message, signature, 'compressed', domain),
    aggregateSignatures: bls.aggregateSignatures,
    aggregateVerify: (publicKeys, messages, signature) => bls.aggregateVerify(publicKeys, messages, signature, domain),
  };
  if (scheme === 'proof-of-possession') {
    const { provePossession, verifyPossession, fastAggregateVerify } = bls;
    return { ...suite, provePossession, verifyPossession, fastAggregateVerify };
  }
  if (scheme === 'basic')
    return {
      ...suite,
      aggregateVerify(publicKeys, messages, signature) {
        requireBytesList('messages', messages);
        return areDistinct(messages) && suite.aggregateVerify(publicKeys, messages, signature);
      },
    };
  return {
    ...suite,
    sign(secretKey, message) {
      requireBytes('message', message);
      return suite.sign(secretKey, augmented(bls.publicKey(secretKey), message));
    },
    verify(publicKey, message, signature) {
      requireBytes('publicKey', publicKey);
      requireBytes('message', message);
      return suite.verify(publicKey, augmented(publicKey, message), signature);
    },
    aggregateVerify(publicKeys, messages, signature) {
      requireBytesList('publicKeys', publicKeys);
      requireBytesList('messages', messages);
      if (publicKeys.length !== messages.length) return false;
      const signed = messages.map((message, i) => augmented(publicKeys[i]!, message));
      return suite.aggregateVerify(publicKeys, signed, signature);
    },
  };
}
