import { PublicKey, SecretKey, Signature } from './classes.ts';
import { NotInitializedError } from './errors.ts';
import type { IBls } from './types.ts';

/** Returns the result, or `false` for invalid keys and signatures. */
function orFalse(verify: () => boolean): boolean {
  try {
    return verify();
  } catch (error) {
    if (error instanceof NotInitializedError) throw error;
    return false;
  }
}

function requireThere(name: string, bytes: Uint8Array | null | undefined): void {
  if (bytes == null) throw new Error(`${name} is null or undefined`);
}

/** Members of the default export, except the classes. */
export const functions: Omit<IBls, 'implementation' | 'SecretKey' | 'PublicKey' | 'Signature'> = {
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
