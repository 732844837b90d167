import { defaultHornParameters, expectedElected, hornSizes, probabilityOfNone, sparseCoding } from '@tutti/core/horn';
import { changeBytes } from '@tutti/simulation/slots';
import { Command } from 'commander';
import type { Context } from '../context.ts';
import { integerFlag, seedFlag } from '../flags.ts';
import { fourDigits, grouped } from '../numbers.ts';
import { columnTable } from '../output/tables.ts';
import { snappyCoding } from '../snappyCoding.ts';

interface Flags {
  readonly slots: number;
  readonly seed: number;
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
  /** Messages of a slot's 2048 subcommittees, their standard deviation; none where the number is fixed. */
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
    .option('--json', 'print one JSON document')
    .action(({ slots, seed, json }: Flags) => {
      const document = measure(slots, seed);
      context.out(json ? `${JSON.stringify(document)}\n` : text(document));
    });
}

function measure(slots: number, seed: number): OpenQuestionsDocument {
  const { committee, subcommittee, allSubcommittees } = hornSizes(defaultHornParameters);
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
        grouped(2048 * row.expected),
        grouped(row.spread),
        grouped(100 * row.honestShare),
        fourDigits(row.selfSelected),
        fourDigits(row.fixed),
      ]),
    ),
    'Self-selected, nobody knows the elected before they speak; a fixed number is known to all, and can be attacked beforehand.\n',
  ].join('\n');
}
