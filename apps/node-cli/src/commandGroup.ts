import { Command } from 'commander';
import type { Context } from './context.ts';

/**
 * Creates a command.
 *
 * @param below the word after the command's name; subcommands with another name may be left out.
 */
export type Loader = (context: Context, below?: string) => Promise<Command>;

/** Subcommands by name. */
type Subcommands = Readonly<Record<string, (context: Context) => Promise<Command>>>;

/**
 * Returns a loader for a command that only has subcommands. Only the requested one is loaded, since loading takes time
 * and affects measurements; all of them for the group's help.
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
    // Flags after a subcommand's name belong to the subcommand, also where both have a flag of that name.
    return command.enablePositionalOptions();
  };
}
