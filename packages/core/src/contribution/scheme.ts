import { requireMethods, requireObject } from '../arguments.ts';
import { expected, requireInteger } from '../errors.ts';
import type { Tree } from '../overlay/tree.ts';
import { type Contribution, type Port, type ProtocolNode, requirePort } from '../protocol.ts';
import type { Stakes } from '../stakes/stakes.ts';

/**
 * An aggregation scheme (v1.03 section 2.1): the set C of contributions with its partial function Aggr, its weight
 * function w and its verification function Ver. The scheme owns a store of contributions; all other code handles
 * contributions as integers. A node works with any scheme: BLS multi-signatures and schemes that only count signers use
 * the same protocol code.
 *
 * A contribution belongs to a *block*, a subtree of ids (see {@link Tree}), and the contribution's set covers only that
 * block's ids. Contributions are immutable and reference-counted.
 */
export interface AggregationScheme {
  readonly tree: Tree;

  /** Returns the block whose ids the contribution's set covers. */
  block(contribution: Contribution): number;

  /** Returns w(c), the number of individual contributions in the contribution. */
  weight(contribution: Contribution): number;

  /** Weights of the members, if they differ. A scheme with stakes also has {@link stake}. */
  readonly stakes?: Stakes | undefined;

  /**
   * Returns the stake of the contribution's signers as a score. This score replaces w(c) in comparisons if the members'
   * weights differ.
   */
  stake?(contribution: Contribution): number;

  /** Returns whether the contribution contains the individual contribution of `id`. */
  contains(contribution: Contribution, id: number): boolean;

  /** Returns a copy of the set as words over its block's ids: bit b of the set is bit b & 31 of word b >> 5. */
  setWords(contribution: Contribution): Int32Array;

  /**
   * Returns whether two contributions can be aggregated. Sums of signatures can be aggregated if they have no
   * individual contribution in common. Proofs can be aggregated if they are for the same message.
   */
  aggregatable(a: Contribution, b: Contribution): boolean;

  /**
   * Returns the weight that `a` adds to `over`, a contribution with which `a` is aggregatable: a stake score if the
   * members have stakes. Schemes whose aggregatable contributions are always disjoint omit this method. In these
   * schemes `a` adds its entire weight.
   */
  newWeight?(a: Contribution, over: Contribution): number;

  /**
   * Returns Aggr(a, b) as a contribution over `block`, retained once for the caller. `block` must contain the blocks of
   * `a` and `b`. Either of `a` and `b` may be noContribution. The caller must have checked that `a` and `b` are
   * aggregatable.
   */
  aggregate(block: number, a: Contribution, b: Contribution): Contribution;

  /** Adds a reference to the contribution. The method has no effect on noContribution. */
  retain(contribution: Contribution): void;

  /**
   * Releases a reference to the contribution. After the release of the last reference, the handle may be reused for
   * another contribution. The method has no effect on noContribution.
   */
  release(contribution: Contribution): void;

  /**
   * Computes Ver(c) with the public data. The computation is expensive: only a runtime calls this method, in a thread
   * and at a time that the runtime chooses.
   */
  verify(contribution: Contribution): boolean;

  /**
   * Computes Ver for several contributions and returns the results in order. The method is undefined if a joint check
   * would cost as much as single calls.
   */
  verifyBatch?(contributions: readonly Contribution[]): boolean[];

  /** Returns the length of {@link encode}'s result, bytes. */
  encodedBytes(contribution: Contribution): number;

  /** Writes the contribution, without its block, into `out`. Returns the offset after the written bytes. */
  encode(contribution: Contribution, out: Uint8Array, offset: number): number;

  /**
   * Decodes a peer's bytes as a contribution over `block`, without verifying it. The set must have exactly the block's
   * length, must not be empty and must have no bit set beyond the end of the block.
   */
  decode(block: number, bytes: Uint8Array, offset: number): DecodedContribution;
}

/** A scheme that can also create invalid contributions. Simulations of an adversary need such a scheme. */
export interface ForgingScheme extends AggregationScheme {
  /**
   * Creates an invalid contribution over `block` that claims the given set, retained once for the caller. An undefined
   * set stands for all ids of the block.
   */
  forge(block: number, words: Int32Array | undefined): Contribution;
}

/** Result of decoding a peer's bytes: a contribution and the offset after it, or a rejection code. */
export type DecodedContribution =
  | { readonly ok: true; readonly contribution: Contribution; readonly end: number }
  | {
      readonly ok: false;
      readonly code: 'truncated' | 'empty-set' | 'bit-beyond-end' | 'unknown-set-form' | 'wrong-period' | 'wrong-suite';
    };

/** Arguments that the nodes of all protocols have in common. */
interface NodeArguments {
  readonly id: number;
  readonly scheme: AggregationScheme;
  readonly own: Contribution;
  readonly port: Port;
}

const schemeMethods = ['block', 'weight', 'contains', 'aggregate', 'retain', 'release'];
const treeMethods = ['leaf', 'order'];

/** Checks that a value has the methods of a scheme that all nodes call. @throws TypeError for any other value. */
export function requireScheme(scheme: AggregationScheme): void {
  requireMethods('scheme', scheme, schemeMethods);
  requireMethods('scheme.tree', scheme.tree, treeMethods);
}

/**
 * Checks a node's arguments before it stores them. Without this check, a port that lacks a method would cause a failure
 * only in the middle of a run.
 *
 * @throws TypeError for a missing argument or an argument of the wrong type; RangeError for an id out of range, or for
 * an `own` that is not the node's individual contribution.
 */
export function requireNodeArguments(options: NodeArguments): void {
  requireObject('options', options);
  const { id, scheme, own, port } = options;
  requireScheme(scheme);
  requireInteger('id', id, 0, scheme.tree.nodes - 1);
  requirePort(port);
  if (!Number.isInteger(own)) throw new TypeError(expected('own', 'a contribution', own));
  if (own <= 0 || scheme.block(own) !== scheme.tree.leaf(id))
    throw new RangeError(expected('own', `the individual contribution of node ${id}`, own));
}

/**
 * Counts the references of a node to its contributions, so that the node's rules need not count them. After each call
 * to the node, the counter retains the contributions that the node has begun to store, and releases those that it no
 * longer stores. During a call, all contributions that the node uses remain valid.
 */
export class ReferenceCounter {
  readonly #scheme: AggregationScheme;
  readonly #stored: () => Iterable<Contribution>;
  /** Contributions to which the counter has one reference each, with the number of the last update that found them. */
  readonly #held = new Map<Contribution, number>();
  #updates = 0;
  #isInCall = false;

  /** @param stored returns all contributions that the node stores. */
  constructor(scheme: AggregationScheme, stored: () => Iterable<Contribution>) {
    this.#scheme = scheme;
    this.#stored = stored;
    this.#update();
  }

  /** Returns Aggr(a, b) as a contribution over `block`; see {@link AggregationScheme.aggregate}. */
  aggregate(block: number, a: Contribution, b: Contribution): Contribution {
    const result = this.#scheme.aggregate(block, a, b);
    if (this.#held.has(result)) this.#scheme.release(result);
    this.#held.set(result, this.#updates);
    return result;
  }

  /** Returns a node whose calls update the references. A call during another call throws a TypeError. */
  counted(node: ProtocolNode): ProtocolNode {
    return {
      start: () => this.#call('start', () => node.start()),
      onMessage: (...message) => this.#call('onMessage', () => node.onMessage(...message)),
      onTimer: (timer) => this.#call('onTimer', () => node.onTimer(timer)),
      onVerified: (...verdict) => this.#call('onVerified', () => node.onVerified(...verdict)),
    };
  }

  #call(name: string, run: () => void): void {
    if (this.#isInCall)
      throw new TypeError(`${name}: expected a call after the previous one has returned, got a call inside it`);
    this.#isInCall = true;
    try {
      run();
    } finally {
      this.#isInCall = false;
      this.#update();
    }
  }

  #update(): void {
    this.#updates++;
    for (const one of this.#stored()) {
      if (!this.#held.has(one)) this.#scheme.retain(one);
      this.#held.set(one, this.#updates);
    }
    for (const [one, update] of this.#held) {
      if (update === this.#updates) continue;
      this.#scheme.release(one);
      this.#held.delete(one);
    }
  }
}
