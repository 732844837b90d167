import { defaultScenario, scenarioFields } from '@tutti/simulation';
import { Command, type Option } from 'commander';
import type { Context } from '../context.ts';
import { choiceFlag } from '../flags.ts';

type Shell = keyof typeof shells;

/**
 * Creates the `completion` command.
 *
 * @param whole function that creates the program with all its commands.
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

/** A command, and the words that may follow its name. */
export interface CompletedCommand {
  /** Path without the name of the program, for example `horn systems`; empty for the program itself. */
  readonly path: string;
  readonly about: string;
  readonly commands: readonly string[];
  readonly flags: readonly CompletedFlag[];
}

interface CompletedFlag {
  /** Flag, including its dashes. */
  readonly flag: string;
  readonly about: string;
  readonly takesValue: boolean;
  /** Possible values of the flag; empty if the flag accepts any text or number. */
  readonly values: readonly string[];
}

/**
 * Returns a command and all its subcommands, with the command first.
 *
 * @param path path of the command; empty for the program.
 */
export function completed(command: Command, path = ''): CompletedCommand[] {
  const own: CompletedCommand = {
    path,
    about: command.description(),
    commands: command.commands.map((one) => one.name()),
    flags: [
      ...command.options.filter(({ hidden }) => !hidden).map(completedFlag),
      { flag: '--help', about: 'print this help', takesValue: false, values: [] },
    ],
  };
  return [own, ...command.commands.flatMap((one) => completed(one, `${path} ${one.name()}`.trim()))];
}

function completedFlag(option: Option): CompletedFlag {
  const takesValue = option.required || option.optional;
  return {
    flag: option.long ?? option.short!,
    about: option.description,
    takesValue,
    values: takesValue ? valuesOf(option) : [],
  };
}

/**
 * Returns the values that a flag accepts, as listed in the error for an invalid value; empty for a flag that accepts
 * any text or number.
 */
function valuesOf({ long, parseArg }: Option): readonly string[] {
  try {
    parseArg?.('\u0000', []);
    // A flag for a field of a scenario accepts any text, which the command reads later.
    scenarioFields.find(({ name }) => `--${name}` === long)?.read('', '\u0000', defaultScenario);
    return [];
  } catch (error) {
    const list = /: expected (?:one of )?([a-z0-9-]+(?:(?: or |, )[a-z0-9-]+)+), got /i.exec((error as Error).message);
    return list?.[1]?.split(/ or |, /) ?? [];
  }
}

/** Functions that make the completion scripts. A script contains all completions, and runs no program. */
const shells = { bash, zsh, fish } as const;

function bash(commands: readonly CompletedCommand[]): string {
  const values = commands.flatMap(({ path, flags }) =>
    flags
      .filter(({ takesValue }) => takesValue)
      .map(({ flag, values }) => `    '${path} ${flag}') words='${values.join(' ')}' ;;`),
  );
  const words = commands.map(({ path, commands: names, flags }) => {
    const all = [...names, ...flags.map(({ flag }) => flag)].join(' ');
    return `      '${path}') words='${all}' ;;`;
  });
  return `# bash completion for tutti: source it, or put it where bash-completion finds it
_tutti() {
  local current="\${COMP_WORDS[COMP_CWORD]}" before="\${COMP_WORDS[COMP_CWORD-1]}" path='' words='' word
  for word in "\${COMP_WORDS[@]:1:$((COMP_CWORD-1))}"; do
    case "\${path:+$path }$word" in
${paths(commands)}) path="\${path:+$path }$word" ;;
    esac
  done
  case "$path $before" in
${values.join('\n')}
    *) case "$path" in
${words.join('\n')}
    esac ;;
  esac
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -o default -F _tutti tutti
`;
}

/** Returns the patterns for the paths of all commands. */
function paths(commands: readonly CompletedCommand[]): string {
  return `      ${commands
    .filter(({ path }) => path !== '')
    .map(({ path }) => `'${path}'`)
    .join('|')}`;
}

function zsh(commands: readonly CompletedCommand[]): string {
  return `#compdef tutti
# zsh completion for tutti, by that for bash
autoload -U +X bashcompinit && bashcompinit
${bash(commands)}# The first completion of a session runs this file, as the function _tutti.
if [[ $zsh_eval_context[-1] == loadautofunc ]]; then _bash_complete -o default -F _tutti; fi
`;
}

function fish(commands: readonly CompletedCommand[]): string {
  const quoted = (text: string) => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
  const lines = commands.flatMap(({ path, commands: names, flags }) => {
    const here = `-n "test (__tutti_path) = '${path}'"`;
    return [
      ...names.map((name) => {
        const about = commands.find((one) => one.path === `${path} ${name}`.trim())?.about ?? '';
        return `complete -c tutti -f ${here} -a ${name} -d ${quoted(about)}`;
      }),
      ...flags.map(({ flag, about, takesValue, values }) => {
        const value = values.length > 0 ? ` -x -a ${quoted(values.join(' '))}` : takesValue ? ' -r' : ' -f';
        return `complete -c tutti ${here} -l ${flag.replace(/^-+/, '')}${value} -d ${quoted(about)}`;
      }),
    ];
  });
  const known = commands.filter(({ path }) => path !== '').map(({ path }) => quoted(path));
  return `# fish completion for tutti
function __tutti_path
  set -l path ''
  for word in (commandline -opc)[2..]
    set -l longer (string trim -- "$path $word")
    contains -- $longer ${known.join(' ')}; and set path $longer
  end
  echo $path
end
${lines.join('\n')}
`;
}
