import { electionModulus } from '@tutti/core/horn';
import { requireObject } from '@tutti/core/input';
import { binomial } from '../../statistics.ts';
import { griefedAggregate } from '../attacks.ts';
import type { ForwardingName } from './forwarding.ts';
import type { GriefingOdds } from './griefing.ts';

/** Expected loss through the attack in one subcommittee and slot, in votes. */
export interface ExpectedLoss {
  /** Number of honest votes cast. */
  readonly honestVotes: number;
  /** Probability that some honest vote is cast but no honest validator aggregates. */
  readonly withoutHonestAggregator: number;
  /** Number of honest votes that are in no collection of any collector. */
  readonly lost: Readonly<Record<ForwardingName, number>>;
  /**
   * Probability that no collection of heaviest aggregates contains the honest vote that the attacker leaves out first.
   */
  readonly singledOutLost: number;
}

/** Probability below which an outcome is ignored, because it does not change any sum noticeably. */
const negligible = 1e-16;

/**
 * Returns the closed form of the quantities that `sampleSubcommittee` simulates. In addition to `griefingLoss`, it
 * includes three things: validators that do not vote, the remedies, and subcommittees without an honest aggregator,
 * whose votes are lost with or without an attack.
 */
export function expectedLoss(odds: GriefingOdds): ExpectedLoss {
  requireObject('odds', odds);
  const { election, eveShare, participation } = odds;
  const notElected = 1 - 1 / electionModulus(election);
  const { members } = election;
  let honestVotes = 0;
  let withoutHonestAggregator = 0;
  const elections: Float64Array[] = [];
  const electedOf = (voters: number) => {
    elections[voters] ??= binomial(voters, 1 - notElected);
    return elections[voters];
  };
  const lost = { bitfield: 0, largestAndRandom: 0, merged: 0 };
  forEachOutcome(members, eveShare, participation, (probability, eveVotes, honest) => {
    const noneHonest = notElected ** honest;
    const alone = probability * noneHonest * honest;
    honestVotes += probability * honest;
    if (honest > 0) withoutHonestAggregator += probability * noneHonest;
    lost.merged += alone;
    lost.bitfield += alone;
    lost.largestAndRandom += alone;
    if (eveVotes === 0) return;
    const { censored } = griefedAggregate(honest, eveVotes);
    lost.bitfield += probability * (1 - noneHonest) * (1 - notElected ** eveVotes) * censored;
    if (censored > 0)
      lost.largestAndRandom += probability * censored * eveTwice(electedOf(eveVotes), electedOf(honest));
  });
  let singledOutLost = 0;
  forEachOutcome(members - 1, eveShare, participation, (probability, eveVotes, others) => {
    const noneHonest = notElected ** (others + 1);
    const attacks = eveVotes < 2 ? 0 : 1 - notElected ** eveVotes;
    singledOutLost += probability * (noneHonest + (1 - noneHonest) * attacks);
  });
  const { bitfield, largestAndRandom, merged } = lost;
  return {
    honestVotes,
    withoutHonestAggregator,
    lost: { bitfield, largestAndRandom, fourBit: merged, succinctProof: merged },
    singledOutLost,
  };
}

/**
 * Calls a function for each pair of a number of Byzantine members and a number of honest voters, with the pair's
 * probability.
 */
function forEachOutcome(
  members: number,
  eveShare: number,
  participation: number,
  outcome: (probability: number, eveVotes: number, honestVotes: number) => void,
): void {
  binomial(members, eveShare).forEach((ofEve, eveVotes) => {
    if (ofEve < negligible) return;
    binomial(members - eveVotes, participation).forEach((ofHonest, honestVotes) => {
      if (ofEve * ofHonest >= negligible) outcome(ofEve * ofHonest, eveVotes, honestVotes);
    });
  });
}

/**
 * Returns the probability that some honest member aggregates, but the heaviest aggregate and a random one of the others
 * are both Byzantine. With a Byzantine aggregators and h honest ones, the heaviest aggregate is Byzantine. The random
 * one is Byzantine with probability (a - 1) / (a + h - 1).
 *
 * @param ofEve probabilities of each number of Byzantine aggregators. @param ofHonest probabilities of each number of
 * honest ones.
 */
function eveTwice(ofEve: Float64Array, ofHonest: Float64Array): number {
  let sum = 0;
  for (let eves = 2; eves < ofEve.length; eves++) {
    if (ofEve[eves]! < negligible) continue;
    for (let others = 1; others < ofHonest.length; others++) {
      if (ofHonest[others]! < negligible) continue;
      sum += (ofEve[eves]! * ofHonest[others]! * (eves - 1)) / (eves + others - 1);
    }
  }
  return sum;
}
