import { dirname, resolve } from 'node:path';
import { isObject } from '@tutti/core/input';
import { expected } from '@tutti/core/settings';
import { gmlLatencies } from './gml.ts';
import {
  type FileLatencies,
  LatencyBuilder,
  type LatencyReading,
  requireDistinct,
  requirePlaces,
} from './latencies.ts';
import { inForm, tableLatencies } from './latencyTable.ts';
import { checkFields, each, type FieldTable, ignoredText, readSettings, requireFields } from './settingsText.ts';

/** Forms of a file of latencies, for messages. */
export const latencyForms =
  "a GML graph, Shadow's YAML, a square matrix or a list of edges in CSV or TSV, or JSON, with one-way latencies in ms";

/** Length of the part of a file without a known ending that determines its form, characters. */
const beginningLength = 4096;

/**
 * Reads latencies. The file's name determines its form, otherwise its first characters do.
 *
 * @param readRelative reads another file that this one names, relative to it.
 * @throws RangeError with the detected form, the line or the field, and the error.
 */
export function readLatencies(
  path: string,
  text: string,
  reading: LatencyReading,
  readRelative: (path: string) => string,
): FileLatencies {
  const is = (ending: RegExp, beginning: RegExp) =>
    ending.test(path) ||
    (!/\.(gml|ya?ml|json|csv|tsv|txt)$/i.test(path) && beginning.test(text.slice(0, beginningLength)));
  if (is(/\.gml$/i, /^(\s|#.*\n|Creator.*\n|Version.*\n)*graph\s*\[/))
    return inForm('a GML graph', () => gmlLatencies(text, reading));
  if (is(/\.ya?ml$/i, /^(general|network|hosts):/m))
    return inForm("Shadow's YAML", () =>
      shadowLatencies(text, reading, (name) => readRelative(resolve(dirname(path), name))),
    );
  if (is(/\.json$/i, /^\s*[[{]/)) return inForm('JSON', () => jsonLatencies(readSettings('JSON', text), reading));
  return tableLatencies(text, reading);
}

/**
 * Fields of Shadow's configuration (documentation of version 3.x). Hosts are assigned to the places of the graph in
 * turn.
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

function shadowLatencies(text: string, reading: LatencyReading, readRelative: (path: string) => string): FileLatencies {
  const file = readSettings('YAML', text);
  const ignored = checkFields("Shadow's configuration", shadowFields, file);
  const { network } = file as { readonly network?: Readonly<Record<string, unknown>> };
  requireFields('network', network);
  requireFields('network.graph', network.graph);
  const { type, inline, file: of } = network.graph;
  if (type !== 'gml') throw new RangeError(expected('network.graph.type', 'gml', type));
  if (isObject(of) && of.compression !== undefined && of.compression !== null)
    throw new RangeError(`${expected('network.graph.file.compression', 'none', of.compression)}; decompress the file`);
  const path = isObject(of) && typeof of.path === 'string' ? of.path : undefined;
  const graph = inline ?? (path === undefined ? undefined : readRelative(path));
  if (typeof graph !== 'string')
    throw new RangeError(expected('network.graph', 'an inline graph, or a file with a path', graph ?? null));
  const { use_shortest_path: isFastest = true } = network;
  if (typeof isFastest !== 'boolean' && isFastest !== null)
    throw new RangeError(expected('network.use_shortest_path', 'true or false', isFastest));
  // By Shadow's default, the fastest path replaces a direct edge.
  const isShortest = reading.isShortest || isFastest !== false;
  const { notes, ...latencies } = read(() => gmlLatencies(graph, { ...reading, isShortest }), inline === undefined);
  const note = ignoredText('', ignored)?.slice(2);
  return { ...latencies, notes: note === undefined ? notes : [note, ...notes] };
}

/** Runs a reader. @param isNamed whether another file names this one. Errors then do not quote its content. */
function read<T>(make: () => T, isNamed: boolean): T {
  try {
    return make();
  } catch (cause) {
    if (!isNamed || !(cause instanceof RangeError)) throw cause;
    throw new RangeError(
      'network.graph.file.path: expected a GML graph, got another format; to use that file, select it with file:FILE',
      {
        cause,
      },
    );
  }
}

/** Reads a matrix with names, or an object of objects: latencies from each place to each other place. */
function jsonLatencies(value: unknown, reading: LatencyReading): FileLatencies {
  if (!isObject(value)) throw new RangeError(expected('the file', 'an object whose keys are places', value));
  if (Array.isArray(value.oneWayMs)) {
    checkFields('a matrix of latencies', each('used', 'places', 'oneWayMs'), value);
    const rows = value.oneWayMs as readonly unknown[];
    const places = value.places ?? rows.map((_, index) => String(index));
    if (!Array.isArray(places) || !places.every((name) => typeof name === 'string') || places.length !== rows.length)
      throw new RangeError(expected('places', `${rows.length} names`, value.places));
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
  const found = new Set<string>();
  for (const [from, row] of Object.entries(value)) {
    requireFields(from, row);
    for (const place of [from, ...Object.keys(row)]) requirePlaces(found.add(place).size);
  }
  const places = [...found];
  const latencies = new LatencyBuilder(places, reading);
  const indexOf = new Map(places.map((name, index) => [name, index]));
  for (const [from, row] of Object.entries(value as Readonly<Record<string, object>>)) {
    for (const [to, ms] of Object.entries(row))
      if (ms !== null) latencies.set(indexOf.get(from)!, indexOf.get(to)!, numberOf(ms), () => `${from}.${to}`);
  }
  return latencies.finished(false, []);
}

function numberOf(value: unknown): number {
  return typeof value === 'number' ? value : Number.NaN;
}
