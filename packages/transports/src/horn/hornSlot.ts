import { type Contribution, MultiSignatureScheme, noContribution, Tree } from '@tutti/core';
import {
  decodeHornMessage,
  encodeHornMessage,
  type HornHead,
  HornTopic,
  hornStatement,
  packBlock,
  planSlot,
  type SlotClock,
  type SlotPlan,
  slotClock,
  union,
  type VoteSet,
} from '@tutti/core/horn';
import { requireInteger, requireObject, toHex } from '@tutti/core/input';
import { sessionId } from '../channel/channel.ts';
import type { Refusal } from '../refusals.ts';
import { textOf } from '../rounds/group.ts';
import { requireSignable } from '../rounds/plan.ts';
import type { RoundVerifier } from '../rounds/verifier.ts';
import { AuthorVerifier, maxAuthorsAtOnce } from './authorVerifier.ts';
import type { HornGroup } from './hornGroup.ts';

/** Options of a {@link HornSlot}. All nodes of the slot must use the same values and the same registry. */
export interface HornSlotOptions {
  /** Number of the slot: an integer from 0 to 2^53 - 1. */
  readonly number: number;
  /** Message that the validators sign. Each slot must have a different message. */
  readonly message: Uint8Array;
  /** Seed of committees, duties and meshes: an integer from 0 to 2^32 - 1. */
  readonly seed: number;
}

/** A message of the slot. The slot decodes each message once for all nodes in the process. */
export interface SlotMessage extends HornHead {
  readonly bytes: Uint8Array;
  readonly aggregate: Contribution;
  readonly signed: Contribution;
}

/**
 * Public data of a slot: the plan, the times, and the keys and the message with which votes are verified. The nodes of
 * one process share one slot object, which decodes and verifies each message once for all of them.
 */
export class HornSlot {
  readonly group: HornGroup;
  readonly number: number;
  readonly message: Uint8Array;
  readonly plan: SlotPlan;
  readonly clock: SlotClock;
  /** Identifier of the channels' session, 32 bytes. */
  readonly session: Uint8Array;
  readonly scheme: MultiSignatureScheme;
  /** Places of each node's validators. */
  readonly #places: readonly number[][];
  readonly #verifier: RoundVerifier;
  readonly #authors: AuthorVerifier;
  /** Decoded messages, by their bytes. */
  readonly #messages = new Map<string, SlotMessage>();
  /** Verdicts on messages; a verdict may still be pending. */
  readonly #verdicts = new WeakMap<SlotMessage, Promise<boolean>>();
  #closed = false;

  /**
   * Opens a slot for the nodes of this process. The caller must close the slot after those nodes.
   *
   * @throws RangeError for a slot number, a seed or a degree of the group out of range, or a size or number of
   * subcommittees that is not a power of two; TypeError for an option of the wrong type; EnvironmentError
   * `reserved-message` for a message that is a statement of an identity or an author.
   */
  constructor(group: HornGroup, options: HornSlotOptions) {
    requireObject('group', group);
    requireObject('options', options);
    const { number, message, seed } = options;
    requireInteger('number', number, 0, Number.MAX_SAFE_INTEGER);
    requireInteger('seed', seed, 0, 2 ** 32 - 1);
    requireSignable(`slot ${number}`, message);
    const { crypto, kernel, parameters, degree, nodeOf, points, publicKeys } = group;
    this.group = group;
    this.number = number;
    this.message = message;
    this.plan = planSlot({ parameters, nodeOf, degree, seed });
    this.#places = group.nodes.map(() => []);
    for (const [place, node] of this.plan.nodeAt.entries()) this.#places[node]!.push(place);
    this.clock = slotClock('horn', parameters);
    const agreed = JSON.stringify([number, seed, degree, parameters, toHex(message)]);
    this.session = sessionId(crypto, group.digest, `horn slot ${agreed}`);
    this.scheme = new MultiSignatureScheme({ tree: new Tree(parameters.validators, 'packed'), kernel });
    const keys = Array.from(this.plan.validatorAt, (validator) => points[validator]!);
    this.#verifier = group.openVerifier(keys, message, { number, message, seed: new Uint8Array(32) });
    this.#authors = new AuthorVerifier(kernel.pointStore(points.length + maxAuthorsAtOnce), publicKeys);
  }

  /** Returns the places of a node's validators, in ascending order. */
  placesOf(node: number): readonly number[] {
    return this.#places[node] ?? [];
  }

  /** Returns the statement that an author signs in addition to the author's vote; see `hornStatement`. */
  statement(unsigned: Uint8Array): Uint8Array {
    return hornStatement(this.session, unsigned);
  }

  /**
   * Creates a message of a node of this process. The other nodes in the process verify the message like any received
   * message.
   *
   * @param sign function that signs the statement of an aggregate or a collection; not called for a vote.
   */
  compose(head: HornHead, aggregate: Contribution, sign: (statement: Uint8Array) => Uint8Array): SlotMessage {
    const { scheme } = this;
    const unsigned = encodeHornMessage(scheme, head, aggregate, noContribution);
    scheme.retain(aggregate);
    if (head.topic === HornTopic.subnet) {
      // A vote is its author's own signature.
      scheme.retain(aggregate);
      return this.#hold({ ...head, bytes: unsigned, aggregate, signed: aggregate });
    }
    const signed = scheme.individual(head.author, sign(this.statement(unsigned)));
    return this.#hold({ ...head, bytes: encodeHornMessage(scheme, head, aggregate, signed), aggregate, signed });
  }

  /** Decodes a peer's message. Invalid bytes produce a rejection code, not an error. */
  read(bytes: Uint8Array): SlotMessage | Refusal {
    const known = this.#messages.get(textOf(bytes));
    if (known !== undefined) return known;
    const decoded = decodeHornMessage(this.scheme, this.plan, bytes);
    if (!decoded.ok) return decoded.code;
    const { topic, author, aggregate, signed } = decoded;
    return this.#hold({ topic, author, aggregate, signed, bytes: bytes.slice() });
  }

  /** Resolves to whether the signatures of a message are valid. The slot releases an invalid message. */
  verify(message: SlotMessage): Promise<boolean> {
    const known = this.#verdicts.get(message);
    if (known !== undefined) return known;
    const verdict = this.#judge(message).then((valid) => {
      if (!valid) this.#forget(message);
      return valid;
    });
    // A check that could not be carried out is repeated on the next request.
    verdict.catch(() => this.#verdicts.delete(message));
    this.#verdicts.set(message, verdict);
    return verdict;
  }

  /** Closes the verifiers and frees their memory. */
  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#authors.close();
    void this.#verifier.close();
  }

  async #judge({ topic, author, bytes, aggregate, signed }: SlotMessage): Promise<boolean> {
    const { scheme } = this;
    const { claims } = scheme.claimsToVerify([aggregate]);
    if (claims.length === 0) return false;
    const sum = this.#verifier.verifyBatch(claims);
    if (topic === HornTopic.subnet) return (await sum)[0]!;
    const unsigned = bytes.subarray(0, bytes.length - scheme.encodedBytes(signed));
    const signature = bytes.subarray(bytes.length - scheme.signatureBytes);
    const validator = this.plan.validatorAt[author]!;
    const own = this.#authors.verify(validator, this.statement(unsigned), signature);
    const [[isSum], isAuthors] = await Promise.all([sum, own]);
    return isSum! && isAuthors;
  }

  #hold(message: SlotMessage): SlotMessage {
    this.#messages.set(textOf(message.bytes), message);
    return message;
  }

  #forget(message: SlotMessage): void {
    this.#messages.delete(textOf(message.bytes));
    this.scheme.release(message.aggregate);
    this.scheme.release(message.signed);
  }
}

/** Votes of one committee under one signature, as part of a block. */
export interface BlockVotes {
  readonly committee: number;
  /** Place of the committee's first validator. */
  readonly first: number;
  /** Voters as a bit set: bit b & 7 of byte b >> 3 is the vote of place `first + b`. */
  readonly bits: Uint8Array;
  /** Sum of the voters' signatures on the slot's message, 96 bytes, compressed G2. */
  readonly signature: Uint8Array;
}

/** Votes in a slot, as contained in a block. */
export interface HornBlock {
  /** Number of distinct votes in the block. */
  readonly votes: number;
  readonly collections: readonly BlockVotes[];
}

/** A collection that the node has verified. */
interface CollectedVotes extends VoteSet {
  readonly atUs: number;
  readonly collection: Contribution;
}

/** Collections that a node has verified in a slot, and the block built from these collections. */
export class Collections {
  readonly #scheme: MultiSignatureScheme;
  readonly #plan: SlotPlan;
  /** End of the slot, µs since the beginning of the slot. */
  readonly #endUs: number;
  readonly #all: CollectedVotes[] = [];

  constructor(scheme: MultiSignatureScheme, plan: SlotPlan, endUs: number) {
    this.#scheme = scheme;
    this.#plan = plan;
    this.#endUs = endUs;
  }

  /** Adds a verified collection. @param atUs time of verification, µs since the beginning of the slot. */
  add(author: number, collection: Contribution, atUs: number): void {
    const { validators, committees } = this.#plan.parameters;
    this.#all.push({
      group: Math.floor((author * committees) / validators),
      weight: this.#scheme.weight(collection),
      bits: union([this.#scheme.setWords(collection)], validators / committees),
      collection,
      atUs,
    });
  }

  /** Number of distinct votes in the block. */
  get votes(): number {
    return this.#packed().votes;
  }

  /** Returns the block. Collections that add the most votes come first. */
  block(): HornBlock {
    const { votes, sets } = this.#packed();
    const collections = sets.map(({ group: committee, collection }) => ({
      committee,
      ...this.#scheme.claim(collection),
    }));
    return { votes, collections };
  }

  #packed(): ReturnType<typeof packBlock<CollectedVotes>> {
    const { committees, blockCollections } = this.#plan.parameters;
    const inTime = this.#all.filter(({ atUs }) => atUs <= this.#endUs);
    return packBlock(inTime, { groups: committees, max: blockCollections, inclusion: 'one-aggregate' });
  }
}
