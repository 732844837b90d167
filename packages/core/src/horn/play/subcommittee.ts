import type { RandomStream } from '../../random.ts';
import { type Election, electionModulus, isElected } from '../election.ts';
import { griefedAggregate } from '../griefing.ts';
import { addMember, emptySet, type MemberSet } from './memberSet.ts';

/** What Eve plays against. */
export interface GriefingOdds {
  readonly election: Election;
  /** Of all validators, those that are hers; a subcommittee has as many as chance gives it. From 0 to under 1. */
  readonly eveShare: number;
  /** Of the honest validators, those that are there to vote, and to aggregate if elected. Eve always is. */
  readonly participation: number;
}

/** One subcommittee in one slot, as a collector finds it. */
export interface PlayedSubcommittee {
  /** Who voted. */
  readonly honestVotes: MemberSet;
  readonly eveVotes: MemberSet;
  /** One an aggregator, in the order of the members; the same set is the same object. */
  readonly aggregates: readonly MemberSet[];
  readonly honestAggregators: number;
  readonly eveAggregators: number;
}

/**
 * The member that Eve leaves out before others, wherever its vote is there to be left out: somebody whom she has singled out. Which place
 * that validator has is up to the shuffle and makes no difference.
 */
export const singledOut = 0;

/**
 * Plays the attack (Horn: "Reward griefing attacks against Horn"), member by member. Every honest vote reaches every honest aggregator.
 * Where one of Eve's is elected, which she alone knows, she keeps her votes to herself, takes the best aggregate of the others, leaves out
 * as many of its votes as she can replace and still be heavier, and has all her aggregators send that. Where nobody else aggregates she
 * sends her own votes alone.
 */
export function playSubcommittee(odds: GriefingOdds, random: RandomStream): PlayedSubcommittee {
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
  // What aggregators send: without Eve everybody who voted; with her what she keeps to herself is not in the honest ones'.
  const honestAggregate = eveAggregators === 0 ? setOf([...honest, ...eve], members) : honestVotes;
  const kept = eveAggregators === 0 || honestAggregators === 0 ? [] : griefedVotes(honest, eve.length, random);
  const griefed = setOf([...kept, ...eve], members);
  return {
    honestVotes,
    eveVotes,
    aggregates: aggregators.map((who) => (who === 'eve' ? griefed : honestAggregate)),
    honestAggregators,
    eveAggregators,
  };
}

/** The honest votes that Eve takes along: she leaves out the one singled out first, and then any. */
function griefedVotes(honest: readonly number[], eveVotes: number, random: RandomStream): readonly number[] {
  const { censored } = griefedAggregate(honest.length, eveVotes);
  const order = [...honest];
  for (let place = order[0] === singledOut ? 1 : 0; place < censored; place++) {
    const other = place + random.nextBelow(order.length - place);
    [order[place], order[other]] = [order[other]!, order[place]!];
  }
  return order.slice(censored);
}

function setOf(list: readonly number[], members: number): MemberSet {
  const set = emptySet(members);
  for (const member of list) addMember(set, member);
  return set;
}
