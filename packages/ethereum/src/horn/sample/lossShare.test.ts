import { expect, it } from 'vitest';
import { wilsonInterval } from '../statistics.ts';
import { expectedLoss } from './expectedLoss.ts';
import { sampleGriefing } from './griefing.ts';
import { honestLossShare, singleVoteLossShare } from './lossShare.ts';

const odds = { election: { members: 64, aggregators: 2 }, eveShare: 0.2, participation: 1 };
const expected = expectedLoss(odds);

it('is the mean with its standard error if losses are frequent', () => {
  const outcome = sampleGriefing({ ...odds, slots: 50, subcommittees: 64, seed: 1 });
  const { mean, standardError } = outcome.losses.bitfield.honest;
  const { share, least, most } = honestLossShare(outcome, 'bitfield', expected.honestVotes);
  expect(share).toBe(mean / expected.honestVotes);
  expect(most - least).toBeCloseTo((2 * 3.29 * standardError) / expected.honestVotes, 12);
});

it('is the share of subcommittees without an honest aggregator if votes are lost only in these', () => {
  const outcome = sampleGriefing({ ...odds, slots: 50, subcommittees: 64, seed: 1 });
  const { share, least, most } = honestLossShare(outcome, 'fourBit', expected.honestVotes);
  expect(least).toBeLessThan(share);
  expect(most).toBeGreaterThan(share);
  expect(expected.lost.fourBit / expected.honestVotes).toBeGreaterThan(least);
  expect(expected.lost.fourBit / expected.honestVotes).toBeLessThan(most);
});

it('states an upper bound if nothing was lost', () => {
  const post = { election: { members: 512, aggregators: 16 }, eveShare: 0.2, participation: 1 };
  const outcome = sampleGriefing({ ...post, slots: 2, subcommittees: 64, seed: 1 });
  expect(outcome.withoutHonestAggregator).toBe(0);
  const [, most] = wilsonInterval(0, 128);
  expect(honestLossShare(outcome, 'fourBit', expectedLoss(post).honestVotes)).toEqual({ share: 0, least: 0, most });
});

it('of one vote per sample is the frequency of its loss', () => {
  const [least, most] = wilsonInterval(30, 100);
  expect(singleVoteLossShare({ samples: 100, mean: 0.3, standardError: 0.05, most: 1 })).toEqual({
    share: 0.3,
    least,
    most,
  });
});
