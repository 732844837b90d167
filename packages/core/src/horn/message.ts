import { requireBytes, requireMethods, requireObject } from '../arguments.ts';
import { concat, readUint, writeUint } from '../bytes.ts';
import type { AggregationScheme } from '../contribution/scheme.ts';
import { fullSetBytes, listedSetBytes } from '../contribution/setCode.ts';
import { type Contribution, noContribution } from '../protocol.ts';
import type { MessageRefusal } from '../refusals.ts';
import { authorDomain } from '../registry/identity.ts';
import { type HornParameters, hornSizes } from './parameters.ts';
import { HornTopic } from './rules.ts';
import { requirePlan, type SlotPlan } from './slotPlan.ts';

/** Version of the message format, which is the first byte of every message. */
const formatVersion = 1;

/**
 * Length of the header, bytes. Byte 0 is the version, byte 1 the topic, and bytes 2 to 4 are the author's place
 * (big-endian). The channel's session determines the slot.
 */
const headerBytes = 5;

/** Topic and author that a message claims. */
export interface HornHead {
  readonly topic: HornTopic;
  /** Place of the validator that the message names as its author. */
  readonly author: number;
}

/** Result of {@link readHornHead}: the head, or the rejection code. */
export type ReadHornHead = ({ readonly ok: true } & HornHead) | { readonly ok: false; readonly code: MessageRefusal };

/** Result of {@link decodeHornMessage}: the message with its contributions, or the rejection code. */
export type DecodedHornMessage =
  | ({
      readonly ok: true;
      /**
       * Contribution over the author's block at the topic's level. The decoder retains this contribution and `signed`
       * once each for the caller.
       */
      readonly aggregate: Contribution;
      /**
       * Individual contribution of an aggregate's or a collection's author, with its signature on
       * {@link hornStatement}. For a vote, this is `aggregate` itself.
       */
      readonly signed: Contribution;
    } & HornHead)
  | { readonly ok: false; readonly code: MessageRefusal };

/**
 * Returns the length of a slot's longest message, which is a collection with a listed set and two signatures, bytes.
 */
export function longestHornMessageBytes(parameters: HornParameters, signatureBytes: number): number {
  requireObject('parameters', parameters);
  const { committee } = hornSizes(parameters);
  return headerBytes + listedSetBytes(committee) + signatureBytes + fullSetBytes + signatureBytes;
}

/**
 * Encodes a Horn message.
 *
 * @param signed the author's signature on an aggregate or a collection. `noContribution` for a vote, and also to obtain
 * the bytes that the author signs.
 * @throws TypeError for a scheme or a head of the wrong type.
 */
export function encodeHornMessage(
  scheme: AggregationScheme,
  head: HornHead,
  aggregate: Contribution,
  signed: Contribution,
): Uint8Array {
  requireMethods('scheme', scheme, ['encodedBytes', 'encode']);
  requireObject('head', head);
  const { topic, author } = head;
  const signedBytes = signed === noContribution ? 0 : scheme.encodedBytes(signed);
  const bytes = new Uint8Array(headerBytes + scheme.encodedBytes(aggregate) + signedBytes);
  bytes.set([formatVersion, topic]);
  writeUint(bytes, 2, headerBytes, author);
  const end = scheme.encode(aggregate, bytes, headerBytes);
  if (signed !== noContribution) scheme.encode(signed, bytes, end);
  return bytes;
}

/**
 * Reads the head of a peer's message. Invalid bytes give a rejection code, not an error.
 *
 * @throws TypeError for a plan or bytes of the wrong type.
 */
export function readHornHead(plan: SlotPlan, bytes: Uint8Array): ReadHornHead {
  requirePlan(plan);
  requireBytes('bytes', bytes);
  if (bytes.length < headerBytes) return { ok: false, code: 'truncated' };
  if (bytes[0] !== formatVersion) return { ok: false, code: 'unknown-version' };
  const topic = bytes[1]! as HornTopic;
  if (topic < HornTopic.subnet || topic > HornTopic.global) return { ok: false, code: 'level-out-of-range' };
  const author = readUint(bytes, 2, headerBytes);
  if (author >= plan.parameters.validators) return { ok: false, code: 'sender-out-of-range' };
  return { ok: true, topic, author };
}

/**
 * Decodes a peer's message in a slot with collectors. Invalid bytes give a rejection code, not an error. The topic and
 * the author determine the block of the aggregate. The function checks each length before it reads, and does not verify
 * signatures.
 *
 * @param scheme a scheme over a tree of the form `packed`, in which committees and subcommittees are blocks.
 *
 * @throws TypeError for a scheme, a plan or bytes of the wrong type.
 */
export function decodeHornMessage(scheme: AggregationScheme, plan: SlotPlan, bytes: Uint8Array): DecodedHornMessage {
  requireMethods('scheme', scheme, ['decode', 'release', 'retain']);
  const head = readHornHead(plan, bytes);
  if (!head.ok) return head;
  const { topic, author } = head;
  const leaf = scheme.tree.leaf(author);
  const read = scheme.decode(leaf >>> orderOf(plan, topic), bytes, headerBytes);
  if (!read.ok) return read;
  const aggregate = read.contribution;
  let { end } = read;
  let signed = aggregate;
  if (topic === HornTopic.subnet) scheme.retain(aggregate);
  else {
    const own = scheme.decode(leaf, bytes, end);
    if (!own.ok) {
      scheme.release(aggregate);
      return own;
    }
    signed = own.contribution;
    end = own.end;
  }
  if (end === bytes.length) return { ok: true, topic, author, aggregate, signed };
  scheme.release(aggregate);
  scheme.release(signed);
  return { ok: false, code: 'trailing-bytes' };
}

/**
 * Returns the statement that the author of an aggregate or a collection signs in addition to its vote. The statement
 * consists of a domain separation prefix, the session, and the message up to the author's signature. Without the
 * author's signature, any node could send a worthless aggregate in the name of an elected validator.
 *
 * @param session name of the slot, 32 bytes.
 * @param unsigned bytes that {@link encodeHornMessage} returns without a signature of the author.
 * @throws TypeError for arguments that are not bytes.
 */
export function hornStatement(session: Uint8Array, unsigned: Uint8Array): Uint8Array {
  requireBytes('session', session);
  requireBytes('unsigned', unsigned);
  return concat(authorDomain, session, unsigned);
}

/** Returns the number of tree levels that a topic's aggregates span. */
function orderOf({ parameters }: SlotPlan, topic: HornTopic): number {
  if (topic === HornTopic.subnet) return 0;
  const { committee, subcommittee } = hornSizes(parameters);
  return Math.log2(topic === HornTopic.committee ? subcommittee : committee);
}
