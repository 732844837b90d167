import {
  type AggregationScheme,
  type Contribution,
  type DecodedMessage,
  decodeMessage,
  encodeMessage,
  type ForgingScheme,
  type RandomStream,
} from '@tutti/core';

/** The same set with a signature that does not verify; retained once for the caller. */
export function withWrongSignature(scheme: ForgingScheme, contribution: Contribution): Contribution {
  return scheme.forge(scheme.block(contribution), setOf(scheme, contribution));
}

/** Most bits that are flipped in one message. */
const mostFlips = 8;

/**
 * Flips one to eight bits of a message's bytes and has the receiver's decoder read them. A contribution whose set was
 * changed does not verify, whatever the scheme: a signature is for its own signers.
 */
export function withFlippedBits(
  scheme: ForgingScheme,
  random: RandomStream,
  from: number,
  to: number,
  level: number,
  aggregate: Contribution,
  individual: Contribution,
  flags: number,
): DecodedMessage {
  const bytes = encodeMessage(scheme, level, aggregate, individual, flags);
  for (let left = 1 + random.nextBelow(mostFlips); left > 0; left--) {
    const bit = random.nextBelow(bytes.length * 8);
    bytes[bit >>> 3]! ^= 1 << (bit & 7);
  }
  const read = decodeMessage(scheme, to, from, bytes);
  if (!read.ok || isSameSet(scheme, read.aggregate, aggregate)) return read;
  const forged = withWrongSignature(scheme, read.aggregate);
  scheme.release(read.aggregate);
  return { ...read, aggregate: forged };
}

function isSameSet(scheme: AggregationScheme, a: Contribution, b: Contribution): boolean {
  if (scheme.block(a) !== scheme.block(b)) return false;
  const words = scheme.setWords(b);
  return scheme.setWords(a).every((word, index) => word === words[index]);
}

/** As {@link ForgingScheme.forge} takes it. */
function setOf(scheme: AggregationScheme, contribution: Contribution): Int32Array | undefined {
  const isWhole = scheme.weight(contribution) === scheme.tree.size(scheme.block(contribution));
  return isWhole ? undefined : scheme.setWords(contribution);
}
