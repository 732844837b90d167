import { version } from '@tutti/core';
import { likeliest } from '@tutti/core/input';
import { Command, CommanderError } from 'commander';
import { commandGroup, commandWithSubcommands, type Loader } from './commandGroup.ts';
import { type Context, type ProgressForm, rootOf, UsageError } from './context.ts';
import { extensionCommand, knownExtensions } from './extensions.ts';
import { notesOf, notesOfGroup, programNotes } from './helpNotes.ts';
import { withInputs, withWarnings } from './output/inputs.ts';
import { withoutProgressIf } from './output/progress.ts';
import { removedCommands, removedFlags, renamedCommands } from './renamedCommands.ts';

const exitCodes = { failed: 1, usage: 2, interrupted: 130 } as const;

/** Group of the help command in the list. */
const helpGroup = 'Shell:';
const extensionGroup = 'Extensions, each in a separate package (npm install @tutti/NAME):';

/**
 * Commands in the order of the help, grouped by use. Only the requested command is loaded. The dependencies of the
 * others take longer to load than a small simulation takes, and make every garbage collection of a large one more
 * expensive.
 */
const groups: Readonly<Record<string, Readonly<Record<string, Loader>>>> = {
  'Simulate:': {
    simulate: async (context) => (await import('./commands/simulate.ts')).simulateCommand(context),
    open: async (context) => (await import('./commands/open.ts')).openCommand(context),
    export: async (context) => (await import('./commands/export.ts')).exportCommand(context),
  },
  'Run on real networks:': {
    cluster: async (context) => (await import('./commands/cluster.ts')).clusterCommand(context),
    registry: async (context) => (await import('./commands/registry.ts')).registryCommand(context),
    node: commandWithSubcommands('node', async (context) => (await import('./commands/node.ts')).nodeCommand(context), {
      status: async (context) => (await import('./commands/nodeStatus.ts')).nodeStatusCommand(context),
      log: async (context) => (await import('./commands/nodeLog.ts')).nodeLogCommand(context),
    }),
    verify: async (context) => (await import('./commands/verify.ts')).verifyCommand(context),
    serve: commandWithSubcommands(
      'serve',
      async (context) => (await import('./commands/serve.ts')).serveCommand(context),
      {
        signal: async (context) => (await import('./commands/serveSignal.ts')).serveSignalCommand(context),
      },
    ),
  },
  "Check the paper's claims:": {
    figures: async (context) => (await import('./commands/figures.ts')).figuresCommand(context),
    claims: commandGroup(
      'claims',
      "Check the paper's claims in every state of a small network, or in random scenarios.",
      {
        check: async (context) => (await import('./commands/claimsCheck.ts')).claimsCheckCommand(context),
        swarm: async (context) => (await import('./commands/claimsSwarm.ts')).claimsSwarmCommand(context),
      },
    ),
    attack: commandGroup('attack', 'Search for the strongest attack on Handel, or compare all attacks.', {
      search: async (context) => (await import('./commands/attackSearch.ts')).attackSearchCommand(context),
      table: async (context) => (await import('./commands/attackTable.ts')).attackTableCommand(context),
    }),
  },
  'Measure:': {
    sweep: async (context) => (await import('./commands/sweep.ts')).sweepCommand(context),
    compare: async (context) => (await import('./commands/compare.ts')).compareCommand(context),
    plot: async (context) => (await import('./commands/plot.ts')).plotCommand(context),
    cite: async (context) => (await import('./commands/cite.ts')).citeCommand(context),
    bench: commandGroup('bench', 'Measure the speed of Tutti on this machine.', {
      simulation: async (context) => (await import('./commands/benchSimulation.ts')).benchSimulationCommand(context),
      horn: async (context) => (await import('./commands/benchHorn.ts')).benchHornCommand(context),
      collections: async (context) => (await import('./commands/benchCollections.ts')).benchCollectionsCommand(context),
      kernel: async (context) => (await import('./commands/benchKernel.ts')).benchKernelCommand(context),
    }),
  },
  'Other schemes:': {
    horn: async (context) => (await import('./commands/horn.ts')).hornCommand(context),
    slots: async (context) => (await import('./commands/slots.ts')).slotsCommand(context),
    lean: async (context) => (await import('./commands/lean.ts')).leanCommand(context),
  },
  [extensionGroup]: Object.fromEntries(
    Object.entries(knownExtensions).map(([name, summary]) => [
      name,
      (context, below) => extensionCommand(name, summary, context, below),
    ]),
  ),
  [helpGroup]: {
    completion: async (context) => {
      const { completionCommand } = await import('./commands/completion.ts');
      return completionCommand(context, () => program(context));
    },
  },
};

const commands: ReadonlyMap<string, { readonly group: string; readonly load: Loader }> = new Map(
  Object.entries(groups).flatMap(([group, loaders]) =>
    Object.entries(loaders).map(([name, load]) => [name, { group, load }] as const),
  ),
);

/** Runs `tutti` with the arguments of this process. @returns the exit code. */
export async function run(args: readonly string[]): Promise<number> {
  // The program that reads the output may stop reading, as `head` does.
  let onLost: ((code: string) => void) | undefined;
  process.stdout.on('error', ({ code = '' }: NodeJS.ErrnoException) => {
    if (code === 'EPIPE') process.exit(0);
    if (onLost !== undefined) onLost(code);
    else {
      process.stderr.write(`tutti: standard output cannot be written (${code})\n`);
      process.exit(exitCodes.failed);
    }
  });
  // If the standard error cannot be written, there is no place to report that.
  process.stderr.on('error', () => {});
  const code = await main(args, {
    out: (text) => void process.stdout.write(text),
    err: (text) => void process.stderr.write(text),
    bearUnwritten: (lost) => {
      onLost = lost;
    },
    get progress() {
      return progressForm(process.stderr.isTTY === true);
    },
    get signal() {
      return interruption();
    },
  });
  // All cleanup is done. After a failure or an interruption, the process must not stay alive for anything that remains.
  if (code === exitCodes.interrupted) process.exit(code);
  if (code !== 0) {
    await Promise.all([process.stdout, process.stderr].map((one) => new Promise((wrote) => one.write('', wrote))));
    process.exit(code);
  }
  return code;
}

let interrupted: AbortSignal | undefined;

/**
 * Returns a signal that Ctrl-C aborts. Until a command requests it, Ctrl-C ends the process by the system's default, so
 * a command without cleanup need not wait for the event loop.
 */
function interruption(): AbortSignal {
  if (interrupted !== undefined) return interrupted;
  const controller = new AbortController();
  interrupted = controller.signal;
  // The second Ctrl-C ends the process immediately, in case the first has no effect.
  process.on('SIGINT', () => (controller.signal.aborted ? process.exit(exitCodes.interrupted) : controller.abort()));
  process.on('SIGTERM', () => controller.abort());
  return controller.signal;
}

/** Runs `tutti`. A result goes to `out`. A failure is one line on `err` and an exit code other than 0. */
export async function main(args: readonly string[], context: Context): Promise<number> {
  try {
    const given = helpAsked(args);
    const tutti = await program(context, given[0], given[1]);
    refuseUnknownCommand(tutti, given);
    await withWarnings(
      (line) => context.err(`tutti: warning: ${oneLine(line)}\n`),
      () => withInputs(() => tutti.parseAsync(given, { from: 'user' })),
    );
    return 0;
  } catch (error) {
    const [code, line] = verdict(error);
    if (line !== undefined) context.err(`tutti: ${line}\n`);
    return code;
  }
}

/** Rewrites `help horn tables` as `horn tables --help`, for which only that command is loaded. */
function helpAsked(args: readonly string[]): readonly string[] {
  const [first, ...words] = args;
  return first === 'help' && words.length > 0 && !words[0]!.startsWith('-') ? [...words, '--help'] : args;
}

/** Makes commander reject an unknown word in the place of a command, even if only help is requested. */
function refuseUnknownCommand(program: Command, words: readonly string[]): void {
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
 * @throws {@link UsageError} that names the present command, or states that the command was removed.
 */
function refuseRenamed([first = '', second]: readonly string[]): void {
  for (const former of [first, `${first} ${second}`]) {
    if (Object.hasOwn(renamedCommands, former))
      throw new UsageError(`unknown command '${former}': it is now 'tutti ${renamedCommands[former]}'`);
    if (removedCommands.includes(former))
      throw new UsageError(`unknown command '${former}': it was removed; see docs/internals/rejected-ideas.md`);
  }
}

/**
 * Creates the program.
 *
 * @param name the requested command; if there is no such command, the program gets all of them for its help.
 * @param below the word after it.
 */
export async function program(context: Context, name = '', below = ''): Promise<Command> {
  let isQuiet = false;
  const heard = withoutProgressIf(() => isQuiet, context);
  const tutti = new Command('tutti')
    .description('Simulate, run and verify large-scale signature aggregation.')
    .version(version, '-V, --version', 'print the version')
    .enablePositionalOptions()
    .configureHelp({ showGlobalOptions: false, subcommandDescription: firstSentence })
    .addHelpText('after', programNotes)
    .hook('preAction', (_, command) => {
      isQuiet = command.opts().quiet === true;
    });
  const wanted = commands.get(name);
  for (const { group, load } of wanted === undefined ? commands.values() : [wanted])
    tutti.addCommand((await load(heard, below)).helpGroup(group));
  settle(tutti, heard);
  return tutti;
}

/** Returns the summary of a command for lists. */
function firstSentence(command: Command): string {
  if (command.summary() !== '') return command.summary();
  return /^.*?\.(?= [A-Z]|$)/s.exec(command.description())?.[0] ?? command.description();
}

/** Makes a command and its subcommands write to the context, and throw where commander would end the process. */
function settle(command: Command, context: Context, path = 'tutti'): void {
  command
    .exitOverride((error) => {
      // A required flag that is misspelt is also missing; the misspelling is reported first.
      if (error.code === 'commander.missingMandatoryOptionValue') refuseUnknown(command);
      // The error names the command whose help the user should read, which only the command itself knows.
      throw isMisuse(error) ? new UsageError(`${misuse(error, command)}; see '${path} --help'`) : error;
    })
    .configureOutput({ writeOut: context.out, writeErr: context.err, outputError: () => {} })
    .helpOption('-h, --help', 'print this help');
  // A group has no flags of its own; `node` and `serve` have both flags and subcommands.
  if (command.commands.length > 0 && (command.parent === null || command.options.length === 0)) {
    if (command.parent === null) command.commandsGroup(helpGroup);
    command.helpCommand('help [command]', 'Print help about a command.');
    if (command.parent !== null) command.addHelpText('after', notesOfGroup(path.slice('tutti '.length)));
  } else {
    command.helpCommand(false);
    command.option('-q, --quiet', 'show no progress');
    command.addHelpText('after', notesOf(path.slice('tutti '.length)));
  }
  for (const one of [...command.options, ...command.registeredArguments]) {
    const text = defaultText(one.defaultValue);
    if (text !== undefined) one.defaultValueDescription ??= text;
  }
  for (const below of command.commands) settle(below, context, `${path} ${below.name()}`);
}

/** Returns the default of a flag or an argument as a user would type it. */
function defaultText(value: unknown): string | undefined {
  if (Array.isArray(value)) return value.join(',') || 'none';
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** Makes commander reject the first unknown flag of a command, in its own words. */
function refuseUnknown(command: Command): void {
  const known = command.options.map(({ long }) => long);
  const unknown = rootOf(command).rawArgs.find((arg) => /^--./.test(arg) && !known.includes(arg.split('=')[0]));
  if (unknown !== undefined) (command as unknown as { unknownOption(flag: string): never }).unknownOption(unknown);
}

function isMisuse({ exitCode, code }: CommanderError): boolean {
  return exitCode !== 0 && code !== 'commander.help';
}

/** Returns commander's message, with its suggestion on the same line. */
function misuse({ message }: CommanderError, command: Command): string {
  return message
    .replace(/^error: /, '')
    .replace(
      / '([^']*)'\n\(Did you mean (?:one of )?(.*)\?\)$/s,
      (_, typed: string, like: string) => ` '${typed}'${meantBy(typed, like.split(', '))}`,
    )
    .replace(/^unknown option '([^']*)'$/, (whole, typed: string) =>
      removedFlags.includes(`${command.name()} ${typed}`)
        ? `${whole}: it was removed`
        : `${whole}${sharingWords(typed, command)}`,
    )
    .replace(
      /^too many arguments for (.*)\. Expected (\d+) arguments? but got (\d+)\.$/,
      'too many arguments for $1: expected $2, got $3',
    );
}

/**
 * Returns the suggestion if it passes the stricter rule that values use. Commander alone would suggest --preset for
 * --tree.
 */
function meantBy(typed: string, like: readonly string[]): string {
  const bare = (word: string): string => word.replace(/^--/, '');
  const meant = like.filter((one) => likeliest(bare(typed), [bare(one)]) !== undefined);
  return meaning(meant);
}

/**
 * Returns a suggestion of at most three flags that share words with a mistyped one, those with the most common words
 * first.
 */
function sharingWords(typed: string, command: Command): string {
  const wordsOf = (flag: string): string[] =>
    flag
      .replace(/=.*/, '')
      .split('-')
      .filter(({ length }) => length > 2);
  const given = wordsOf(typed);
  /** Returns 2 for a word of the mistyped flag, 1 for one with a common beginning, otherwise 0. */
  const shareOf = (word: string): number =>
    given.includes(word) ? 2 : given.some((one) => one.startsWith(word) || word.startsWith(one)) ? 1 : 0;
  const shared = command.options
    .flatMap(({ long }) => (long ? [{ long, count: wordsOf(long).reduce((sum, word) => sum + shareOf(word), 0) }] : []))
    .filter(({ count }) => count > 0)
    .sort((a, b) => b.count - a.count)
    .slice(0, 3)
    .map(({ long }) => long);
  return meaning(shared);
}

function meaning(flags: readonly string[]): string {
  return flags.length === 0 ? '' : ` (Did you mean ${flags.length > 1 ? 'one of ' : ''}${flags.join(', ')}?)`;
}

/** Returns the exit code of an error, and its line of text, if it has one. */
function verdict(error: unknown): [code: number, line: string | undefined] {
  if (error instanceof CommanderError) {
    return [error.exitCode === 0 ? 0 : exitCodes.usage, undefined];
  }
  // Errors are compared by name, because an extension may have loaded a second copy of their modules.
  const { name, message } = error instanceof Error ? error : { name: '', message: '' };
  if (name === 'UsageError') return [exitCodes.usage, oneLine(message)];
  if (name === 'Interrupted') return [exitCodes.interrupted, 'interrupted'];
  if (['CheckFailed', 'WorldError', 'BlsLoadError'].includes(name)) return [exitCodes.failed, oneLine(message)];
  if (process.env.TUTTI_DEBUG && error instanceof Error) return [exitCodes.failed, error.stack];
  return [
    exitCodes.failed,
    `${oneLine(String(error))} (this is a bug in tutti; set TUTTI_DEBUG=1 to see the stack trace)`,
  ];
}

/** Maximum length of a line about an error or an input, characters. Longer ones lose their middle. */
const maxLineCharacters = 2000;

function oneLine(text: string): string {
  const half = maxLineCharacters / 2;
  const short = text.length > maxLineCharacters ? `${text.slice(0, half)} ... ${text.slice(-half)}` : text;
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what must not reach the terminal.
  return short.replace(/[\u0000-\u001f\u007f-\u009f]+/g, ' ').trim();
}

/**
 * Returns the form of a process's progress.
 *
 * @throws {@link UsageError} if TUTTI_PROGRESS names no form.
 */
export function progressForm(isTerminal: boolean, environment: NodeJS.ProcessEnv = process.env): ProgressForm {
  const asked = environment.TUTTI_PROGRESS || (isTerminal ? 'line' : 'log');
  if (asked === 'line' || asked === 'log' || asked === 'none') return asked;
  throw new UsageError(`TUTTI_PROGRESS: expected line, log or none, got ${JSON.stringify(asked)}`);
}
