import { requireBytes, requireMethods, requireObject } from '../arguments.ts';
import { blsSignatureBytes } from '../bls.ts';
import { expected, requireInteger } from '../errors.ts';
import type { Tree } from '../overlay/tree.ts';
import { type Contribution, noContribution } from '../protocol.ts';
import type { Stakes } from '../stakes/stakes.ts';
import { BitsetScheme } from './bitsetScheme.ts';
import type { DecodedContribution, ForgingScheme } from './scheme.ts';
import { readSet, writeBits } from './setCode.ts';

/** Length of an uncompressed point of G2, and thus of an uncompressed signature, bytes. */
const blsPointBytes = 192;

/**
 * Number of decoded points that are stored per member. At any time, messages in transit carry only a few different sums
 * per level.
 */
const pointsPerMember = 4;

/**
 * Encoding of signatures in messages. A compressed signature consists of the x coordinate and a sign. An uncompressed
 * signature consists of x and y, is twice as long, and is decoded without a square root. For both encodings, the
 * receiver checks that the point is in the subgroup.
 */
export type WireForm = 'compressed' | 'uncompressed';

/**
 * Curve library functions that the scheme needs. The caller passes these functions, so that this package contains no
 * curve. A compressed signature of BLS takes 96 bytes, or 48 with `min-sig`. An uncompressed signature, and a point,
 * takes 192 bytes, or 96 with `min-sig`.
 */
export interface SignatureKernel {
  /**
   * Decodes a compressed signature, or an uncompressed one if the form is `uncompressed`, into a point. Also checks that
   * the point is on the curve and in the subgroup.
   */
  decodeSignature(
    bytes: Uint8Array,
    form?: WireForm,
  ): { readonly ok: true; readonly point: Uint8Array } | { readonly ok: false };
  /** Encodes a point as a compressed signature. */
  encodeSignature(point: Uint8Array): Uint8Array;
  /** Returns the sum of two checked points. */
  addSignatures(a: Uint8Array, b: Uint8Array): Uint8Array;
  /** Length of a compressed signature, bytes. Default: 96, for BLS in G2. */
  readonly signatureBytes?: number;
  /**
   * Length of an uncompressed signature, bytes. Omitted by schemes that have another `signatureBytes` and no
   * uncompressed form.
   */
  readonly signaturePointBytes?: number;
  /**
   * Returns the reason why a compressed signature cannot belong to this round, judged by the signature's bytes alone,
   * or undefined if it may belong to the round. Default: every signature may belong to the round.
   */
  refusal?(signature: Uint8Array): SignatureRefusal | undefined;
}

/** Reason to reject a signature: it names another period, or the suite of another scheme. */
export type SignatureRefusal = 'wrong-period' | 'wrong-suite';

/**
 * A verifier for one round. The verifier has the public data (v1.03 section 2.1) that verification needs: the keys by
 * position and the message.
 */
export interface SignatureVerifier {
  /**
   * Returns whether `signature`, a compressed signature or a checked point, is the multi-signature of keys first + b
   * for all bits b of `bits` (bit b & 7 of byte b >> 3).
   */
  verify(first: number, bits: Uint8Array, signature: Uint8Array): boolean;
  /**
   * Returns the result of `verify` for each claim, in order. The method is undefined if a joint check would cost as
   * much as single calls.
   */
  verdicts?(claims: readonly Claim[]): boolean[];
}

/** The claim of a contribution in the form for a verifier: the members at these positions made this signature. */
export interface Claim {
  /** Position of the set's bit 0. */
  readonly first: number;
  /** Bitfield of the signers. Bit b & 7 of byte b >> 3 stands for position first + b. */
  readonly bits: Uint8Array;
  /** Compressed signature. In a claim for a verifier, the signature may also be a checked point. */
  readonly signature: Uint8Array;
}

/** Parameters of a {@link MultiSignatureScheme}. */
export interface MultiSignatureOptions {
  readonly tree: Tree;
  readonly kernel: SignatureKernel;
  /**
   * Verifier for runtimes that verify in their own thread. Other runtimes pass
   * {@link MultiSignatureScheme.claimToVerify} to an asynchronous verifier.
   */
  readonly verifier?: SignatureVerifier;
  /**
   * Encoding of signatures in messages. All nodes of a round must use the same encoding. Default: compressed. Only BLS
   * has an uncompressed encoding.
   */
  readonly form?: WireForm;
  /** Weights of the members. Default: equal weights. */
  readonly stakes?: Stakes | undefined;
}

/**
 * BLS multi-signatures on one message (v1.03 section 2.1): a contribution is a signature and the set of its signers,
 * and Aggr adds the points. Received signatures remain unchecked bytes until their verification. Except in bulk
 * verification, the scheme aggregates only verified signatures, so a received datagram causes no curve arithmetic. The
 * scheme decodes a signature just before its verification, because the verifier and aggregation use the checked point.
 */
export class MultiSignatureScheme extends BitsetScheme implements ForgingScheme {
  readonly #kernel: SignatureKernel;
  /** Length of a signature in messages, bytes. */
  readonly signatureBytes: number;
  /** Length of a compressed signature, bytes. */
  readonly #compressedBytes: number;
  readonly #form: WireForm;
  readonly #verifier: SignatureVerifier | undefined;
  /** Decoded point of each row, or undefined before decoding. */
  readonly #point: (Uint8Array | undefined)[] = [];
  /** Signature of each row in its wire form, or undefined before encoding. */
  readonly #signature: (Uint8Array | undefined)[] = [];
  /**
   * Points that any node of the process has decoded, indexed by their encoded bytes, oldest first. Another node that
   * receives the same bytes skips the square root and the subgroup check.
   */
  readonly #points = new Map<string, Uint8Array>();
  /** First individual signature passed to {@link individual}. */
  #individual: Uint8Array | undefined;
  /** Signature of forged contributions, which {@link forge} creates from `#individual`. */
  #forgery: Uint8Array | undefined;

  constructor(options: MultiSignatureOptions) {
    requireObject('options', options);
    const { tree, kernel, verifier, form = 'compressed', stakes } = options;
    requireMethods('kernel', kernel, ['decodeSignature', 'encodeSignature', 'addSignatures']);
    super(tree, stakes);
    this.#kernel = kernel;
    this.#compressedBytes = kernel.signatureBytes ?? blsSignatureBytes;
    const pointBytes =
      kernel.signaturePointBytes ?? (this.#compressedBytes === blsSignatureBytes ? blsPointBytes : undefined);
    if (form === 'uncompressed' && pointBytes === undefined)
      throw new RangeError(expected('form', "'compressed', because the signature is not a single point", form));
    this.#form = form;
    this.signatureBytes = form === 'uncompressed' ? pointBytes! : this.#compressedBytes;
    this.#verifier = verifier;
  }

  /**
   * Returns the individual contribution of `id` with the given compressed signature, retained once for the caller.
   *
   * @throws RangeError for an id out of range, for a signature of another length or from another round, and, if the
   * form is uncompressed, for a signature that encodes no point of the subgroup. TypeError for a signature that is not
   * bytes.
   */
  individual(id: number, signature: Uint8Array): Contribution {
    requireInteger('id', id, 0, this.tree.nodes - 1);
    requireBytes('signature', signature);
    if (signature.length !== this.#compressedBytes) {
      throw new RangeError(expected('signature', `${this.#compressedBytes} bytes`, signature.length));
    }
    const code = this.#kernel.refusal?.(signature);
    if (code !== undefined) throw new RangeError(expected('signature', 'a contribution of this round', code));
    // The caller may change its bytes later.
    const copy = signature.slice();
    this.#individual ??= copy;
    if (this.#form === 'compressed') return this.#withSignature(this.tree.leaf(id), undefined, copy);
    const decoded = this.#kernel.decodeSignature(copy);
    if (!decoded.ok) throw new RangeError('signature: expected a point of the subgroup, got invalid bytes');
    return this.#withSignature(this.tree.leaf(id), undefined, decoded.point);
  }

  /**
   * Creates a contribution whose signature does not verify. The signature is the double of an individual signature,
   * once one exists. This double is a point in the subgroup, so rejecting it costs a full verification.
   */
  forge(block: number, words: Int32Array | undefined): Contribution {
    this.#forgery ??= this.#madeForgery();
    return this.#withSignature(block, words, this.#forgery ?? new Uint8Array(this.signatureBytes).fill(0xff));
  }

  /**
   * Returns the double of the first individual signature, or undefined if no such signature exists or if it is not a
   * valid point.
   */
  #madeForgery(): Uint8Array | undefined {
    const decoded = this.#individual && this.#kernel.decodeSignature(this.#individual);
    if (!decoded?.ok) return undefined;
    const twice = this.#kernel.addSignatures(decoded.point, decoded.point);
    return this.#form === 'uncompressed' ? twice : this.#kernel.encodeSignature(twice);
  }

  /**
   * Returns the claim of a contribution, with a compressed signature. If its signature is uncompressed, the
   * contribution must be verified first.
   *
   * @throws RangeError for an uncompressed signature that encodes no point of the subgroup.
   */
  claim(contribution: Contribution): Claim {
    if (this.#form === 'compressed') return this.#claimed(contribution, this.#wireSignature(contribution));
    const point = this.#pointOf(contribution);
    if (point === undefined)
      throw new RangeError('contribution: expected a verified contribution, got bytes that do not encode a point');
    return this.#claimed(contribution, this.#kernel.encodeSignature(point));
  }

  override verify(contribution: Contribution): boolean {
    if (this.#verifier === undefined)
      throw new TypeError('verifier: expected a verifier, because this scheme was asked to verify, got undefined');
    const claim = this.claimToVerify(contribution);
    return claim !== undefined && this.#verifier.verify(claim.first, claim.bits, claim.signature);
  }

  verifyBatch(contributions: readonly Contribution[]): boolean[] {
    if (this.#verifier?.verdicts === undefined) return contributions.map((one) => this.verify(one));
    const { claims, verdictsOn } = this.claimsToVerify(contributions);
    return verdictsOn(this.#verifier.verdicts(claims));
  }

  /**
   * Returns the claims of contributions to verify together, and a function that converts the verifier's answers to one
   * verdict per contribution. This function throws a RangeError unless there is one answer per claim.
   */
  claimsToVerify(contributions: readonly Contribution[]): {
    readonly claims: readonly Claim[];
    readonly verdictsOn: (answers: readonly boolean[]) => boolean[];
  } {
    const all = contributions.map((one) => this.claimToVerify(one));
    const claims = all.filter((claim) => claim !== undefined);
    const verdictsOn = (answers: readonly boolean[]): boolean[] => {
      if (answers.length !== claims.length)
        throw new RangeError(expected('verdicts', `one for each of ${claims.length} claims`, answers.length));
      let next = 0;
      return all.map((claim) => claim !== undefined && answers[next++]!);
    };
    return { claims, verdictsOn };
  }

  /**
   * Returns the claim to verify, with a point that has passed the subgroup check, or undefined if the bytes encode no
   * point of the subgroup. If the result is undefined, the contribution is invalid.
   */
  claimToVerify(contribution: Contribution): Claim | undefined {
    const point = this.#pointOf(contribution);
    return point === undefined ? undefined : this.#claimed(contribution, point);
  }

  #claimed(contribution: Contribution, signature: Uint8Array): Claim {
    const words = this.setWords(contribution);
    const size = this.tree.size(this.block(contribution));
    const bits = new Uint8Array((size + 7) >>> 3);
    writeBits(words, bits, 0, bits.length);
    return { first: this.tree.start(this.block(contribution)), bits, signature };
  }

  override encodedBytes(contribution: Contribution): number {
    return this.setBytes(contribution) + this.signatureBytes;
  }

  override encode(contribution: Contribution, out: Uint8Array, offset: number): number {
    const end = this.encodeSet(contribution, out, offset);
    out.set(this.#wireSignature(contribution), end);
    return end + this.signatureBytes;
  }

  override decode(block: number, bytes: Uint8Array, offset: number): DecodedContribution {
    const read = readSet(this.tree.size(block), bytes, offset);
    if (!read.ok) return read;
    const end = read.end + this.signatureBytes;
    if (end > bytes.length) return { ok: false, code: 'truncated' };
    const signature = new Uint8Array(bytes.subarray(read.end, end));
    const code = this.#kernel.refusal?.(signature);
    if (code !== undefined) return { ok: false, code };
    return { ok: true, contribution: this.#withSignature(block, read.words, signature), end };
  }

  protected override isCanonical(): boolean {
    return false;
  }

  protected override onAggregated(made: Contribution, a: Contribution, b: Contribution): void {
    const row = this.row(made);
    if (a === noContribution || b === noContribution) {
      const one = this.row(a === noContribution ? b : a);
      this.#point[row] = this.#point[one];
      this.#signature[row] = this.#signature[one];
      return;
    }
    const [left, right] = [this.#pointOf(a), this.#pointOf(b)];
    if (left !== undefined && right !== undefined) this.#point[row] = this.#kernel.addSignatures(left, right);
    // Bulk verification adds unverified contributions. If the bytes of an addend do not encode a point, the sum is
    // invalid too.
    else this.#signature[row] = this.#signature[this.row(left === undefined ? a : b)];
  }

  /** Clears the row's columns in this class, so that the row can be reused. */
  protected override onFreed(contribution: Contribution): void {
    const row = this.row(contribution);
    this.#point[row] = undefined;
    this.#signature[row] = undefined;
  }

  #withSignature(block: number, words: Int32Array | undefined, signature: Uint8Array): Contribution {
    const contribution = this.newContribution(block, words);
    this.#signature[this.row(contribution)] = signature;
    return contribution;
  }

  /** Returns the signature in wire form. The uncompressed wire form is the point itself. */
  #wireSignature(contribution: Contribution): Uint8Array {
    const row = this.row(contribution);
    const known = this.#signature[row];
    if (known !== undefined) return known;
    const point = this.#point[row]!;
    const signature = this.#form === 'uncompressed' ? point : this.#kernel.encodeSignature(point);
    this.#signature[row] = signature;
    return signature;
  }

  /** Returns a contribution's point, or undefined if its bytes encode no point of the subgroup. */
  #pointOf(contribution: Contribution): Uint8Array | undefined {
    const row = this.row(contribution);
    this.#point[row] ??= this.#decoded(this.#signature[row]!);
    return this.#point[row];
  }

  /** Decodes a signature in wire form, or takes the point from `#points`. */
  #decoded(signature: Uint8Array): Uint8Array | undefined {
    const name = String.fromCharCode(...signature);
    const known = this.#points.get(name);
    if (known !== undefined) return known;
    const decoded = this.#kernel.decodeSignature(signature, this.#form);
    if (!decoded.ok) return undefined;
    this.#points.set(name, decoded.point);
    const [oldest] = this.#points.keys();
    if (this.#points.size > pointsPerMember * this.tree.nodes) this.#points.delete(oldest!);
    return decoded.point;
  }
}
