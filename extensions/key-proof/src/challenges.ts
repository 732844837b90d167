import type { Transcript } from './transcript.ts';

/** The verifier's challenges after both commitments. */
export interface Weights {
  /** Weight of the keys relative to the generators, with which one vector represents both. */
  readonly keys: bigint;
  /**
   * Weight of the inverses' commitment, with which the multiplicities' commitment cannot hide parts of the inverses.
   */
  readonly inverses: bigint;
  /** Base of the powers that separate the positions. */
  readonly places: bigint;
  /** Weight that separates the sum of the inverses from the positions. */
  readonly sum: bigint;
  /** Weight of the inner product's generator. */
  readonly product: bigint;
}

/** Returns the point at which the sum over the multiplicities is compared with the sum over the table. */
export function pointOf(transcript: Transcript, commitment: Uint8Array, counts: Uint8Array): bigint {
  transcript.append('commitment', commitment);
  transcript.append('counts', counts);
  return transcript.longChallenge('point');
}

/** Returns the weights of the proof, which also depend on the inverses' commitment. */
export function weightsOf(transcript: Transcript, inverses: Uint8Array): Weights {
  transcript.append('inverses', inverses);
  return {
    keys: transcript.challenge('keys'),
    inverses: transcript.challenge('inverses'),
    places: transcript.longChallenge('places'),
    sum: transcript.longChallenge('sum'),
    product: transcript.longChallenge('product'),
  };
}

/**
 * Returns the challenge of a round, in which the vectors are halved. The challenge depends on the two points of the
 * round.
 */
export function halvingOf(transcript: Transcript, low: Uint8Array, high: Uint8Array): bigint {
  transcript.append('low', low);
  transcript.append('high', high);
  return transcript.challenge('halve');
}
