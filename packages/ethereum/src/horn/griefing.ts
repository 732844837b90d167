import type { Election } from '@tutti/core/horn';
import { electionModulus } from '@tutti/core/horn-rules';
import { binomial } from './statistics.ts';

/** What Eve, an aggregator with votes of her own, makes of the best aggregate that she can find. */
export interface GriefedAggregate {
  readonly weight: number;
  /** Honest votes that she leaves out. */
  readonly censored: number;
}

/**
 * Eve's aggregate (Horn: "Reward griefing attacks against Horn"): the best honest one, without as many honest votes as
 * she can replace and still be heavier by one. With a single vote she replaces nobody.
 *
 * @param honestVotes in the best aggregate of the others. @param eveVotes her own, none of which is in it; at least 1.
 */
export function griefedAggregate(honestVotes: number, eveVotes: number): GriefedAggregate {
  const censored = Math.min(eveVotes - 1, honestVotes);
  return { weight: honestVotes - censored + eveVotes, censored };
}

/** What Eve's attack comes to in one subcommittee and slot, on average. */
export interface GriefingLoss {
  /** Probability that one of her members is an aggregator. */
  readonly elected: number;
  /** Honest votes left out. */
  readonly censored: number;
  /** The same as a share of the honest votes. */
  readonly lostShare: number;
}

/**
 * Who loses how much to Eve where all honest votes reach an honest aggregator and collectors forward the heaviest
 * aggregate: every honest voter of her subcommittee the same, on average, and she nothing.
 *
 * @param eveShare of all validators that are hers, from 0 to under 1; a subcommittee has as many as chance gives it.
 */
export function griefingLoss(election: Election, eveShare: number): GriefingLoss {
  const { members } = election;
  const notElected = 1 - 1 / electionModulus(election);
  let elected = 0;
  let censored = 0;
  binomial(members, eveShare).forEach((probability, eveVotes) => {
    if (eveVotes === 0) return;
    const attacks = probability * (1 - notElected ** eveVotes);
    elected += attacks;
    censored += attacks * griefedAggregate(members - eveVotes, eveVotes).censored;
  });
  return { elected, censored, lostShare: censored / (members * (1 - eveShare)) };
}
