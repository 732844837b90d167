import { likeliest } from '@tutti/core/input';
import { type Command, CommanderError } from 'commander';
import { rootOf, UsageError } from './context.ts';
import formerNames from './formerNames.json' with { type: 'json' };

/** Exit codes of failures. */
export const exitCodes = { failed: 1, usage: 2, interrupted: 130 } as const;

/**
 * Names of earlier versions. `commands` and `flags` have the current name of each renamed command or flag; a renamed
 * flag applies to the commands that have the current flag. An error about a removed command names the documentation
 * page with the reason. A removed flag follows its command.
 */
const {
  commands: renamedCommands,
  flags: renamedFlags,
  removedCommands,
  removedFlags,
} = formerNames as {
  readonly commands: Readonly<Record<string, string>>;
  readonly flags: Readonly<Record<string, string>>;
  readonly removedCommands: readonly string[];
  readonly removedFlags: readonly string[];
};

/** Makes commander reject an unknown command name, even if only help is requested. */
export function refuseUnknownCommand(program: Command, words: readonly string[]): void {
  let command = program;
  for (const word of words) {
    if (command.commands.length === 0 || word.startsWith('-')) return;
    if (word === 'help') continue;
    const below = command.commands.find((one) => one.name() === word);
    if (below === undefined) {
      refuseRenamed(words);
      command.args = [word];
      (command as unknown as { unknownCommand(): never }).unknownCommand();
      return;
    }
    command = below;
  }
}

/**
 * Rejects the former name of a command.
 *
 * @throws {@link UsageError} that states the current name of the command, or that the command was removed.
 */
function refuseRenamed([first = '', second]: readonly string[]): void {
  for (const former of [first, `${first} ${second}`]) {
    if (Object.hasOwn(renamedCommands, former))
      throw new UsageError(`unknown command '${former}': it is now 'tutti ${renamedCommands[former]}'`);
    if (removedCommands.includes(former))
      throw new UsageError(`unknown command '${former}': it was removed; see docs/internals/rejected-ideas.md`);
  }
}

/** Makes commander reject the first unknown flag of a command, with its usual message. */
export function refuseUnknown(command: Command): void {
  const known = command.options.map(({ long }) => long);
  const unknown = rootOf(command).rawArgs.find((arg) => /^--./.test(arg) && !known.includes(arg.split('=')[0]));
  if (unknown !== undefined) (command as unknown as { unknownOption(flag: string): never }).unknownOption(unknown);
}

export function isMisuse({ exitCode, code }: CommanderError): boolean {
  return exitCode !== 0 && code !== 'commander.help';
}

/** Returns the message of Commander, with its suggestion on the same line. */
export function misuse({ message }: CommanderError, command: Command): string {
  const said = message.replace(/^error: /, '');
  const [unknown, flag = ''] = /^unknown option '([^'=]*)[^']*'/.exec(said) ?? [];
  const fate = unknown === undefined ? undefined : fateOf(flag, command);
  if (fate !== undefined) return `${unknown}: ${fate}`;
  return said
    .replace(
      / '([^']*)'\n\(Did you mean (?:one of )?(.*)\?\)$/s,
      (_, typed: string, like: string) => ` '${typed}'${suggestion(similarTo(typed, like.split(', ')))}`,
    )
    .replace(
      /^unknown option '([^']*)'$/,
      (whole, typed: string) => `${whole}${suggestion(sharingWords(typed, command))}`,
    )
    .replace(
      /^too many arguments for (.*)\. Expected (\d+) arguments? but got (\d+)\.$/,
      'too many arguments for $1: expected $2, got $3',
    );
}

/** Returns what became of a flag of an earlier version; undefined for any other flag. */
function fateOf(flag: string, command: Command): string | undefined {
  if (removedFlags.includes(`${command.name()} ${flag}`)) return 'it was removed';
  if (!Object.hasOwn(renamedFlags, flag)) return undefined;
  const current = command.options.find(({ long }) => long === renamedFlags[flag]);
  return current && `it is now '${current.long}'`;
}

/**
 * Returns those suggestions of commander that are also similar by the stricter rule for values. Without this rule,
 * commander would suggest --preset for --tree.
 */
function similarTo(typed: string, suggested: readonly string[]): string[] {
  const bare = (word: string): string => word.replace(/^--/, '');
  return suggested.filter((one) => likeliest(bare(typed), [bare(one)]) !== undefined);
}

/** Returns at most three flags that share words with a mistyped flag, those with the most shared words first. */
function sharingWords(typed: string, command: Command): string[] {
  const wordsOf = (flag: string): string[] =>
    flag
      .replace(/=.*/, '')
      .split('-')
      .filter(({ length }) => length > 2);
  const given = wordsOf(typed);
  /**
   * Returns 2 if the mistyped flag contains the word, 1 if one of its words begins with the word or vice versa,
   * otherwise 0.
   */
  const shareOf = (word: string): number =>
    given.includes(word) ? 2 : given.some((one) => one.startsWith(word) || word.startsWith(one)) ? 1 : 0;
  return command.options
    .flatMap(({ long }) => (long ? [{ long, count: wordsOf(long).reduce((sum, word) => sum + shareOf(word), 0) }] : []))
    .filter(({ count }) => count > 0)
    .sort((a, b) => b.count - a.count)
    .slice(0, 3)
    .map(({ long }) => long);
}

/** Returns the text that suggests the given words; empty without words. */
function suggestion(words: readonly string[]): string {
  return words.length === 0 ? '' : ` (Did you mean ${words.length > 1 ? 'one of ' : ''}${words.join(', ')}?)`;
}

/**
 * Returns the exit code of an error, and the text to print: one line, or the stack trace of a bug if TUTTI_DEBUG is
 * set. The text is undefined for an error that Commander has printed.
 */
export function verdict(error: unknown): [code: number, line: string | undefined] {
  if (error instanceof CommanderError) return [error.exitCode === 0 ? 0 : exitCodes.usage, undefined];
  // Errors are compared by name, because an extension may have loaded a second copy of the error modules.
  const { name, message } = error instanceof Error ? error : { name: '', message: '' };
  if (name === 'UsageError') return [exitCodes.usage, oneLine(message)];
  if (name === 'Interrupted') return [exitCodes.interrupted, 'interrupted'];
  if (['CheckFailed', 'EnvironmentError', 'BlsLoadError'].includes(name)) return [exitCodes.failed, oneLine(message)];
  if (process.env.TUTTI_DEBUG && error instanceof Error) return [exitCodes.failed, error.stack];
  return [
    exitCodes.failed,
    `${oneLine(String(error))} (this is a bug in tutti; set TUTTI_DEBUG=1 to see the stack trace)`,
  ];
}

/** Maximum length of a line about an error or an input, characters. */
const maxLineCharacters = 2000;

/** Returns the text as one line without control characters. The middle of a text that is too long is omitted. */
export function oneLine(text: string): string {
  const half = maxLineCharacters / 2;
  const short = text.length > maxLineCharacters ? `${text.slice(0, half)} ... ${text.slice(-half)}` : text;
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what must not reach the terminal.
  return short.replace(/[\u0000-\u001f\u007f-\u009f]+/g, ' ').trim();
}
