import type { Command, Option } from 'commander';

/** Words that can follow a command's name. */
export interface CompletedCommand {
  /** Path without the program's own name, such as `horn systems`; empty for the program. */
  readonly path: string;
  readonly about: string;
  readonly commands: readonly string[];
  readonly flags: readonly CompletedFlag[];
}

export interface CompletedFlag {
  readonly flag: string;
  readonly about: string;
  /** True if a value follows, and its possible values; none if it is no choice. */
  readonly takesValue: boolean;
  readonly values: readonly string[];
}

/** Returns a program's commands and their subcommands, itself first. */
export function completed(program: Command): CompletedCommand[] {
  return below(program, '');
}

function below(command: Command, path: string): CompletedCommand[] {
  const own: CompletedCommand = {
    path,
    about: command.description(),
    commands: command.commands.map((one) => one.name()),
    flags: [
      ...command.options.filter(({ hidden }) => !hidden).map(completedFlag),
      { flag: '--help', about: 'print this help', takesValue: false, values: [] },
    ],
  };
  return [own, ...command.commands.flatMap((one) => below(one, `${path} ${one.name()}`.trim()))];
}

function completedFlag(option: Option): CompletedFlag {
  const takesValue = option.required || option.optional;
  return {
    flag: option.long ?? option.short!,
    about: option.description,
    takesValue,
    values: takesValue ? (valuesOf(option) ?? []) : [],
  };
}

/**
 * Returns the values that a flag takes, from its error for an invalid one. There are none for a flag of free text or of
 * numbers.
 */
function valuesOf({ argChoices, parseArg }: Option): readonly string[] | undefined {
  if (argChoices !== undefined) return argChoices;
  try {
    parseArg?.('\u0000', undefined);
    return undefined;
  } catch (error) {
    const list = /: expected (?:one of )?([a-z0-9-]+(?:(?: or |, )[a-z0-9-]+)+), got /i.exec((error as Error).message);
    return list?.[1]?.split(/ or |, /);
  }
}
