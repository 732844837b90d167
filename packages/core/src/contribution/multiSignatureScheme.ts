import { expected, requireInteger } from '../errors.ts';
import type { Tree } from '../overlay/tree.ts';
import { type Contribution, NONE } from '../protocol.ts';
import { BitsetScheme } from './bitsetScheme.ts';
import type { DecodedContribution, ForgingScheme } from './scheme.ts';
import { readSet } from './setCode.ts';

/** Length of a compressed BLS signature, bytes: a point of G2 of BLS12-381. */
const blsSignatureBytes = 96;

/** What the scheme needs of a curve library; it is handed in, so that core holds no curve. */
export interface SignatureKernel {
  /** A compressed signature (96 bytes) as a point (192 bytes), checked to be on the curve and in the subgroup. */
  decodeSignature(bytes: Uint8Array): { readonly ok: true; readonly point: Uint8Array } | { readonly ok: false };
  /** A point (192 bytes) as a compressed signature (96 bytes). */
  encodeSignature(point: Uint8Array): Uint8Array;
  /** The sum of two checked points. */
  addSignatures(a: Uint8Array, b: Uint8Array): Uint8Array;
  /** Length of a compressed signature where it is not BLS's 96, bytes. */
  readonly signatureBytes?: number;
  /** Why a compressed signature cannot be of this round, told by its bytes alone; undefined where it may be. Default: any may. */
  refusal?(signature: Uint8Array): SignatureRefusal | undefined;
}

/** A signature says of itself that it is of another period, or of another scheme's suite. */
export type SignatureRefusal = 'wrong-period' | 'wrong-suite';

/** The public data of a round (v1.03 section 2.1), the keys by position and the message, as far as verifying goes. */
export interface SignatureVerifier {
  /** Is `signature` (96 or 192 bytes) the multi-signature of keys first + b over all bits b of `bits` (bit b & 7 of byte b >> 3)? */
  verify(first: number, bits: Uint8Array, signature: Uint8Array): boolean;
  /** What `verify` says of each, in their order, for less than one at a time; undefined where it costs as much. */
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
  /** For hosts that verify in their own thread; others take {@link MultiSignatureScheme.claim} to a verifier that answers later. */
  readonly verifier?: SignatureVerifier;
}

/**
 * BLS multi-signatures on one message (v1.03 section 2.1): a contribution is a signature and the set of its signers, Aggr adds the points.
 * Signatures that arrive stay compressed and unchecked until they are verified; only verified ones are aggregated, and only then is a
 * point decoded, so that a datagram costs no curve arithmetic.
 */
export class MultiSignatureScheme extends BitsetScheme implements ForgingScheme {
  readonly #kernel: SignatureKernel;
  /** Length of a compressed signature, bytes. */
  readonly signatureBytes: number;
  readonly #verifier: SignatureVerifier | undefined;
  /** By line: the point, once it is needed. */
  readonly #point: (Uint8Array | undefined)[] = [];
  /** By line: the compressed form, once it is needed. */
  readonly #signature: (Uint8Array | undefined)[] = [];
  /**
   * By signer: its individual signature and the point, once that was decoded, and so verified, for any node of the process. Whoever receives the same
   * bytes of it needs neither the square root nor the subgroup check. One a signer, so that nobody can fill it.
   */
  readonly #individuals = new Map<number, { readonly signature: Uint8Array; readonly point: Uint8Array }>();

  constructor({ tree, kernel, verifier }: MultiSignatureOptions) {
    super(tree);
    this.#kernel = kernel;
    this.signatureBytes = kernel?.signatureBytes ?? blsSignatureBytes;
    this.#verifier = verifier;
  }

  /** The individual contribution of `id` from its signature (96 bytes, compressed G2, of BLS), retained once. */
  individual(id: number, signature: Uint8Array): Contribution {
    requireInteger('id', id, 0, this.tree.nodes - 1);
    if (signature.length !== this.signatureBytes) {
      throw new RangeError(expected('signature', `${this.signatureBytes} bytes`, signature.length));
    }
    const code = this.#kernel?.refusal?.(signature);
    if (code !== undefined) throw new RangeError(expected('signature', 'one of this round', code));
    return this.#received(this.tree.leaf(id), undefined, signature);
  }

  /** Its signature is no point of the curve. */
  forge(block: number, words: Int32Array | undefined): Contribution {
    return this.#received(block, words, new Uint8Array(this.signatureBytes).fill(0xff));
  }

  claim(contribution: Contribution): Claim {
    return this.#claimed(contribution, this.#compressed(contribution));
  }

  override verify(contribution: Contribution): boolean {
    if (this.#verifier === undefined)
      throw new TypeError(expected('verifier', 'one handed in to verify here', undefined));
    const { first, bits, signature } = this.#claimToVerify(contribution);
    return this.#verifier.verify(first, bits, signature);
  }

  verifyBatch(contributions: readonly Contribution[]): boolean[] {
    if (this.#verifier?.verdicts === undefined) return contributions.map((one) => this.verify(one));
    return this.#verifier.verdicts(contributions.map((one) => this.#claimToVerify(one)));
  }

  /** With the point where there is one: its subgroup was checked when it was decoded. */
  #claimToVerify(contribution: Contribution): Claim {
    const line = this.line(contribution);
    return this.#claimed(contribution, this.#point[line] ?? this.#signature[line]!);
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
    out.set(this.#compressed(contribution), end);
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
    if (a === NONE || b === NONE) {
      const one = this.line(a === NONE ? b : a);
      this.#point[line] = this.#point[one];
      this.#signature[line] = this.#signature[one];
    } else {
      this.#point[line] = this.#kernel.addSignatures(this.#decoded(a), this.#decoded(b));
    }
  }

  /** A line that is used again has neither. */
  protected override onFreed(contribution: Contribution): void {
    const line = this.line(contribution);
    this.#point[line] = undefined;
    this.#signature[line] = undefined;
  }

  #received(block: number, words: Int32Array | undefined, signature: Uint8Array): Contribution {
    const contribution = this.newContribution(block, words);
    const line = this.line(contribution);
    this.#signature[line] = signature;
    if (this.tree.order(block) === 0) {
      const known = this.#individuals.get(this.tree.start(block));
      if (known !== undefined && isEqual(known.signature, signature)) this.#point[line] = known.point;
    }
    return contribution;
  }

  #compressed(contribution: Contribution): Uint8Array {
    const line = this.line(contribution);
    const signature = this.#signature[line] ?? this.#kernel.encodeSignature(this.#point[line]!);
    this.#signature[line] = signature;
    return signature;
  }

  #decoded(contribution: Contribution): Uint8Array {
    const line = this.line(contribution);
    const known = this.#point[line];
    if (known !== undefined) return known;
    const decoded = this.#kernel.decodeSignature(this.#signature[line]!);
    if (!decoded.ok)
      throw new RangeError('contribution: expected a verified signature to aggregate, got bytes that are no point');
    this.#point[line] = decoded.point;
    const block = this.block(contribution);
    if (this.tree.order(block) === 0) {
      this.#individuals.set(this.tree.start(block), { signature: this.#signature[line]!, point: decoded.point });
    }
    return decoded.point;
  }
}

function isEqual(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && a.every((byte, at) => byte === b[at]);
}
