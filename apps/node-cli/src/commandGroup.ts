import { Command } from 'commander';
import type { Context } from './context.ts';

/**
 * Creates a command.
 *
 * @param below the word after the command's name; subcommands with other names may be omitted.
 */
export type Loader = (context: Context, below?: string) => Promise<Command>;

type Subcommands = Readonly<Record<string, (context: Context) => Promise<Command>>>;

/**
 * Returns a loader for a command that only has subcommands. It loads only the requested one, because loading takes time
 * and affects measurements. For the group's help it loads all of them.
 */
export function group(name: string, about: string, subcommands: Subcommands): Loader {
  return withBelow(name, async () => new Command(name).description(about), subcommands);
}

/** Returns a loader for a command that has both flags and subcommands. */
export function withBelow(name: string, own: (context: Context) => Promise<Command>, subcommands: Subcommands): Loader {
  return async (context, below = '') => {
    const isNamed = Object.hasOwn(subcommands, below);
    const command = isNamed ? new Command(name) : await own(context);
    for (const load of isNamed ? [subcommands[below]!] : Object.values(subcommands))
      command.addCommand(await load(context));
    // Flags after a subcommand's name belong to the subcommand, even if both have a flag of that name.
    return command.enablePositionalOptions();
  };
}
