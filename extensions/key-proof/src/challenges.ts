import type { Transcript } from './transcript.ts';

/** What the verifier asks once both commitments are there. */
export interface Weights {
  /** Of the keys beside the generators: one vector stands for both. */
  readonly keys: bigint;
  /** Of the inverses' commitment, so that nothing of the multiplicities is hidden in it. */
  readonly inverses: bigint;
  /** Its powers separate the places. */
  readonly places: bigint;
  /** Separates the sum of the inverses from the places. */
  readonly sum: bigint;
  /** Of the inner product's generator. */
  readonly product: bigint;
}

/** At what point the sum over the multiplicities is compared with the sum over the table. */
export function pointOf(transcript: Transcript, commitment: Uint8Array, counts: Uint8Array): bigint {
  transcript.append('commitment', commitment);
  transcript.append('counts', counts);
  return transcript.longChallenge('point');
}

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

export function halvingOf(transcript: Transcript, low: Uint8Array, high: Uint8Array): bigint {
  transcript.append('low', low);
  transcript.append('high', high);
  return transcript.challenge('halve');
}
