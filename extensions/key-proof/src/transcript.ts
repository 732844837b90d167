import { sha256 } from '@noble/hashes/sha2.js';
import { uint32Bytes } from '@tutti/wasm-bls/kernel';
import { maxMultiplicity } from './multiplicities.ts';
import { Fr } from './scalar.ts';

/** Opens every transcript; a change of the proof's form changes it, so that no proof is read as one of another form. */
const protocolName = 'tutti succinct proof of an aggregated key, v2';
/**
 * Bits of a challenge: to cheat is to meet one by chance, and half the length of a scalar halves what folding by it
 * costs.
 */
const challengeBytes = 16;

/** The least long challenge: beyond every multiplicity, so that the difference has an inverse. */
const firstLong = BigInt(maxMultiplicity + 1);

/**
 * What prover and verifier have both seen so far, hashed (SHA-256), so that a challenge depends on all of it and nobody
 * has to send one (the Fiat-Shamir transformation). Each entry goes in with its label and both lengths: no two lists of
 * entries hash alike.
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

  /** 32 bytes that depend on all that was appended; later ones on these, too. */
  digest(label: string): Uint8Array {
    this.#put(this.#utf8.encode(label));
    const digest = this.#hash.clone().digest();
    this.#put(digest);
    return digest;
  }

  /** A challenge in 1..2^128, never zero, so that it has an inverse. */
  challenge(label: string): bigint {
    return (
      this.digest(label)
        .subarray(0, challengeBytes)
        .reduce((value, byte) => (value << 8n) | BigInt(byte), 0n) + 1n
    );
  }

  /** A challenge of a scalar's length, in 16..r-1: none of the multiplicities, and uniform but for less than 2^-128. */
  longChallenge(label: string): bigint {
    const bytes = [...this.digest(label), ...this.digest(label)];
    const value = bytes.reduce((number, byte) => (number << 8n) | BigInt(byte), 0n);
    return (value % (Fr.ORDER - firstLong)) + firstLong;
  }

  #put(bytes: Uint8Array): void {
    this.#hash.update(uint32Bytes(bytes.length)).update(bytes);
  }
}
