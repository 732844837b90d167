/** Length of a secret key, bytes. */
const secretKeyLength = 32;
/** Length of a compressed public key, bytes. */
const publicKeyLengthCompressed = 48;
/** Length of an uncompressed public key, bytes. */
const publicKeyLengthUncompressed = 96;
/** Length of a compressed signature, bytes. */
const signatureLengthCompressed = 96;
/** Length of an uncompressed signature, bytes. */
const signatureLengthUncompressed = 192;

export {
  publicKeyLengthCompressed as PUBLIC_KEY_LENGTH_COMPRESSED,
  publicKeyLengthUncompressed as PUBLIC_KEY_LENGTH_UNCOMPRESSED,
  secretKeyLength as SECRET_KEY_LENGTH,
  signatureLengthCompressed as SIGNATURE_LENGTH_COMPRESSED,
  signatureLengthUncompressed as SIGNATURE_LENGTH_UNCOMPRESSED,
};

/** Encodings of a point. As in a string enum, each value is assignable to the type of the same name. */
export const PointFormat = { compressed: 'compressed', uncompressed: 'uncompressed' } as const;
export type PointFormat = (typeof PointFormat)[keyof typeof PointFormat];

/** Representations of a point. Representations are accepted but ignored. */
export const CoordType = { affine: 0, jacobian: 1 } as const;
export type CoordType = (typeof CoordType)[keyof typeof CoordType];

// Errors of `@chainsafe/bls/errors`, with the same messages.

/** Error for an uninitialised library; never thrown here, because the import of the module loads the kernel. */
export class NotInitializedError extends Error {
  constructor(implementation: string) {
    super(`NOT_INITIALIZED: ${implementation}`);
  }
}

/** Error for a secret key of value zero. */
export class ZeroSecretKeyError extends Error {
  constructor() {
    super('ZERO_SECRET_KEY');
  }
}

/** Error for a public key that is the point at infinity. */
export class ZeroPublicKeyError extends Error {
  constructor() {
    super('ZERO_PUBLIC_KEY');
  }
}

/** Error for a signature that is the point at infinity. */
export class ZeroSignatureError extends Error {
  constructor() {
    super('ZERO_SIGNATURE');
  }
}

/** Error for the sum of an empty list. */
export class EmptyAggregateError extends Error {
  constructor() {
    super('EMPTY_AGGREGATE_ARRAY');
  }
}

/** Error for a point outside the subgroup. */
export class InvalidOrderError extends Error {
  constructor() {
    super('INVALID_ORDER');
  }
}

/** Error for bytes of the wrong length. */
export class InvalidLengthError extends Error {
  constructor(argument: string, length: number) {
    super(`INVALID_LENGTH: ${argument} - ${length} bytes`);
  }
}
