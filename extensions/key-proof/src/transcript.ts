import { sha256 } from '@noble/hashes/sha2.js';
import { uint32Bytes } from '@tutti/wasm-bls/kernel';
import { maxMultiplicity } from './layout.ts';
import { Fr } from './scalar.ts';

/**
 * First entry of every transcript. The entry differs between formats of the proof, so that no proof is read in another
 * format.
 */
const protocolName = 'tutti succinct proof of an aggregated key, v2';

/**
 * Length of a challenge, bytes. A dishonest prover must guess a challenge of 128 bits in advance. The challenge is half
 * as long as a scalar, which halves the cost of folding.
 */
const challengeBytes = 16;

/**
 * Minimum of a long challenge. The minimum exceeds every multiplicity, so that the difference between a challenge and a
 * multiplicity has an inverse.
 */
const minLongChallenge = BigInt(maxMultiplicity + 1);

/**
 * A SHA-256 hash of all data that the prover and the verifier have both seen so far. A challenge depends on all data in
 * the transcript and is not sent (the Fiat-Shamir transformation). Each entry is hashed with its label and both
 * lengths, so no two lists of entries have the same hash.
 */
export class Transcript {
  readonly #hash = sha256.create();
  readonly #utf8 = new TextEncoder();

  constructor() {
    this.#put(this.#utf8.encode(protocolName));
  }

  append(label: string, bytes: Uint8Array): void {
    this.#put(this.#utf8.encode(label));
    this.#put(bytes);
  }

  /** Returns 32 bytes that depend on all entries so far. Later digests depend on this digest, too. */
  digest(label: string): Uint8Array {
    this.#put(this.#utf8.encode(label));
    const digest = this.#hash.clone().digest();
    this.#put(digest);
    return digest;
  }

  /** Returns a challenge in 1..2^128. A challenge is never zero, so it has an inverse. */
  challenge(label: string): bigint {
    return (
      this.digest(label)
        .subarray(0, challengeBytes)
        .reduce((value, byte) => (value << 8n) | BigInt(byte), 0n) + 1n
    );
  }

  /**
   * Returns a challenge as long as a scalar, in 16..r-1. The challenge equals no multiplicity, and is uniform with an
   * error below 2^-128.
   */
  longChallenge(label: string): bigint {
    const bytes = [...this.digest(label), ...this.digest(label)];
    const value = bytes.reduce((number, byte) => (number << 8n) | BigInt(byte), 0n);
    return (value % (Fr.ORDER - minLongChallenge)) + minLongChallenge;
  }

  #put(bytes: Uint8Array): void {
    this.#hash.update(uint32Bytes(bytes.length)).update(bytes);
  }
}
