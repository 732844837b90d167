import { createRequire } from 'node:module';
import { Command } from 'commander';
import { type Context, UsageError } from './context.ts';
import { addNotes, type Notes } from './helpNotes.ts';

/** Exports of the module `@tutti/NAME/command`, which provides the command `tutti NAME`. */
export interface Extension {
  /**
   * Creates the command.
   *
   * @param below word after the command's name; subcommands with other names may be omitted.
   */
  command(context: Context, below?: string): Command | Promise<Command>;
  /** Examples and documentation pages for the help of each command, by the words of the command after `tutti`. */
  readonly notes: Readonly<Record<string, Notes>>;
}

/** Known extensions by command name, with their summaries for the help. */
export const knownExtensions: Readonly<Record<string, string>> = {
  anonymous: 'Anonymous signers: ring signatures, the setup of anonymous keys, and Handel with these keys.',
  'distributed-sweeps': 'Run the points of a sweep on many machines, through a queue in Redis.',
  pixel: 'Pixel: forward-secure multi-signatures. A stolen key cannot sign for past periods.',
  testbed: 'Run Handel nodes on separate hosts, each in a network namespace of its own.',
};

/**
 * Returns the command of an extension. If the extension is missing, returns a command that explains how to install the
 * extension.
 *
 * @param summary summary of the command in a list of commands.
 */
export async function extensionCommand(
  name: string,
  summary: string,
  context: Context,
  below?: string,
): Promise<Command> {
  if (!isInstalled(name)) {
    const how = `npm install @tutti/${name}`;
    return substitute(
      name,
      summary,
      `${summary} This extension is not installed: ${how}`,
      new UsageError(`${name}: expected the package @tutti/${name} next to tutti, got none; ${how}`),
    );
  }
  // In a working copy, the extension imports the bundled command. The bundle must match the sources that run here.
  const { isBundleFresh } = await import(new URL('../bin/built.js', import.meta.url).href);
  if (!isBundleFresh())
    return substitute(
      name,
      summary,
      summary,
      new UsageError(`${name}: expected a bundle of the compiled code, got an older bundle; run 'npm run build' first`),
    );
  const extension: Extension = await import(`@tutti/${name}/command`);
  addNotes(extension.notes);
  return (await extension.command(context, below)).summary(summary);
}

function isInstalled(name: string): boolean {
  try {
    createRequire(import.meta.url).resolve(`@tutti/${name}/package.json`);
    return true;
  } catch {
    return false;
  }
}

/** Returns a command that stands in for a command that cannot be loaded, and that fails. */
function substitute(name: string, summary: string, description: string, error: UsageError): Command {
  return new Command(name)
    .description(description)
    .summary(summary)
    .allowUnknownOption()
    .allowExcessArguments()
    .action(() => {
      throw error;
    });
}
