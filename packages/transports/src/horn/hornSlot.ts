import { type Contribution, MultiSignatureScheme, noContribution, Tree } from '@tutti/core';
import { WorldError } from '@tutti/core/errors';
import {
  decodeHornMessage,
  encodeHornMessage,
  type HornHead,
  HornTopic,
  hornStatement,
  planSlot,
  type SlotClock,
  type SlotPlan,
  slotClock,
} from '@tutti/core/horn';
import { requireBytes, requireObject, toHex } from '@tutti/core/input';
import { looksLikeIdentity } from '@tutti/core/registry';
import { sessionId } from '../channel/session.ts';
import type { Refusal } from '../refusals.ts';
import type { RoundVerifier } from '../rounds/verifier.ts';
import { AuthorVerifier, maxAuthorsAtOnce } from './authors.ts';
import type { HornGroup } from './hornGroup.ts';

/** What the nodes of a slot agree on before it, besides the registry. */
export interface HornSlotOptions {
  /** The slot's number: an integer from 0 to 2^53 - 1. */
  readonly number: number;
  /** What the validators sign. No two slots may have the same. */
  readonly message: Uint8Array;
  /** Seed of committees, duties and meshes: an integer from 0 to 2^32 - 1. */
  readonly seed: number;
}

/** A message of the slot, decoded once for all nodes of the process. */
export interface SlotMessage extends HornHead {
  readonly bytes: Uint8Array;
  readonly aggregate: Contribution;
  readonly signed: Contribution;
}

interface HeldMessage extends SlotMessage {
  verdict: Promise<boolean> | undefined;
}

/**
 * What is public in a slot: its plan, its times, and the keys and the message that votes are checked against. The nodes
 * of one process share it. Whatever they receive is decoded and verified once for all of them.
 */
export class HornSlot {
  readonly group: HornGroup;
  readonly number: number;
  readonly message: Uint8Array;
  readonly plan: SlotPlan;
  readonly clock: SlotClock;
  /** 32 bytes: names the channels' session. */
  readonly session: Uint8Array;
  readonly scheme: MultiSignatureScheme;
  readonly #verifier: RoundVerifier;
  readonly #authors: AuthorVerifier;
  /** By their bytes. */
  readonly #messages = new Map<string, HeldMessage>();
  #closed = false;

  /**
   * Opens a slot for the nodes of this process. Close it when they are closed.
   *
   * @throws RangeError for a number, a message or a seed out of range; WorldError `message-is-identity`.
   */
  constructor(group: HornGroup, options: HornSlotOptions) {
    requireObject('group', group);
    requireObject('options', options);
    const { number, message, seed } = options;
    requireBytes('message', message);
    requireRange('number', number, Number.MAX_SAFE_INTEGER);
    requireRange('seed', seed, 2 ** 32 - 1);
    if (looksLikeIdentity(message))
      throw new WorldError(
        'message-is-identity',
        `slot ${number}: the message is a statement of an identity or an author, which nobody may be asked to sign`,
      );
    const { crypto, kernel, parameters, degree, nodeOf, points, publicKeys } = group;
    this.group = group;
    this.number = number;
    this.message = message;
    this.plan = planSlot({ parameters, nodeOf, degree, seed });
    this.clock = slotClock('horn', parameters);
    const agreed = JSON.stringify([number, seed, degree, parameters, toHex(message)]);
    this.session = sessionId(crypto, group.digest, `horn slot ${agreed}`);
    this.scheme = new MultiSignatureScheme({ tree: new Tree(parameters.validators, 'packed'), kernel });
    this.#verifier = group.openVerifier(
      Array.from(this.plan.validatorAt, (validator) => points[validator]!),
      message,
      { number, message, seed: new Uint8Array(32) },
    );
    this.#authors = new AuthorVerifier(kernel.pointStore(points.length + maxAuthorsAtOnce), publicKeys);
  }

  /** The places of a node's validators, in ascending order. */
  placesOf(node: number): number[] {
    return [...this.plan.nodeAt.keys()].filter((place) => this.plan.nodeAt[place] === node);
  }

  /** What an author signs in addition to its vote. */
  statement(unsigned: Uint8Array): Uint8Array {
    return hornStatement(this.session, unsigned);
  }

  /**
   * Makes a message of a node of this process. Other nodes verify it, as they verify all that they receive.
   *
   * @param sign signs the statement of an aggregate or a collection.
   */
  compose(head: HornHead, aggregate: Contribution, sign: (statement: Uint8Array) => Uint8Array): SlotMessage {
    const { scheme } = this;
    let signed: Contribution = noContribution;
    if (head.topic !== HornTopic.subnet) {
      const statement = this.statement(encodeHornMessage(scheme, head, aggregate, noContribution));
      signed = scheme.individual(head.author, sign(statement));
    }
    const bytes = encodeHornMessage(scheme, head, aggregate, signed);
    scheme.retain(aggregate);
    if (signed === noContribution) scheme.retain(aggregate);
    return this.#hold({ ...head, bytes, aggregate, signed: signed || aggregate, verdict: undefined });
  }

  /** Decodes what a peer sent. Never throws for what a peer sends. */
  read(bytes: Uint8Array): SlotMessage | Refusal {
    const known = this.#messages.get(nameOf(bytes));
    if (known !== undefined) return known;
    const decoded = decodeHornMessage(this.scheme, this.plan, bytes);
    if (!decoded.ok) return decoded.code;
    const { topic, author, aggregate, signed } = decoded;
    return this.#hold({ topic, author, aggregate, signed, bytes: bytes.slice(), verdict: undefined });
  }

  /** Whether a message's signatures are valid. A message that is not is forgotten. */
  verify(message: SlotMessage): Promise<boolean> {
    const held = message as HeldMessage;
    held.verdict ??= this.#judge(held).then((valid) => {
      if (!valid) this.#forget(held);
      return valid;
    });
    return held.verdict;
  }

  /** Frees what the slot holds. */
  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#authors.close();
    void this.#verifier.close();
  }

  async #judge({ topic, author, bytes, aggregate, signed }: HeldMessage): Promise<boolean> {
    const { scheme } = this;
    const { claims } = scheme.claimsToVerify([aggregate]);
    if (claims.length === 0) return false;
    const sum = this.#verifier.verifyBatch(claims);
    if (topic === HornTopic.subnet) return (await sum)[0]!;
    const unsigned = bytes.subarray(0, bytes.length - scheme.encodedBytes(signed));
    const signature = bytes.subarray(bytes.length - scheme.signatureBytes);
    const validator = this.plan.validatorAt[author]!;
    const [[isSum], isAuthors] = await Promise.all([
      sum,
      this.#authors.verify(validator, this.statement(unsigned), signature),
    ]);
    return isSum! && isAuthors;
  }

  #hold(message: HeldMessage): HeldMessage {
    this.#messages.set(nameOf(message.bytes), message);
    return message;
  }

  #forget(message: HeldMessage): void {
    this.#messages.delete(nameOf(message.bytes));
    this.scheme.release(message.aggregate);
    this.scheme.release(message.signed);
  }
}

function nameOf(bytes: Uint8Array): string {
  let name = '';
  for (let at = 0; at < bytes.length; at += 4096) name += String.fromCharCode(...bytes.subarray(at, at + 4096));
  return name;
}

function requireRange(label: string, value: number, most: number): void {
  if (!Number.isInteger(value) || value < 0 || value > most)
    throw new RangeError(`${label}: expected an integer from 0 to ${most}, got ${value}`);
}
