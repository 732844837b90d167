import { isObject, likeliest, parseJson, shownValue, WorldError } from '@tutti/core/input';
import { type LabScenario, type ReferenceQuirk, referenceQuirks } from '@tutti/lab';
import {
  defaultScenario,
  type Scenario,
  scenarioPresets,
  validateLiveNodes,
  validateNetwork,
  validateScenario,
  withPresentNames,
} from '@tutti/simulation';
import { takeGivenNetwork } from '../files/latencyFile.ts';
import { formOf, otherField } from '../files/settingsText.ts';
import { isFileNetwork, type TakenNetworks, takenNetworks } from '../networkFile.ts';
import { readWhole } from '../output/files.ts';
import { pointKey, type SweepPoint, variedText } from './point.ts';

/** A sweep as data: every combination of the varied values, each with every seed. */
export interface SweepPlan {
  readonly name: string;
  /** Varied fields, in the order of the file: names, or names in a group such as `cpu.perMessageUs`. */
  readonly varied: readonly string[];
  /** Combinations of the varied values, each with its first seed. The first varied field changes slowest. */
  readonly groups: readonly Scenario[];
  /** Points by combination, with seeds in order: group g begins at point g * seedCount. */
  readonly points: readonly SweepPoint[];
  readonly seedCount: number;
  /** Networks from files that are named in scenarios. */
  readonly networks: TakenNetworks;
}

/**
 * Maximum number of points in a sweep. A larger number is probably a mistake: a million runs of 64 nodes take one core
 * about an hour.
 */
export const maxPoints = 1_000_000;
/** Largest seed. */
export const lastSeed = 2 ** 32 - 1;

type Fields = Readonly<Record<string, unknown>>;

/**
 * Reads and parses a sweep file.
 *
 * @throws WorldError `cannot-read`; `malformed-file`, one line, with the file, the path within the file, the expected
 * range and the value.
 */
export function readPlan(file: string): SweepPlan {
  return parsePlan(readWhole(file), file);
}

/**
 * Parses a sweep file.
 *
 * @throws WorldError as {@link readPlan}.
 */
export function parsePlan(text: string, file: string): SweepPlan {
  const reader = new PlanReader(file);
  const sweep = reader.sweep(text);
  const name = reader.name(sweep.name);
  const preset = reader.preset(sweep.preset);
  const base = reader.base(sweep.base);
  const vary = reader.vary(sweep.vary, base);
  const { from, count } = reader.seeds(sweep.seeds);
  const first = { ...withFields(preset, base), seed: from };
  const groups = reader.groups(first, vary, count, Object.keys(base));
  return planOf(
    name,
    vary.flatMap(({ fields }) => fields),
    groups,
    count,
  );
}

/** Returns the plan that runs each combination with consecutive seeds, beginning with the combination's own seed. */
export function planOf(
  name: string,
  varied: readonly string[],
  groups: readonly Scenario[],
  seedCount: number,
): SweepPlan {
  const networks = takenNetworks(groups.map(({ network }) => network));
  const points = groups.flatMap((group) =>
    Array.from({ length: seedCount }, (_, index) => {
      const scenario = { ...group, seed: group.seed + index };
      return { key: pointKey(scenario, networks[scenario.network]?.inputs), scenario };
    }),
  );
  return { name, varied, groups, points, seedCount, networks };
}

/** Fields that vary together, and their values in order: one field, or the fields of a list of records. */
interface Varied {
  readonly fields: readonly string[];
  readonly values: readonly Fields[];
}

/** Key in `vary` of the list of records whose fields vary together. */
const together = 'together';

/** Returns a scenario with some fields changed; a name such as `cpu.perMessageUs` refers to a field of a group. */
function withFields(scenario: Scenario, fields: Fields): Scenario {
  let changed = scenario;
  for (const [path, value] of Object.entries(fields)) {
    const [group = '', name] = path.split('.');
    const inner = { ...(({ ...changed } as Fields)[group] as object) };
    changed = { ...changed, [group]: name === undefined ? value : { ...inner, [name]: value } };
  }
  return changed;
}

/** Returns the value of a field in the default scenario; undefined for a name that is not a field of any scenario. */
function usualOf(path: string): unknown {
  const [group = '', name, ...more] = path.split('.');
  const usual = Object.hasOwn(defaultScenario, group) ? ({ ...defaultScenario } as Fields)[group] : undefined;
  if (name === undefined) return usual;
  return more.length === 0 && isObject(usual) && Object.hasOwn(usual, name) ? usual[name] : undefined;
}

/** All fields that a sweep can set. Fields of groups have names with a dot. */
const fieldNames = Object.entries(defaultScenario).flatMap(([name, value]) =>
  isObject(value) ? [name, ...Object.keys(value).map((inner) => `${name}.${inner}`)] : [name],
);

/** Parser for the parts of a sweep file. Errors name the file and the path within the file. */
class PlanReader {
  readonly #file: string;

  constructor(file: string) {
    this.#file = file;
  }

  sweep(text: string): Fields {
    const sweep = this.#fieldsOf(this.#json(text), 'the sweep', 'an object with name, preset, base, vary and seeds');
    this.#requireParts(sweep, 'the sweep', ['name', 'preset', 'base', 'vary', 'seeds']);
    return sweep;
  }

  name(value: unknown): string {
    if (typeof value === 'string' && /^[^\p{Cc}]{1,100}$/u.test(value)) return value;
    return this.#complain('name', 'a string of 1 to 100 characters', value);
  }

  /** Returns the scenario that the fields of the sweep change: a preset, or the default scenario. */
  preset(value: unknown): Scenario {
    if (value === undefined) return defaultScenario;
    const presets: Readonly<Record<string, Scenario>> = scenarioPresets;
    if (typeof value === 'string' && Object.hasOwn(presets, value)) return presets[value]!;
    return this.#complain('preset', Object.keys(presets).join(' or '), value);
  }

  base(value: unknown): Fields {
    const base = this.#presentFields(value, 'base', 'an object with fields of a scenario');
    for (const [field, one] of Object.entries(base)) this.#validateField('base', `base.${field}`, field, one, base);
    return base;
  }

  vary(value: unknown, base: Fields): readonly Varied[] {
    const { [together]: records, ...vary } = this.#fieldsOf(value ?? {}, 'vary', 'an object whose values are lists');
    const axes = Object.entries(this.#presentFields(vary, 'vary', 'an object whose values are lists'));
    // The number of points is checked before the values, since each value requires a check of a scenario.
    const ofRecords = Array.isArray(records) ? records.length : 1;
    const points = axes.reduce((all, [field, some]) => all * this.#countOf(`vary.${field}`, some), ofRecords);
    if (points > maxPoints) this.#complain('the sweep', `at most ${maxPoints} points`, points);
    const rows = records === undefined ? [] : this.#records(records, base);
    const varied: Varied[] = axes.map(([field, some]) => {
      const values = this.#valuesOf(some);
      const path = `vary.${field}`;
      values.forEach((one, index) => void this.#validateField('vary', `${path}[${index}]`, field, one, base));
      this.#requireDistinct(path, values);
      return { fields: [field], values: values.map((one) => ({ [field]: one })) };
    });
    if (rows.length > 0) varied.unshift({ fields: Object.keys(rows[0]!), values: rows });
    const fields = varied.flatMap((one) => one.fields);
    for (const field of fields) {
      if (Object.hasOwn(base, field)) this.#complain(`vary.${field}`, 'a field that base does not set', field);
      const other = fields.find(
        (one, index) => one.startsWith(`${field}.`) || (one === field && fields.indexOf(one) !== index),
      );
      if (other !== undefined) this.#complain('vary', 'each field once', other);
    }
    return varied;
  }

  /** Checks that no value occurs twice, since its points would be repeated. Objects are compared field by field. */
  #requireDistinct(path: string, values: readonly unknown[]): void {
    const places = new Map<string, number>();
    for (const [index, one] of values.entries()) {
      const text = JSON.stringify(isObject(one) ? Object.entries(one).sort() : one);
      const first = places.get(text);
      if (first !== undefined) this.#complain(`${path}[${index}]`, `a value other than ${path}[${first}]`, one);
      places.set(text, index);
    }
  }

  /** Returns records of fields that vary together. All records have the same fields. */
  #records(value: unknown, base: Fields): readonly Fields[] {
    const path = `vary.${together}`;
    if (!Array.isArray(value) || value.length === 0)
      return this.#complain(path, 'a list of at least one object with fields', value);
    const rows = value.map((one, index) => this.#presentFields(one, `${path}[${index}]`, 'an object with fields'));
    const [first = {}] = rows;
    const names = Object.keys(first).join(', ');
    rows.forEach((row, index) => {
      if (
        Object.keys(row).length === 0 ||
        Object.keys(row).toSorted().join(', ') !== Object.keys(first).toSorted().join(', ')
      )
        this.#complain(`${path}[${index}]`, `the fields ${names}`, Object.keys(row).join(', '));
      for (const [field, one] of Object.entries(row))
        this.#validateField('vary', `${path}[${index}].${field}`, field, one, { ...base, ...row });
    });
    this.#requireDistinct(path, rows);
    return rows;
  }

  /** Returns the number of values in a list, or in a range `{ from, to, step }`. */
  #countOf(path: string, value: unknown): number {
    if (Array.isArray(value) && value.length > 0) return value.length;
    if (!isObject(value)) return this.#complain(path, 'a list of at least one value, or from, to and step', value);
    this.#requireParts(value, path, ['from', 'to', 'step']);
    const [from, to, step] = ['from', 'to', 'step'].map((part) => {
      const number = value[part];
      if (typeof number === 'number' && Number.isFinite(number)) return number;
      return this.#complain(`${path}.${part}`, 'a number', number);
    }) as [number, number, number];
    if (step <= 0) this.#complain(`${path}.step`, 'a number greater than 0', step);
    if (to < from) this.#complain(`${path}.to`, `at least from, ${from}`, to);
    return Math.floor((to - from) / step + 1e-9) + 1;
  }

  /** Returns the values counted by {@link #countOf}. Decimal steps produce decimal values. */
  #valuesOf(value: unknown): readonly unknown[] {
    if (Array.isArray(value)) return value;
    const { from, step } = value as { readonly from: number; readonly step: number };
    return Array.from({ length: this.#countOf('vary', value) }, (_, index) =>
      Number((from + index * step).toPrecision(12)),
    );
  }

  seeds(value: unknown): { readonly from: number; readonly count: number } {
    if (typeof value === 'number') return { from: 1, count: this.#integer('seeds', value, 1, maxPoints) };
    const seeds = this.#fieldsOf(value ?? {}, 'seeds', 'a number of seeds, or an object with from and count');
    this.#requireParts(seeds, 'seeds', ['from', 'count']);
    const from = seeds.from === undefined ? 1 : this.#integer('seeds.from', seeds.from, 0, lastSeed);
    const max = Math.min(maxPoints, lastSeed - from + 1);
    return { from, count: seeds.count === undefined ? 1 : this.#integer('seeds.count', seeds.count, 1, max) };
  }

  /**
   * Returns all combinations of values, checked with every seed. The first varied field changes slowest.
   *
   * @param base names of the fields that the sweep's `base` sets.
   */
  groups(first: Scenario, vary: readonly Varied[], count: number, base: readonly string[]): readonly Scenario[] {
    const total = vary.reduce((product, { values }) => product * values.length, count);
    if (total > maxPoints) this.#complain('the sweep', `at most ${maxPoints} points`, total);
    let groups: Scenario[] = [first];
    for (const { values } of vary) groups = groups.flatMap((group) => values.map((value) => withFields(group, value)));
    for (const group of groups) {
      const wrong = wrongInScenario(group, count);
      if (wrong === undefined) continue;
      const { field, message } = wrong;
      const isOfBase = base.some((one) => one === field || field.startsWith(`${one}.`));
      const which = vary.flatMap(({ fields }) => fields.map((one) => `${one} ${variedText(group, one)}`)).join(', ');
      this.#fail(`${which === '' ? '' : `${which}: `}${isOfBase ? 'base.' : ''}${message}`);
    }
    return groups;
  }

  #fail(what: string): never {
    throw new WorldError('malformed-file', `${this.#file}: ${what}`);
  }

  /**
   * Throws the error for an invalid value.
   *
   * @param known valid names; the error suggests the most similar one.
   */
  #complain(path: string, expected: string, got: unknown, known: readonly string[] = []): never {
    const meant = typeof got === 'string' ? likeliest(got, known) : undefined;
    const advice = meant === undefined ? '' : ` (Did you mean ${meant}?)`;
    return this.#fail(`${path}: expected ${expected}, got ${shownValue(got)}${advice}`);
  }

  #json(text: string): unknown {
    try {
      return parseJson(text);
    } catch (error) {
      return this.#fail(`expected JSON, got ${(error as Error).message}`);
    }
  }

  #fieldsOf(value: unknown, path: string, expected: string): Fields {
    return isObject(value) ? value : this.#complain(path, expected, value);
  }

  #requireParts(fields: Fields, path: string, known: readonly string[]): void {
    const expected = `${known.slice(0, -1).join(', ')} and ${known.at(-1)}`;
    for (const part of Object.keys(fields)) if (!known.includes(part)) this.#complain(path, expected, part, known);
  }

  #presentFields(value: unknown, path: string, expected: string): Fields {
    const fields = this.#fieldsOf(value ?? {}, path, expected);
    try {
      return withPresentNames(fields);
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      return this.#fail(`${path}.${error.message}`);
    }
  }

  #integer(path: string, value: unknown, min: number, last: number): number {
    if (Number.isInteger(value) && Number(value) >= min && Number(value) <= last) return Number(value);
    return this.#complain(path, `an integer from ${min} to ${last}`, value);
  }

  /** Checks the settings for modelling the Go reference, which some figures of the paper use. */
  #validateReference(path: string, value: unknown): void {
    const { quirks, ...more } = this.#fieldsOf(value, path, 'an object with quirks');
    const [other] = Object.keys(more);
    if (other !== undefined) this.#complain(path, 'quirks alone', other);
    if (!Array.isArray(quirks)) this.#complain(`${path}.quirks`, 'a list', quirks);
    const wrong = (quirks as readonly ReferenceQuirk[]).find((quirk) => !referenceQuirks.includes(quirk));
    if (wrong !== undefined) this.#complain(`${path}.quirks`, `some of ${referenceQuirks.join(', ')}`, wrong);
  }

  /** Reads the file that a network's name refers to. */
  #takeNetwork(path: string, network: string): void {
    try {
      takeGivenNetwork(path, network);
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      // The error does not quote the latency file, because the sweep file chooses which file is read.
      if (isFileNetwork(network))
        this.#fail(
          `${path}: expected valid latencies in ${network}; to see the error, run 'tutti simulate --network ${network}'`,
        );
      this.#fail(error.message);
    }
  }

  /**
   * Checks the value of one field.
   *
   * @param others other fields of the same scenario, because the range of a count depends on the number of nodes.
   */
  #validateField(part: string, path: string, field: string, value: unknown, others: Fields): void {
    if (field === 'goReference') {
      this.#validateReference(path, value);
      return;
    }
    if (field === 'seed') this.#complain(part, "no seed, because the sweep's own seeds determine it", field);
    const usual = usualOf(field);
    if (usual === undefined) {
      const known = fieldNames.filter((one) => one !== 'seed');
      const shown = field.includes('.') ? known.filter((one) => one.includes('.')) : Object.keys(defaultScenario);
      const what = `a field of a scenario (${shown.filter((one) => one !== 'seed').join(', ')})`;
      this.#complain(part, what, field, known);
    }
    if (formOf(value) !== formOf(usual)) this.#complain(path, formOf(usual), value);
    const other = otherField(value, usual);
    if (other !== undefined) {
      const known = Object.keys(usual as object);
      this.#complain(path, `only the fields ${known.join(', ')}`, other, known);
    }
    if (field === 'network') this.#takeNetwork(path, String(value));
    const neighbours = Object.entries(others).filter(
      ([name, one]) => !isObject(one) && typeof one === typeof usualOf(name),
    );
    const wrong = wrongInScenario(
      withFields(defaultScenario, { ...Object.fromEntries(neighbours), [field]: value }),
      0,
    );
    // A field may be invalid only in combination with the default values of other fields. Combinations of values are
    // checked when they are formed.
    if (wrong?.field === field) this.#fail(`${path}${wrong.message.slice(field.length)}`);
  }
}

/** Returns the error in a scenario or in one of its seeds, with the field that the error names. */
function wrongInScenario(
  { goReference: _, ...scenario }: LabScenario,
  seeds: number,
): { field: string; message: string } | undefined {
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
