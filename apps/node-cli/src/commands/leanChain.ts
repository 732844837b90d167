import {
  type LeanChainOptions,
  type LeanChainSummary,
  leanChainSummary,
  leanStories,
  leanStoryNames,
  runLeanChain,
} from '@tutti/ethereum/lean';
import { Command } from 'commander';
import { answer, type Context } from '../context.ts';
import { choice, type FlagsOf, flag, integer, seedFlag, seedsFlag, seedsFrom, toggle, withFlags } from '../flags.ts';
import { leanChainWorld } from '../lean/leanFlags.ts';
import { type StatedWorld, worldLine } from '../output/statedWorld.ts';
import { columnTable, counted, grouped, wrapped } from '../output/text.ts';
import { runBySeed, spreadText } from '../results/overSeeds.ts';
import { outputFlags, requireOut, writeStudy } from '../results/tableFile.ts';

const chainFlags = {
  story: flag('<name>', `one of ${leanStoryNames.join(', ')} (default: all)`, choice(leanStoryNames)),
  slots: flag('<n>', "number of slots, 2 to 100000 (default: the story's value)", integer(2, 100_000)),
  seed: seedFlag('seed for the times of votes and the durations of proofs'),
  seeds: seedsFlag(),
  ...outputFlags,
  json: toggle('print one JSON document, including every slot of the first seed'),
};

/** Output of `tutti lean chain --json`. */
interface LeanChainDocument {
  readonly world: StatedWorld;
  readonly stories: readonly SimulatedStory[];
}

interface SimulatedStory extends LeanChainSummary {
  readonly story: string;
  readonly options: LeanChainOptions;
}

export function leanChainCommand(context: Context): Command {
  const command = new Command('chain').description(
    'Simulate many consecutive slots, so that late proofs and blocks affect the votes in the following slots.',
  );
  return withFlags(command, chainFlags).action(async (flags: FlagsOf<typeof chainFlags>) => {
    requireOut(flags);
    const { story, slots, seed, seeds: count, out, json } = flags;
    const names = story === undefined ? leanStoryNames : [story];
    const seeds = seedsFrom(seed, count);
    const chosen = names.map((name) => {
      const given = leanStories[name]!;
      return { story: name, options: { ...given, slots: slots ?? given.slots, seed } };
    });
    const run = ({ options }: (typeof chosen)[number], of: number) => runLeanChain({ ...options, seed: of });
    const groups = await runBySeed(chosen, seeds, run, 'chains', context);
    const stories = chosen.map((one, at): SimulatedStory => ({ ...one, ...leanChainSummary(groups[at]!, seeds) }));
    writeStudy(out, () => stories.flatMap((one) => slotRows(one, seed)), command, seed);
    const document = { world: leanChainWorld(stories[0]!.options, seeds), stories };
    answer(context, json, document, text(document));
  });
}

/** Returns the slots of the first seed, one row each. Quantities of leanMetrics have the same names. */
function slotRows({ story, options, first }: SimulatedStory, seed: number): object[] {
  return first.slots.map(({ slot, justified, finalized, safe, ...rest }) => ({
    story,
    profile: options.profile.name,
    seed,
    lean_current_slot: slot,
    lean_safe_target_slot: safe,
    lean_latest_justified_slot: justified,
    lean_latest_finalized_slot: finalized,
    ...rest,
  }));
}

function text({ world, stories }: LeanChainDocument): string {
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
      'orphaned',
      'backlog',
      'state, kB',
    ],
    stories.map((one) => [
      one.story,
      grouped(one.options.slots),
      spreadText(one.justificationLag.mean, 1),
      grouped(one.justificationLag.max.max),
      spreadText(one.finalityLag.mean, 1),
      grouped(one.finalityLag.max.max),
      spreadText(one.proofsPerSecond, 3),
      spreadText(one.busyShare, 0, 100),
      spreadText(one.splitSlots),
      spreadText(one.orphaned),
      spreadText(one.backlog),
      grouped(one.stateBytes.max / 1000),
    ]),
  );
  const meaning =
    'Mean (p10-p90) over the seeds. Behind: number of slots between the justified or final slot and the current slot, in the second half of the run. At most: maximum over all seeds. Proofs/s: per prover. Split: number of slots in which votes name two different heads. Orphaned: number of blocks that are not in the final chain. Backlog: maximum number of waiting groups of votes. State: maximum SSZ size in the last slot.';
  return `${wrapped(`${worldLine(world)}\n`)}\n${table}\n${wrapped(`${counted(stories.length, 'story', 'stories')}. ${meaning}`)}\n`;
}
