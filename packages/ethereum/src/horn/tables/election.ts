import { RandomStream } from '@tutti/core';
import {
  type Election,
  electionModulus,
  expectedElected,
  type HornParameters,
  hornSizes,
  isElected,
  probabilityOfNone,
  slotTimes,
} from '@tutti/core/horn';
import { wilsonInterval } from '../statistics.ts';
import { atMost, type HornGrid, type HornTable, row } from './row.ts';

const seed = 1;
/** Maximum number of elections. */
const maxTrials = 4000;
/** Maximum number of members drawn in all elections of a group; larger groups have fewer elections. */
const maxDraws = maxTrials * 512;
const honestShare = 2 / 3;
const maxAggregators = 32;

export function electionTable(parameters: HornParameters): HornTable {
  const { committee, subcommittee, allSubcommittees } = hornSizes(parameters);
  const aggregators = { members: subcommittee, aggregators: parameters.aggregators };
  const collectors = { members: committee, aggregators: parameters.collectors };
  const slotsADay = 86_400 / slotTimes(parameters).hornSeconds;
  const subcommitteesADay = allSubcommittees * slotsADay;
  const almostCertain = atMost('almost certain', 1e-3);
  const never = atMost('never', 1);
  return {
    title: 'Who is elected',
    section: "Future research; the rule is Ethereum's specification",
    source: 'horn/committees.ts, horn/tables/election.ts',
    rows: [
      row('one member in this many is elected', '', electionModulus(aggregators)),
      row('no aggregator in a subcommittee', 'probability', probabilityOfNone(aggregators), almostCertain),
      row(
        'no honest aggregator in a subcommittee, 2/3 honest',
        'probability',
        probabilityOfNone(aggregators, honestShare),
        almostCertain,
        'One in a thousand counts as the limit of almost certain.',
      ),
      row(
        'subcommittees a day without an aggregator',
        '',
        subcommitteesADay * probabilityOfNone(aggregators),
        never,
        'Over all committees, in slots as proposed; less than one a day counts as never.',
      ),
      row(
        'subcommittees a day without an honest aggregator, 2/3 honest',
        '',
        subcommitteesADay * probabilityOfNone(aggregators, honestShare),
        never,
        `Rare for one subcommittee, not for ${allSubcommittees} in each of ${Math.floor(slotsADay)} slots.`,
      ),
      row('no collector in a committee', 'probability', probabilityOfNone(collectors)),
      row('no honest collector in a committee, 2/3 honest', 'probability', probabilityOfNone(collectors, honestShare)),
    ],
    grids: [closedForm(subcommittee), simulated(subcommittee, honestShare), simulated(subcommittee, 1 / 3)],
  };
}

function closedForm(members: number): HornGrid {
  const shares = [0.9, 2 / 3, 1 / 2, 1 / 3];
  return {
    title: 'Probability that no aggregator is elected, and that no honest one is, by the share of honest validators',
    columns: ['aimed at', 'expected', 'none', ...shares.map((share) => `none of ${percent(share)}`)],
    rows: counts(members).map((aggregators) => {
      const election = { members, aggregators };
      return [
        aggregators,
        expectedElected(election),
        probabilityOfNone(election),
        ...shares.map((share) => probabilityOfNone(election, share)),
      ];
    }),
  };
}

function simulated(members: number, honest: number): HornGrid {
  const trials = Math.max(1, Math.min(maxTrials, Math.floor(maxDraws / members)));
  return {
    title: `By ${trials} elections each, ${percent(honest)} honest, with the 99.9 % interval of the probability; seed ${seed}`,
    columns: ['aimed at', 'none', 'from', 'to', 'closed form', 'none honest', 'from', 'to', 'closed form'],
    rows: counts(members).map((aggregators) => {
      const election = { members, aggregators };
      const { none, noneHonest } = holdElections(election, honest, trials, seed);
      return [
        aggregators,
        none / trials,
        ...wilsonInterval(none, trials),
        probabilityOfNone(election),
        noneHonest / trials,
        ...wilsonInterval(noneHonest, trials),
        probabilityOfNone(election, honest),
      ];
    }),
  };
}

function percent(share: number): string {
  return `${Math.round(100 * share)} %`;
}

/** Returns the expected numbers of aggregators to tabulate, each at most the number of members. */
function counts(members: number): number[] {
  return Array.from({ length: Math.min(maxAggregators, members) }, (_, index) => index + 1);
}

/** Number of elections in `trials` without an elected member, and without an honest one. */
interface ElectionTrials {
  readonly trials: number;
  readonly none: number;
  readonly noneHonest: number;
}

/**
 * Simulates elections member by member, for comparison with the closed form. It draws the hash of each slot signature.
 * It draws whether a member is honest only when that matters. An election ends with its first honest aggregator.
 */
export function holdElections(election: Election, honestShare: number, trials: number, seed: number): ElectionTrials {
  const random = new RandomStream(seed, 'election');
  const modulus = electionModulus(election);
  let none = 0;
  let noneHonest = 0;
  for (let trial = 0; trial < trials; trial++) {
    let elected = false;
    let honest = false;
    for (let member = 0; member < election.members && !honest; member++) {
      if (!isElected(random.nextUint32(), random.nextUint32(), modulus)) continue;
      elected = true;
      honest = random.nextUnit() < honestShare;
    }
    if (!elected) none++;
    if (!honest) noneHonest++;
  }
  return { trials, none, noneHonest };
}
