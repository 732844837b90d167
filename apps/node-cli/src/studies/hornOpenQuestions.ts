import { defaultHornParameters, expectedElected, hornSizes, probabilityOfNone, sparseCoding } from '@tutti/core/horn';
import { seedSetting } from '@tutti/core/input';
import { changeBytes, type Summary } from '@tutti/ethereum';
import { flag, integer, seedsFlag, seedsFrom, setting } from '../flags.ts';
import { snappyCoding } from '../horn/snappyCoding.ts';
import { postWorld, type StatedWorld, worldLine } from '../output/statedWorld.ts';
import { counted, fourDigits, rowsTable } from '../output/text.ts';
import { fieldsOverSeeds, rowsWithSeeds, spreadColumn, spreadMeaning } from '../results/overSeeds.ts';
import { study } from './study.ts';

const { committee, subcommittee, allSubcommittees } = hornSizes(defaultHornParameters);

interface ChangesRow<T> {
  /** Share of the validators that vote, percent. */
  readonly percent: number;
  /** Probability that a validator that is absent in one slot is also absent in the next slot. */
  readonly stay: number;
  readonly coding: string;
  /**
   * Mean number of bytes per bitfield, over the slots: coded by itself, coded as changes, and with the shorter of the
   * two codings.
   */
  readonly alone: T;
  readonly changes: T;
  readonly lesser: T;
}

const ofSeed = ['alone', 'changes', 'lesser'] as const;

interface ElectionRow {
  /** Intended number of elected members per subcommittee, and the expected number with self-selection. */
  readonly aimed: number;
  readonly expected: number;
  /** Standard deviation of the total number of elected members per slot, with self-selection. */
  readonly spread: number;
  readonly honestShare: number;
  /**
   * Probability that a subcommittee has no honest elected member, with self-selection and with a fixed number of
   * members.
   */
  readonly selfSelected: number;
  readonly fixed: number;
}

/** Output of `tutti horn open-questions --json`. */
interface OpenQuestionsDocument {
  readonly world: StatedWorld;
  readonly seeds: readonly number[];
  readonly changes: readonly ChangesRow<Summary>[];
  readonly elections: readonly ElectionRow[];
}

export const hornOpenQuestions = study({
  name: 'open-questions',
  about:
    'Measure answers to two questions that the post leaves open: the size of bitfields that are coded as differences from the previous slot, and elections of a fixed size.',
  flags: {
    slots: flag('<n>', 'number of consecutive slots whose bitfields are coded', integer(1, 1000), 8),
    seed: setting(seedSetting),
    seeds: seedsFlag(),
  },
  find: ({ slots, seed, seeds }) => measure(slots, seedsFrom(seed, seeds)),
  document: ({ changes, ...of }) => ({ ...of, changes: changes.map((rows) => fieldsOverSeeds(rows, ofSeed)) }),
  rows: (found, { slots }) => studyRows(found, slots),
  text,
});

/** Results, one per seed. */
interface Found extends Omit<OpenQuestionsDocument, 'changes'> {
  readonly changes: readonly (readonly ChangesRow<number>[])[];
}

function measure(slots: number, seeds: readonly number[]): Found {
  const changes = [95, 99].flatMap((percent) =>
    [(100 - percent) / 100, 0.5, 0.9, 0.99].flatMap((stay) =>
      [snappyCoding, sparseCoding].map((coding) =>
        seeds.map((seed) => ({
          percent,
          stay,
          coding: coding.name,
          ...changeBytes(coding, { bits: committee, percent, stay, slots, seed }),
        })),
      ),
    ),
  );
  const elections = [4, 8, 16, 32].flatMap((aimed) =>
    [0.9, 2 / 3, 0.5].map((honestShare): ElectionRow => {
      const election = { members: subcommittee, aggregators: aimed };
      const expected = expectedElected(election);
      const chance = expected / subcommittee;
      return {
        aimed,
        expected,
        spread: Math.sqrt(allSubcommittees * subcommittee * chance * (1 - chance)),
        honestShare,
        selfSelected: probabilityOfNone(election, honestShare),
        // The members are drawn from many more validators than are elected, so the draws are treated as independent.
        fixed: (1 - honestShare) ** aimed,
      };
    }),
  );
  const world = postWorld({
    validators: defaultHornParameters.validators,
    seeds,
    machine: 'none: only bytes and probabilities are computed',
    also: [`${counted(slots, 'slot')} of a committee's bitfield; elections are computed`],
  });
  return { world, seeds, changes, elections };
}

/**
 * Returns one row per bitfield coding, then one row per election. Columns that apply to only one of the two questions
 * are empty in rows of the other question.
 */
function studyRows({ seeds, changes, elections }: Found, slots: number): object[] {
  return [
    ...rowsWithSeeds(changes, seeds).map(({ seed, percent, stay, coding, alone, changes: changed, lesser }) => ({
      ...{ question: 'coding', preset: 'horn', seed, slots, coding, votedPercent: percent, stayShare: stay },
      ...{ aloneBytes: alone, changesBytes: changed, lesserBytes: lesser },
    })),
    ...elections.map(({ aimed, expected, spread, honestShare, selfSelected, fixed }) => ({
      question: 'election',
      preset: 'horn',
      aimedAggregators: aimed,
      honestShare,
      slotMessages: allSubcommittees * expected,
      slotMessagesDeviation: spread,
      selfSelectedNoneHonestShare: selfSelected,
      fixedNoneHonestShare: fixed,
    })),
  ];
}

function text({ world, changes, elections }: Found): string {
  return [
    `Bytes for a committee's bitfield of ${counted(committee, 'bit')}, coded completely and as differences from the previous slot:\n`,
    rowsTable<readonly ChangesRow<number>[]>(changes, [
      ['voted, %', ([row]) => row!.percent],
      ['stays absent', ([row]) => row!.stay, 2],
      ['coding', ([row]) => row!.coding],
      spreadColumn('complete', ({ alone }) => alone),
      spreadColumn('differences', (row) => row.changes),
      spreadColumn('shorter of both', ({ lesser }) => lesser),
    ]),
    `Elections in a subcommittee of ${counted(subcommittee, 'member')}: self-selection by a hash of the member's signature, compared with a fixed number of members:\n`,
    rowsTable(elections, [
      ['intended aggregators', ({ aimed }) => aimed],
      ['messages per slot', ({ expected }) => allSubcommittees * expected],
      ['standard deviation', ({ spread }) => spread],
      ['honest, %', ({ honestShare }) => 100 * honestShare],
      ['none honest, self-selected', ({ selfSelected }) => fourDigits(selfSelected)],
      ['fixed', ({ fixed }) => fourDigits(fixed)],
    ]),
    'With self-selection, no attacker knows the elected members before their first message. With a fixed number, all nodes know the elected members in advance, so an attacker can attack these members before their first message.\n',
    `${spreadMeaning}\n${worldLine(world)}\n`,
  ].join('\n');
}
