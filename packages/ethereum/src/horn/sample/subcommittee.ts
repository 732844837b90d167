import type { RandomStream } from '@tutti/core';
import { addMember, type Election, electionModulus, emptySet, isElected, type MemberSet } from '@tutti/core/horn';
import { hornAttackNamed } from '../attacks.ts';

/** Parameters that determine the probabilities of the attack. */
export interface GriefingOdds {
  readonly election: Election;
  /** Share of Byzantine validators. Range [0, 1). Their number in a subcommittee is random. */
  readonly eveShare: number;
  /**
   * Share of the honest validators that are present to vote, and to aggregate if elected. Byzantine validators are
   * always present.
   */
  readonly participation: number;
}

/** One subcommittee in one slot, as a collector sees it. */
export interface SampledSubcommittee {
  /** Honest members that voted. */
  readonly honestVotes: MemberSet;
  readonly eveVotes: MemberSet;
  /** Aggregates, one per aggregator, in the order of the members. Equal sets are the same object. */
  readonly aggregates: readonly MemberSet[];
  readonly honestAggregators: number;
  readonly eveAggregators: number;
}

/**
 * Member that the attacker targets: it leaves out this member before others whenever possible. The shuffle determines
 * the place of that validator, so any place is equivalent.
 */
export const singledOut = 0;

const griefing = hornAttackNamed('griefing')!;

/**
 * Simulates the attack (Horn: "Reward griefing attacks against Horn") member by member. Every honest vote reaches every
 * honest aggregator. Only the attacker knows whether one of its members is elected. It performs the attack `griefing`
 * of `hornAttacks`, but with more knowledge than in a slot: it waits for the best aggregate of the others. If no other
 * member aggregates, it has no honest votes to include.
 */
export function sampleSubcommittee(odds: GriefingOdds, random: RandomStream): SampledSubcommittee {
  const { members } = odds.election;
  const modulus = electionModulus(odds.election);
  const honest: number[] = [];
  const eve: number[] = [];
  const aggregators: ('honest' | 'eve')[] = [];
  for (let member = 0; member < members; member++) {
    const isEve = random.nextUnit() < odds.eveShare;
    if (!isEve && odds.participation < 1 && random.nextUnit() >= odds.participation) continue;
    (isEve ? eve : honest).push(member);
    if (isElected(random.nextUint32(), random.nextUint32(), modulus)) aggregators.push(isEve ? 'eve' : 'honest');
  }
  const honestVotes = setOf(honest, members);
  const eveVotes = setOf(eve, members);
  const eveAggregators = aggregators.filter((who) => who === 'eve').length;
  const honestAggregators = aggregators.length - eveAggregators;
  const honestAggregate = griefing.votes(eveAggregators > 0) ? setOf([...honest, ...eve], members) : honestVotes;
  const griefed =
    eveAggregators === 0
      ? undefined
      : griefing.aggregate({
          verified: honestAggregators === 0 ? emptySet(members) : honestVotes,
          hers: eveVotes,
          member: eve[0]!,
          order: leftOutFirst(honest, random),
        });
  return {
    honestVotes,
    eveVotes,
    aggregates: aggregators.map((who) => (who === 'eve' ? griefed! : honestAggregate)),
    honestAggregators,
    eveAggregators,
  };
}

/**
 * Yields honest voters in the order in which the attacker leaves them out: first its target, then random voters, drawn
 * on demand.
 */
function* leftOutFirst(honest: readonly number[], random: RandomStream): Generator<number> {
  const order = [...honest];
  for (let place = 0; place < order.length; place++) {
    if (place > 0 || order[0] !== singledOut) {
      const other = place + random.nextBelow(order.length - place);
      [order[place], order[other]] = [order[other]!, order[place]!];
    }
    yield order[place]!;
  }
}

function setOf(list: readonly number[], members: number): MemberSet {
  const set = emptySet(members);
  for (const member of list) addMember(set, member);
  return set;
}
