import { sha512 } from '@noble/hashes/sha2.js';
import {
  type BlsRound,
  type ContributionClaim,
  joinBytes,
  misuse,
  requireBytes,
  requireBytesList,
  requireClaims,
  requireLength,
  requireSome,
  shown,
} from '@tutti/wasm-bls/kernel';
import { type PixelCurve, type PixelGenerators, size } from './curve.ts';
import {
  type PixelDecoded,
  type PixelKeyPair,
  pixelPossessionBytes,
  pixelPublicKeyBytes,
  pixelSignatureBytes,
  pixelSignaturePointBytes,
  signatureTime,
} from './encodings.ts';
import { generatorPoints, parameterBytes } from './parameters.ts';
import { labelled, Randomness, timeBytes } from './randomness.ts';
import { readSecretKey, type SecretKeyFault } from './secretKey.ts';
import { SecretKeys, wipe } from './secretKeys.ts';
import { type PixelSuiteName, suites } from './suite.ts';
import { requireTime, timePath } from './timeTree.ts';

/** Minimum length of the entropy for a new key, bytes. */
export const minPixelSeedBytes = 32;

/** A committee with a stored e(pk, h), which makes verifications with two pairings possible. */
export interface PixelCommittee {
  /** Returns whether a signature on a message at a time is by all of the committee's keys, each once. */
  verify(time: number, message: Uint8Array, signature: Uint8Array): boolean;
  /** Releases the committee's memory. A second call of `free` has no effect. */
  free(): void;
}

/**
 * Pixel, a forward-secure multi-signature (Drijvers, Gorbunov, Neven, Wee: Pixel, USENIX Security 2020). The public key
 * is constant. The secret key is updated from one time to a later one, and cannot sign at earlier times. The encodings
 * are those of the authors, with either suite.
 *
 * Trust: a peer's keys, proofs and signatures may be arbitrary data; for invalid data the result is `false` or a code.
 * An invalid secret key, an invalid time or an argument that is not a Uint8Array is an error of the caller. Such an
 * error is a TypeError or RangeError that names the argument, the expected value and the actual value.
 *
 * Erasure: `update` overwrites the old secret key's bytes and its random values, and the kernel's heap overwrites all
 * released memory. Some copies of secret values remain nevertheless. The engine may have copied an array when it moved
 * it. Hash functions and, on noble-curves, integers leave secret values for the garbage collector. Secret values also
 * remain on the kernel's stack, and in pages that the operating system wrote to disk. JavaScript and WebAssembly do not
 * guarantee constant time.
 */
export class Pixel {
  readonly name: PixelCurve['name'];
  readonly suite: PixelSuiteName;
  /** Parameters in the authors' file format, 6,626 bytes. */
  readonly parameters: Uint8Array;
  readonly #curve: PixelCurve;
  readonly #generators: PixelGenerators;
  readonly #secrets: SecretKeys;
  readonly #byte: number;

  constructor(curve: PixelCurve, suite: PixelSuiteName) {
    this.name = curve.name;
    this.suite = suite;
    this.#curve = curve;
    this.#byte = suites[suite].byte;
    const points = generatorPoints(curve, suites[suite]);
    this.parameters = parameterBytes(suites[suite], points);
    this.#generators = curve.open(points);
    this.#secrets = new SecretKeys(this.#generators, this.#byte);
  }

  /**
   * Derives a key pair from entropy. The secret key in the pair is the one for time 1.
   *
   * @param seed at least 32 secret bytes of full entropy.
   * @throws RangeError if `seed` is shorter.
   */
  keyGen(seed: Uint8Array): PixelKeyPair {
    requireBytes('seed', seed);
    if (seed.length < minPixelSeedBytes)
      throw misuse(RangeError, 'seed', `${minPixelSeedBytes} bytes or more`, shown(seed));
    const { secret, secretKey } = this.#secrets.first(seed);
    const key = this.#curve.publicKey(secret);
    const proof = this.#curve.provePossession(secret, this.#possessionPoint(key));
    wipe(secret);
    return { publicKey: this.#withSuite(key), proofOfPossession: this.#withSuite(proof), secretKey };
  }

  /**
   * Returns whether a proof of possession belongs to a public key. Both arguments may be arbitrary data from a peer;
   * the valid lengths are 97 bytes for a proof and 49 for a key.
   */
  verifyPossession(publicKey: Uint8Array, proof: Uint8Array): boolean {
    requireBytes('publicKey', publicKey);
    requireBytes('proof', proof);
    const key = this.#keyOf(publicKey);
    if (key === undefined || proof.length !== pixelPossessionBytes || proof[0] !== this.#byte) return false;
    return this.#curve.verifyPossession(key, proof.subarray(size.suite), this.#possessionPoint(key));
  }

  /**
   * Returns the time of a secret key, without checking its points.
   *
   * @throws RangeError with a {@link SecretKeyFault} for invalid bytes.
   */
  timeOf(secretKey: Uint8Array): number {
    return this.#secrets.parts(secretKey).time;
  }

  /**
   * Returns the times of the sub-keys in a secret key. Together with the times of their descendants in the tree of
   * time, these are all times at which the key can ever sign. Errors are the same as those of timeOf.
   */
  subkeyTimes(secretKey: Uint8Array): number[] {
    return this.#secrets.parts(secretKey).subkeys.map(({ time }) => time);
  }

  /**
   * Returns the reason why bytes are not a secret key, according to lengths, suite and times; undefined if no fault is
   * found. Use this function for bytes from outside.
   */
  secretKeyFault(bytes: Uint8Array): SecretKeyFault | undefined {
    requireBytes('bytes', bytes);
    const parts = readSecretKey(bytes, this.#byte);
    return typeof parts === 'string' ? parts : undefined;
  }

  /**
   * Returns whether bytes are a secret key of this public key. All points of the secret key must be in their subgroups.
   * Each sub-key must satisfy its equations, the first of which is e(g2, hpoly) = e(pk, h) e(g2r, h_0 + sum t_i h_i).
   * The check takes tens of milliseconds per sub-key.
   */
  verifySecretKey(publicKey: Uint8Array, secretKey: Uint8Array): boolean {
    requireBytes('publicKey', publicKey);
    requireBytes('secretKey', secretKey);
    const key = this.#keyOf(publicKey);
    const parts = readSecretKey(secretKey, this.#byte);
    if (key === undefined || typeof parts === 'string') return false;
    return this.#secrets.belongTo(key, parts);
  }

  /**
   * Returns the secret key of a later time, and overwrites the given one.
   *
   * @param secretKey the present secret key, zeroed afterwards unless the call throws.
   * @param time time of the new key: later than the present key's time, and at most 2^32 - 1.
   * @param seed fresh entropy of any length to mix in. If `seed` is empty, the new key's randomness follows from the
   * old key's.
   * @throws RangeError for a time that is not later, or bytes that are not a secret key.
   */
  update(secretKey: Uint8Array, time: number, seed: Uint8Array): Uint8Array {
    requireBytes('seed', seed);
    return this.#secrets.update(time, secretKey, seed);
  }

  /**
   * Signs a message at the secret key's time. The same secret key and message always give the same signature.
   *
   * @returns the signature, 149 bytes.
   * @throws RangeError for bytes that are not a secret key.
   */
  sign(secretKey: Uint8Array, message: Uint8Array): Uint8Array {
    requireBytes('message', message);
    const { time, state, subkeys } = this.#secrets.parts(secretKey);
    const [own] = subkeys;
    const r = new Randomness(state).sample(labelled('Pixel randomness for signing', message, timeBytes(time)));
    const path = Uint8Array.from(own!.path);
    const body = this.#generators.sign(own!.points, path, this.#scalarOf(message), r);
    wipe(r);
    return joinBytes([Uint8Array.of(this.#byte), timeBytes(time), body]);
  }

  /**
   * Returns whether a signature is by that key on that message at that time. The function checks that the points of the
   * key and the signature are in their subgroups.
   *
   * @param publicKey public key, 49 bytes, arbitrary data from a peer.
   * @param time time of the signature, 1 to 2^32 - 1. If the signature has another time, the result is `false`.
   * @param signature signature, 149 bytes, arbitrary data from a peer; or 293 bytes from decodeSignature or
   * addSignatures.
   */
  verify(publicKey: Uint8Array, time: number, message: Uint8Array, signature: Uint8Array): boolean {
    requireBytes('publicKey', publicKey);
    requireTime('time', time);
    requireBytes('message', message);
    requireBytes('signature', signature);
    const key = this.#keyOf(publicKey);
    const body = this.#bodyAt(time, signature);
    if (key === undefined || body === undefined) return false;
    return this.#generators.verify(key, pathBytes(time), this.#scalarOf(message), body);
  }

  /**
   * Prepares a committee by storing e(pk, h), which depends only on the committee's keys. With the stored value, a
   * verification takes two pairings instead of three.
   *
   * @param publicKeys at least one key; a key that occurs several times counts several times. The proofs of possession
   * of these keys must have been verified.
   * @throws RangeError if a key is not valid, or the keys cancel out.
   */
  committee(publicKeys: readonly Uint8Array[]): PixelCommittee {
    const kept = this.#generators.keep(this.#keys(publicKeys));
    return {
      verify: (time, message, signature) => {
        requireTime('time', time);
        requireBytes('message', message);
        requireBytes('signature', signature);
        const body = this.#bodyAt(time, signature);
        return body !== undefined && kept.verify(pathBytes(time), this.#scalarOf(message), body);
      },
      free: () => kept.free(),
    };
  }

  /**
   * Prepares the public data of one aggregation, as Bls.round does: contributions to one message at one time over one
   * registry. Signatures are 149 bytes, or 293 bytes from decodeSignature or addSignatures; a signature of another time
   * or suite gives `false`.
   *
   * @param publicKeys 49 bytes each, validated here; or the 96 bytes from validatePublicKey.
   * @throws RangeError if there is no key, or a key is not valid.
   */
  round(publicKeys: readonly Uint8Array[], time: number, message: Uint8Array): BlsRound {
    requireBytesList('publicKeys', publicKeys);
    requireSome('publicKeys', publicKeys);
    requireTime('time', time);
    requireBytes('message', message);
    const points = publicKeys.map((bytes, i) => {
      if (bytes.length === size.g1Point) return bytes;
      const key = this.validatePublicKey(bytes);
      if (!key.ok) throw misuse(RangeError, `publicKeys[${i}]`, 'a valid public key', key.code);
      return key.point;
    });
    const round = this.#generators.round(points, pathBytes(time), this.#scalarOf(message));
    // A claim without valid points is passed on too, because the caller's errors in other arguments must throw.
    const bodyOf = (signature: Uint8Array): Uint8Array => this.#bodyAt(time, signature) ?? noBody;
    const withBodies = (claims: readonly ContributionClaim[]): ContributionClaim[] => {
      requireClaims(claims);
      return claims.map((claim) => ({ ...claim, signature: bodyOf(claim.signature) }));
    };
    return {
      verify(first, bits, signature) {
        requireBytes('signature', signature);
        return round.verify(first, bits, bodyOf(signature));
      },
      verifyBatch: (claims) => round.verifyBatch(withBodies(claims)),
      readClaims: (claims) => round.readClaims(withBodies(claims)),
      free: () => round.free(),
    };
  }

  /**
   * Decodes a public key.
   *
   * @param bytes public key, 49 bytes, arbitrary data from a peer.
   * @returns the key's 96 bytes, uncompressed G1 without the suite; or a code.
   */
  validatePublicKey(bytes: Uint8Array): PixelDecoded {
    requireBytes('bytes', bytes);
    if (bytes.length !== pixelPublicKeyBytes) return { ok: false, code: 'length' };
    if (bytes[0] !== this.#byte) return { ok: false, code: 'wrong-suite' };
    return this.#curve.validateKey(bytes.subarray(size.suite));
  }

  /**
   * Returns the key that verifies the aggregate of signatures by these keys.
   *
   * @param publicKeys at least one key, 49 bytes each.
   * @throws RangeError if the list is empty or a key is not valid.
   */
  aggregatePublicKeys(publicKeys: readonly Uint8Array[]): Uint8Array {
    return this.#withSuite(this.#curve.sumKeys(this.#keys(publicKeys)));
  }

  /**
   * Decodes a signature, including one with the point at infinity. The function checks the suite, the time, and the
   * subgroups of the points.
   *
   * @param bytes signature, 149 bytes, arbitrary data from a peer.
   * @returns the decoded 293 bytes, which may be added and verified without another check; or a code.
   */
  decodeSignature(bytes: Uint8Array): PixelDecoded {
    requireBytes('bytes', bytes);
    if (bytes.length !== pixelSignatureBytes) return { ok: false, code: 'length' };
    if (bytes[0] !== this.#byte) return { ok: false, code: 'wrong-suite' };
    if (signatureTime(bytes) === 0) return { ok: false, code: 'time-out-of-range' };
    const read = this.#curve.decodeSignature(bytes.subarray(size.header));
    return read.ok ? { ok: true, point: joinBytes([bytes.subarray(0, size.header), read.point]) } : read;
  }

  /**
   * Encodes the 293 bytes from decodeSignature or addSignatures as 149 bytes, without checking the suite and the time.
   * @throws RangeError for a wrong length or invalid points.
   */
  encodeSignature(point: Uint8Array): Uint8Array {
    requireLength('point', point, pixelSignaturePointBytes);
    return joinBytes([point.subarray(0, size.header), this.#curve.encodeSignature(point.subarray(size.header))]);
  }

  /** Returns the sum of two decoded signatures. @throws RangeError for other suites or times, or for invalid points. */
  addSignatures(a: Uint8Array, b: Uint8Array): Uint8Array {
    requireLength('a', a, pixelSignaturePointBytes);
    requireLength('b', b, pixelSignaturePointBytes);
    const header = a.subarray(0, size.header);
    if (header.some((byte, i) => byte !== b[i])) throw misuse(RangeError, 'b', `a's ${headerText(a)}`, headerText(b));
    return joinBytes([header, this.#curve.addSignatures(a.subarray(size.header), b.subarray(size.header))]);
  }

  /**
   * Returns the sum of signatures with the same time.
   *
   * @param signatures at least one signature, 149 bytes each; the signatures are decoded but not verified.
   * @throws RangeError if the list is empty, a signature cannot be decoded, or the times differ.
   */
  aggregateSignatures(signatures: readonly Uint8Array[]): Uint8Array {
    requireBytesList('signatures', signatures);
    requireSome('signatures', signatures);
    const points = signatures.map((bytes, i) => {
      const read = this.decodeSignature(bytes);
      if (!read.ok) throw misuse(RangeError, `signatures[${i}]`, 'a signature of this suite', read.code);
      return read.point;
    });
    return this.encodeSignature(points.reduce((sum, point) => this.addSignatures(sum, point)));
  }

  #keys(publicKeys: readonly Uint8Array[]): Uint8Array[] {
    requireBytesList('publicKeys', publicKeys);
    requireSome('publicKeys', publicKeys);
    return publicKeys.map((bytes, i) => {
      const key = this.#keyOf(bytes);
      if (key === undefined) throw misuse(RangeError, `publicKeys[${i}]`, 'a key of this suite', shown(bytes));
      return key;
    });
  }

  /** Returns the 48 bytes of the point in a key of this suite, without checking the point. */
  #keyOf(bytes: Uint8Array): Uint8Array | undefined {
    if (bytes.length !== pixelPublicKeyBytes || bytes[0] !== this.#byte) return undefined;
    return bytes.subarray(size.suite);
  }

  /** Returns the points of a signature if it has this suite and time; otherwise undefined. */
  #bodyAt(time: number, signature: Uint8Array): Uint8Array | undefined {
    const { length } = signature;
    if (length !== pixelSignatureBytes && length !== pixelSignaturePointBytes) return undefined;
    if (signature[0] !== this.#byte || signatureTime(signature) !== time) return undefined;
    return signature.subarray(size.header);
  }

  #possessionPoint(key: Uint8Array): Uint8Array {
    return suites[this.suite].hashToG2(this.#curve, labelled('Pixel public key POP', key), 'possession');
  }

  /** Converts a message to a scalar of 64 bytes, which the curve reduces modulo r. */
  #scalarOf(message: Uint8Array): Uint8Array {
    return sha512(labelled('Pixel hash to message', Uint8Array.of(this.#byte), message));
  }

  #withSuite(bytes: Uint8Array): Uint8Array {
    return joinBytes([Uint8Array.of(this.#byte), bytes]);
  }
}

/** Points of a signature that could not be read: empty, because no signature has this length. */
const noBody = new Uint8Array();

const headerText = (point: Uint8Array): string => `suite ${point[0]} and time ${signatureTime(point)}`;
const pathBytes = (time: number): Uint8Array => Uint8Array.from(timePath(time));
