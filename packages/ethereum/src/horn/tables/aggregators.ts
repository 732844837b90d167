import { RandomStream } from '@tutti/core';
import {
  type Election,
  electionModulus,
  expectedElected,
  globalTopicLoad,
  type HornParameters,
  hornSizes,
  isElected,
  probabilityOfNone,
  slotTimes,
} from '@tutti/core/horn';
import { binomial, wilsonInterval } from '../../statistics.ts';
import { griefedAggregate, griefingLoss } from '../attacks.ts';
import {
  keySum,
  mergeableAggregates,
  multiplicityBytes,
  multiplicitySumAdditions,
  succinctProofBytes,
} from '../costs.ts';
import { atMost, exactly, type HornGrid, type HornTable, rounded, row } from './row.ts';

const seed = 1;
/** Maximum number of elections. */
const maxTrials = 4000;
/** Maximum number of hashes drawn for one row; subcommittees with many members have fewer elections. */
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
    title: 'Elections',
    section: "Future research; the rule is Ethereum's specification",
    rows: [
      row('one member in this many is elected', '', electionModulus(aggregators)),
      row('no aggregator in a subcommittee', 'probability', probabilityOfNone(aggregators), almostCertain),
      row(
        'no honest aggregator in a subcommittee, 2/3 honest',
        'probability',
        probabilityOfNone(aggregators, honestShare),
        almostCertain,
        'The opposite counts as almost certain if this probability is at most 0.001.',
      ),
      row(
        'subcommittees per day without an aggregator',
        '',
        subcommitteesADay * probabilityOfNone(aggregators),
        never,
        'The value covers all committees and the proposed slot length. A value below 1 per day counts as never.',
      ),
      row(
        'subcommittees per day without an honest aggregator, 2/3 honest',
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
  const honestShares = [0.9, 2 / 3, 1 / 2, 1 / 3];
  return {
    title: 'Probability that no aggregator or no honest aggregator is elected, by the share of honest validators',
    columns: ['aimed at', 'expected', 'none', ...honestShares.map((share) => `none of ${percent(share)}`)],
    rows: counts(members).map((aggregators) => {
      const election = { members, aggregators };
      return [
        aggregators,
        expectedElected(election),
        probabilityOfNone(election),
        ...honestShares.map((share) => probabilityOfNone(election, share)),
      ];
    }),
  };
}

function simulated(members: number, honest: number): HornGrid {
  const trials = Math.max(1, Math.min(maxTrials, Math.floor(maxDraws / members)));
  return {
    title: `The same probabilities from ${trials} simulated elections each, with ${percent(honest)} honest validators and the 99.9 % interval; seed ${seed}`,
    columns: ['aimed at', 'none', 'from', 'to', 'closed form', 'none honest', 'from', 'to', 'closed form'],
    rows: counts(members).map((aggregators) => {
      const election = { members, aggregators };
      const { none, noneHonest } = holdElections(election, honest, trials);
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

/**
 * Simulates elections member by member, for comparison with the closed form. The simulation draws the hash of each slot
 * signature and, for an elected member, whether the member is honest. An election ends with its first honest
 * aggregator.
 *
 * @returns numbers of elections without an elected member, and without an honest elected member.
 */
function holdElections(election: Election, share: number, trials: number): { none: number; noneHonest: number } {
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
      honest = random.nextUnit() < share;
    }
    if (!elected) none++;
    if (!honest) noneHonest++;
  }
  return { none, noneHonest };
}

/** Shares of Byzantine validators, percent. */
const byzantinePercents = [1, 2, 5, 10, 20, 30, 100 / 3, 40] as const;

export function griefingTable(parameters: HornParameters): HornTable {
  const { subcommittee, allSubcommittees } = hornSizes(parameters);
  const election = { members: subcommittee, aggregators: parameters.aggregators };
  const eveVotes = Math.min(100, subcommittee);
  const honestVotes = subcommittee - eveVotes;
  const { weight, censored } = griefedAggregate(honestVotes, eveVotes);
  return {
    title: 'Reward griefing',
    section: 'Reward griefing attacks against Horn; Censorship attack implications on consensus',
    rows: [
      row(
        `weight of Eve's aggregate minus the best honest weight, N = ${eveVotes}`,
        'votes',
        weight - honestVotes,
        exactly('best', 1),
      ),
      row(`omitted honest votes, N = ${eveVotes}`, 'votes', censored, exactly('N-1', eveVotes - 1)),
      row(
        `Eve's votes needed for this omission, N = ${eveVotes}`,
        'votes',
        eveVotes,
        exactly('N for N', censored),
        'The appendix states N votes for N omitted votes. With N votes, her aggregate is heavier only if it omits at most N-1 votes. The argument of the appendix needs only one vote per omitted vote.',
      ),
    ],
    grids: [
      {
        title: "Omitted honest votes per subcommittee and slot, by Eve's share of the validators",
        columns: ["Eve's, %", 'her votes', 'she is elected, %', 'omitted', 'omitted per slot', 'of honest votes, %'],
        rows: byzantinePercents.map((eve) => {
          const { elected, censored: lost, lostShare } = griefingLoss(election, eve / 100);
          return [eve, (subcommittee * eve) / 100, 100 * elected, lost, allSubcommittees * lost, 100 * lostShare];
        }),
      },
    ],
  };
}

/** Time to verify one proof, as stated in the post, s. */
const secondsPerProof = 0.5;

/** Percentage of set bits at which the sum of a bitfield's keys takes the most additions. */
const costliestPercent = 50;

/** Share of Byzantine validators in the table of alternatives. */
const eveShare = 1 / 3;

export function alternativesTable(parameters: HornParameters): HornTable {
  const { committee, subcommittee } = hornSizes(parameters);
  const number = parameters.multiplicityBits === 4 ? 'four' : parameters.multiplicityBits;
  const bits = `${number} bits`;
  const bare = globalTopicLoad('horn', parameters, 0);
  const election = { members: subcommittee, aggregators: parameters.aggregators };
  const merged = mergeableAggregates(parameters.multiplicityBits);
  const vectors = bare.messages * multiplicityBytes(committee, parameters.multiplicityBits);
  const proofBytes = succinctProofBytes(committee, parameters);
  const withProofs = bare.bytes + bare.messages * proofBytes;
  const upTo = binomial(subcommittee, 1 / electionModulus(election)).slice(0, merged + 1);
  const noneHonest = probabilityOfNone(election, 1 - eveShare);
  const secondsOfAll = bare.messages * secondsPerProof;
  return {
    title: 'Alternatives that merge overlapping aggregates',
    section: 'Alternative aggregation schemes',
    rows: [
      row(`${bits}: multiplicities on the global topic`, 'B', vectors, rounded('8MBs', 8e6, 0.5e6)),
      row(`${bits}: by bitfields`, 'times', vectors / bare.bytes, exactly('a factor of four', 4)),
      row(`${bits}: overlapping aggregates that merge`, '', merged, exactly('up to 15', 15)),
      row(
        `${bits}: probability of more aggregators than that`,
        '',
        1 - upTo.reduce((sum, probability) => sum + probability, 0),
        undefined,
        'Sixteen aggregators are expected, so one vector cannot always contain all aggregates. Aggregates without a new vote are omitted, and a further vector contains the excess aggregates.',
      ),
      row(
        `${bits}: additions for one key, at most`,
        '',
        multiplicitySumAdditions(committee, parameters.multiplicityBits),
      ),
      row(
        'proof: its length for a committee, with the key',
        'B',
        proofBytes,
        rounded('about 3 kilobytes', 3000, 500),
        'The proof is shorter, although it also covers the bitfield and the range of the multiplicities, because one argument over one vector covers all of them.',
      ),
      row('proof: bitfields and proofs on the global topic', 'B', withProofs),
      row(
        'proof: all collections one after another',
        's',
        secondsOfAll,
        undefined,
        `The post's time is ${secondsPerProof} s per proof. The post calls this impractical.`,
      ),
    ],
    grids: [
      {
        title:
          "The post's table: honest votes lost if Eve has a third of the validators, bytes per slot, and maximum cost per key",
        columns: ['scheme', 'griefing', 'lost, %', 'bandwidth', 'bytes', 'time', 'key'],
        rows: [
          [
            'bitfield',
            'bad',
            100 * griefingLoss(election, eveShare).lostShare,
            'middling',
            bare.bytes,
            'good',
            `${keySum(committee, costliestPercent).subtracting} additions`,
          ],
          [
            `${number}-bit integers`,
            'good',
            100 * noneHonest,
            'bad',
            vectors,
            'good',
            `${multiplicitySumAdditions(committee, parameters.multiplicityBits)} additions`,
          ],
          ['succinct proof', 'good', 100 * noneHonest, 'middling', withProofs, 'bad', `${secondsPerProof} s`],
        ],
      },
    ],
  };
}
