/** The errors of `@chainsafe/bls/errors`, with its messages. */

/** Never thrown here: the import of the module loads the kernel. */
export class NotInitializedError extends Error {
  constructor(implementation: string) {
    super(`NOT_INITIALIZED: ${implementation}`);
  }
}

/** Error for a secret key that is zero. */
export class ZeroSecretKeyError extends Error {
  constructor() {
    super('ZERO_SECRET_KEY');
  }
}

/** Error for a public key that is infinity. */
export class ZeroPublicKeyError extends Error {
  constructor() {
    super('ZERO_PUBLIC_KEY');
  }
}

/** Error for a signature that is infinity. */
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

/** Error for bytes that have the wrong length. */
export class InvalidLengthError extends Error {
  constructor(argument: string, length: number) {
    super(`INVALID_LENGTH: ${argument} - ${length} bytes`);
  }
}
