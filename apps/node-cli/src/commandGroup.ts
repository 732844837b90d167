import { Command } from 'commander';
import type { Context } from './context.ts';

/**
 * Creates a command.
 *
 * @param subcommand the word after the command's name. If it names a subcommand, the others may be omitted.
 */
export type Loader = (context: Context, subcommand?: string) => Promise<Command>;

type Subcommands = Readonly<Record<string, (context: Context) => Promise<Command>>>;

/**
 * Returns a loader for a command that has subcommands and nothing of its own. It loads only the requested one, because loading takes time
 * and affects measurements. For the group's help it loads all of them.
 */
export function commandGroup(name: string, about: string, subcommands: Subcommands): Loader {
  return commandWithSubcommands(name, async () => new Command(name).description(about), subcommands);
}

/** Returns a loader for a command that has both flags and subcommands. */
export function commandWithSubcommands(
  name: string,
  own: (context: Context) => Promise<Command>,
  subcommands: Subcommands,
): Loader {
  return async (context, subcommand = '') => {
    const isNamed = Object.hasOwn(subcommands, subcommand);
    const command = isNamed ? new Command(name) : await own(context);
    for (const load of isNamed ? [subcommands[subcommand]!] : Object.values(subcommands))
      command.addCommand(await load(context));
    // Flags after a subcommand's name belong to the subcommand, even if both have a flag of that name.
    return command.enablePositionalOptions();
  };
}
