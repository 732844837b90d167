import { type HornParameters, hornSettings, validateHornParameters } from '@tutti/core/horn';
import type { AnyRange } from '@tutti/core/input';
import { formOf } from '@tutti/simulation/fields';
import { type Flag, flag, ranged, validatedFlags } from '../flags.ts';

type ParameterName = keyof HornParameters;

export const parameterNames = Object.keys(hornSettings) as readonly ParameterName[];

/** Returns the flag of a parameter: `--slot-seconds` for `slotSeconds`. */
export function parameterFlag(name: ParameterName): string {
  return `--${name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
}

/** Returns a flag for each of these parameters; {@link givenParameters} returns the given ones. */
export function parameterFlags<K extends ParameterName>(names: readonly K[]): Readonly<Record<K, Flag<number, false>>> {
  const entries = names.map((name) => {
    const { range, about, default: post } = hornSettings[name];
    return [name, flag(formOf({ range: range as AnyRange }), `${about}; the post: ${post}`, ranged(range))];
  });
  return Object.fromEntries(entries);
}

/**
 * Returns the base parameters with the changes that flags make.
 *
 * @param validatorsFlag as for {@link validated}.
 */
export function givenParameters(
  options: Partial<HornParameters>,
  base: HornParameters,
  validatorsFlag?: string,
): HornParameters {
  const given = Object.fromEntries(
    parameterNames.flatMap((name) => (options[name] === undefined ? [] : [[name, options[name]]])),
  );
  const changed = { ...base, ...given };
  validated(() => validateHornParameters(changed), validatorsFlag);
  return changed;
}

/**
 * Calls a function that validates conditions over several flags: sizes that do not divide, or have too large a product.
 *
 * @param validatorsFlag name of the command's flag for the validators, without dashes, if it differs.
 */
export function validated<T>(make: () => T, validatorsFlag = 'validators'): T {
  return validatedFlags(
    parameterNames.map((path) => ({
      name: path === 'validators' ? validatorsFlag : parameterFlag(path).slice(2),
      path,
    })),
    make,
  );
}
