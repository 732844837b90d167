import type { Command, Option } from 'commander';

/** What can follow a command's name. */
export interface CompletedCommand {
  /** Without the program's own, such as `horn compare`; empty for the program. */
  readonly path: string;
  readonly about: string;
  readonly commands: readonly string[];
  readonly flags: readonly CompletedFlag[];
}

export interface CompletedFlag {
  readonly flag: string;
  readonly about: string;
  /** Whether a value follows, and which values there are; none where it is no choice. */
  readonly takesValue: boolean;
  readonly values: readonly string[];
}

/** A program's commands and those under them, itself first. */
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
 * The values that a flag takes: what it would say of one that it does not take, which is its own list. A flag that
 * takes anything says nothing, and so does one that takes a number.
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
