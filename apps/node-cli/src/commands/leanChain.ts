import { type LeanChainResult, leanStories, leanStoryNames, runLeanChain } from '@tutti/ethereum/lean';
import { Command } from 'commander';
import { forceOption, seedOption } from '../commonFlags.ts';
import type { Context } from '../context.ts';
import { choiceFlag, integerFlag } from '../flags.ts';
import { counted, grouped } from '../numbers.ts';
import { answer } from '../output/answer.ts';
import { wrapped } from '../output/folded.ts';
import { columnTable } from '../output/tables.ts';
import { outOption, requireOut, writeStudy } from '../results/tableFile.ts';

interface Flags {
  readonly story?: string;
  readonly slots?: number;
  readonly seed: number;
  readonly out?: string;
  readonly force?: boolean;
  readonly json?: boolean;
}

/** Output of `tutti lean chain --json`. */
export interface LeanChainDocument {
  readonly stories: readonly (LeanChainResult & { readonly story: string })[];
}

export function leanChainCommand(context: Context): Command {
  return new Command('chain')
    .description('Run many slots, in which late proofs and blocks decide what the next slots vote on.')
    .option(
      '--story <name>',
      `one of ${leanStoryNames.join(', ')}; default: all`,
      choiceFlag('--story', leanStoryNames),
    )
    .option('--slots <n>', "2 to 100000; default: the story's", integerFlag('--slots', 2, 100_000))
    .addOption(seedOption('draws when votes come and how long proofs take'))
    .addOption(outOption)
    .addOption(forceOption)
    .option('--json', 'print one JSON document, with every slot')
    .action(({ story, slots, seed, out, force, json }: Flags, self: Command) => {
      requireOut({ out, force });
      const names = story === undefined ? leanStoryNames : [story];
      const stories = names.map((name) => {
        const options = { ...leanStories[name]!, seed };
        return { story: name, ...runLeanChain(slots === undefined ? options : { ...options, slots }) };
      });
      writeStudy(out, () => stories.flatMap((one) => slotRows(one, seed)), self, seed);
      answer(context, json, { stories }, text({ stories }));
    });
}

/** Returns one row per slot. Metrics of leanMetrics have its names. */
function slotRows({ story, slots }: LeanChainDocument['stories'][number], seed: number): object[] {
  return slots.map(({ slot, justified, finalized, safe, ...rest }) => ({
    ...{ story, seed, lean_current_slot: slot, lean_safe_target_slot: safe },
    ...{ lean_latest_justified_slot: justified, lean_latest_finalized_slot: finalized },
    ...rest,
  }));
}

function text({ stories }: LeanChainDocument): string {
  const table = columnTable(
    [
      'story',
      'slots',
      'justified behind',
      'at most',
      'final behind',
      'at most',
      'proofs/s',
      'busy, %',
      'split',
      'backlog',
    ],
    stories.map((one) => [
      one.story,
      grouped(one.slots.length),
      grouped(one.justificationLag.mean, 1),
      grouped(one.justificationLag.most),
      grouped(one.finalityLag.mean, 1),
      grouped(one.finalityLag.most),
      grouped(one.proofsPerSecond, 3),
      grouped(100 * one.busyShare),
      grouped(one.slots.filter(({ votedFor }) => votedFor > 1).length),
      grouped(Math.max(...one.slots.map(({ backlog }) => backlog))),
    ]),
  );
  const first = counted(stories.length, 'story', 'stories');
  return `${table}\n${wrapped(`${first}. Behind: slots between the clock and what is justified or final, in the second half; proofs/s: of each prover; split: slots whose votes are for two heads; backlog: groups of votes that wait, at most.`)}\n`;
}
