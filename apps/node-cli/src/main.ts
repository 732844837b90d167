import { version } from '@tutti/core';
import { Command } from 'commander';
import { exitCodes, isMisuse, misuse, oneLine, refuseUnknown, refuseUnknownCommand, verdict } from './commandErrors.ts';
import { type Context, type ProgressForm, UsageError, withWarnings } from './context.ts';
import { extensionCommand, knownExtensions } from './extensions.ts';
import { notesOf, notesOfGroup, programNotes } from './helpNotes.ts';
import { withInputs, withOutputs } from './output/files.ts';
import { withoutProgressIf } from './output/progress.ts';

/**
 * Creates a command.
 *
 * @param words the words after the command's name. The command may omit parts that these words do not need, such as
 * other subcommands. Default: the command is complete.
 */
type Loader = (context: Context, words?: readonly string[]) => Promise<Command>;

type Subcommands = Readonly<Record<string, (context: Context) => Promise<Command>>>;

/**
 * Returns a loader for a command that has only subcommands. The loader loads only the requested subcommand, because
 * loading takes time and affects measurements. For the help of the group, the loader loads all subcommands.
 */
function commandGroup(name: string, about: string, subcommands: Subcommands): Loader {
  return commandWithSubcommands(name, async () => new Command(name).description(about), subcommands);
}

/**
 * Returns a loader for a command that has both flags and subcommands.
 *
 * @param own creates the command without its subcommands.
 */
function commandWithSubcommands(
  name: string,
  own: (context: Context) => Promise<Command>,
  subcommands: Subcommands,
): Loader {
  return async (context, [subcommand = ''] = []) => {
    const isNamed = Object.hasOwn(subcommands, subcommand);
    const command = isNamed ? new Command(name) : await own(context);
    for (const load of isNamed ? [subcommands[subcommand]!] : Object.values(subcommands))
      command.addCommand(await load(context));
    // Flags after the name of a subcommand belong to the subcommand, even if both commands have a flag of that name.
    return command.enablePositionalOptions();
  };
}

/** Heading in the list of commands under which the help command appears. */
const helpGroup = 'Shell:';
const extensionGroup = 'Extensions, each in a separate package (npm install @tutti/NAME):';

/**
 * Commands in the order of the help, grouped by use. Only the requested command is loaded. Loading the dependencies of
 * other commands takes longer than a small simulation, and makes each garbage collection of a large simulation more
 * expensive.
 */
const groups: Readonly<Record<string, Readonly<Record<string, Loader>>>> = {
  'Simulate:': {
    simulate: async (context, words) => (await import('./commands/simulate.ts')).simulateCommand(context, words),
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
    horn: commandGroup('horn', 'Horn, a proposal for Ethereum that lets every validator vote in every slot.', {
      tables: async (context) => (await import('./commands/hornTables.ts')).hornTablesCommand(context),
      griefing: async (context) => (await import('./studies/hornGriefing.ts')).hornGriefing(context),
      systems: async (context) => (await import('./studies/hornSystems.ts')).hornSystemsStudy(context),
      'open-questions': async (context) => (await import('./studies/hornOpenQuestions.ts')).hornOpenQuestions(context),
      sensitivity: async (context) => (await import('./studies/hornSensitivity.ts')).hornSensitivity(context),
    }),
    slots: commandGroup(
      'slots',
      "Slots on Ethereum's network: votes as they are today, proposals for shorter slots, and Horn.",
      {
        network: async (context) => (await import('./studies/slotNetwork.ts')).slotNetwork(context),
        deadlines: async (context) => (await import('./studies/slotDeadlines.ts')).slotDeadlines(context),
        map: async (context) => (await import('./studies/slotMap.ts')).slotMap(context),
        proposals: async (context) => (await import('./studies/slotProposals.ts')).slotProposals(context),
        arrivals: async (context) => (await import('./studies/slotArrivals.ts')).slotArrivals(context),
        sensitivity: async (context) => (await import('./studies/slotSensitivity.ts')).slotSensitivity(context),
        'compare-simulators': async (context) => (await import('./studies/slotSimulators.ts')).slotSimulators(context),
      },
    ),
    lean: commandGroup(
      'lean',
      'Post-quantum Ethereum, in which provers aggregate votes into proofs and merge these proofs within seconds.',
      {
        slot: async (context) => (await import('./commands/leanSlot.ts')).leanSlotCommand(context),
        strategies: async (context) => (await import('./commands/leanStrategies.ts')).leanStrategiesCommand(context),
        chain: async (context) => (await import('./commands/leanChain.ts')).leanChainCommand(context),
        rules: async (context) => (await import('./commands/leanRules.ts')).leanRulesCommand(context),
        map: async (context) => (await import('./commands/leanMap.ts')).leanMapCommand(context),
        profile: async (context) => (await import('./commands/leanProfile.ts')).leanProfileCommand(context),
      },
    ),
  },
  [extensionGroup]: Object.fromEntries(
    Object.entries(knownExtensions).map(([name, summary]) => [
      name,
      (context, words) => extensionCommand(name, summary, context, words?.[0]),
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

/**
 * Runs `tutti` with the arguments of this process. The process ends here if the command fails or is interrupted.
 *
 * @returns the exit code 0.
 */
export async function run(args: readonly string[]): Promise<number> {
  let exitCode = 0;
  // The program that reads the output may stop reading early, as `head` does. A command that has failed keeps its code.
  let onLost: ((code: string) => void) | undefined;
  process.stdout.on('error', ({ code = '' }: NodeJS.ErrnoException) => {
    if (code === 'EPIPE') process.exit(exitCode);
    if (onLost !== undefined) onLost(code);
    else {
      process.stderr.write(`tutti: standard output cannot be written (${code})\n`);
      process.exit(exitCodes.failed);
    }
  });
  // If the standard error cannot be written, the command has no way to report this failure.
  process.stderr.on('error', () => {});
  exitCode = await main(args, {
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
  // All resources have been closed at this point. After a failure or an interruption, open handles must not keep the
  // process alive.
  if (exitCode === exitCodes.interrupted) process.exit(exitCode);
  if (exitCode !== 0) {
    await Promise.all([process.stdout, process.stderr].map((one) => new Promise((wrote) => one.write('', wrote))));
    process.exit(exitCode);
  }
  return exitCode;
}

let interrupted: AbortSignal | undefined;

/**
 * Returns a signal that Ctrl-C or SIGTERM aborts. Until a command requests this signal, Ctrl-C or SIGTERM ends the
 * process as the system does by default, so a command without clean-up need not wait for the event loop.
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

/**
 * Runs `tutti` with the given arguments. Results are written to `out`. A failure is reported as one line on `err` and
 * as a nonzero exit code.
 */
export async function main(args: readonly string[], context: Context): Promise<number> {
  try {
    const given = helpAsked(args);
    const tutti = await program(context, given[0], given.slice(1));
    refuseUnknownCommand(tutti, given);
    await withWarnings(
      (line) => context.err(`tutti: warning: ${oneLine(line)}\n`),
      () => withOutputs(() => withInputs(() => tutti.parseAsync(given, { from: 'user' }))),
    );
    return 0;
  } catch (error) {
    const [code, line] = verdict(error);
    if (line !== undefined) context.err(`tutti: ${line}\n`);
    return code;
  }
}

/** Rewrites `help horn tables` as `horn tables --help`, so that only that command is loaded. */
function helpAsked(args: readonly string[]): readonly string[] {
  const [first, ...words] = args;
  return first === 'help' && words[0]?.startsWith('-') === false ? [...words, '--help'] : args;
}

/**
 * Creates the `tutti` program.
 *
 * @param name name of the requested command; if no such command exists, the program includes all commands for the help.
 * @param words the words after the command's name. Default: the command is complete.
 */
export async function program(context: Context, name = '', words?: readonly string[]): Promise<Command> {
  let isQuiet = false;
  const quietable = withoutProgressIf(() => isQuiet, context);
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
    tutti.addCommand((await load(quietable, wanted && words)).helpGroup(group));
  configure(tutti, quietable);
  return tutti;
}

/** Returns the summary of a command for lists. */
function firstSentence(command: Command): string {
  if (command.summary() !== '') return command.summary();
  return /^.*?\.(?= [A-Z]|$)/s.exec(command.description())?.[0] ?? command.description();
}

/**
 * Configures a command and its subcommands. The command writes to the context, and throws an error where Commander
 * would end the process. The function also adds the flags `--help` and `--quiet`, the notes below the help, and the
 * texts of the defaults.
 */
function configure(command: Command, context: Context, path = 'tutti'): void {
  command
    .exitOverride((error) => {
      // If a required flag is misspelt, the flag is also missing; the misspelling is reported first.
      if (error.code === 'commander.missingMandatoryOptionValue') refuseUnknown(command);
      // The error names the command whose help the user should read; only the command itself knows its full name.
      throw isMisuse(error) ? new UsageError(`${misuse(error, command)}; see '${path} --help'`) : error;
    })
    .configureOutput({ writeOut: context.out, writeErr: context.err, outputError: () => {} })
    .helpOption('-h, --help', 'print this help');
  // A command group has no flags of its own; `node` and `serve` have both flags and subcommands.
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
  for (const below of command.commands) configure(below, context, `${path} ${below.name()}`);
}

/** Returns the default of a flag or an argument as a user would type it. */
function defaultText(value: unknown): string | undefined {
  if (Array.isArray(value)) return value.join(',') || 'none';
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/**
 * Returns the form in which a process shows progress.
 *
 * @throws {@link UsageError} if the value of TUTTI_PROGRESS is not the name of a form.
 */
export function progressForm(isTerminal: boolean, environment: NodeJS.ProcessEnv = process.env): ProgressForm {
  const asked = environment.TUTTI_PROGRESS || (isTerminal ? 'line' : 'log');
  if (asked === 'line' || asked === 'log' || asked === 'none') return asked;
  throw new UsageError(`TUTTI_PROGRESS: expected line, log or none, got ${JSON.stringify(asked)}`);
}
