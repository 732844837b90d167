import { type AggregationScheme, type Contribution, MessageFlag, noContribution } from '@tutti/core';
import type { MessageBytes, ProtocolName } from '@tutti/simulation';

/**
 * Bytes of a message of the Go reference in addition to its bitset's words: the field names and types that gob repeats
 * in each message (84), three lengths of the bitset (12) and a BN256 signature (64). Go's own encoder spends up to four
 * bytes more on lengths over 127; the published runs' smallest message of 236 bytes has one more.
 */
const fixedBytes = 84 + 12 + 64;

/** A BN256 signature and what gob puts before it. */
const individualBytes = 64 + 3;

/**
 * Length of a message as the Go reference encoded it in the published runs (v1.03 section 6), bytes. Its bitset is in
 * words of 64 bits.
 *
 * @param hasIndividual whether the sender's individual contribution goes with the aggregate.
 */
export function goReferenceBytes(scheme: AggregationScheme, aggregate: Contribution, hasIndividual: boolean): number {
  const words = (scheme.tree.size(scheme.block(aggregate)) + 63) >>> 6;
  return fixedBytes + 8 * words + (hasIndividual ? individualBytes : 0);
}

/**
 * Returns what counts a run's messages at the lengths of the Go reference. Its Handel sends the individual contribution
 * until the level is complete, even if the aggregate is the same contribution.
 */
export function goReferenceLengths(scheme: AggregationScheme, protocol: ProtocolName): MessageBytes {
  return (aggregate, individual, flags) =>
    goReferenceBytes(
      scheme,
      aggregate,
      protocol === 'handel' ? (flags & MessageFlag.levelReceived) === 0 : individual !== noContribution,
    );
}
