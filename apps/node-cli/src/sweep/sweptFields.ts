import { isObject } from '@tutti/core/input';
import { type LabScenario, type ReferenceQuirk, referenceQuirks } from '@tutti/lab';
import {
  defaultScenario,
  type Scenario,
  validateLiveNodes,
  validateNetwork,
  validateScenario,
  withoutFormerFields,
} from '@tutti/simulation';
import { shellWord } from '../context.ts';
import { takeGivenNetwork } from '../files/latencyFile.ts';
import { malformed, requireSameForm } from '../files/settingsText.ts';
import { isFileNetwork } from '../networkFile.ts';

/** Values of fields, by name. A name such as `cpu.perMessageUs` refers to a field of a group of the scenario. */
export type Fields = Readonly<Record<string, unknown>>;

/** Returns a value that is an object. @throws RangeError for any other value. */
export function fieldsOf(value: unknown, path: string, expected: string): Fields {
  if (!isObject(value)) throw malformed(path, expected, value);
  return value;
}

/**
 * Returns fields of a scenario without obsolete fields that change nothing; no fields for undefined.
 *
 * @throws RangeError for any other value, and for an obsolete field with a value that is no longer supported.
 */
export function presentFields(value: unknown, path: string, expected: string): Fields {
  const fields = fieldsOf(value ?? {}, path, expected);
  try {
    return withoutFormerFields(fields);
  } catch (cause) {
    if (!(cause instanceof RangeError)) throw cause;
    throw new RangeError(`${path}.${cause.message}`, { cause });
  }
}

/** Returns a scenario with some fields changed. */
export function withFields(scenario: Scenario, fields: Fields): Scenario {
  let changed = scenario;
  for (const [path, value] of Object.entries(fields)) {
    const [group = '', name] = path.split('.');
    const before: Fields = { ...changed };
    changed = { ...changed, [group]: name === undefined ? value : { ...(before[group] as object), [name]: value } };
  }
  return changed;
}

/** Names of the fields that a sweep can set, and the names of the fields in their groups. */
const fieldNames = Object.entries(defaultScenario)
  .filter(([name]) => name !== 'seed')
  .flatMap(([name, value]) =>
    isObject(value) ? [name, ...Object.keys(value).map((inner) => `${name}.${inner}`)] : [name],
  );

/** Returns the value of a field in the default scenario; undefined for a name that is not a field of any scenario. */
function usualOf(path: string): unknown {
  const [group = '', name, ...more] = path.split('.');
  const usual = Object.hasOwn(defaultScenario, group) ? ({ ...defaultScenario } as Fields)[group] : undefined;
  if (name === undefined) return usual;
  return more.length === 0 && isObject(usual) && Object.hasOwn(usual, name) ? usual[name] : undefined;
}

/**
 * Checks the name and the value of one field, and reads the file that the value of `network` names.
 *
 * @param path path of the value in the sweep file, which begins with `base` or `vary`.
 * @param others other fields of the same scenario, because the range of a count depends on the number of nodes.
 * @throws RangeError; EnvironmentError for a file that cannot be read.
 */
export function requireField(path: string, field: string, value: unknown, others: Fields): void {
  if (field === 'goReference') {
    requireReference(path, value);
    return;
  }
  const [part = ''] = path.split('.', 1);
  if (field === 'seed') throw malformed(part, "no seed, because the sweep's own seeds determine it", field);
  const usual = usualOf(field);
  if (usual === undefined) {
    const alike = fieldNames.filter((one) => one.includes('.') === field.includes('.'));
    throw malformed(part, `a field of a scenario (${alike.join(', ')})`, field, fieldNames);
  }
  requireSameForm(path, value, usual);
  if (field === 'network') requireNetwork(path, String(value));
  const neighbours = Object.entries(others).filter(
    ([name, one]) => !isObject(one) && typeof one === typeof usualOf(name),
  );
  const fields = { ...Object.fromEntries(neighbours), [field]: value };
  const wrong = wrongInScenario(withFields(defaultScenario, fields), 0);
  // A field may be invalid only in combination with the default values of other fields. Combinations of values are
  // checked when they are formed.
  if (wrong?.field === field) throw new RangeError(`${path}${wrong.message.slice(field.length)}`);
}

/** Checks the settings for modelling the Go reference, which some figures of the paper use. */
function requireReference(path: string, value: unknown): void {
  const { quirks, ...more } = fieldsOf(value, path, 'an object with quirks');
  const [other] = Object.keys(more);
  if (other !== undefined) throw malformed(path, 'quirks alone', other);
  if (!Array.isArray(quirks)) throw malformed(`${path}.quirks`, 'a list', quirks);
  const wrong = (quirks as readonly ReferenceQuirk[]).find((quirk) => !referenceQuirks.includes(quirk));
  if (wrong !== undefined) throw malformed(`${path}.quirks`, `some of ${referenceQuirks.join(', ')}`, wrong);
}

/** Reads the file that a network's name refers to, if any. */
function requireNetwork(path: string, network: string): void {
  try {
    takeGivenNetwork(path, network);
  } catch (cause) {
    if (!(cause instanceof RangeError && isFileNetwork(network))) throw cause;
    // The error does not quote the latency file, because the sweep file chooses which file is read.
    const message = `${path}: expected valid latencies in ${network}; to see the error, run tutti simulate --network ${shellWord(network)}`;
    throw new RangeError(message, { cause });
  }
}

/** Error in a scenario. */
interface WrongField {
  readonly field: string;
  /** Message that begins with the field. */
  readonly message: string;
}

/** Returns the first error in a scenario or in one of its seeds; undefined for a valid scenario. */
export function wrongInScenario({ goReference: _, ...scenario }: LabScenario, seeds: number): WrongField | undefined {
  try {
    validateScenario(scenario);
    validateNetwork(scenario.network);
    validateLiveNodes(scenario, seeds);
    return undefined;
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return { field: error.message.split(':', 1)[0]!, message: error.message };
  }
}
