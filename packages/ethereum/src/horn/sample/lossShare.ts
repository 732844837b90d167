import { expected, requireObject } from '@tutti/core/settings';
import { type MeanEstimate, wilsonInterval } from '../statistics.ts';
import type { ForwardingName } from './forwarding.ts';
import type { GriefingOutcome } from './griefing.ts';

/** Standard errors on either side that leave one in a thousand outside. */
const deviations = 3.29;

/**
 * A share of the votes as it came out, and where its expectation lies at 99.9 %. By chance it can exceed 1, where more
 * votes are lost than are expected to be cast; without votes it is NaN.
 */
export interface LossShare {
  readonly share: number;
  readonly least: number;
  readonly most: number;
}

/**
 * What honest validators lost, as a share of the votes that they are expected to cast. Where votes were lost only for
 * want of an honest aggregator, which is rare and takes a whole subcommittee's, a standard error says little or
 * nothing; the interval is then that of how often it came.
 *
 * @param votes expected of a subcommittee and slot.
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
  const [least, most] = wilsonInterval(outcome.withoutHonestAggregator, honest.samples);
  if (outcome.withoutHonestAggregator === 0) return { share, least: 0, most };
  const lostThere = (share * honest.samples) / outcome.withoutHonestAggregator;
  return { share, least: least * lostThere, most: most * lostThere };
}

/** The share of votes that were lost where each sample is one vote, lost or not. */
export function singleVoteLossShare(estimate: MeanEstimate): LossShare {
  requireObject('estimate', estimate);
  const { mean, samples } = estimate;
  const [least, most] = wilsonInterval(Math.round(mean * samples), samples);
  return { share: mean, least, most };
}
