import { inLaterTurn } from '../transport/turnQueue.ts';

/** Store of decoded points. The BLS package provides stores with this interface. */
export interface HornPointStore {
  readKey(bytes: Uint8Array): { readonly ok: true; readonly kept: object } | { readonly ok: false };
  readSignature(bytes: Uint8Array): { readonly ok: true; readonly kept: object } | { readonly ok: false };
  verify(key: object, message: Uint8Array, signature: object): boolean;
  /** Checks all claims in one verification. Returns whether every signature is valid for its key and message. */
  verifyEach(claims: readonly AuthorClaim[]): boolean;
  release(kept: object): void;
  free(): void;
}

/** Claim that a signature is valid for a key and a message; key and signature are points of a store. */
interface AuthorClaim {
  readonly key: object;
  readonly message: Uint8Array;
  readonly signature: object;
}

/** A claim that is waiting for verification. */
interface Asked {
  readonly claim: AuthorClaim;
  readonly answer: (valid: boolean) => void;
  readonly fail: (error: unknown) => void;
}

/** Maximum number of signatures in one verification, which blocks the thread. */
export const maxAuthorsAtOnce = 64;

/**
 * Verifies the signatures of the authors of aggregates and collections; each signature is on the author's own
 * statement. The verifier decodes each key only once. All signatures that arrive in one turn of the event loop form one
 * batch.
 */
export class AuthorVerifier {
  readonly #store: HornPointStore;
  readonly #keys: readonly object[];
  #waiting: Asked[] = [];
  #closed = false;

  /**
   * Decodes the keys.
   *
   * @param store store with room for all keys and {@link maxAuthorsAtOnce} signatures.
   * @param publicKeys compressed keys that are known to be valid.
   * @throws RangeError for an invalid key.
   */
  constructor(store: HornPointStore, publicKeys: readonly Uint8Array[]) {
    this.#store = store;
    this.#keys = publicKeys.map((bytes, index) => {
      const read = store.readKey(bytes);
      if (!read.ok) throw new RangeError(`entry ${index}: expected a valid publicKey, got invalid bytes`);
      return read.kept;
    });
  }

  /**
   * Resolves to whether a signature is valid for the key at the given index. The promise is rejected if the store
   * fails, and stays pending after `close()`.
   */
  async verify(validator: number, message: Uint8Array, signature: Uint8Array): Promise<boolean> {
    if (this.#closed) return new Promise(() => {});
    // The store has room for this many signatures.
    if (this.#waiting.length === maxAuthorsAtOnce) this.#check();
    const read = this.#store.readSignature(signature);
    if (!read.ok) return false;
    return new Promise((answer, fail) => {
      this.#waiting.push({ claim: { key: this.#keys[validator]!, message, signature: read.kept }, answer, fail });
      if (this.#waiting.length === 1) inLaterTurn(() => this.#check());
    });
  }

  /** Frees all points. */
  close(): void {
    this.#closed = true;
    this.#waiting = [];
    this.#store.free();
  }

  #check(): void {
    const asked = this.#waiting;
    if (asked.length === 0) return;
    this.#waiting = [];
    try {
      try {
        const all = this.#store.verifyEach(asked.map(({ claim }) => claim));
        for (const { claim, answer } of asked)
          answer(all || this.#store.verify(claim.key, claim.message, claim.signature));
      } finally {
        for (const { claim } of asked) this.#store.release(claim.signature);
      }
    } catch (error) {
      for (const { fail } of asked) fail(error);
    }
  }
}
