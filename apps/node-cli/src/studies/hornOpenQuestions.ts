import { defaultHornParameters, expectedElected, hornSizes, probabilityOfNone, sparseCoding } from '@tutti/core/horn';
import { seedSetting } from '@tutti/core/settings';
import { changeBytes } from '@tutti/ethereum';
import { flag, integer, setting } from '../flags.ts';
import { fourDigits } from '../numbers.ts';
import { rowsTable } from '../output/tables.ts';
import { snappyCoding } from '../snappyCoding.ts';
import { study } from './study.ts';

const { committee, subcommittee, allSubcommittees } = hornSizes(defaultHornParameters);

interface ChangesRow {
  readonly percent: number;
  /** Probability that a validator absent in one slot is absent in the next. */
  readonly stay: number;
  readonly coding: string;
  readonly alone: number;
  readonly changes: number;
  readonly lesser: number;
}

interface ElectionRow {
  readonly aimed: number;
  readonly expected: number;
  /** Standard deviation of the number of messages of all subcommittees of a slot; none if the number is fixed. */
  readonly spread: number;
  readonly honestShare: number;
  /** Probability that a subcommittee has no honest elected member. */
  readonly selfSelected: number;
  readonly fixed: number;
}

/** Output of `tutti horn open-questions --json`. */
export interface OpenQuestionsDocument {
  readonly changes: readonly ChangesRow[];
  readonly elections: readonly ElectionRow[];
}

export const hornOpenQuestions = study({
  name: 'open-questions',
  about: 'Measure what the post leaves open: bitfields coded against the slot before, and elections of a fixed size.',
  flags: {
    slots: flag('<n>', 'consecutive slots whose bitfields are coded', integer(1, 1000), 8),
    seed: setting(seedSetting),
  },
  find: ({ slots, seed }) => measure(slots, seed),
  rows: (found, { slots, seed }) => studyRows(found, slots, seed),
  text,
});

function measure(slots: number, seed: number): OpenQuestionsDocument {
  const changes = [95, 99].flatMap((percent) =>
    [1 - percent / 100, 0.5, 0.9, 0.99].flatMap((stay) =>
      [snappyCoding, sparseCoding].map((coding) => ({
        percent,
        stay,
        coding: coding.name,
        ...changeBytes(coding, committee, percent, stay, slots, seed),
      })),
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
        // Each is drawn from far more validators than are elected.
        fixed: (1 - honestShare) ** aimed,
      };
    }),
  );
  return { changes, elections };
}

/**
 * Returns one row per coding of a bitfield, then one row per election. Columns of only one question are empty in the
 * other's rows.
 */
function studyRows({ changes, elections }: OpenQuestionsDocument, slots: number, seed: number): object[] {
  return [
    ...changes.map(({ percent, stay, coding, alone, changes: changed, lesser }) => ({
      ...{ question: 'coding', preset: 'horn', seed, slots, coding, votedPercent: percent, stayShare: stay },
      ...{ aloneBytes: alone, changesBytes: changed, lesserBytes: lesser },
    })),
    ...elections.map(({ aimed, expected, spread, honestShare, selfSelected, fixed }) => ({
      ...{ question: 'election', preset: 'horn', aimedAggregators: aimed, honestShare },
      ...{ slotMessages: allSubcommittees * expected, slotMessagesDeviation: spread },
      ...{ selfSelectedNoneHonestShare: selfSelected, fixedNoneHonestShare: fixed },
    })),
  ];
}

function text({ changes, elections }: OpenQuestionsDocument): string {
  return [
    "Bytes of a committee's bitfield, 32,768 bits, by itself and as what has changed since the slot before:\n",
    rowsTable(changes, [
      ['voted, %', ({ percent }) => percent],
      ['stays away', ({ stay }) => stay, 2],
      ['coding', ({ coding }) => coding],
      ['by itself', ({ alone }) => alone],
      ['changes', (row) => row.changes],
      ['the lesser', ({ lesser }) => lesser],
    ]),
    "Elections of a subcommittee of 512: by the hash of one's signature, and of a fixed number:\n",
    rowsTable(elections, [
      ['aimed at', ({ aimed }) => aimed],
      ['messages of a slot', ({ expected }) => allSubcommittees * expected],
      ['give or take', ({ spread }) => spread],
      ['honest, %', ({ honestShare }) => 100 * honestShare],
      ['none honest, self-selected', ({ selfSelected }) => fourDigits(selfSelected)],
      ['fixed', ({ fixed }) => fourDigits(fixed)],
    ]),
    'Self-selected, nobody knows the elected before they speak; a fixed number is known to all, and can be attacked beforehand.\n',
  ].join('\n');
}
