import { bytesOfHex } from '../../arguments.ts';
import { compressed } from '../../group.ts';
import { loadBls } from '../../load.ts';
import { type Decoded, pointFaultText, type ReadPoint } from '../../points.ts';
import {
  type CoordType,
  EmptyAggregateError,
  InvalidLengthError,
  InvalidOrderError,
  PointFormat,
  PUBLIC_KEY_LENGTH_COMPRESSED,
  PUBLIC_KEY_LENGTH_UNCOMPRESSED,
  SECRET_KEY_LENGTH,
  SIGNATURE_LENGTH_COMPRESSED,
  SIGNATURE_LENGTH_UNCOMPRESSED,
  ZeroPublicKeyError,
  ZeroSecretKeyError,
  ZeroSignatureError,
} from './constants.ts';

/** A public key, as an object or as bytes. */
export type PublicKeyArg = PublicKey | Uint8Array;
/** A signature, as an object or as bytes. */
export type SignatureArg = Signature | Uint8Array;

/** A message, a key, and the key's signature on the message. */
export interface SignatureSet {
  message: Uint8Array;
  publicKey: PublicKeyArg;
  signature: SignatureArg;
}

const kernel = await loadBls();

const hexDigits = (bytes: Uint8Array): string =>
  `0x${Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')}`;

function hexBytes(hex: string): Uint8Array {
  const digits = hex.startsWith('0x') ? hex.slice(2) : hex;
  if (!/^([0-9a-f]{2})*$/i.test(digits))
    throw new Error(`hex: expected an even number of hexadecimal digits, got ${digits.length} characters`);
  return bytesOfHex(digits);
}

/** Returns a bitfield that claims all keys of a registry, in the form that a round reads. */
function everyKey(count: number): Uint8Array {
  const bits = new Uint8Array(Math.ceil(count / 8)).fill(0xff);
  if (count % 8 !== 0) bits[bits.length - 1] = (1 << (count % 8)) - 1;
  return bits;
}

/** Returns a decoded point's bytes, or throws the error that corresponds to its fault. */
function pointOf(what: 'PublicKey' | 'Signature', length: number, decoded: Decoded): Uint8Array {
  if (decoded.ok) return decoded.point;
  switch (decoded.code) {
    case 'length':
      throw new InvalidLengthError(what, length);
    case 'not-in-subgroup':
      throw new InvalidOrderError();
    case 'infinity':
      throw what === 'PublicKey' ? new ZeroPublicKeyError() : new ZeroSignatureError();
    default:
      throw new Error(`INVALID_ENCODING: ${what} - ${pointFaultText(decoded.code)}`);
  }
}

const isZero = (bytes: Uint8Array): boolean => bytes.every((byte) => byte === 0);

/** A secret key: an integer from 1 to the group order minus 1. It is checked once, when it is created. */
export class SecretKey {
  readonly #bytes: Uint8Array;

  private constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  /**
   * Reads a secret key. @param bytes - 32 bytes, big-endian. @throws InvalidLengthError, ZeroSecretKeyError, or Error
   * if the key is not less than the group order.
   */
  static fromBytes(bytes: Uint8Array): SecretKey {
    if (bytes.length !== SECRET_KEY_LENGTH) throw new InvalidLengthError('SecretKey', bytes.length);
    if (isZero(bytes)) throw new ZeroSecretKeyError();
    // The call only checks the range: it throws for a key that is not less than the group order.
    kernel.publicKey(bytes);
    return new SecretKey(Uint8Array.from(bytes));
  }

  static fromHex(hex: string): SecretKey {
    return SecretKey.fromBytes(hexBytes(hex));
  }

  /**
   * Derives a secret key. @param entropy - at least 32 bytes; if undefined, bytes from the system's random generator.
   */
  static fromKeygen(entropy?: Uint8Array): SecretKey {
    return new SecretKey(kernel.keyGen(entropy ?? crypto.getRandomValues(new Uint8Array(SECRET_KEY_LENGTH))));
  }

  sign(message: Uint8Array): Signature {
    return Signature.fromBytes(kernel.sign(this.#bytes, message));
  }

  toPublicKey(): PublicKey {
    return PublicKey.fromBytes(kernel.publicKey(this.#bytes));
  }

  toBytes(): Uint8Array {
    return Uint8Array.from(this.#bytes);
  }

  toHex(): string {
    return hexDigits(this.#bytes);
  }
}

/** A valid public key. It is read and checked once, when it is created. */
export class PublicKey {
  /** The key's point, 96 checked bytes. */
  readonly #point: Uint8Array;
  readonly #compressed: Uint8Array;

  private constructor(point: Uint8Array, encoding: Uint8Array) {
    this.#point = point;
    this.#compressed = encoding;
  }

  /**
   * Reads a public key. @param bytes - 48 bytes compressed, or 96 bytes uncompressed.
   * @param _type - ignored, as is `_validate`: a key is always checked.
   */
  static fromBytes(bytes: Uint8Array, _type?: CoordType, _validate?: boolean): PublicKey {
    if (isZero(bytes)) throw new ZeroPublicKeyError();
    const isUncompressed = bytes.length === PUBLIC_KEY_LENGTH_UNCOMPRESSED;
    if (!isUncompressed && bytes.length !== PUBLIC_KEY_LENGTH_COMPRESSED)
      throw new InvalidLengthError('PublicKey', bytes.length);
    const encoding = isUncompressed ? compressedKey(bytes) : Uint8Array.from(bytes);
    const point = pointOf('PublicKey', bytes.length, kernel.validatePublicKey(encoding));
    if (isUncompressed && bytes.some((byte, i) => byte !== point[i]))
      throw new Error('INVALID_ENCODING: PublicKey - not a point on the curve');
    return new PublicKey(point, encoding);
  }

  static fromHex(hex: string): PublicKey {
    return PublicKey.fromBytes(hexBytes(hex));
  }

  static aggregate(publicKeys: PublicKeyArg[]): PublicKey {
    if (publicKeys.length === 0) throw new EmptyAggregateError();
    return PublicKey.fromBytes(kernel.aggregatePublicKeys(publicKeys.map((key) => PublicKey.of(key).#compressed)));
  }

  /** Returns a key; bytes are first read as a key. */
  static of(key: PublicKeyArg): PublicKey {
    return key instanceof PublicKey ? key : PublicKey.fromBytes(key);
  }

  /** Returns the point of a key, for the classes of this file. */
  static pointOf(key: PublicKeyArg): Uint8Array {
    return PublicKey.of(key).#point;
  }

  toBytes(format?: PointFormat): Uint8Array {
    return Uint8Array.from(format === PointFormat.uncompressed ? this.#point : this.#compressed);
  }

  toHex(format?: PointFormat): string {
    return hexDigits(this.toBytes(format));
  }

  /** Throws an error, as both implementations of `@chainsafe/bls` do. */
  multiplyBy(_bytes: Uint8Array): PublicKey {
    throw new Error('multiplyBy is not implemented');
  }
}

/** Returns 96 unchecked bytes in compressed form. The decoder checks whether they represent a point. */
function compressedKey(point: Uint8Array): Uint8Array {
  if (isInfinity(point)) throw new ZeroPublicKeyError();
  if ((point[0]! & 0xe0) !== 0) throw new Error('INVALID_ENCODING: PublicKey - a non-canonical encoding');
  return compressed(point);
}

const isInfinity = (point: Uint8Array): boolean => point[0] === 0x40 && isZero(point.subarray(1));

/** A point of G2's subgroup, infinity included. It is read and checked once, when it is created. */
export class Signature {
  /** The signature's point, 192 checked bytes. */
  readonly #point: Uint8Array;

  private constructor(point: Uint8Array) {
    this.#point = point;
  }

  /**
   * Reads a signature. @param bytes - 96 bytes compressed, or 192 bytes uncompressed.
   * @param _type - ignored, as is `_validate`: a signature is always checked.
   */
  static fromBytes(bytes: Uint8Array, _type?: CoordType, _validate?: boolean): Signature {
    if (bytes.length !== SIGNATURE_LENGTH_COMPRESSED && bytes.length !== SIGNATURE_LENGTH_UNCOMPRESSED)
      throw new InvalidLengthError('Signature', bytes.length);
    const form = bytes.length === SIGNATURE_LENGTH_UNCOMPRESSED ? 'uncompressed' : 'compressed';
    return new Signature(pointOf('Signature', bytes.length, kernel.decodeSignature(bytes, form)));
  }

  static fromHex(hex: string): Signature {
    return Signature.fromBytes(hexBytes(hex));
  }

  static aggregate(signatures: SignatureArg[]): Signature {
    if (signatures.length === 0) throw new EmptyAggregateError();
    const points = signatures.map((signature) => Signature.of(signature).#point);
    return new Signature(points.reduce((sum, point) => kernel.addSignatures(sum, point)));
  }

  /** Returns a signature; bytes are first read as a signature. */
  static of(signature: SignatureArg): Signature {
    return signature instanceof Signature ? signature : Signature.fromBytes(signature);
  }

  static verifyMultipleSignatures(sets: SignatureSet[]): boolean {
    if (!sets) throw new Error('sets is null or undefined');
    if (sets.length === 0) return false;
    const store = kernel.pointStore(2 * sets.length);
    try {
      return store.verifyEach(
        sets.map(({ publicKey, message, signature }) => ({
          key: keptOf(store.readKey(PublicKey.of(publicKey).toBytes())),
          message,
          signature: keptOf(store.readSignature(Signature.of(signature).#point, 'uncompressed')),
        })),
      );
    } finally {
      store.free();
    }
  }

  static async asyncVerifyMultipleSignatures(sets: SignatureSet[]): Promise<boolean> {
    return Signature.verifyMultipleSignatures(sets);
  }

  /** Verifies the signature. @throws ZeroSignatureError if the signature is infinity. */
  verify(publicKey: PublicKeyArg, message: Uint8Array): boolean {
    if (isInfinity(this.#point)) throw new ZeroSignatureError();
    return this.verifyAggregate([publicKey], message);
  }

  verifyAggregate(publicKeys: PublicKeyArg[], message: Uint8Array): boolean {
    if (publicKeys.length === 0) return false;
    // A round does not repeat the check of points that were already checked.
    const round = kernel.round(publicKeys.map(PublicKey.pointOf), message);
    try {
      return round.verify(0, everyKey(publicKeys.length), this.#point);
    } finally {
      round.free();
    }
  }

  verifyMultiple(publicKeys: PublicKeyArg[], messages: Uint8Array[]): boolean {
    const keys = publicKeys.map((key) => PublicKey.of(key).toBytes());
    return kernel.aggregateVerify(keys, messages, this.toBytes());
  }

  async asyncVerify(publicKey: PublicKeyArg, message: Uint8Array): Promise<boolean> {
    return this.verify(publicKey, message);
  }

  async asyncVerifyAggregate(publicKeys: PublicKeyArg[], message: Uint8Array): Promise<boolean> {
    return this.verifyAggregate(publicKeys, message);
  }

  async asyncVerifyMultiple(publicKeys: PublicKeyArg[], messages: Uint8Array[]): Promise<boolean> {
    return this.verifyMultiple(publicKeys, messages);
  }

  toBytes(format?: PointFormat): Uint8Array {
    return format === PointFormat.uncompressed ? Uint8Array.from(this.#point) : kernel.encodeSignature(this.#point);
  }

  toHex(format?: PointFormat): string {
    return hexDigits(this.toBytes(format));
  }

  /** Throws an error, as both implementations of `@chainsafe/bls` do. */
  multiplyBy(_bytes: Uint8Array): Signature {
    throw new Error('multiplyBy is not implemented');
  }
}

function keptOf<Kept>(read: ReadPoint<Kept>): Kept {
  if (read.ok) return read.kept;
  throw new Error(pointFaultText(read.code));
}
