import type { Tree } from '../overlay/tree.ts';
import type { Contribution } from '../protocol.ts';
import type { Stakes } from '../stakes/stakes.ts';

/**
 * An aggregation scheme (v1.03 section 2.1): the set C of contributions with its partial function Aggr, its weight
 * function w and its verification function Ver. It owns a store of contributions, which are integers everywhere else. A
 * node is generic over it: BLS multi-signatures and a scheme that only counts run the same protocol code.
 *
 * A contribution belongs to a *block*, a subtree of ids (see {@link Tree}), and its set is over that block's ids only.
 * Contributions are immutable; their holders share and count them.
 */
export interface AggregationScheme {
  readonly tree: Tree;

  /** The block whose ids the contribution's set is over. */
  block(contribution: Contribution): number;

  /** w(c), the number of individual contributions in it. */
  weight(contribution: Contribution): number;

  /** What members weigh, where they do not all weigh the same; then {@link stake} is there too. */
  readonly stakes?: Stakes | undefined;

  /** The score of the signers' stakes: what is compared in place of w(c) where members do not all weigh the same. */
  stake?(contribution: Contribution): number;

  /** Is the individual contribution of `id` in it? */
  contains(contribution: Contribution, id: number): boolean;

  /** The set as words over its block's ids: bit b is bit b & 31 of word b >> 5. A fresh copy. */
  setWords(contribution: Contribution): Int32Array;

  /**
   * May the two be aggregated? Where signatures are added up, if they have no individual contribution in common; where
   * they are proved, if they are of the same message.
   */
  aggregatable(a: Contribution, b: Contribution): boolean;

  /**
   * What `a` adds to `over`, which it is aggregatable with: as weight, or as stake where there are stakes. Undefined
   * where what is aggregatable has nothing in common: then it is all of `a`.
   */
  newWeight?(a: Contribution, over: Contribution): number;

  /**
   * Aggr(a, b) as a contribution over `block`, retained once for the caller. The blocks of both lie in `block`, and
   * either may be noContribution; the caller has made sure that they are aggregatable. Where that takes a proof, it is
   * asked of the port: `Port.prove`.
   */
  aggregate(block: number, a: Contribution, b: Contribution): Contribution;

  /** One more holder. */
  retain(contribution: Contribution): void;

  /** One holder fewer; after the last one, the handle may be reused for another contribution. */
  release(contribution: Contribution): void;

  /** Ver(c) against the public data. Costly: only a runtime calls it, when and where it chooses to. */
  verify(contribution: Contribution): boolean;

  /**
   * Ver of each of many, in their order, if the scheme can do that more cheaply than one at a time; otherwise
   * undefined.
   */
  verifyBatch?(contributions: readonly Contribution[]): boolean[];

  /** Length of {@link encode}'s result, bytes. */
  encodedBytes(contribution: Contribution): number;

  /** The contribution as bytes, without its block. */
  encode(contribution: Contribution, out: Uint8Array, offset: number): number;

  /**
   * Reads what a peer says is a contribution over `block`, without verifying it: the set must have exactly the block's
   * length, must not be empty and must have no bit beyond the end.
   */
  decode(block: number, bytes: Uint8Array, offset: number): DecodedContribution;
}

/** A scheme in which an adversary can lie: a simulation's, which plays the adversary too. */
export interface ForgingScheme extends AggregationScheme {
  /**
   * A contribution over `block` that claims the given set (undefined: all of the block) and does not verify; retained
   * once for the caller.
   */
  forge(block: number, words: Int32Array | undefined): Contribution;
}

export type DecodedContribution =
  | { readonly ok: true; readonly contribution: Contribution; readonly end: number }
  | {
      readonly ok: false;
      readonly code: 'truncated' | 'empty-set' | 'bit-beyond-end' | 'unknown-set-form' | 'wrong-period' | 'wrong-suite';
    };
