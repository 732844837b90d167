import type { AggregationScheme } from '../contribution/scheme.ts';
import { type Contribution, noContribution } from '../protocol.ts';
import type { ScreeningRefusal } from '../refusals.ts';

/**
 * What every baseline checks of a message before it looks at the content: the sender exists, the flags are known, the
 * contribution is not empty.
 *
 * @param knownFlags the flags that the protocol gives a meaning.
 * @returns undefined for an acceptable message.
 */
export function screenForm(
  scheme: AggregationScheme,
  from: number,
  aggregate: Contribution,
  flags: number,
  knownFlags: number,
): ScreeningRefusal | undefined {
  if (!(from >= 0 && from < scheme.tree.nodes)) return 'sender-out-of-range';
  if ((flags & ~knownFlags) !== 0) return 'unknown-flags';
  if (aggregate === noContribution || scheme.weight(aggregate) === 0) return 'empty-set';
  return undefined;
}
