import { expected, requireObject } from '@tutti/core/input';
import { type MeanEstimate, wilsonInterval } from '../statistics.ts';
import type { ForwardingName } from './forwarding.ts';
import type { GriefingOutcome } from './griefing.ts';

/** Half-width of a 99.9 % interval, in standard errors. */
const deviations = 3.29;

/**
 * A share of the votes as observed, and the 99.9 % interval of its expectation. The share can exceed 1 by chance, if
 * more votes are lost than are expected to be cast. Without votes it is NaN.
 */
export interface LossShare {
  readonly share: number;
  readonly least: number;
  readonly most: number;
}

/**
 * Returns the honest validators' losses as a share of the votes that they are expected to cast. Losses due to a missing
 * honest aggregator are rare and affect a whole subcommittee, so a standard error is not informative. If there are no
 * other losses, the interval is that of the number of such events.
 *
 * @param votes expected number of votes per subcommittee and slot.
 */
export function honestLossShare(outcome: GriefingOutcome, name: ForwardingName, votes: number): LossShare {
  requireObject('outcome', outcome);
  requireObject('outcome.losses', outcome.losses);
  if (!Object.hasOwn(outcome.losses, name))
    throw new RangeError(expected('name', Object.keys(outcome.losses).join(' or '), name));
  const { honest, withHonestAggregator } = outcome.losses[name];
  const share = honest.mean / votes;
  if (withHonestAggregator.most > 0) {
    const half = (deviations * honest.standardError) / votes;
    return { share, least: Math.max(0, share - half), most: share + half };
  }
  const [min, max] = wilsonInterval(outcome.withoutHonestAggregator, honest.samples);
  if (outcome.withoutHonestAggregator === 0) return { share, least: 0, most: max };
  const lostThere = (share * honest.samples) / outcome.withoutHonestAggregator;
  return { share, least: min * lostThere, most: max * lostThere };
}

/** Returns the share of lost votes if each sample is a single vote, lost or not. */
export function singleVoteLossShare(estimate: MeanEstimate): LossShare {
  requireObject('estimate', estimate);
  const { mean, samples } = estimate;
  const [min, max] = wilsonInterval(Math.round(mean * samples), samples);
  return { share: mean, least: min, most: max };
}
