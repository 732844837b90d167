import { checkNetwork, checkScenario, defaultScenario, type Scenario, withPresentNames } from '@tutti/simulation';
import { shownValue, WorldError } from '@tutti/transports/errors';
import { readWhole } from '../output/files.ts';
import { pointKey, type SweepPoint } from './point.ts';

/** A sweep as data: every combination of the varied values, each with every seed. */
export interface SweepPlan {
  readonly name: string;
  /** The varied fields, in the file's order. */
  readonly varied: readonly (keyof Scenario)[];
  /** The combinations, the first varied field slowest; their seed is the first one. */
  readonly groups: readonly Scenario[];
  /** Combination by combination, seeds in order: group g has the points that begin at g * seedCount. */
  readonly points: readonly SweepPoint[];
  readonly seedCount: number;
}

/** More is more likely a slip of the pen; a million runs of 64 nodes take a core an hour. */
const mostPoints = 1_000_000;
const lastSeed = 2 ** 32 - 1;

type Fields = Readonly<Record<string, unknown>>;

/**
 * Reads a sweep file.
 *
 * @throws WorldError `cannot-read`; `malformed-file`, one line, with the file, the path in it, what was expected and
 *   what came.
 */
export function readPlan(file: string): SweepPlan {
  return parsePlan(readWhole(file), file);
}

/** @throws WorldError as {@link readPlan}. */
export function parsePlan(text: string, file: string): SweepPlan {
  const complain = (path: string, expected: string, got: unknown): never => {
    throw new WorldError('malformed-file', `${file}: ${path}: expected ${expected}, got ${shownValue(got)}`);
  };
  const fieldsOf = (value: unknown, path: string, expected: string): Fields =>
    isObject(value) ? value : complain(path, expected, value);

  const sweep = fieldsOf(parseJson(text, complain), 'the sweep', 'an object with name, base, vary and seeds');
  for (const part of Object.keys(sweep)) {
    if (!['name', 'base', 'vary', 'seeds'].includes(part)) complain('the sweep', 'name, base, vary and seeds', part);
  }
  const { name } = sweep;
  if (typeof name !== 'string' || !/^[^\p{Cc}]{1,100}$/u.test(name)) {
    return complain('name', 'a text of 1 to 100 characters', name);
  }

  const base = presentFields(fieldsOf(sweep.base ?? {}, 'base', 'an object of scenario fields'), 'base');
  for (const [field, value] of Object.entries(base)) checkField('base', `base.${field}`, field, value);

  const vary = presentFields(fieldsOf(sweep.vary ?? {}, 'vary', 'an object of lists'), 'vary');
  for (const [field, values] of Object.entries(vary)) {
    const path = `vary.${field}`;
    if (Object.hasOwn(base, field)) complain(path, 'a field that base does not set', field);
    if (!Array.isArray(values) || values.length === 0) return complain(path, 'a list of at least one value', values);
    values.forEach((value, index) => {
      checkField('vary', `${path}[${index}]`, field, value);
      const first = values.indexOf(value);
      if (first !== index) complain(`${path}[${index}]`, `a value other than ${path}[${first}]`, value);
    });
  }

  const seeds = fieldsOf(sweep.seeds ?? {}, 'seeds', 'an object with from and count');
  for (const part of Object.keys(seeds))
    if (!['from', 'count'].includes(part)) complain('seeds', 'from and count', part);
  const from = seeds.from === undefined ? 1 : integer('seeds.from', seeds.from, 0, lastSeed);
  const most = Math.min(mostPoints, lastSeed - from + 1);
  const count = seeds.count === undefined ? 1 : integer('seeds.count', seeds.count, 1, most);

  const lists = Object.entries(vary) as [keyof Scenario, unknown[]][];
  const total = lists.reduce((product, [, values]) => product * values.length, count);
  if (total > mostPoints) complain('the sweep', `at most ${mostPoints} points`, total);

  let groups: Scenario[] = [{ ...defaultScenario, ...base, seed: from }];
  for (const [field, values] of lists) {
    groups = groups.flatMap((group) => values.map((value) => ({ ...group, [field]: value })));
  }
  for (const group of groups) {
    const wrong = wrongInScenario(group);
    if (wrong !== undefined) {
      throw new WorldError(
        'malformed-file',
        `${file}: ${lists.map(([field]) => `${field} ${group[field]}`).join(', ')}: ${wrong.message}`,
      );
    }
  }
  const points = groups.flatMap((group) =>
    Array.from({ length: count }, (_, index) => {
      const scenario = { ...group, seed: from + index };
      return { key: pointKey(scenario), scenario };
    }),
  );
  return { name, varied: lists.map(([field]) => field), groups, points, seedCount: count };

  function presentFields(fields: Fields, path: string): Fields {
    try {
      return withPresentNames(fields);
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      throw new WorldError('malformed-file', `${file}: ${path}.${error.message}`);
    }
  }

  function integer(path: string, value: unknown, least: number, last: number): number {
    if (Number.isInteger(value) && Number(value) >= least && Number(value) <= last) return Number(value);
    return complain(path, `an integer from ${least} to ${last}`, value);
  }

  function checkField(part: string, path: string, field: string, value: unknown): void {
    if (field === 'seed') complain(part, "no seed (seeds go into the sweep's seeds)", field);
    const usual = (defaultScenario as unknown as Fields)[field];
    if (!Object.hasOwn(defaultScenario, field)) {
      const known = Object.keys(defaultScenario).filter((one) => one !== 'seed');
      complain(part, `a field of a scenario (${known.join(', ')})`, field);
    }
    if (typeof value !== typeof usual) complain(path, `a ${typeof usual}`, value);
    const wrong = wrongInScenario({ ...defaultScenario, [field]: value });
    // A field may be wrong only beside its default neighbours; combinations are checked as they are made.
    if (wrong?.field === field)
      throw new WorldError('malformed-file', `${file}: ${path}${wrong.message.slice(field.length)}`);
  }
}

/** Core's complaint about a scenario, and the field it is about. */
function wrongInScenario(scenario: Scenario): { field: string; message: string } | undefined {
  try {
    checkScenario(scenario);
    checkNetwork(scenario.network);
    return undefined;
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return { field: error.message.split(':', 1)[0]!, message: error.message };
  }
}

function parseJson(text: string, complain: (path: string, expected: string, got: unknown) => never): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    const position = Number(/position (\d+)/.exec((error as Error).message)?.[1] ?? text.length);
    const line = text.slice(0, position).split('\n').length;
    const rest = text.slice(position).split('\n', 1)[0]!;
    return complain(`line ${line}`, 'JSON', rest);
  }
}

function isObject(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
