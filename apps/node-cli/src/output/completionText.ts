import type { Command, Option } from 'commander';

/** A command, and the words that can follow its name. */
export interface CompletedCommand {
  /** Path without the program's own name, such as `horn systems`; empty for the program itself. */
  readonly path: string;
  readonly about: string;
  readonly commands: readonly string[];
  readonly flags: readonly CompletedFlag[];
}

interface CompletedFlag {
  readonly flag: string;
  readonly about: string;
  /** `takesValue`: true if a value follows. `values`: possible values; empty if any text or number is possible. */
  readonly takesValue: boolean;
  readonly values: readonly string[];
}

/** Returns a program, its commands and their subcommands, the program first. */
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
 * Returns the values that a flag accepts, from its error for an invalid one; undefined for a flag with any text or
 * number.
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
