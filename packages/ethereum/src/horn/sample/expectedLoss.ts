import { electionModulus } from '@tutti/core/horn-rules';
import { requireObject } from '@tutti/core/settings';
import { griefedAggregate } from '../griefing.ts';
import { binomial } from '../statistics.ts';
import type { ForwardingName } from './forwarding.ts';
import type { GriefingOdds } from './subcommittee.ts';

/** What Eve's attack costs in one subcommittee and slot, in votes, on average. */
export interface ExpectedLoss {
  /** Honest votes that are cast. */
  readonly honestVotes: number;
  /** Probability that some honest vote is cast and no honest validator aggregates. */
  readonly withoutHonestAggregator: number;
  /** Honest votes that are not in a collector's collections. */
  readonly lost: Readonly<Record<ForwardingName, number>>;
  /**
   * Probability that one honest vote is not in a collection of heaviest aggregates, its voter being whom Eve leaves out
   * first.
   */
  readonly singledOutLost: number;
}

/** Outcomes less likely than this change no sum of theirs by anything that can be seen. */
const negligible = 1e-16;

/**
 * The closed form of what `sampleSubcommittee` runs. Beyond `griefingLoss`, it has validators that do not vote,
 * subcommittees where nobody honest aggregates, whose votes are lost with or without Eve, and the remedies.
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

/** Calls back for each number of Eve's members and of honest voters among the rest, with its probability. */
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
 * The probability that somebody honest aggregates, but the heaviest aggregate and a random one of the others are both
 * Eve's: where she has a of a + h, the heaviest is hers and the random one is with (a - 1) / (a + h - 1).
 *
 * @param ofEve @param ofHonest the probabilities of this many aggregators.
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
