import { readUint, writeUint } from '../bytes.ts';
import type { AggregationScheme } from '../contribution/scheme.ts';
import { fullSetBytes, listedSetBytes } from '../contribution/setCode.ts';
import { requireBytes, requireMethods } from '../errors.ts';
import { requireTree, type Tree } from '../overlay/tree.ts';
import { type Contribution, noContribution } from '../protocol.ts';
import type { WireRefusal } from '../refusals.ts';
import { levelMessages, type MessageForm } from './form.ts';

/** First byte of every message, so that later formats can be distinguished. */
const formatVersion = 1;

/**
 * Version, level, flags. The sender is what the authenticated channel says, so it is not in here (v1.03 section 2.3).
 */
const headerBytes = 3;

/**
 * On the wire only: an individual contribution follows the aggregate. At level 1 the aggregate is the individual one.
 */
const hasIndividual = 0x80;

export type DecodedMessage =
  | {
      readonly ok: true;
      readonly level: number;
      /** Retained once for the caller, as is `individual`, which may be noContribution. */
      readonly aggregate: Contribution;
      readonly individual: Contribution;
      readonly flags: number;
    }
  | { readonly ok: false; readonly code: WireRefusal };

/**
 * Length of a message on the wire, bytes.
 *
 * @param individual the sender's individual contribution, or noContribution where the aggregate is just that.
 * @throws TypeError for anything but a scheme.
 */
export function messageBytes(scheme: AggregationScheme, aggregate: Contribution, individual: Contribution): number {
  requireMethods('scheme', scheme, ['encodedBytes']);
  return countedBytes(scheme, aggregate, individual);
}

/**
 * Returns {@link messageBytes} for a scheme that was checked before. The simulation counts all traffic by it, and
 * encodes nothing.
 */
export function countedBytes(scheme: AggregationScheme, aggregate: Contribution, individual: Contribution): number {
  return (
    headerBytes + scheme.encodedBytes(aggregate) + (individual === noContribution ? 0 : scheme.encodedBytes(individual))
  );
}

/**
 * Length of the longest message that is any node's to send or to receive, bytes: the largest set listed one by one,
 * which in Handel is half of the nodes in the binary tree, and an individual contribution.
 *
 * @param signatureBytes length of a signature, bytes.
 * @param form of the messages; default: Handel's.
 */
export function longestMessageBytes(tree: Tree, signatureBytes: number, form: MessageForm = levelMessages): number {
  requireTree('tree', tree);
  const aggregateBytes = listedSetBytes(form.largestSet(tree)) + signatureBytes;
  return headerBytes + form.signerBytes + aggregateBytes + fullSetBytes + signatureBytes;
}

/**
 * A message as bytes (of Handel: v1.03 sections 3.5 and 6); the length is {@link messageBytes}, and what the form adds.
 *
 * @param form default: Handel's.
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
 * Reads what the peer `from` sent to `receiver`. Lengths are checked before anything is read, sets against the
 * receiver's own idea of the peer set and never against a length that the message names; signatures are taken as bytes,
 * for verification to judge. Never throws for what a peer sends.
 *
 * @param form of the round's messages; default: Handel's.
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
