import { expected, requireInteger, requireObject } from '../errors.ts';
import type { Tree } from '../overlay/tree.ts';
import { type Contribution, noContribution } from '../protocol.ts';
import type { Stakes } from '../stakes/stakes.ts';
import { BitsetScheme } from './bitsetScheme.ts';
import type { DecodedContribution, ForgingScheme } from './scheme.ts';
import { readSet } from './setCode.ts';

/** Length of a compressed BLS signature, bytes: a point of G2 of BLS12-381. */
const blsSignatureBytes = 96;

/** Length of a point of G2, and of such a signature that travels uncompressed, bytes. */
const blsPointBytes = 192;

/** Decoded points that are remembered: of each level's sums a few are on their way at a time. */
const pointsPerMember = 4;

/**
 * How signatures travel: 96 bytes, x and a sign; or 192, x and y, which take no square root to be read. Either is
 * checked to be in the subgroup.
 */
export type WireForm = 'compressed' | 'uncompressed';

/** What the scheme needs of a curve library; it is handed in, so that core holds no curve. */
export interface SignatureKernel {
  /**
   * A signature (96 bytes, or 192 if its form is `uncompressed`) as a point (192 bytes), checked to be on the curve and
   * in the subgroup.
   */
  decodeSignature(
    bytes: Uint8Array,
    form?: WireForm,
  ): { readonly ok: true; readonly point: Uint8Array } | { readonly ok: false };
  /** A point (192 bytes) as a compressed signature (96 bytes). */
  encodeSignature(point: Uint8Array): Uint8Array;
  /** The sum of two checked points. */
  addSignatures(a: Uint8Array, b: Uint8Array): Uint8Array;
  /** Length of a compressed signature where it is not the 96 of BLS in G2, bytes. */
  readonly signatureBytes?: number;
  /** Length of one that travels uncompressed, likewise; where there is no such form, it is missing with it. */
  readonly signaturePointBytes?: number;
  /**
   * Why a compressed signature cannot be of this round, judged by its bytes alone; undefined if it may be. Default: any
   * may.
   */
  refusal?(signature: Uint8Array): SignatureRefusal | undefined;
}

/** A signature that names another period, or the suite of another scheme. */
export type SignatureRefusal = 'wrong-period' | 'wrong-suite';

/** The public data of a round (v1.03 section 2.1), the keys by position and the message, as far as verifying goes. */
export interface SignatureVerifier {
  /**
   * Is `signature` (96 or 192 bytes) the multi-signature of keys first + b over all bits b of `bits` (bit b & 7 of byte
   * b >> 3)?
   */
  verify(first: number, bits: Uint8Array, signature: Uint8Array): boolean;
  /** What `verify` says of each, in order, if all together cost less than one at a time; otherwise undefined. */
  verdicts?(claims: readonly Claim[]): boolean[];
}

/** What a contribution claims, in the form that a verifier takes. */
export interface Claim {
  /** The position of the set's bit 0. */
  readonly first: number;
  /** Bit b & 7 of byte b >> 3 is position first + b. */
  readonly bits: Uint8Array;
  /** Compressed: of BLS 96 bytes; for a verifier also as a point. */
  readonly signature: Uint8Array;
}

export interface MultiSignatureOptions {
  readonly tree: Tree;
  readonly kernel: SignatureKernel;
  /**
   * For runtimes that verify in their own thread; others take {@link MultiSignatureScheme.claimToVerify} to a verifier
   * that answers later.
   */
  readonly verifier?: SignatureVerifier;
  /** How signatures travel, which all nodes have to agree on; default: compressed. Uncompressed is for BLS. */
  readonly form?: WireForm;
  /** What members weigh; default: all the same. */
  readonly stakes?: Stakes | undefined;
}

/**
 * BLS multi-signatures on one message (v1.03 section 2.1): a contribution is a signature and the set of its signers,
 * Aggr adds the points. Signatures that arrive stay bytes, unchecked, until they are verified; only verified ones are
 * aggregated, so that a datagram costs no curve arithmetic. One is decoded when it is to be verified: a verifier takes
 * 192 bytes to be a checked point, and whoever aggregates needs the point too.
 */
export class MultiSignatureScheme extends BitsetScheme implements ForgingScheme {
  readonly #kernel: SignatureKernel;
  /** Length of a signature as it travels, bytes. */
  readonly signatureBytes: number;
  /** Length of a compressed signature, bytes. */
  readonly #compressedBytes: number;
  readonly #form: WireForm;
  readonly #verifier: SignatureVerifier | undefined;
  /** By line: the point, once it is needed. */
  readonly #point: (Uint8Array | undefined)[] = [];
  /** By line: the form in which it travels, once it is needed. */
  readonly #signature: (Uint8Array | undefined)[] = [];
  /**
   * What some node of the process has decoded, the oldest first, by its bytes. A node that receives the same ones needs
   * neither the square root nor the subgroup check. A few for each member.
   */
  readonly #points = new Map<string, Uint8Array>();
  /** The first individual signature that was handed in, and what forgeries carry. */
  #individual: Uint8Array | undefined;
  #forgery: Uint8Array | undefined;

  constructor(options: MultiSignatureOptions) {
    requireObject('options', options);
    const { tree, kernel, verifier, form = 'compressed', stakes } = options;
    super(tree, stakes);
    this.#kernel = kernel;
    this.#compressedBytes = kernel?.signatureBytes ?? blsSignatureBytes;
    const pointBytes =
      kernel?.signaturePointBytes ?? (this.#compressedBytes === blsSignatureBytes ? blsPointBytes : undefined);
    if (form === 'uncompressed' && pointBytes === undefined)
      throw new RangeError(expected('form', "'compressed', for a signature that is no single point", form));
    this.#form = form;
    this.signatureBytes = form === 'uncompressed' ? pointBytes! : this.#compressedBytes;
    this.#verifier = verifier;
  }

  #madeForgery(): Uint8Array | undefined {
    const decoded = this.#individual && this.#kernel.decodeSignature(this.#individual);
    if (!decoded?.ok) return undefined;
    const twice = this.#kernel.addSignatures(decoded.point, decoded.point);
    return this.#form === 'uncompressed' ? twice : this.#kernel.encodeSignature(twice);
  }

  /** The individual contribution of `id` from its signature (96 bytes, compressed G2, of BLS), retained once. */
  individual(id: number, signature: Uint8Array): Contribution {
    requireInteger('id', id, 0, this.tree.nodes - 1);
    if (signature.length !== this.#compressedBytes) {
      throw new RangeError(expected('signature', `${this.#compressedBytes} bytes`, signature.length));
    }
    const code = this.#kernel?.refusal?.(signature);
    if (code !== undefined) throw new RangeError(expected('signature', 'one of this round', code));
    this.#individual ??= signature;
    if (this.#form === 'compressed') return this.#received(this.tree.leaf(id), undefined, signature);
    const decoded = this.#kernel.decodeSignature(signature);
    if (!decoded.ok) throw new RangeError(expected('signature', 'a point of the subgroup', 'invalid bytes'));
    return this.#received(this.tree.leaf(id), undefined, decoded.point);
  }

  /**
   * Its signature is twice an individual contribution's: a point of the subgroup, so that a verifier must make the
   * whole check. Before the first individual contribution it is no point of the curve.
   */
  forge(block: number, words: Int32Array | undefined): Contribution {
    this.#forgery ??= this.#madeForgery();
    return this.#received(block, words, this.#forgery ?? new Uint8Array(this.signatureBytes).fill(0xff));
  }

  /**
   * What a contribution claims, with its signature compressed. A contribution that travelled uncompressed must be
   * verified first.
   */
  claim(contribution: Contribution): Claim {
    if (this.#form === 'compressed') return this.#claimed(contribution, this.#travelling(contribution));
    const point = this.#decoded(contribution);
    if (point === undefined)
      throw new RangeError(expected('contribution', 'a verified one', 'bytes that are no point'));
    return this.#claimed(contribution, this.#kernel.encodeSignature(point));
  }

  override verify(contribution: Contribution): boolean {
    if (this.#verifier === undefined)
      throw new TypeError(expected('verifier', 'one handed in to verify here', undefined));
    const claim = this.claimToVerify(contribution);
    return claim !== undefined && this.#verifier.verify(claim.first, claim.bits, claim.signature);
  }

  verifyBatch(contributions: readonly Contribution[]): boolean[] {
    if (this.#verifier?.verdicts === undefined) return contributions.map((one) => this.verify(one));
    const { claims, verdictsOn } = this.claimsToVerify(contributions);
    return verdictsOn(this.#verifier.verdicts(claims));
  }

  /**
   * What to ask a verifier about contributions that are verified together: the claims of {@link claimToVerify}, and a
   * function from its answers to a verdict on each contribution. That throws a RangeError unless each claim has one.
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
   * What to ask a verifier: with the point, whose subgroup was checked when it was decoded. Undefined if the bytes are
   * no point of the subgroup, so that the contribution is invalid.
   */
  claimToVerify(contribution: Contribution): Claim | undefined {
    const point = this.#decoded(contribution);
    return point === undefined ? undefined : this.#claimed(contribution, point);
  }

  #claimed(contribution: Contribution, signature: Uint8Array): Claim {
    const words = this.setWords(contribution);
    const size = this.tree.size(this.block(contribution));
    const bits = new Uint8Array((size + 7) >>> 3);
    for (let byte = 0; byte < bits.length; byte++) bits[byte] = words[byte >>> 2]! >>> ((byte & 3) * 8);
    return { first: this.tree.start(this.block(contribution)), bits, signature };
  }

  override encodedBytes(contribution: Contribution): number {
    return this.setBytes(contribution) + this.signatureBytes;
  }

  override encode(contribution: Contribution, out: Uint8Array, offset: number): number {
    const end = this.encodeSet(contribution, out, offset);
    out.set(this.#travelling(contribution), end);
    return end + this.signatureBytes;
  }

  override decode(block: number, bytes: Uint8Array, offset: number): DecodedContribution {
    const read = readSet(this.tree.size(block), bytes, offset);
    if (!read.ok) return read;
    const end = read.end + this.signatureBytes;
    if (end > bytes.length) return { ok: false, code: 'truncated' };
    const signature = new Uint8Array(bytes.subarray(read.end, end));
    const code = this.#kernel?.refusal?.(signature);
    if (code !== undefined) return { ok: false, code };
    return { ok: true, contribution: this.#received(block, read.words, signature), end };
  }

  protected override isCanonical(): boolean {
    return false;
  }

  protected override onAggregated(made: Contribution, a: Contribution, b: Contribution): void {
    const line = this.line(made);
    if (a === noContribution || b === noContribution) {
      const one = this.line(a === noContribution ? b : a);
      this.#point[line] = this.#point[one];
      this.#signature[line] = this.#signature[one];
      return;
    }
    const [left, right] = [this.#decoded(a), this.#decoded(b)];
    if (left !== undefined && right !== undefined) this.#point[line] = this.#kernel.addSignatures(left, right);
    // Who verifies in bulk adds up what nobody has verified: a sum with bytes in it that are no point is invalid too.
    else this.#signature[line] = this.#signature[this.line(left === undefined ? a : b)];
  }

  /** A line that is used again has neither. */
  protected override onFreed(contribution: Contribution): void {
    const line = this.line(contribution);
    this.#point[line] = undefined;
    this.#signature[line] = undefined;
  }

  #received(block: number, words: Int32Array | undefined, signature: Uint8Array): Contribution {
    const contribution = this.newContribution(block, words);
    this.#signature[this.line(contribution)] = signature;
    return contribution;
  }

  /** A point is its own uncompressed form. */
  #travelling(contribution: Contribution): Uint8Array {
    const line = this.line(contribution);
    const known = this.#signature[line];
    if (known !== undefined) return known;
    const point = this.#point[line]!;
    const signature = this.#form === 'uncompressed' ? point : this.#kernel.encodeSignature(point);
    this.#signature[line] = signature;
    return signature;
  }

  /** The point; undefined if the bytes are no point of the subgroup. */
  #decoded(contribution: Contribution): Uint8Array | undefined {
    const line = this.line(contribution);
    this.#point[line] ??= this.#pointOf(this.#signature[line]!);
    return this.#point[line];
  }

  #pointOf(signature: Uint8Array): Uint8Array | undefined {
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
