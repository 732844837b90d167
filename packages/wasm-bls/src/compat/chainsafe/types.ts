import type { PublicKey, PublicKeyArg, SecretKey, Signature, SignatureArg, SignatureSet } from './classes.ts';

/** Name of the implementation. It distinguishes this one from those of `@chainsafe/bls`. */
export type Implementation = 'tutti';

/**
 * Members of the default export. Functions whose name begins with `verify` return `false` for invalid keys and
 * signatures; the methods of the classes throw.
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
  /** Verifies the sum of many keys' signatures on one message. */
  verifyAggregate(publicKeys: PublicKeyArg[], message: Uint8Array, signature: SignatureArg): boolean;
  /** Verifies the sum of signatures on several messages, one per key. */
  verifyMultiple(publicKeys: PublicKeyArg[], messages: Uint8Array[], signature: SignatureArg): boolean;
  /** Verifies sets of a key, a message and a signature in one check with random coefficients. */
  verifyMultipleSignatures(sets: SignatureSet[]): boolean;
  asyncVerify(publicKey: PublicKeyArg, message: Uint8Array, signature: SignatureArg): Promise<boolean>;
  asyncVerifyAggregate(publicKeys: PublicKeyArg[], message: Uint8Array, signature: SignatureArg): Promise<boolean>;
  asyncVerifyMultiple(publicKeys: PublicKeyArg[], messages: Uint8Array[], signature: SignatureArg): Promise<boolean>;
  asyncVerifyMultipleSignatures(sets: SignatureSet[]): Promise<boolean>;
}
