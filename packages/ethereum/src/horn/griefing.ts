import { type Election, electionModulus } from '@tutti/core/horn';
import { binomial } from './statistics.ts';

/** Aggregate of an attacker that is an aggregator and has votes of its own, derived from the best honest aggregate. */
export interface GriefedAggregate {
  readonly weight: number;
  /** Number of honest votes that the attacker's aggregate leaves out. */
  readonly censored: number;
}

/**
 * Returns the attacker's aggregate (Horn: "Reward griefing attacks against Horn"): the best honest aggregate without
 * the honest votes that the attacker can replace while its aggregate is heavier by one. With a single vote it replaces
 * none.
 *
 * @param honestVotes number of votes in the best aggregate of the other aggregators. @param eveVotes number of the
 * attacker's own votes, none of which is in that aggregate; at least 1.
 */
export function griefedAggregate(honestVotes: number, eveVotes: number): GriefedAggregate {
  const censored = Math.min(eveVotes - 1, honestVotes);
  return { weight: honestVotes - censored + eveVotes, censored };
}

/** Effect of the attack in one subcommittee and slot, on average. */
export interface GriefingLoss {
  /** Probability that a Byzantine member is an aggregator. */
  readonly elected: number;
  /** Number of honest votes left out. */
  readonly censored: number;
  /** Share of the honest votes left out. */
  readonly lostShare: number;
}

/**
 * Returns the losses if all honest votes reach an honest aggregator and collectors forward the heaviest aggregate.
 * Every honest voter of the subcommittee loses the same on average, and the attacker loses nothing.
 *
 * @param eveShare share of all validators that are Byzantine. Range [0, 1). Their number in a subcommittee is random.
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
