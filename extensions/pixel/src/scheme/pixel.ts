import { sha512 } from '@noble/hashes/sha2.js';
import {
  type BlsRound,
  type ContributionClaim,
  joinBytes,
  misuse,
  type PointFault,
  requireBytes,
  requireBytesList,
  requireLength,
  requireSome,
  shown,
} from '@tutti/wasm-bls/kernel';
import { type PixelCurve, type PixelGenerators, size } from './curve.ts';
import { generatorPoints, parameterBytes } from './parameters.ts';
import { labelled, Randomness, timeBytes } from './randomness.ts';
import { readSecretKey, type SecretKeyFault } from './secretKey.ts';
import { SecretKeys, wipe } from './secretKeys.ts';
import { type PixelSuiteName, suites } from './suite.ts';
import { requireTime, timePath } from './timeTree.ts';

/** Least entropy that a key is made of, bytes. */
export const minPixelSeedBytes = 32;
/** Suite and compressed G1. */
export const pixelPublicKeyBytes = size.suite + size.g1;
/** Suite and compressed G2. */
export const pixelPossessionBytes = size.suite + size.g2;
/** Suite, time, and a point each of G1 and G2, compressed. */
export const pixelSignatureBytes = size.header + size.body;
/** Suite, time, and a point each of G1 and G2, uncompressed. */
const pixelSignaturePointBytes = size.header + size.points;

/**
 * Why bytes are no key or signature of this suite: a {@link PointFault}, or what stands before the points is at fault.
 */
export type PixelFault = PointFault | 'wrong-suite' | 'time-out-of-range';

export type PixelDecoded =
  | { readonly ok: true; readonly point: Uint8Array }
  | { readonly ok: false; readonly code: PixelFault };

/** What a committee's e(pk, h) is kept for: verifications by two pairings. */
export interface PixelCommittee {
  /** Whether a signature is that of all of the committee's keys, each once, on a message at a time. */
  verify(time: number, message: Uint8Array, signature: Uint8Array): boolean;
  /** Gives the memory back; doing so twice is harmless. */
  free(): void;
}

/** A new key: what is public, and the secret key of time 1. */
export interface PixelKeyPair {
  /** 49 bytes. */
  readonly publicKey: Uint8Array;
  /** 97 bytes: without it, a key made from the others' could sign for them. */
  readonly proofOfPossession: Uint8Array;
  /** 3287 bytes at time 1. */
  readonly secretKey: Uint8Array;
}

/**
 * Pixel, a forward-secure multi-signature (Drijvers, Gorbunov, Neven, Wee: Pixel, USENIX Security 2020): the public key
 * stays, the secret key goes on from time to time, and who has that of a time can sign at no earlier one. Encodings are
 * the authors', under either suite.
 *
 * Whose bytes: a peer's keys, proofs and signatures may be anything, and the answer is `false` or a code. A secret key,
 * a time, an argument that is no Uint8Array are the caller's own: TypeError or RangeError with label, expected, got.
 *
 * Forgetting: `update` overwrites the old secret key's bytes and what it drew, and the kernel's heap overwrites
 * whatever it gets back. Neither reaches copies that the engine made when it moved an array, what hash functions and
 * (on noble-curves) integers left for the garbage collector, the kernel's stack, or what the operating system wrote to
 * disk; nor do JavaScript and WebAssembly promise constant time.
 */
export class Pixel {
  readonly name: PixelCurve['name'];
  readonly suite: PixelSuiteName;
  /** The parameters as the authors' files have them, 6626 bytes. */
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
   * A key pair from entropy; the secret key is that of time 1.
   *
   * @param seed - 32 bytes or more, secret, of full entropy.
   * @throws RangeError if it is shorter.
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

  /** Whether a proof of possession belongs to a public key; 97 and 49 bytes, anything from a peer. */
  verifyPossession(publicKey: Uint8Array, proof: Uint8Array): boolean {
    requireBytes('publicKey', publicKey);
    requireBytes('proof', proof);
    const key = this.#keyOf(publicKey);
    if (key === undefined || proof.length !== pixelPossessionBytes || proof[0] !== this.#byte) return false;
    return this.#curve.verifyPossession(key, proof.subarray(size.suite), this.#possessionPoint(key));
  }

  /**
   * The time of a secret key, whose points are not looked at.
   *
   * @throws RangeError with a {@link SecretKeyFault} for invalid bytes.
   */
  timeOf(secretKey: Uint8Array): number {
    return this.#secrets.parts(secretKey).time;
  }

  /**
   * As timeOf, the times whose sub-keys it holds; with what is below them in the tree of time, all that it can ever
   * sign at.
   */
  subkeyTimes(secretKey: Uint8Array): number[] {
    return this.#secrets.parts(secretKey).subkeys.map(({ time }) => time);
  }

  /** Whether bytes are a secret key as far as lengths, suite and times go; for bytes that were read from somewhere. */
  secretKeyFault(bytes: Uint8Array): SecretKeyFault | undefined {
    requireBytes('bytes', bytes);
    const parts = readSecretKey(bytes, this.#byte);
    return typeof parts === 'string' ? parts : undefined;
  }

  /**
   * Whether bytes are a secret key of this public key: all points in their subgroups, and each sub-key's equation, of
   * which e(g2, hpoly) = e(pk, h) e(g2r, h_0 + sum t_i h_i) is the first. Tens of milliseconds a sub-key.
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
   * The secret key of a later time, made of this one, which is overwritten.
   *
   * @param secretKey - taken over: all zeroes afterwards, unless it throws.
   * @param time - later than the key's own; 2^32 - 1 at most.
   * @param seed - fresh entropy that is mixed in, any length; with none, the new key's randomness follows from the old
   *   one's.
   * @throws RangeError for a time that is not later, or bytes that are no secret key.
   */
  update(secretKey: Uint8Array, time: number, seed: Uint8Array): Uint8Array {
    requireBytes('seed', seed);
    return this.#secrets.at(time, secretKey, seed);
  }

  /**
   * A signature at the secret key's time. The same key and message give the same signature.
   *
   * @returns 149 bytes.
   * @throws RangeError for bytes that are no secret key.
   */
  sign(secretKey: Uint8Array, message: Uint8Array): Uint8Array {
    requireBytes('message', message);
    const { time, state, subkeys } = this.#secrets.parts(secretKey);
    const [own] = subkeys;
    const r = new Randomness(state).sample(labelled('Pixel randomness for signing', message, timeBytes(time)));
    const path = Uint8Array.from(own!.path);
    const body = this.#generators.sign(own!.points, path, this.#scalarOf(message), r);
    wipe(r);
    return joinBytes([this.#header(time), body]);
  }

  /**
   * Whether a signature is that key's on that message at that time. Key and signature are checked to be in their
   * subgroups.
   *
   * @param publicKey - 49 bytes; anything from a peer.
   * @param time - 1 to 2^32 - 1; another one in the signature is `false`.
   * @param signature - 149 bytes, anything from a peer; or 293 bytes from decodeSignature or addSignatures.
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
   * Keeps e(pk, h) of a committee, all that depends on its keys: a verification takes two pairings then, not three.
   *
   * @param publicKeys - at least one; a key given twice counts twice. Their proofs of possession were verified.
   * @throws RangeError if one is not valid, or they cancel out.
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
   * The public data of one aggregation, as Bls.round: contributions to one message at one time over one registry.
   * Signatures are 149 bytes, or 293 from decodeSignature or addSignatures; one of another time or suite is `false`.
   *
   * @param publicKeys - 49 bytes each, validated here; or the 96 bytes that validatePublicKey gave.
   * @throws RangeError if there is none, or one is not valid.
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
    const bodyOf = (signature: Uint8Array): Uint8Array | undefined => this.#bodyAt(time, signature);
    return {
      verify(first, bits, signature) {
        requireBytes('signature', signature);
        // What has no body is checked as a claim all the same: the caller's own mistakes throw.
        return round.verify(first, bits, bodyOf(signature) ?? noBody);
      },
      verifyBatch: (claims) => round.verifyBatch(claims.map((claim) => withBody(claim, bodyOf))),
      readClaims: (claims) => round.readClaims(claims.map((claim) => withBody(claim, bodyOf))),
      free: () => round.free(),
    };
  }

  /**
   * Reads a public key.
   *
   * @param bytes - 49 bytes; anything from a peer.
   * @returns 96 bytes, uncompressed G1 without the suite, or a code.
   */
  validatePublicKey(bytes: Uint8Array): PixelDecoded {
    requireBytes('bytes', bytes);
    if (bytes.length !== pixelPublicKeyBytes) return { ok: false, code: 'length' };
    if (bytes[0] !== this.#byte) return { ok: false, code: 'wrong-suite' };
    return this.#curve.validateKey(bytes.subarray(size.suite));
  }

  /**
   * The key under which the aggregate of these keys' signatures verifies.
   *
   * @param publicKeys - at least one; 49 bytes each.
   * @throws RangeError if the list is empty or a key is not valid.
   */
  aggregatePublicKeys(publicKeys: readonly Uint8Array[]): Uint8Array {
    return this.#withSuite(this.#curve.sumKeys(this.#keys(publicKeys)));
  }

  /**
   * Reads a signature, infinity included: its suite, its time, and its points in their subgroups.
   *
   * @param bytes - 149 bytes; anything from a peer.
   * @returns 293 bytes, which may be added and verified without another check; or a code.
   */
  decodeSignature(bytes: Uint8Array): PixelDecoded {
    requireBytes('bytes', bytes);
    if (bytes.length !== pixelSignatureBytes) return { ok: false, code: 'length' };
    if (bytes[0] !== this.#byte) return { ok: false, code: 'wrong-suite' };
    if (signatureTime(bytes) === 0) return { ok: false, code: 'time-out-of-range' };
    const read = this.#curve.decodeSignature(bytes.subarray(size.header));
    return read.ok ? { ok: true, point: joinBytes([bytes.subarray(0, size.header), read.point]) } : read;
  }

  /** 149 bytes of 293 from decodeSignature or addSignatures. @throws RangeError for others. */
  encodeSignature(point: Uint8Array): Uint8Array {
    requireLength('point', point, pixelSignaturePointBytes);
    return joinBytes([point.subarray(0, size.header), this.#curve.encodeSignature(point.subarray(size.header))]);
  }

  /** The sum of two decoded signatures of one suite and time. @throws RangeError for others. */
  addSignatures(a: Uint8Array, b: Uint8Array): Uint8Array {
    requireLength('a', a, pixelSignaturePointBytes);
    requireLength('b', b, pixelSignaturePointBytes);
    const header = a.subarray(0, size.header);
    if (header.some((byte, i) => byte !== b[i]))
      throw misuse(RangeError, 'b', `the suite and time of a, ${signatureTime(a)}`, String(signatureTime(b)));
    return joinBytes([header, this.#curve.addSignatures(a.subarray(size.header), b.subarray(size.header))]);
  }

  /**
   * The sum of signatures of one time.
   *
   * @param signatures - at least one; 149 bytes each, decoded but not verified.
   * @throws RangeError if the list is empty, one does not decode, or their times differ.
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

  /** 48 bytes of a key of this suite, whose point is not looked at. */
  #keyOf(bytes: Uint8Array): Uint8Array | undefined {
    if (bytes.length !== pixelPublicKeyBytes || bytes[0] !== this.#byte) return undefined;
    return bytes.subarray(size.suite);
  }

  /** The points of a signature, if it has the suite and the time. */
  #bodyAt(time: number, signature: Uint8Array): Uint8Array | undefined {
    const { length } = signature;
    if (length !== pixelSignatureBytes && length !== pixelSignaturePointBytes) return undefined;
    if (signature[0] !== this.#byte || signatureTime(signature) !== time) return undefined;
    return signature.subarray(size.header);
  }

  #possessionPoint(key: Uint8Array): Uint8Array {
    return suites[this.suite].hashToG2(this.#curve, labelled('Pixel public key POP', key), 'possession');
  }

  /** A message as a scalar: 64 bytes, which the curve takes modulo r. */
  #scalarOf(message: Uint8Array): Uint8Array {
    return sha512(labelled('Pixel hash to message', Uint8Array.of(this.#byte), message));
  }

  #header(time: number): Uint8Array {
    return this.#withSuite(timeBytes(time));
  }

  #withSuite(bytes: Uint8Array): Uint8Array {
    return joinBytes([Uint8Array.of(this.#byte), bytes]);
  }
}

/** No signature has this many bytes. */
const noBody = new Uint8Array();

function withBody(
  claim: ContributionClaim,
  bodyOf: (signature: Uint8Array) => Uint8Array | undefined,
): ContributionClaim {
  requireBytes('claims[].signature', claim.signature);
  return { ...claim, signature: bodyOf(claim.signature) ?? noBody };
}

/**
 * The time that a signature's bytes name, 0 to 2^32 - 1, whether or not the rest is a signature.
 *
 * @param bytes - 5 or more; anything from a peer.
 * @throws RangeError for fewer.
 */
export function signatureTime(bytes: Uint8Array): number {
  requireBytes('bytes', bytes);
  if (bytes.length < size.suite + 4) throw misuse(RangeError, 'bytes', `${size.suite + 4} bytes or more`, shown(bytes));
  return new DataView(bytes.buffer, bytes.byteOffset).getUint32(size.suite);
}

const pathBytes = (time: number): Uint8Array => Uint8Array.from(timePath(time));
