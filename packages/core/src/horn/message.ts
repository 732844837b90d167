import { authorDomain } from '../authorDomain.ts';
import { concat } from '../bytes.ts';
import type { AggregationScheme } from '../contribution/scheme.ts';
import { fullSetBytes, listedSetBytes } from '../contribution/setCode.ts';
import { requireBytes, requireMethods, requireObject } from '../errors.ts';
import { type Contribution, noContribution } from '../protocol.ts';
import type { MessageRefusal } from '../refusals.ts';
import { hornSizes } from './parameters.ts';
import { HornTopic } from './rules.ts';
import { requirePlan, type SlotPlan } from './slotPlan.ts';

/** First byte of every message, so that later formats can be distinguished. */
const formatVersion = 1;

/** Version 1 | topic 1 | place of the author 3 (big-endian). The slot is what the channel's session says. */
const headerBytes = 5;

/** Topic and author of a message, as it claims them. */
export interface HornHead {
  readonly topic: HornTopic;
  /** The place of the validator that the message names. */
  readonly author: number;
}

export type ReadHornHead = ({ readonly ok: true } & HornHead) | { readonly ok: false; readonly code: MessageRefusal };

export type DecodedHornMessage =
  | ({
      readonly ok: true;
      /** Retained once for the caller, as is `signed`. Over the block of the author that belongs to the topic. */
      readonly aggregate: Contribution;
      /**
       * The author's signature of an aggregate or a collection, as an individual contribution of the author; its
       * signature is of {@link hornStatement}. A vote's is the vote.
       */
      readonly signed: Contribution;
    } & HornHead)
  | { readonly ok: false; readonly code: MessageRefusal };

/** Length of the longest message of a slot, bytes: a collection with its bits listed, and two signatures. */
export function longestHornMessageBytes(plan: SlotPlan, signatureBytes: number): number {
  requirePlan(plan);
  const { committee } = hornSizes(plan.parameters);
  return headerBytes + listedSetBytes(committee) + signatureBytes + fullSetBytes + signatureBytes;
}

/**
 * A message of Horn as bytes.
 *
 * @param signed the author's signature of an aggregate or a collection; noContribution for a vote, and for the part of
 *   the bytes that is signed.
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
  bytes.set([formatVersion, topic, author >>> 16, (author >>> 8) & 0xff, author & 0xff]);
  const end = scheme.encode(aggregate, bytes, headerBytes);
  if (signed !== noContribution) scheme.encode(signed, bytes, end);
  return bytes;
}

/** Reads the head of what a peer sent. Never throws for what a peer sends. */
export function readHornHead(plan: SlotPlan, bytes: Uint8Array): ReadHornHead {
  requirePlan(plan);
  requireBytes('bytes', bytes);
  if (bytes.length < headerBytes) return { ok: false, code: 'truncated' };
  if (bytes[0] !== formatVersion) return { ok: false, code: 'unknown-version' };
  const topic = bytes[1]! as HornTopic;
  if (topic < HornTopic.subnet || topic > HornTopic.global) return { ok: false, code: 'level-out-of-range' };
  const author = bytes[2]! * 0x1_0000 + bytes[3]! * 0x100 + bytes[4]!;
  if (author >= plan.parameters.validators) return { ok: false, code: 'sender-out-of-range' };
  return { ok: true, topic, author };
}

/**
 * Reads what a peer sent. The block of an aggregate follows from topic and author, and never from what the message
 * names; lengths are checked before anything is read; signatures are taken as bytes. Never throws for what a peer sends.
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
 * What the author of an aggregate or a collection signs, besides its vote: the session and the message up to that
 * signature. Without it, anybody could send a worthless aggregate in the name of an elected validator.
 *
 * No member may be asked to sign it, see `looksLikeIdentity`.
 *
 * @param session 32 bytes that name the slot. @param unsigned see {@link encodeHornMessage}.
 */
export function hornStatement(session: Uint8Array, unsigned: Uint8Array): Uint8Array {
  requireBytes('session', session);
  requireBytes('unsigned', unsigned);
  return concat(authorDomain, session, unsigned);
}

/** Levels of the tree that a topic's aggregates span. */
function orderOf({ parameters }: SlotPlan, topic: HornTopic): number {
  const { committee, subcommittee } = hornSizes(parameters);
  if (topic === HornTopic.subnet) return 0;
  return Math.log2(topic === HornTopic.committee ? subcommittee : committee);
}
