import type { RandomStream } from '@tutti/core';
import type { Election } from '@tutti/core/horn';
import { addMember, electionModulus, emptySet, isElected, type MemberSet } from '@tutti/core/internal/horn';
import { hornAttackNamed } from '../attacks.ts';

/** What Eve plays against. */
export interface GriefingOdds {
  readonly election: Election;
  /** Of all validators, those that are hers; a subcommittee has as many as chance gives it. From 0 to under 1. */
  readonly eveShare: number;
  /** Of the honest validators, those that are there to vote, and to aggregate if elected. Eve always is. */
  readonly participation: number;
}

/** One subcommittee in one slot, as a collector finds it. */
export interface SampledSubcommittee {
  /** Who voted. */
  readonly honestVotes: MemberSet;
  readonly eveVotes: MemberSet;
  /** One an aggregator, in the order of the members; the same set is the same object. */
  readonly aggregates: readonly MemberSet[];
  readonly honestAggregators: number;
  readonly eveAggregators: number;
}

/**
 * The member that Eve leaves out before others, wherever its vote is there to be left out: somebody whom she has
 * singled out. Which place that validator has is up to the shuffle and makes no difference.
 */
export const singledOut = 0;

const griefing = hornAttackNamed('griefing')!;

/**
 * Plays the attack (Horn: "Reward griefing attacks against Horn"), member by member. Every honest vote reaches every
 * honest aggregator. Eve alone knows whether one of hers is elected. She plays `griefing` of `hornAttacks`, but knows
 * more than in a slot: she waits for the best aggregate of the others, and where nobody else aggregates she has no
 * honest votes to take along.
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

/** Honest voters in the order in which Eve leaves them out: the one singled out, and then any, drawn when asked for. */
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
