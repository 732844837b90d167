import { requireBytes, requireMethods } from '../arguments.ts';
import { readUint, writeUint } from '../bytes.ts';
import type { AggregationScheme } from '../contribution/scheme.ts';
import { headRefusal } from '../contribution/screening.ts';
import { fullSetBytes, listedSetBytes } from '../contribution/setCode.ts';
import { requireTree, type Tree } from '../overlay/tree.ts';
import { type Contribution, noContribution } from '../protocol.ts';
import type { WireRefusal } from '../refusals.ts';

/** Version of the format, the first byte of every message. */
const formatVersion = 1;

/**
 * Length of version, level and flags, bytes. The authenticated channel supplies the sender, so the message does not
 * contain it (v1.03 section 2.3).
 */
const headerBytes = 3;

/**
 * Flag used only on the wire: an individual contribution follows the aggregate. Without the flag, none follows, for
 * example because the aggregate contains only the sender.
 */
const hasIndividual = 0x80;

/**
 * Head of a message: the fields that a receiver reads before a contribution. The channel authenticates `from`. The
 * sender claims the other fields, so the receiver checks them.
 */
export interface MessageHead {
  readonly from: number;
  readonly level: number;
  readonly flags: number;
  /** Signer that the message names; 0 in forms without a signer. */
  readonly signer: number;
}

/** Format of a protocol's messages. No message names the block of a set; the receiver derives the block. */
export interface MessageForm {
  /**
   * Length of the field after the header that names the signer of an individual contribution, bytes; 0 if there is no
   * such field.
   */
  readonly signerBytes: number;
  /** Returns the largest number of ids that the set of an aggregate can list. */
  largestSet(tree: Tree): number;
  /** Returns the block of a message's aggregate, or the code with which the receiver rejects the head. */
  aggregateBlock(tree: Tree, receiver: number, head: MessageHead): number | WireRefusal;
}

/** Form of messages between peers of a level, which Handel and San Fermín send. */
export const levelMessages: MessageForm = {
  signerBytes: 0,
  // In both tree forms, the first peer set of the highest level is the largest. A tree of one node is a single set.
  largestSet: (tree) => tree.size(1 << (tree.height - tree.levelOrder(tree.levels))),
  aggregateBlock: (tree, receiver, { from, level, flags }) =>
    headRefusal(tree, receiver, from, level, flags) ?? tree.peerBlock(receiver, level),
};

/** Result of decoding a message: its content, or a rejection code. */
export type DecodedMessage =
  | {
      readonly ok: true;
      readonly level: number;
      /** The aggregate, retained once for the caller. */
      readonly aggregate: Contribution;
      /** The sender's individual contribution, retained once for the caller, or noContribution. */
      readonly individual: Contribution;
      /** Bits of `MessageFlag`. */
      readonly flags: number;
    }
  | { readonly ok: false; readonly code: WireRefusal };

/**
 * Returns the length of a message on the wire without a signer field ({@link MessageForm.signerBytes}), bytes.
 *
 * @param individual the sender's individual contribution, or noContribution if the aggregate is the individual
 * contribution.
 * @throws TypeError if `scheme` is not a scheme.
 */
export function messageBytes(scheme: AggregationScheme, aggregate: Contribution, individual: Contribution): number {
  requireMethods('scheme', scheme, ['encodedBytes']);
  return countedBytes(scheme, aggregate, individual);
}

/**
 * Returns {@link messageBytes} for a scheme that has already been checked. The simulation uses this function to count
 * all traffic without encoding.
 */
export function countedBytes(scheme: AggregationScheme, aggregate: Contribution, individual: Contribution): number {
  return (
    headerBytes + scheme.encodedBytes(aggregate) + (individual === noContribution ? 0 : scheme.encodedBytes(individual))
  );
}

/**
 * Returns the length of the longest message that any node may send or receive, bytes. The longest message contains a
 * list over the largest peer set, which is about half of the nodes in the binary tree of the form `spread`, and an
 * individual contribution.
 *
 * @param signatureBytes length of a signature, bytes.
 * @param form form of the messages. Default: Handel's.
 */
export function longestMessageBytes(tree: Tree, signatureBytes: number, form: MessageForm = levelMessages): number {
  requireTree('tree', tree);
  const aggregateBytes = listedSetBytes(form.largestSet(tree)) + signatureBytes;
  return headerBytes + form.signerBytes + aggregateBytes + fullSetBytes + signatureBytes;
}

/**
 * Encodes a message (v1.03 sections 3.5 and 6). The length of the encoding is {@link messageBytes} plus
 * {@link MessageForm.signerBytes}.
 *
 * @param flags bits of `MessageFlag`.
 * @param form form of the message. Default: Handel's.
 * @throws TypeError if `scheme` is not a scheme.
 */
export function encodeMessage(
  scheme: AggregationScheme,
  level: number,
  aggregate: Contribution,
  individual: Contribution,
  flags: number,
  form: MessageForm = levelMessages,
): Uint8Array {
  requireMethods('scheme', scheme, ['encodedBytes', 'encode']);
  const { signerBytes } = form;
  const bytes = new Uint8Array(countedBytes(scheme, aggregate, individual) + signerBytes);
  bytes[0] = formatVersion;
  bytes[1] = level;
  bytes[2] = flags | (individual === noContribution ? 0 : hasIndividual);
  const aggregateAt = headerBytes + signerBytes;
  if (signerBytes > 0) writeUint(bytes, headerBytes, aggregateAt, scheme.tree.start(scheme.block(aggregate)));
  const end = scheme.encode(aggregate, bytes, aggregateAt);
  if (individual !== noContribution) scheme.encode(individual, bytes, end);
  return bytes;
}

/**
 * Decodes a message that the peer `from` sent to `receiver`. The decoder checks each length before it reads. It
 * compares sets with the receiver's own peer set, never with a length from the message. Signatures remain bytes until
 * they are verified. The decoder never throws for a peer's input.
 *
 * @param form form of the message. Default: Handel's.
 * @throws TypeError if `scheme` is not a scheme or `bytes` is not a Uint8Array.
 */
export function decodeMessage(
  scheme: AggregationScheme,
  receiver: number,
  from: number,
  bytes: Uint8Array,
  form: MessageForm = levelMessages,
): DecodedMessage {
  requireMethods('scheme', scheme, ['decode', 'release']);
  requireBytes('bytes', bytes);
  const aggregateAt = headerBytes + form.signerBytes;
  if (bytes.length < aggregateAt) return { ok: false, code: 'truncated' };
  if (bytes[0] !== formatVersion) return { ok: false, code: 'unknown-version' };
  const level = bytes[1]!;
  const { tree } = scheme;
  const flags = bytes[2]! & ~hasIndividual;
  const signer = readUint(bytes, headerBytes, aggregateAt);
  const block = form.aggregateBlock(tree, receiver, { from, level, flags, signer });
  if (typeof block === 'string') return { ok: false, code: block };

  const aggregate = scheme.decode(block, bytes, aggregateAt);
  if (!aggregate.ok) return aggregate;
  let end = aggregate.end;
  let individual: Contribution = noContribution;
  if ((bytes[2]! & hasIndividual) !== 0) {
    const decoded = scheme.decode(tree.leaf(from), bytes, end);
    if (!decoded.ok) {
      scheme.release(aggregate.contribution);
      return decoded;
    }
    individual = decoded.contribution;
    end = decoded.end;
  }
  if (end !== bytes.length) {
    scheme.release(aggregate.contribution);
    scheme.release(individual);
    return { ok: false, code: 'trailing-bytes' };
  }
  return { ok: true, level, aggregate: aggregate.contribution, individual, flags };
}
