/** The errors of `@chainsafe/bls/errors`, with its messages. */

/** Never thrown here: the kernel is there once the module is. */
export class NotInitializedError extends Error {
  constructor(implementation: string) {
    super(`NOT_INITIALIZED: ${implementation}`);
  }
}

export class ZeroSecretKeyError extends Error {
  constructor() {
    super('ZERO_SECRET_KEY');
  }
}

export class ZeroPublicKeyError extends Error {
  constructor() {
    super('ZERO_PUBLIC_KEY');
  }
}

export class ZeroSignatureError extends Error {
  constructor() {
    super('ZERO_SIGNATURE');
  }
}

export class EmptyAggregateError extends Error {
  constructor() {
    super('EMPTY_AGGREGATE_ARRAY');
  }
}

/** A point outside the subgroup. */
export class InvalidOrderError extends Error {
  constructor() {
    super('INVALID_ORDER');
  }
}

export class InvalidLengthError extends Error {
  constructor(argument: string, length: number) {
    super(`INVALID_LENGTH: ${argument} - ${length} bytes`);
  }
}
