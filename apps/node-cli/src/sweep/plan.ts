import { isObject } from '@tutti/core/input';
import { defaultScenario, type Scenario, scenarioPresets } from '@tutti/simulation';
import { malformed, ofFile, readSettings } from '../files/settingsText.ts';
import { type ReadNetworks, readNetworksAmong } from '../networkFile.ts';
import { readWhole } from '../output/files.ts';
import { pointKey, type SweepPoint, variedText } from './point.ts';
import { type Fields, fieldsOf, presentFields, requireField, withFields, wrongInScenario } from './sweptFields.ts';

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
  readonly networks: ReadNetworks;
}

/**
 * Maximum number of points in a sweep. A larger number is probably a mistake: a million runs of 64 nodes take one core
 * about an hour.
 */
const maxPoints = 1_000_000;
/** Largest seed. */
const lastSeed = 2 ** 32 - 1;

/**
 * Reads and parses a sweep file.
 *
 * @throws EnvironmentError `cannot-read`; `not-utf8`; `malformed-file`, one line, with the file, the path within the
 * file, the expected range and the value.
 */
export function readPlan(file: string): SweepPlan {
  return parsePlan(readWhole(file), file);
}

/**
 * Parses a sweep file.
 *
 * @throws EnvironmentError `malformed-file` as {@link readPlan}.
 */
export function parsePlan(text: string, file: string): SweepPlan {
  return ofFile(file, () => {
    const parts = ['name', 'preset', 'base', 'vary', 'seeds'];
    const sweep = fieldsOf(readSettings('JSON', text), 'the sweep', `an object with ${listed(parts)}`);
    requireParts(sweep, 'the sweep', parts);
    const name = nameOf(sweep.name);
    const preset = presetOf(sweep.preset);
    const base = baseOf(sweep.base);
    const seeds = seedsOf(sweep.seeds);
    const varied = variedOf(sweep.vary, base, seeds.count);
    const fields = varied.flatMap((one) => one.fields);
    const changes = varied.map(({ values }) =>
      values.map(
        (one): Change =>
          (group) =>
            withFields(group, one),
      ),
    );
    const groups = combinations({ ...withFields(preset, base), seed: seeds.from }, changes);
    for (const group of groups) requireValid(group, seeds.count, fields, base);
    return planOf(name, fields, groups, seeds.count);
  });
}

/** Returns the plan that runs each combination with consecutive seeds, beginning with the combination's own seed. */
export function planOf(
  name: string,
  varied: readonly string[],
  groups: readonly Scenario[],
  seedCount: number,
): SweepPlan {
  const networks = readNetworksAmong(groups.map(({ network }) => network));
  const points = groups.flatMap((group) =>
    Array.from({ length: seedCount }, (_, index) => {
      const scenario = { ...group, seed: group.seed + index };
      return { key: pointKey(scenario, networks[scenario.network]?.inputs), scenario };
    }),
  );
  return { name, varied, groups, points, seedCount, networks };
}

function listed(names: readonly string[]): string {
  return `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;
}

/** Checks that an object has no other fields than the known ones. @throws RangeError. */
function requireParts(fields: Fields, path: string, known: readonly string[]): void {
  const other = Object.keys(fields).find((part) => !known.includes(part));
  if (other !== undefined) throw malformed(path, listed(known), other, known);
}

function nameOf(value: unknown): string {
  if (typeof value === 'string' && /^[^\p{Cc}]{1,100}$/u.test(value)) return value;
  throw malformed('name', 'a string of 1 to 100 characters', value);
}

/** Returns the scenario that the fields of the sweep change: a preset, or the default scenario. */
function presetOf(value: unknown): Scenario {
  if (value === undefined) return defaultScenario;
  const presets: Readonly<Record<string, Scenario>> = scenarioPresets;
  if (typeof value === 'string' && Object.hasOwn(presets, value)) return presets[value]!;
  throw malformed('preset', Object.keys(presets).join(' or '), value);
}

function baseOf(value: unknown): Fields {
  const base = presentFields(value, 'base', 'an object with fields of a scenario');
  for (const [field, one] of Object.entries(base)) requireField(`base.${field}`, field, one, base);
  return base;
}

/** Returns the first seed and the number of seeds. */
function seedsOf(value: unknown): { readonly from: number; readonly count: number } {
  if (typeof value === 'number') return { from: 1, count: integerIn('seeds', value, 1, maxPoints) };
  const seeds = fieldsOf(value ?? {}, 'seeds', 'a number of seeds, or an object with from and count');
  requireParts(seeds, 'seeds', ['from', 'count']);
  const { from = 1, count = 1 } = seeds;
  const first = integerIn('seeds.from', from, 0, lastSeed);
  return { from: first, count: integerIn('seeds.count', count, 1, Math.min(maxPoints, lastSeed - first + 1)) };
}

function integerIn(path: string, value: unknown, min: number, max: number): number {
  if (Number.isInteger(value) && Number(value) >= min && Number(value) <= max) return Number(value);
  throw malformed(path, `an integer from ${min} to ${max}`, value);
}

/** Fields that vary together, and their values in order: one field, or the fields of a list of records. */
interface Varied {
  readonly fields: readonly string[];
  readonly values: readonly Fields[];
}

/** Key in `vary` of the list of records whose fields vary together. */
const together = 'together';

/** Returns the varied fields. The records, whose fields vary together, are the first element. */
function variedOf(value: unknown, base: Fields, seedCount: number): readonly Varied[] {
  const form = 'an object whose values are lists';
  const { [together]: records, ...lists } = fieldsOf(value ?? {}, 'vary', form);
  const axes = Object.entries(presentFields(lists, 'vary', form)).map(([field, list]) => ({
    field,
    ...valuesIn(`vary.${field}`, list),
  }));
  // The number of points is checked before the values, since each value requires a check of a scenario.
  const recordCount = Array.isArray(records) ? records.length : 1;
  requirePoints('the sweep', [recordCount, ...axes.map(({ count }) => count), seedCount]);
  const varied = [
    ...(records === undefined ? [] : [recordsOf(records, base)]),
    ...axes.map(({ field, values }) => axisOf(field, values(), base)),
  ];
  requireEachOnce(
    varied.flatMap(({ fields }) => fields),
    base,
  );
  return varied;
}

/** Returns the number of values in a list or in a range `{ from, to, step }`, and a function that returns the values. */
function valuesIn(path: string, value: unknown): { readonly count: number; values(): readonly unknown[] } {
  if (Array.isArray(value) && value.length > 0) return { count: value.length, values: () => value };
  const range = fieldsOf(value, path, 'a list of at least one value, or from, to and step');
  const parts = ['from', 'to', 'step'];
  requireParts(range, path, parts);
  const [from, to, step] = parts.map((part) => finiteNumber(`${path}.${part}`, range[part])) as [
    number,
    number,
    number,
  ];
  if (step <= 0) throw malformed(`${path}.step`, 'a number greater than 0', step);
  if (to < from) throw malformed(`${path}.to`, `at least from, ${from}`, to);
  const count = Math.floor((to - from) / step + 1e-9) + 1;
  // Rounding removes the error of binary fractions, so that decimal steps produce decimal values.
  const valueAt = (_: unknown, index: number) => Number((from + index * step).toPrecision(12));
  return { count, values: () => Array.from({ length: count }, valueAt) };
}

function finiteNumber(path: string, value: unknown): number {
  if (typeof value === 'number' && Number.isFinite(value)) return value;
  throw malformed(path, 'a number', value);
}

function axisOf(field: string, values: readonly unknown[], base: Fields): Varied {
  values.forEach((one, index) => void requireField(`vary.${field}[${index}]`, field, one, base));
  requireDistinct(`vary.${field}`, values);
  return { fields: [field], values: values.map((one) => ({ [field]: one })) };
}

/** Returns the fields that vary together. All records have the same fields. */
function recordsOf(value: unknown, base: Fields): Varied {
  const path = `vary.${together}`;
  if (!Array.isArray(value) || value.length === 0)
    throw malformed(path, 'a list of at least one object with fields', value);
  const records = value.map((one, index) => presentFields(one, `${path}[${index}]`, 'an object with fields'));
  const fields = Object.keys(records[0]!);
  const sorted = fields.toSorted().join(', ');
  for (const [index, record] of records.entries()) {
    const own = Object.keys(record);
    if (own.length === 0 || own.toSorted().join(', ') !== sorted)
      throw malformed(`${path}[${index}]`, `the fields ${fields.join(', ')}`, own.join(', '));
    for (const [field, one] of Object.entries(record))
      requireField(`${path}[${index}].${field}`, field, one, { ...base, ...record });
  }
  requireDistinct(path, records);
  return { fields, values: records };
}

/** Checks that no value occurs twice, since its points would be repeated. Objects are compared field by field. */
function requireDistinct(path: string, values: readonly unknown[]): void {
  const indexOf = new Map<string, number>();
  for (const [index, one] of values.entries()) {
    const text = JSON.stringify(isObject(one) ? Object.entries(one).sort() : one);
    const first = indexOf.get(text);
    if (first !== undefined) throw malformed(`${path}[${index}]`, `a value other than ${path}[${first}]`, one);
    indexOf.set(text, index);
  }
}

/**
 * Checks that no varied field is, or contains, another varied field or a field that base sets. A varied field may be part
 * of a group that base sets.
 */
function requireEachOnce(fields: readonly string[], base: Fields): void {
  const isIn = (field: string, group: string) => field === group || field.startsWith(`${group}.`);
  for (const [index, field] of fields.entries()) {
    if (Object.keys(base).some((one) => isIn(one, field)))
      throw malformed(`vary.${field}`, 'a field that base does not set', field);
    const other = fields.find((one, at) => at !== index && isIn(one, field));
    if (other !== undefined) throw malformed('vary', 'each field once', other);
  }
}

/** A change that a sweep makes to a scenario. */
export type Change = (scenario: Scenario) => Scenario;

/** Returns all combinations of changes, one of each list. The changes of the first list vary slowest. */
export function combinations(first: Scenario, lists: readonly (readonly Change[])[]): readonly Scenario[] {
  return lists.reduce<readonly Scenario[]>(
    (groups, changes) => groups.flatMap((group) => changes.map((change) => change(group))),
    [first],
  );
}

/** Checks the number of points of a sweep, the product of these numbers of values and seeds. @throws RangeError. */
export function requirePoints(subject: string, counts: readonly number[]): void {
  const points = counts.reduce((product, count) => product * count, 1);
  if (points > maxPoints) throw malformed(subject, `at most ${maxPoints} points`, points);
}

/** Checks a combination with every seed. @throws RangeError that names the varied values. */
function requireValid(group: Scenario, seedCount: number, varied: readonly string[], base: Fields): void {
  const wrong = wrongInScenario(group, seedCount);
  if (wrong === undefined) return;
  const { field, message } = wrong;
  const isOfBase = Object.keys(base).some((one) => one === field || field.startsWith(`${one}.`));
  const which = varied.map((one) => `${one} ${variedText(group, one)}`).join(', ');
  throw new RangeError(`${which === '' ? '' : `${which}: `}${isOfBase ? 'base.' : ''}${message}`);
}
