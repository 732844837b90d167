import { defaultHornParameters, hornSizes } from '@tutti/core/horn';
import { shares as allShares, seedSetting } from '@tutti/core/input';
import {
  type Alternative,
  expectedLoss,
  type ForwardingName,
  forwardingNames,
  forwardingSchemes,
  type GriefingSample,
  honestLossShare,
  type LossShare,
  type MeanEstimate,
  type SampledAlternatives,
  sampleAlternatives,
  sampleGriefing,
  singleVoteLossShare,
} from '@tutti/ethereum';
import { type FlagsOf, flag, integer, numberFlag, ranged, setting } from '../flags.ts';
import { codings } from '../horn/tables.ts';
import { Counter } from '../output/progress.ts';
import { postWorld, type StatedWorld, worldLine } from '../output/statedWorld.ts';
import { counted, fourDigits, rowsTable, type TableColumn } from '../output/text.ts';
import { study } from './study.ts';

/** Default shares of Byzantine validators: the shares in Horn's table. */
const shares = [0.01, 0.02, 0.05, 0.1, 0.2, 0.3, 1 / 3, 0.4];

/** Default share of Byzantine validators for the simulation of the remedies. */
const eveShare = 1 / 3;

/** The post's ratings of the remedies that the post names. */
const postMarks: Partial<Record<ForwardingName, { griefing: string; bandwidth: string; time: string }>> = {
  bitfield: { griefing: 'bad', bandwidth: 'middling', time: 'good' },
  fourBit: { griefing: 'good', bandwidth: 'bad', time: 'good' },
  succinctProof: { griefing: 'good', bandwidth: 'middling', time: 'bad' },
};

const positive = (most: number) => (name: string) =>
  numberFlag(name, `a number greater than 0 and at most ${most}`, (value) => value > 0 && value <= most);

const flags = {
  share: flag(
    '<share>',
    "Eve's share of all validators (default: several shares in the first table, one third in the tables of remedies)",
    ranged({ ...allShares, max: 0.9 }),
  ),
  slots: flag('<n>', 'number of slots, with one simulated committee each', integer(2, 100_000), 100),
  participation: flag('<share>', 'share of the honest validators that vote', ranged({ ...allShares, min: 0.001 }), 1),
  seed: { ...setting(seedSetting), about: 'seed for votes, elections and choices' },
  additionNs: flag('<ns>', "time to add two keys (default: the post's i7-8550U)", positive(1_000_000), 363.6),
  proofMs: flag('<ms>', "time to verify a succinct proof (default: the post's value)", positive(600_000), 500),
};

export const hornGriefing = study({
  name: 'griefing',
  about:
    'Sample reward griefing and its remedies over many slots, and print the losses of honest validators and the costs of the remedies.',
  flags,
  find(asked, context) {
    const others = asked.share === undefined ? shares.filter((one) => one !== eveShare).length : 0;
    const counter = new Counter(context, 'running', asked.slots * (1 + others), 'slots');
    try {
      return runOf(asked, () => counter.step());
    } finally {
      counter.done();
    }
  },
  rows: studyRows,
  text,
});

interface ByShare {
  readonly share: number;
  /** Number of honest votes excluded, per subcommittee and slot. */
  readonly leftOut: MeanEstimate;
  readonly leftOutExpected: number;
  readonly honestLost: LossShare;
  readonly honestLostExpected: number;
  readonly singledOutLost: LossShare;
  readonly singledOutLostExpected: number;
  /** Number of Byzantine validators' votes excluded, per subcommittee and slot. */
  readonly eveLeftOut: MeanEstimate;
}

interface Remedy extends Alternative {
  readonly name: string;
  readonly post: { readonly griefing: string; readonly bandwidth: string; readonly time: string } | null;
  readonly honestLost: LossShare;
  readonly honestLostExpected: number;
  /** Maximum number of honest votes lost in any subcommittee that has an honest aggregator. */
  readonly maxWithHonestAggregator: number;
  readonly eveLeftOut: MeanEstimate;
}

interface GriefingDocument {
  readonly world: StatedWorld;
  readonly seed: number;
  readonly slots: number;
  readonly participation: number;
  readonly additionNs: number;
  readonly proofMs: number;
  readonly shares: readonly ByShare[];
  readonly alternatives: {
    readonly share: number;
    /** Number of simulated subcommittees, and number of those with honest votes but no honest aggregator. */
    readonly subcommittees: number;
    readonly withoutHonestAggregator: number;
    readonly schemes: readonly Remedy[];
  };
}

function runOf(
  { share, slots, participation, seed, additionNs, proofMs }: FlagsOf<typeof flags>,
  onSlot: () => void,
): GriefingDocument {
  const sizes = hornSizes(defaultHornParameters);
  const odds = (ofEve: number): GriefingSample => ({
    election: { members: sizes.subcommittee, aggregators: defaultHornParameters.aggregators },
    subcommittees: defaultHornParameters.subcommittees,
    eveShare: ofEve,
    participation,
    slots,
    seed,
  });
  const remediesShare = share ?? eveShare;
  const costs = { additionNs, proofMs };
  const remedies = sampleAlternatives(odds(remediesShare), defaultHornParameters, codings, costs, onSlot);
  const losses = (ofEve: number) =>
    ofEve === remediesShare
      ? remedies
      : { outcome: sampleGriefing(odds(ofEve), undefined, onSlot), expected: expectedLoss(odds(ofEve)) };
  const world = postWorld({
    validators: sizes.committee,
    machine: `1, ${fourDigits(additionNs)} ns per addition`,
    seeds: [seed],
    also: [
      `${counted(slots, 'slot')} of one committee`,
      `${fourDigits(100 * participation)} % of the honest validators vote`,
    ],
  });
  return {
    world,
    seed,
    slots,
    participation,
    ...costs,
    shares: (share === undefined ? shares : [share]).map((ofEve) => byShare(ofEve, losses(ofEve))),
    alternatives: {
      share: remediesShare,
      subcommittees: remedies.outcome.honestVotes.samples,
      withoutHonestAggregator: remedies.outcome.withoutHonestAggregator,
      schemes: forwardingNames.map((name) => remedy(name, remedies)),
    },
  };
}

/**
 * Returns one row per Byzantine share for forwarding the best aggregate, then one row per scheme for the share of the
 * remedies.
 */
function studyRows({ shares: sampled, alternatives, world: _, ...of }: GriefingDocument): object[] {
  const { seed, slots, participation, additionNs, proofMs } = of;
  const setting = { preset: 'horn', seed, slots, participationShare: participation, additionNs, proofMs };
  return [
    ...sampled.map(({ share, ...row }) => ({ ...setting, eveShare: share, scheme: 'bitfield', ...row })),
    ...alternatives.schemes.map(({ codedBytes, post: _, ...row }) => ({
      ...setting,
      eveShare: alternatives.share,
      ...row,
      coded: Object.fromEntries(codedBytes.map(({ bytes }, index) => [`${codings[index]!.name} bytes`, bytes])),
    })),
  ];
}

function byShare(share: number, { outcome, expected }: Pick<SampledAlternatives, 'outcome' | 'expected'>): ByShare {
  const { honest, eve, singledOut } = outcome.losses.bitfield;
  return {
    share,
    leftOut: honest,
    leftOutExpected: expected.lost.bitfield,
    honestLost: honestLossShare(outcome, 'bitfield', expected.honestVotes),
    honestLostExpected: expected.lost.bitfield / expected.honestVotes,
    singledOutLost: singleVoteLossShare(singledOut),
    singledOutLostExpected: expected.singledOutLost,
    eveLeftOut: eve,
  };
}

function remedy(name: ForwardingName, { outcome, expected, alternatives }: SampledAlternatives): Remedy {
  const { eve, withHonestAggregator } = outcome.losses[name];
  return {
    ...alternatives.find(({ scheme }) => scheme === name)!,
    name: forwardingSchemes[name].name,
    post: postMarks[name] ?? null,
    honestLost: honestLossShare(outcome, name, expected.honestVotes),
    honestLostExpected: expected.lost[name] / expected.honestVotes,
    maxWithHonestAggregator: withHonestAggregator.max,
    eveLeftOut: eve,
  };
}

function text({ alternatives, ...document }: GriefingDocument): string {
  const { world, seed, slots, participation, additionNs, proofMs, shares } = document;
  const { share, schemes, subcommittees, withoutHonestAggregator } = alternatives;
  const table = <Row>(rows: readonly Row[], columns: readonly TableColumn<Row>[]) =>
    rowsTable(rows, columns, fourDigits);
  const percent = (value: number) => fourDigits(100 * value);
  const interval = ({ share: value, min, max }: LossShare) =>
    Number.isNaN(value) ? '-' : `${percent(value)} (${percent(min)} to ${percent(max)})`;
  return [
    `Reward griefing, simulated: ${slots} slots of one committee, ${percent(participation)} % of the honest validators voting, seed ${seed}`,
    'Horn: Reward griefing attacks against Horn; Alternative aggregation schemes\n',
    "Losses if collectors forward the best aggregate, by Eve's share of the validators. Columns: honest votes left out per subcommittee and slot; honest votes left out as a percentage of the honest votes cast, with the 99.9 % interval; share of slots in which the vote of a validator that Eve singles out has no effect; Eve's own votes left out:\n",
    table(shares, [
      ["Eve's, %", (one) => percent(one.share)],
      ['left out', ({ leftOut }) => leftOut.mean],
      ['closed form', ({ leftOutExpected }) => leftOutExpected],
      ['honest, %', ({ honestLost }) => interval(honestLost)],
      ['closed form', ({ honestLostExpected }) => percent(honestLostExpected)],
      ['one singled out, %', ({ singledOutLost }) => interval(singledOutLost)],
      ['closed form', ({ singledOutLostExpected }) => percent(singledOutLostExpected)],
      ["Eve's", ({ eveLeftOut }) => eveLeftOut.mean],
    ]),
    `Griefing by scheme, if Eve controls ${percent(share)} % of the validators. In ${withoutHonestAggregator} of ${subcommittees} subcommittees no honest validator aggregated; 'at most, in the others' is the maximum number of honest votes lost in any of the other subcommittees:\n`,
    table(schemes, [
      ['scheme', ({ name }) => name],
      ['the post', ({ post }) => post?.griefing],
      ['honest, %', ({ honestLost }) => interval(honestLost)],
      ['closed form', ({ honestLostExpected }) => percent(honestLostExpected)],
      ['at most, in the others', ({ maxWithHonestAggregator }) => maxWithHonestAggregator],
      ["Eve's", ({ eveLeftOut }) => eveLeftOut.mean],
    ]),
    'Bandwidth: bytes on the global topic per slot, without signatures; a message is coded if coding makes it shorter:\n',
    table(schemes, [
      ['scheme', ({ name }) => name],
      ['the post', ({ post }) => post?.bandwidth],
      ['messages', ({ messages }) => messages],
      ['as they are', ({ bytes }) => bytes],
      ...codings.map(
        ({ name }, index): TableColumn<Remedy> => [name, (one) => Math.round(one.codedBytes[index]!.bytes)],
      ),
    ]),
    `Time on one core: ${fourDigits(additionNs)} ns to add two keys, ${fourDigits(proofMs)} ms to verify a proof; pairings are not included:\n`,
    table(schemes, [
      ['scheme', ({ name }) => name],
      ['the post', ({ post }) => post?.time],
      ['additions', ({ additions }) => Math.round(additions)],
      ['s', ({ seconds }) => seconds],
      ['from totals', ({ additionsFromTotals }) => Math.round(additionsFromTotals)],
      ['s', ({ secondsFromTotals }) => secondsFromTotals],
    ]),
    `Intervals are over slots and subcommittees, so that --slots takes the place of seeds.\n${worldLine(world)}\n`,
  ].join('\n');
}
