/**
 * A drop-in replacement for `@chainsafe/bls` that runs on the kernel: only the import changes. Keys are in G1 and
 * signatures in G2, under Ethereum's ciphersuite, which uses proofs of possession.
 *
 * Importing this module loads the kernel and waits until it is ready. docs/guides/bls-compatibility.md lists the
 * differences.
 *
 * @example
 * ```js
 * import bls from '@tutti/wasm-bls/chainsafe';
 *
 * const secretKey = bls.SecretKey.fromKeygen();
 * const message = new TextEncoder().encode('tutti');
 * const signature = secretKey.sign(message);
 * console.log(bls.verify(secretKey.toPublicKey(), message, signature));
 * ```
 *
 * ```text
 * true
 * ```
 *
 * @packageDocumentation
 */
import {
  PublicKey,
  type PublicKeyArg,
  SecretKey,
  Signature,
  type SignatureArg,
  type SignatureSet,
} from './chainsafe/classes.ts';

/** Name of the implementation. The name distinguishes this implementation from those of `@chainsafe/bls`. */
export type Implementation = 'tutti';

/**
 * Members of the default export. Functions whose names begin with `verify` return `false` for invalid keys and
 * signatures, while the methods of the classes throw an error.
 */
export interface IBls {
  implementation: Implementation;
  SecretKey: typeof SecretKey;
  PublicKey: typeof PublicKey;
  Signature: typeof Signature;
  secretKeyToPublicKey(secretKey: Uint8Array): Uint8Array;
  sign(secretKey: Uint8Array, message: Uint8Array): Uint8Array;
  aggregatePublicKeys(publicKeys: PublicKeyArg[]): Uint8Array;
  aggregateSignatures(signatures: SignatureArg[]): Uint8Array;
  verify(publicKey: PublicKeyArg, message: Uint8Array, signature: SignatureArg): boolean;
  /** Verifies the aggregate of many keys' signatures on one message. */
  verifyAggregate(publicKeys: PublicKeyArg[], message: Uint8Array, signature: SignatureArg): boolean;
  /** Verifies an aggregate of signatures on several messages, with one message per key. */
  verifyMultiple(publicKeys: PublicKeyArg[], messages: Uint8Array[], signature: SignatureArg): boolean;
  /** Verifies sets, each with a key, a message and a signature, in one check with random coefficients. */
  verifyMultipleSignatures(sets: SignatureSet[]): boolean;
  asyncVerify(publicKey: PublicKeyArg, message: Uint8Array, signature: SignatureArg): Promise<boolean>;
  asyncVerifyAggregate(publicKeys: PublicKeyArg[], message: Uint8Array, signature: SignatureArg): Promise<boolean>;
  asyncVerifyMultiple(publicKeys: PublicKeyArg[], messages: Uint8Array[], signature: SignatureArg): Promise<boolean>;
  asyncVerifyMultipleSignatures(sets: SignatureSet[]): Promise<boolean>;
}

/** Returns the result of a verification, or `false` for invalid keys and signatures. */
function orFalse(verify: () => boolean): boolean {
  try {
    return verify();
  } catch {
    return false;
  }
}

function requireThere(name: string, bytes: Uint8Array | null | undefined): void {
  if (bytes == null) throw new Error(`${name} is null or undefined`);
}

/** Members of the default export, except the classes. */
const functions: Omit<IBls, 'implementation' | 'SecretKey' | 'PublicKey' | 'Signature'> = {
  secretKeyToPublicKey(secretKey) {
    requireThere('secretKey', secretKey);
    return SecretKey.fromBytes(secretKey).toPublicKey().toBytes();
  },
  sign(secretKey, message) {
    requireThere('secretKey', secretKey);
    requireThere('message', message);
    return SecretKey.fromBytes(secretKey).sign(message).toBytes();
  },
  aggregatePublicKeys: (publicKeys) => PublicKey.aggregate(publicKeys).toBytes(),
  aggregateSignatures: (signatures) => Signature.aggregate(signatures).toBytes(),
  verify: (publicKey, message, signature) => orFalse(() => Signature.of(signature).verify(publicKey, message)),
  verifyAggregate: (publicKeys, message, signature) =>
    orFalse(() => Signature.of(signature).verifyAggregate(publicKeys, message)),
  verifyMultiple: (publicKeys, messages, signature) =>
    orFalse(() => Signature.of(signature).verifyMultiple(publicKeys, messages)),
  verifyMultipleSignatures: (sets) => orFalse(() => Signature.verifyMultipleSignatures(sets)),
  asyncVerify: async (...claim) => functions.verify(...claim),
  asyncVerifyAggregate: async (...claim) => functions.verifyAggregate(...claim),
  asyncVerifyMultiple: async (...claim) => functions.verifyMultiple(...claim),
  asyncVerifyMultipleSignatures: async (sets) => functions.verifyMultipleSignatures(sets),
};

/** The default export of `@chainsafe/bls`, computed by the kernel. */
export const bls: IBls = { implementation: 'tutti', SecretKey, PublicKey, Signature, ...functions };
export default bls;

export {
  CoordType,
  EmptyAggregateError,
  InvalidLengthError,
  InvalidOrderError,
  NotInitializedError,
  PointFormat,
  PUBLIC_KEY_LENGTH_COMPRESSED,
  PUBLIC_KEY_LENGTH_UNCOMPRESSED,
  SECRET_KEY_LENGTH,
  SIGNATURE_LENGTH_COMPRESSED,
  SIGNATURE_LENGTH_UNCOMPRESSED,
  ZeroPublicKeyError,
  ZeroSecretKeyError,
  ZeroSignatureError,
} from './chainsafe/constants.ts';
export type { PublicKeyArg, SignatureArg, SignatureSet };
export { PublicKey, SecretKey, Signature };
