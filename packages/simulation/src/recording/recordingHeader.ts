import { expected, oneOf, parseJson, requireIn, requireInteger, requireNumber, shortened } from '@tutti/core/input';
import { maxRecordedPlaces } from '../engine/network/networkModel.ts';
import type { RunEnd, RunResult } from '../scenario/result.ts';
import { defaultScenario, type Scenario, validateScenario, withoutFormerFields } from '../scenario/scenario.ts';
import type { ColumnCode } from './columnCode.ts';
import type { Recording } from './recording.ts';

type FileResult = Omit<RunResult, 'scenario'>;

/** Header of a recording's file. */
export interface RecordingHeader {
  readonly scenario: Scenario;
  readonly result: FileResult;
  readonly world: { readonly threshold: number; readonly regionNames: readonly string[] };
  readonly sends: boolean;
  /** Number of lines. */
  readonly length: number;
  readonly columns: readonly ColumnHeader[];
}

export interface ColumnHeader {
  readonly name: string;
  readonly code: ColumnCode;
  /** Number of entries. */
  readonly count: number;
  readonly bytes: number;
}

/** Writes the header as JSON in ASCII, so that a reader needs no other decoder than JSON. */
export function writeHeader(recording: Recording, columns: readonly ColumnHeader[]): Uint8Array {
  const { scenario, world, sends, length } = recording;
  const { scenario: _, ...result } = recording.result;
  const { threshold, regionNames } = world;
  const header: RecordingHeader = { scenario, result, world: { threshold, regionNames }, sends, length, columns };
  const text = JSON.stringify(header).replace(
    /[^ -~]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
  return Uint8Array.from(text, (character) => character.charCodeAt(0));
}

/**
 * Checks and returns the header, since a file is untrusted. Scenario fields that an older version did not write get
 * their defaults.
 *
 * @throws RangeError that names the field.
 */
export function readHeader(bytes: Uint8Array): RecordingHeader {
  let text = '';
  // In pieces, because one string per byte would take 32 bytes of memory per byte.
  for (let at = 0; at < bytes.length; at += 4096) text += String.fromCharCode(...bytes.subarray(at, at + 4096));
  let parsed: unknown;
  try {
    parsed = parseJson(text);
  } catch {
    throw new RangeError(expected('header', 'JSON', text.slice(0, 40)));
  }
  const header = object('header', parsed);
  const scenario = readScenario(header.scenario);
  const { nodes } = scenario;

  const world = object('world', header.world);
  const threshold = integer('world.threshold', world.threshold, 1, nodes);
  const regionNames = list('world.regionNames', world.regionNames, maxRecordedPlaces);
  const isText = (name: unknown): name is string => typeof name === 'string';
  if (!regionNames.every(isText)) throw new RangeError(expected('world.regionNames', 'a list of texts', regionNames));

  const sends = header.sends;
  if (typeof sends !== 'boolean') throw new RangeError(expected('sends', 'true or false', typeof sends));
  return {
    scenario,
    result: readResult(object('result', header.result), nodes),
    world: { threshold, regionNames },
    sends,
    length: integer('length', header.length, 0, 2 ** 31 - 1),
    columns: list('columns', header.columns, 64).map(readColumnHeader),
  };
}

function readScenario(value: unknown): Scenario {
  // Older versions had only packed ids, and no back-off.
  const before: Scenario = { ...defaultScenario, tree: 'packed', backOff: false };
  const scenario = { ...before, ...withoutFormerFields(object('scenario', value)) };
  refuseUnknown('scenario', scenario, before);
  for (const [field, usual] of Object.entries(defaultScenario)) {
    const given = scenario[field as keyof Scenario];
    if (kindOf(given) !== kindOf(usual))
      throw new RangeError(expected(`scenario.${field}`, `a ${kindOf(usual)}`, kindOf(given)));
    if (kindOf(usual) !== 'object') continue;
    refuseUnknown(`scenario.${field}`, given as object, usual as object);
    // New settings within a group are also set to their defaults.
    Object.assign(scenario, { [field]: { ...(usual as object), ...(given as object) } });
  }
  validateScenario(scenario);
  return scenario;
}

function readColumnHeader(entry: unknown): ColumnHeader {
  const column = object('columns', entry);
  return {
    name: shortText('columns', column.name),
    code: shortText('columns', column.code) as ColumnCode,
    count: integer('columns', column.count, 0, 2 ** 31 - 1),
    bytes: integer('columns', column.bytes, 0, 2 ** 40),
  };
}

type FieldCheck = (label: string, value: unknown, nodes: number) => void;

const nodeCount: FieldCheck = (label, value, nodes) => integer(label, value, 0, nodes);
const count: FieldCheck = (label, value) => integer(label, value, 0, Number.MAX_SAFE_INTEGER);
const number: FieldCheck = (label, value) => requireNumber(label, value as number, 0, Number.MAX_VALUE);
const digits: FieldCheck = (label, value) => {
  if (!/^\d+$/.test(shortText(label, value))) throw new RangeError(expected(label, 'decimal digits', value));
};
const ending: FieldCheck = (label, value) =>
  requireIn(label, value, oneOf<RunEnd>(['reached', 'silent', 'given-up', 'running']));
const counts: FieldCheck = (label, value, nodes) => {
  for (const times of Object.values(object(label, value))) count(label, times, nodes);
};
const fields =
  (checks: Readonly<Record<string, FieldCheck>>): FieldCheck =>
  (label, value, nodes) => {
    const group = object(label, value);
    for (const [field, check] of Object.entries(checks)) check(`${label}.${field}`, group[field], nodes);
  };

const spread = fields({ min: number, mean: number, max: number });
const ranks: FieldCheck = (label, value, nodes) => {
  if (value !== null) fields({ p50: number, p90: number, p99: number })(label, value, nodes);
};
const ofMeasures = (check: FieldCheck) => ({
  messagesSent: check,
  messagesReceived: check,
  bytesSent: check,
  checked: check,
});

/** Checks for the fields that every version since 0.1.0 has written. */
const resultFields = {
  nodes: nodeCount,
  live: nodeCount,
  reached: nodeCount,
  seed: count,
  messagesDelivered: count,
  events: count,
  version: shortText,
  digest: shortText,
  ended: ending,
  timeToThresholdMs: spread,
  ...ofMeasures(spread),
  untilThreshold: fields({ timeMs: spread, ...ofMeasures(spread) }),
  checkedInvalid: spread,
  keptInts: spread,
  refused: counts,
  injected: counts,
} satisfies Partial<Record<keyof FileResult, FieldCheck>>;

/** Checks for the other fields, which may be missing in a file. */
const optionalResultFields: Readonly<Record<Exclude<keyof FileResult, keyof typeof resultFields>, FieldCheck>> = {
  threshold: count,
  stake: fields({ total: digits, live: digits, required: digits, signed: spread }),
  signers: spread,
  checks: spread,
  checkingMs: spread,
  percentiles: fields({ timeToThresholdMs: ranks, ...ofMeasures(ranks) }),
};

/** Checks the result and returns its known fields. */
function readResult(result: Record<string, unknown>, nodes: number): FileResult {
  const checks: Record<string, FieldCheck> = { ...resultFields };
  for (const [field, check] of Object.entries(optionalResultFields))
    if (Object.hasOwn(result, field)) checks[field] = check;
  for (const [field, check] of Object.entries(checks)) check(`result.${field}`, result[field], nodes);
  return Object.fromEntries(Object.keys(checks).map((field) => [field, result[field]])) as unknown as FileResult;
}

/** Refuses unknown fields, which would reach a view, a link or a command that does not know them. */
function refuseUnknown(label: string, given: object, known: object): void {
  const other = Object.keys(given).find((field) => !Object.hasOwn(known, field));
  if (other === undefined) return;
  throw new RangeError(expected(label, 'only fields that this version knows', shortened(other, 100)));
}

function kindOf(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'list' : typeof value;
}

function object(label: string, value: unknown): Record<string, unknown> {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>;
  throw new RangeError(expected(label, 'an object', value === null ? 'null' : typeof value));
}

function list(label: string, value: unknown, max: number): unknown[] {
  if (Array.isArray(value) && value.length <= max) return value;
  throw new RangeError(expected(label, `a list of at most ${max}`, Array.isArray(value) ? value.length : typeof value));
}

function shortText(label: string, value: unknown): string {
  if (typeof value === 'string' && value.length <= 100) return value;
  throw new RangeError(
    expected(label, 'a string of at most 100 characters', typeof value === 'string' ? value.length : typeof value),
  );
}

function integer(label: string, value: unknown, min: number, max: number): number {
  requireInteger(label, value as number, min, max);
  return value as number;
}
