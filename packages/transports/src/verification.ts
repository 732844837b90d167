import { inLaterTurn } from './laterTurn.ts';

/** Checks contributions of one round against its public data; answers later. The pool of WASM workers is one. */
export interface ContributionVerifier {
  /**
   * @param first position of the set's bit 0.
   * @param bits bit b & 7 of byte b >> 3 is position `first + b`.
   * @param signature 96 bytes, compressed G2; a peer's word.
   */
  verify(first: number, bits: Uint8Array, signature: Uint8Array): Promise<boolean>;
}

/**
 * Shares a verifier among the nodes of a process: so many checks at a time, first come, first served, each begun in a turn
 * of its own. A verifier that works in this thread would otherwise hold up every datagram and every timer of the process
 * until the last node's check is done.
 */
export class VerificationQueue implements ContributionVerifier {
  readonly #verifier: ContributionVerifier;
  readonly #waiting: (() => void)[] = [];
  #free: number;

  /** @param atOnce checks in progress at a time: the threads of a pool, or 1 for a verifier that works in this thread. */
  constructor(verifier: ContributionVerifier, atOnce = 1) {
    this.#verifier = verifier;
    this.#free = atOnce;
  }

  verify(first: number, bits: Uint8Array, signature: Uint8Array): Promise<boolean> {
    return new Promise((resolve, reject) => {
      const begin = () =>
        this.#verifier
          .verify(first, bits, signature)
          .finally(() => this.#end())
          .then(resolve, reject);
      if (this.#free > 0) {
        this.#free--;
        inLaterTurn(begin);
      } else this.#waiting.push(begin);
    });
  }

  #end(): void {
    const next = this.#waiting.shift();
    if (next === undefined) this.#free++;
    else inLaterTurn(next);
  }
}
