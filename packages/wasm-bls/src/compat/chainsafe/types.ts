import type { PublicKey, PublicKeyArg, SecretKey, Signature, SignatureArg, SignatureSet } from './classes.ts';

/** The shape of `@chainsafe/bls`; `implementation` is what tells ours. */
export type Implementation = 'tutti';

/**
 * What the default export has. Functions whose name begins with `verify` answer `false` for bad keys and signatures,
 * where the methods of the classes throw.
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
  /** One message, many keys. */
  verifyAggregate(publicKeys: PublicKeyArg[], message: Uint8Array, signature: SignatureArg): boolean;
  /** A message for each key, one signature. */
  verifyMultiple(publicKeys: PublicKeyArg[], messages: Uint8Array[], signature: SignatureArg): boolean;
  /** A key, a message and a signature each, in one check under random coefficients. */
  verifyMultipleSignatures(sets: SignatureSet[]): boolean;
  asyncVerify(publicKey: PublicKeyArg, message: Uint8Array, signature: SignatureArg): Promise<boolean>;
  asyncVerifyAggregate(publicKeys: PublicKeyArg[], message: Uint8Array, signature: SignatureArg): Promise<boolean>;
  asyncVerifyMultiple(publicKeys: PublicKeyArg[], messages: Uint8Array[], signature: SignatureArg): Promise<boolean>;
  asyncVerifyMultipleSignatures(sets: SignatureSet[]): Promise<boolean>;
}
