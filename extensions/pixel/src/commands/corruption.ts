import {
  answer,
  Command,
  type Context,
  Counter,
  columnTable,
  counted,
  integerFlag,
  jsonOption,
  seedOption,
} from '@tutti/node-cli/command';
import { posteriorCorruption } from './posteriorCorruption.ts';

export function pixelCorruptionCommand(context: Context): Command {
  return new Command('corruption')
    .description('Give an adversary all keys of a committee after its last round, and see what history it can rewrite.')
    .option('--members <n>', 'members, 1 to 64', integerFlag('--members', 1, 64), 4)
    .option('--rounds <n>', 'rounds, 2 to 64', integerFlag('--rounds', 2, 64), 4)
    .addOption(seedOption('of the keys'))
    .addOption(jsonOption)
    .action(
      async ({ members, rounds, seed, json }: { members: number; rounds: number; seed: number; json?: boolean }) => {
        const counter = new Counter(context, 'trying stolen keys', members, 'members');
        const document = await posteriorCorruption(members, rounds, seed, () => counter.step());
        counter.done();
        const rows = document.rewritten.map(({ round, bls, pixel }) => [
          String(round),
          bls === null ? 'stands' : 'REWRITTEN',
          pixel === null ? 'stands' : 'REWRITTEN',
        ]);
        answer(
          context,
          json,
          document,
          `${counted(members, 'member')}, all keys taken after round ${rounds}; other blocks for the rounds before:\n\n${columnTable(['round', 'BLS', 'Pixel'], rows)}\n${counted(document.attempts, 'attempt')} with Pixel's keys; ${document.signNow} of ${members} sign at round ${rounds}.\n`,
        );
      },
    );
}
