import { defaultHornParameters, expectedElected, hornSizes, probabilityOfNone, sparseCoding } from '@tutti/core/horn';
import { changeBytes } from '@tutti/simulation/slots';
import { Command } from 'commander';
import { forceOption } from '../commonFlags.ts';
import type { Context } from '../context.ts';
import { integerFlag, seedFlag } from '../flags.ts';
import { fourDigits, grouped } from '../numbers.ts';
import { columnTable } from '../output/tables.ts';
import { outOption, requireOut, writeStudy } from '../results/tableFile.ts';
import { snappyCoding } from '../snappyCoding.ts';

const { committee, subcommittee, allSubcommittees } = hornSizes(defaultHornParameters);

interface Flags {
  readonly slots: number;
  readonly seed: number;
  readonly out?: string;
  readonly force?: boolean;
  readonly json?: boolean;
}

interface ChangesRow {
  readonly percent: number;
  /** Chance that a validator that is absent in one slot is absent in the next. */
  readonly stay: number;
  readonly coding: string;
  readonly alone: number;
  readonly changes: number;
  readonly lesser: number;
}

interface ElectionRow {
  readonly aimed: number;
  readonly expected: number;
  /** Messages of all subcommittees of a slot, their standard deviation; none where the number is fixed. */
  readonly spread: number;
  readonly honestShare: number;
  /** Of a subcommittee, that nobody elected is honest. */
  readonly selfSelected: number;
  readonly fixed: number;
}

/** What `tutti horn open-questions --json` prints. */
export interface OpenQuestionsDocument {
  readonly changes: readonly ChangesRow[];
  readonly elections: readonly ElectionRow[];
}

export function hornOpenQuestionsCommand(context: Context): Command {
  return new Command('open-questions')
    .description(
      'Measure what the post leaves open: bitfields coded against the slot before, and elections of a fixed size.',
    )
    .option('--slots <n>', 'consecutive slots whose bitfields are coded', integerFlag('--slots', 1, 1000), 8)
    .option('--seed <n>', 'an integer from 0 to 4294967295', seedFlag, 1)
    .addOption(outOption)
    .addOption(forceOption)
    .option('--json', 'print one JSON document')
    .action(({ slots, seed, out, force, json }: Flags, self: Command) => {
      requireOut({ out, force });
      const document = measure(slots, seed);
      writeStudy(out, () => studyRows(document, slots, seed), self, seed);
      context.out(json ? `${JSON.stringify(document)}\n` : text(document));
    });
}

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
        // Each drawn from far more validators than are elected.
        fixed: (1 - honestShare) ** aimed,
      };
    }),
  );
  return { changes, elections };
}

/** A row a coding of a bitfield, then a row an election: what only one of the questions has is empty in the other's. */
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
    columnTable(
      ['voted, %', 'stays away', 'coding', 'by itself', 'changes', 'the lesser'],
      changes.map((row) => [
        grouped(row.percent),
        grouped(row.stay, 2),
        row.coding,
        grouped(row.alone),
        grouped(row.changes),
        grouped(row.lesser),
      ]),
    ),
    "Elections of a subcommittee of 512: by the hash of one's signature, and of a fixed number:\n",
    columnTable(
      ['aimed at', 'messages of a slot', 'give or take', 'honest, %', 'none honest, self-selected', 'fixed'],
      elections.map((row) => [
        grouped(row.aimed),
        grouped(allSubcommittees * row.expected),
        grouped(row.spread),
        grouped(100 * row.honestShare),
        fourDigits(row.selfSelected),
        fourDigits(row.fixed),
      ]),
    ),
    'Self-selected, nobody knows the elected before they speak; a fixed number is known to all, and can be attacked beforehand.\n',
  ].join('\n');
}
