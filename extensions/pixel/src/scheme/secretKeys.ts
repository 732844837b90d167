import { drawCoefficients, misuse, requireBytes } from '@tutti/wasm-bls/kernel';
import { type PixelGenerators, size } from './curve.ts';
import { labelled, Randomness, timeBytes } from './randomness.ts';
import { readSecretKey, type SecretKeyParts, type Subkey, secretKeyBytes } from './secretKey.ts';
import { heldPaths, pathTime, requireTime } from './timeTree.ts';

/** Generator of secret keys for one suite: draws the first key, and updates keys to later times. */
export class SecretKeys {
  readonly #generators: PixelGenerators;
  readonly #byte: number;

  constructor(generators: PixelGenerators, byte: number) {
    this.#generators = generators;
    this.#byte = byte;
  }

  /** Draws the secret scalar of a public key, which the caller must wipe, and the secret key of time 1. */
  first(seed: Uint8Array): { readonly secret: Uint8Array; readonly secretKey: Uint8Array } {
    const randomness = Randomness.from(seed, labelled('Pixel master key', Uint8Array.of(this.#byte)));
    const secret = randomness.sampleThenUpdate(labelled('key initialization'));
    const r = randomness.sampleThenUpdate(labelled('Pixel secret key init', timeBytes(1)));
    const points = this.#generators.firstSubkey(secret, r);
    const secretKey = secretKeyBytes(this.#byte, randomness.state, [{ time: 1, path: [], points }]);
    wipe(r, points, randomness.state);
    return { secret, secretKey };
  }

  /**
   * Returns the secret key of a later time, and overwrites the old one. @throws RangeError as {@link parts}, or for an
   * invalid time.
   */
  update(time: number, secretKey: Uint8Array, seed: Uint8Array): Uint8Array {
    const parts = this.parts(secretKey);
    requireTime('time', time, parts.time + 1);
    const randomness = new Randomness(Uint8Array.from(parts.state));
    randomness.rerandomize(seed, labelled('Pixel secret key rerandomize expand', timeBytes(parts.time)));
    const subkeys = this.#subkeysAt(time, parts, randomness);
    const updated = secretKeyBytes(this.#byte, randomness.state, subkeys);
    wipe(secretKey, randomness.state, ...subkeys.map(({ points }) => points));
    return updated;
  }

  /**
   * Returns whether the points of each sub-key are in their subgroups and satisfy the sub-key's equation.
   *
   * @param key public key, 48 bytes.
   */
  belongTo(key: Uint8Array, { subkeys }: SecretKeyParts): boolean {
    return subkeys.every(({ path, points }) => {
      const coefficients = drawCoefficients((points.length - size.body) / size.g2);
      return this.#generators.verifySubkey(key, Uint8Array.from(path), points, coefficients);
    });
  }

  /**
   * Splits a secret key. @throws RangeError with a `SecretKeyFault` for bytes that are not a secret key of this suite.
   */
  parts(secretKey: Uint8Array): SecretKeyParts {
    requireBytes('secretKey', secretKey);
    const parts = readSecretKey(secretKey, this.#byte);
    if (typeof parts === 'string') throw misuse(RangeError, 'secretKey', 'a secret key of this suite', parts);
    return parts;
  }

  /** Returns the sub-keys of a secret key for a later time. Unchanged sub-keys are views of the old key. */
  #subkeysAt(time: number, { subkeys }: SecretKeyParts, randomness: Randomness): readonly Subkey[] {
    const at = subkeys.findLastIndex((subkey) => subkey.time <= time);
    const delegator = subkeys[at]!;
    const later = subkeys.slice(at + 1);
    if (delegator.time === time) return [delegator, ...later];
    const known = new Set(later.map((subkey) => subkey.time));
    const made: Subkey[] = [];
    for (const path of heldPaths(time)) {
      const own = pathTime(path);
      if (known.has(own)) break;
      // The first sub-key takes over the randomness of the sub-key from which it is derived, because that sub-key is
      // deleted.
      const r = made.length === 0 ? undefined : randomness.sampleThenUpdate(labelled('Pixel secret key update'));
      made.push({
        time: own,
        path,
        points: this.#generators.delegate(delegator.points, Uint8Array.from(path), r),
      });
      if (r !== undefined) wipe(r);
    }
    return [...made, ...later];
  }
}

/** Overwrites secrets with zeros. */
export function wipe(...secrets: readonly Uint8Array[]): void {
  for (const secret of secrets) secret.fill(0);
}
