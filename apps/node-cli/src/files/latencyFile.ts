import { existsSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { expected, isObject } from '@tutti/core/input';
import { networkText } from '@tutti/simulation/engine';
import type { TextReader } from '@tutti/simulation/fields';
import { warn } from '../context.ts';
import { isFileNetwork, networkChoices, networkFileForm, registerReadNetwork } from '../networkFile.ts';
import { readInput } from '../output/files.ts';
import { gmlLatencies } from './gml.ts';
import {
  type FileLatencies,
  LatencyBuilder,
  type LatencyReading,
  requireDistinct,
  requirePlaces,
  withSubject,
} from './latencies.ts';
import { tableLatencies } from './latencyTable.ts';
import { checkFields, each, type FieldTable, readSettings, requireFields } from './settingsText.ts';

/** Number of characters at the start of a file that determine its form if its extension is unknown. */
const beginningLength = 4096;

/**
 * Reads latencies from a file. The name of the file determines its form; if the name does not, the first characters do.
 *
 * @param readRelative reads another file that this file names by a relative path.
 * @throws RangeError with the detected form, the line or field, and the error.
 */
export function readLatencies(
  path: string,
  text: string,
  reading: LatencyReading,
  readRelative: (path: string) => string,
): FileLatencies {
  const isUnknown = !/\.(gml|ya?ml|json|csv|tsv|txt)$/i.test(path);
  const beginning = text.slice(0, beginningLength);
  const is = (ending: RegExp, start: RegExp) => ending.test(path) || (isUnknown && start.test(beginning));
  if (is(/\.gml$/i, /^(\s|#.*\n|Creator.*\n|Version.*\n)*graph\s*\[/))
    return withSubject('read as a GML graph', () => gmlLatencies(text, reading));
  if (is(/\.ya?ml$/i, /^(general|network|hosts):/m))
    return withSubject("read as Shadow's YAML", () =>
      shadowLatencies(text, reading, (name) => readRelative(resolve(dirname(path), name))),
    );
  if (is(/\.json$/i, /^\s*[[{]/))
    return withSubject('read as JSON', () => jsonLatencies(readSettings('JSON', text), reading));
  return tableLatencies(text, reading);
}

/**
 * Fields of a Shadow configuration (documentation of version 3.x). Hosts are assigned to the places of the graph in
 * rotation.
 */
const shadowFields: FieldTable = {
  ...each('ignored', 'general', 'experimental', 'host_option_defaults', 'hosts'),
  network: {
    fields: {
      graph: { fields: { type: 'used', inline: 'used', file: { fields: each('used', 'path', 'compression') } } },
      use_shortest_path: 'used',
    },
  },
};

/** Reads the graph in a Shadow configuration, or in the file that the configuration names. */
function shadowLatencies(text: string, reading: LatencyReading, readRelative: (path: string) => string): FileLatencies {
  const file = readSettings('YAML', text);
  const ignored = checkFields("Shadow's configuration", shadowFields, file);
  const { network } = file as { readonly network?: unknown };
  requireFields('network', network);
  requireFields('network.graph', network.graph);
  const { type, inline, file: other } = network.graph;
  if (type !== 'gml') throw new RangeError(expected('network.graph.type', 'gml', type));
  const { path, compression } = isObject(other) ? other : {};
  if (compression !== undefined && compression !== null)
    throw new RangeError(`${expected('network.graph.file.compression', 'none', compression)}; decompress the file`);
  const graph = inline ?? path;
  if (typeof graph !== 'string')
    throw new RangeError(expected('network.graph', 'an inline graph, or a file with a path', graph ?? null));
  // By default, Shadow replaces a direct edge with the fastest path.
  const isFastest = network.use_shortest_path ?? true;
  if (typeof isFastest !== 'boolean')
    throw new RangeError(expected('network.use_shortest_path', 'true or false', isFastest));
  const read = (gml: string) => gmlLatencies(gml, { ...reading, isShortest: reading.isShortest || isFastest });
  const { notes, ...latencies } = graph === inline ? read(graph) : withoutQuotes(() => read(readRelative(graph)));
  return { ...latencies, notes: [...(ignored.length === 0 ? [] : [`ignored: ${ignored.join(', ')}`]), ...notes] };
}

/**
 * Runs a reader of a file whose name comes from another file. Errors do not quote the file, because its content may be
 * secret.
 */
function withoutQuotes<T>(read: () => T): T {
  try {
    return read();
  } catch (cause) {
    if (!(cause instanceof RangeError)) throw cause;
    const message =
      'network.graph.file.path: expected a GML graph, got another format; to use that file, select it with file:FILE';
    throw new RangeError(message, { cause });
  }
}

/** Reads a matrix in the field `oneWayMs`, or an object of objects whose keys are the names of the places. */
function jsonLatencies(value: unknown, reading: LatencyReading): FileLatencies {
  if (!isObject(value)) throw new RangeError(expected('the file', 'an object whose keys are places', value));
  return Array.isArray(value.oneWayMs) ? jsonMatrix(value, value.oneWayMs, reading) : jsonByName(value, reading);
}

/** Reads a matrix. The names of the places are optional; by default, the names are the indices. */
function jsonMatrix(
  file: Readonly<Record<string, unknown>>,
  rows: readonly unknown[],
  reading: LatencyReading,
): FileLatencies {
  checkFields('a matrix of latencies', each('used', 'places', 'oneWayMs'), file);
  const places = file.places ?? rows.map((_, index) => String(index));
  if (!Array.isArray(places) || !places.every((name) => typeof name === 'string') || places.length !== rows.length)
    throw new RangeError(expected('places', `${rows.length} names`, places));
  requireDistinct(places);
  const latencies = new LatencyBuilder(places, reading);
  rows.forEach((row, from) => {
    if (!Array.isArray(row) || row.length !== places.length)
      throw new RangeError(expected(`oneWayMs[${from}]`, `${places.length} latencies`, row));
    row.forEach((ms, to) => {
      if (ms !== null || from !== to) latencies.set(from, to, numberOf(ms), () => `oneWayMs[${from}][${to}]`);
    });
  });
  return latencies.finished(false, []);
}

/** Reads an object of objects: the latency from place a to place b is the field `b` of the field `a`. */
function jsonByName(file: Readonly<Record<string, unknown>>, reading: LatencyReading): FileLatencies {
  const indexOf = new Map<string, number>();
  // Counts all places before the table is allocated.
  const rows = Object.entries(file).map(([from, row]) => {
    requireFields(from, row);
    for (const place of [from, ...Object.keys(row)]) {
      if (!indexOf.has(place)) indexOf.set(place, indexOf.size);
      requirePlaces(indexOf.size);
    }
    return { from, row };
  });
  const latencies = new LatencyBuilder([...indexOf.keys()], reading);
  for (const { from, row } of rows)
    for (const [to, ms] of Object.entries(row))
      if (ms !== null) latencies.set(indexOf.get(from)!, indexOf.get(to)!, numberOf(ms), () => `${from}.${to}`);
  return latencies.finished(false, []);
}

/** Returns a latency; NaN, which no latency can be, for a value of another type. */
function numberOf(value: unknown): number {
  return typeof value === 'number' ? value : Number.NaN;
}

/** Maximum size of a network file, bytes. */
const maxNetworkBytes = 2 ** 26;

/**
 * Reads the file that a network's name refers to, so that scenarios of this thread can use the network. The function
 * ignores networks that are not files.
 *
 * @param isRecorded true if the run is recorded, which limits the number of places.
 * @throws EnvironmentError for a file that cannot be read; RangeError with the file's name for a file that has none of
 * the supported forms.
 */
export function takeNetworkFile(network: string, isRecorded = false): void {
  if (!isFileNetwork(network)) return;
  const [form, path] = [network.slice(0, network.indexOf(':')), network.slice(network.indexOf(':') + 1)];
  const { text, input } = readInput(path, maxNetworkBytes);
  const files = [input];
  const readNeighbour = (neighbour: string): string => {
    const read = readInput(neighbour, maxNetworkBytes);
    files.push(read.input);
    return read.text;
  };
  const reading: LatencyReading = { isRoundTrip: form === 'rtt', isShortest: form === 'shortest', isRecorded };
  withSubject(path, () => {
    const { notes, ...matrix } = readLatencies(path, text, reading, readNeighbour);
    for (const note of notes) warn(`${path}: ${note}`);
    registerReadNetwork(network, { ...matrix, inputs: files });
  });
}

/**
 * Calls {@link takeNetworkFile} for a network that a user entered. @throws RangeError with the label, also for a path
 * without a form.
 */
export function takeGivenNetwork(label: string, network: string, isRecorded = false): void {
  if (isFileNetwork(network) && network.endsWith(':')) throw new RangeError(expected(label, networkFileForm, network));
  if (!isFileNetwork(network) && /[./\\]/.test(network) && existsSync(network))
    throw new RangeError(`${expected(label, 'file:FILE for a file', network)}; say file:${network}`);
  withSubject(label, () => takeNetworkFile(network, isRecorded));
}

/** Reads a network that a user entered: a name, or a file, which the function reads immediately. */
export const networkOrFileText: TextReader<string> = (label, text) => {
  takeGivenNetwork(label, text);
  return networkText(label, text, networkChoices);
};
