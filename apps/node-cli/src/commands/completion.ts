import { Command } from 'commander';
import type { Context } from '../context.ts';
import { choiceFlag } from '../flags.ts';
import { shells } from '../output/completionScripts.ts';
import { completed } from '../output/completionText.ts';

type Shell = keyof typeof shells;

/**
 * Creates the command.
 *
 * @param whole creates the program with all its commands.
 */
export function completionCommand(context: Context, whole: () => Promise<Command>): Command {
  return new Command('completion')
    .description('Print a shell script that enables completion of commands, flags and values.')
    .argument('<shell>', Object.keys(shells).join(', '), choiceFlag('<shell>', Object.keys(shells) as Shell[]))
    .addHelpText(
      'after',
      `
For this shell only:
  source <(tutti completion bash)
For all bash, zsh or fish sessions:
  tutti completion bash >~/.local/share/bash-completion/completions/tutti
  tutti completion zsh >"\${fpath[1]}/_tutti"
  tutti completion fish >~/.config/fish/completions/tutti.fish`,
    )
    .action(async (shell: Shell) => context.out(shells[shell](completed(await whole()))));
}
