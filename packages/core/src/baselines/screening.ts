import type { AggregationScheme } from '../contribution/scheme.ts';
import { type Contribution, NONE, Refusal } from '../protocol.ts';

/**
 * What every rival asks of a message before it looks at what it means: a sender that exists, flags that it knows, a contribution that is
 * not empty.
 *
 * @param knownFlags the flags that the protocol gives a meaning.
 * @returns a {@link Refusal} code, or 0.
 */
export function screenForm(
  scheme: AggregationScheme,
  from: number,
  aggregate: Contribution,
  flags: number,
  knownFlags: number,
): Refusal | 0 {
  if (!(from >= 0 && from < scheme.tree.nodes)) return Refusal.senderOutOfRange;
  if ((flags & ~knownFlags) !== 0) return Refusal.unsupportedFlags;
  if (aggregate === NONE || scheme.weight(aggregate) === 0) return Refusal.emptyContribution;
  return 0;
}
