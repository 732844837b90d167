import { checkHornParameters, defaultHornParameters, type HornParameters } from '@tutti/core/horn';
import { type Command, Option } from 'commander';
import { checkedFlags, integerFlag, numberFlag } from '../flags.ts';

type ParameterName = keyof HornParameters;

/** What `--help` says about each of Horn's parameters, and what its flag takes: a count, or seconds. */
const parameters: Readonly<Record<ParameterName, { readonly what: string; readonly most: number | 'seconds' }>> = {
  validators: { what: 'validators', most: 2 ** 20 },
  committees: { what: 'committees', most: 2 ** 20 },
  subcommittees: { what: 'subcommittees in a committee', most: 2 ** 20 },
  aggregators: { what: 'expected aggregators in a subcommittee', most: 2 ** 20 },
  collectors: { what: 'expected collectors in a committee', most: 2 ** 20 },
  slotSeconds: { what: 'length of a slot today, seconds', most: 'seconds' },
  rounds: { what: 'rounds in a slot today', most: 64 },
  addedSeconds: { what: 'seconds that Horn adds to the slot', most: 'seconds' },
  collectionSeconds: { what: 'time for collections to cross the global topic', most: 'seconds' },
  signatureBytes: { what: 'length of a signature', most: 65_536 },
  publicKeyBytes: { what: 'length of a public key', most: 65_536 },
  scalarBytes: { what: 'length of a scalar', most: 65_536 },
  attestationDataBytes: { what: "length of an attestation's data", most: 65_536 },
  blockAttestations: { what: 'attestations in a block without collections', most: 65_536 },
  attestationSubcommittees: { what: 'subcommittees that one attestation combines', most: 65_536 },
  blockCollections: { what: 'collections in a block', most: 65_536 },
  multiplicityBits: { what: 'bits of a multiplicity', most: 16 },
};

export const parameterNames = Object.keys(parameters) as readonly ParameterName[];

/** `--slot-seconds` for `slotSeconds`. */
export function parameterFlag(name: ParameterName): string {
  return `--${name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
}

/** Gives a command a flag for each of these parameters; {@link givenParameters} returns those that were given. */
export function addParameterFlags(command: Command, names: readonly ParameterName[]): Command {
  for (const name of names) {
    const flag = parameterFlag(name);
    const { what, most } = parameters[name];
    const read =
      most === 'seconds'
        ? numberFlag(flag, 'seconds, a number from 0 to 86400', (seconds) => seconds <= 86_400)
        : integerFlag(flag, 1, most);
    const unit = most === 'seconds' ? 's' : 'n';
    command.addOption(
      new Option(`${flag} <${unit}>`, `${what}; the post: ${defaultHornParameters[name]}`).argParser(read),
    );
  }
  return command;
}

/** The parameters that flags have changed. @param validatorsFlag as for {@link checked}. */
export function givenParameters(
  options: Partial<HornParameters>,
  base: HornParameters,
  validatorsFlag?: string,
): HornParameters {
  const given = Object.fromEntries(
    parameterNames.flatMap((name) => (options[name] === undefined ? [] : [[name, options[name]]])),
  );
  const changed = { ...base, ...given };
  checked(() => checkHornParameters(changed), validatorsFlag);
  return changed;
}

/**
 * What no single flag shows: sizes that do not divide, or are too large together.
 *
 * @param validatorsFlag without dashes, where the command has another name for it.
 */
export function checked<T>(make: () => T, validatorsFlag = 'validators'): T {
  return checkedFlags(
    parameterNames.map((path) => ({
      name: path === 'validators' ? validatorsFlag : parameterFlag(path).slice(2),
      path,
    })),
    make,
  );
}
