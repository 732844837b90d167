import { expected } from '@tutti/core/settings';
import { type LatencyMatrix, matrixNetwork } from '@tutti/simulation';
import { giveNetwork, maxPlaces, networkText } from '@tutti/simulation/engine';
import type { TextReader } from '@tutti/simulation/fields';
import { csvParseRows } from 'd3-dsv';
import { readNamed } from './output/files.ts';

type FileNetwork = `file:${string}`;

/** Forms of `--network` besides the named networks, for messages. */
export const networkFileForm = "file:FILE, a GML graph as Shadow's or a CSV matrix of ms one way";

/** Maximum size of a network file. A graph with an edge between any two places takes a tenth of it. */
const maxNetworkBytes = 2 ** 26;

/** Returns whether a network is from a file. */
export function isFileNetwork(network: string): network is FileNetwork {
  return network.startsWith('file:');
}

/**
 * Reads the file that a network of `file:` names, so that scenarios of this thread find it. It ignores other networks.
 *
 * @throws WorldError for a file that cannot be read; RangeError, naming it, for one of neither form.
 */
export function takeNetworkFile(network: string): void {
  if (!isFileNetwork(network)) return;
  const path = network.slice('file:'.length);
  const text = readNamed(path, maxNetworkBytes);
  try {
    const matrix = /\.gml$/i.test(path) ? gmlLatencies(text) : csvLatencies(text);
    // Errors in the numbers are found before anything is run.
    matrixNetwork(matrix, 1, 1);
    giveNetwork(network, (nodes, seed) => matrixNetwork(matrix, nodes, seed));
  } catch (error) {
    throw error instanceof RangeError ? new RangeError(`${path}: ${error.message}`) : error;
  }
}

/**
 * Does the same as {@link takeNetworkFile} for a network that a user gave.
 *
 * @throws also RangeError with the label in front.
 */
export function takeGivenNetwork(label: string, network: string): void {
  if (network === 'file:') throw new RangeError(expected(label, networkFileForm, network));
  try {
    takeNetworkFile(network);
  } catch (error) {
    throw error instanceof RangeError ? new RangeError(`${label}: ${error.message}`) : error;
  }
}

/** Reads a network that a user gave: a name, or a file, which is read at once. */
export const networkOrFileText: TextReader<string> = (label, text) => {
  takeGivenNetwork(label, text);
  return networkText(label, text);
};

/**
 * One-way latencies in ms as a square of numbers, from row to column; names of places in a first row, and in a first
 * column, may be there or not.
 */
export function csvLatencies(text: string): LatencyMatrix {
  const rows = csvParseRows(text.trim(), (row, index) => {
    // One row and one column of names are allowed in addition; larger tables are rejected first.
    requirePlaces(Math.max(index, row.length - 1));
    return row.map((cell) => cell.trim());
  });
  const [first = []] = rows;
  const isNumber = (cell: string | undefined) => cell !== undefined && /^\d+(\.\d+)?(e[+-]?\d+)?$/i.test(cell);
  const hasHead = !first.slice(1).every(isNumber) || (first.length === 1 && !isNumber(first[0]));
  const body = hasHead ? rows.slice(1) : rows;
  const hasNames = body.some((row) => row.length === body.length + 1);
  const oneWayMs = body.map((row) =>
    row.slice(hasNames ? 1 : 0).map((cell) => (isNumber(cell) ? Number(cell) : Number.NaN)),
  );
  const places = hasHead
    ? first.slice(first.length - body.length)
    : body.map((row, index) => (hasNames ? row[0]! : String(index)));
  return { places, oneWayMs };
}

/**
 * A graph as Shadow reads it: nodes with ids, labels if they have any, and edges with a latency in ns, us, ms or s,
 * one way. Between nodes without an edge it is that of the fastest path; a node needs an edge to itself, as there.
 */
export function gmlLatencies(text: string): LatencyMatrix {
  const graph = groupOf(tokensOf(text)).groups('graph')[0];
  if (graph === undefined) throw new RangeError(expected('graph', 'one in GML', text.slice(0, 40)));
  const nodes = graph.groups('node');
  // Checked before the table of latencies and the fastest paths, which take the cube of their number.
  requirePlaces(nodes.length);
  const places = nodes.map((node) => node.value('label') ?? node.value('id') ?? '');
  const indexOf = new Map(nodes.map((node, index) => [node.value('id'), index]));
  const ms = nodes.map(() => new Float64Array(nodes.length).fill(Number.POSITIVE_INFINITY));
  const isDirected = graph.value('directed') === '1';
  for (const edge of graph.groups('edge')) {
    const [from, to] = ['source', 'target'].map((end) => indexOf.get(edge.value(end)));
    if (from === undefined || to === undefined)
      throw new RangeError(expected('edge', 'source and target to be ids of nodes', edge.value('source') ?? null));
    const latency = latencyMs(edge.value('latency'));
    ms[from]![to] = Math.min(ms[from]![to]!, latency);
    if (!isDirected) ms[to]![from] = Math.min(ms[to]![from]!, latency);
  }
  const alone = ms.findIndex((row, index) => row[index] === Number.POSITIVE_INFINITY);
  if (alone >= 0) throw new RangeError(expected(`node ${places[alone]}`, 'an edge to itself', 'none'));
  return { places, oneWayMs: fastestPaths(ms).map((row) => [...row]) };
}

function requirePlaces(places: number): void {
  if (places > maxPlaces) throw new RangeError(expected('places', `at most ${maxPlaces}`, places));
}

/** Floyd-Warshall algorithm. A node's latency to itself stays. */
function fastestPaths(ms: readonly Float64Array[]): readonly Float64Array[] {
  for (const [middle, on] of ms.entries())
    for (const [from, row] of ms.entries())
      for (let to = 0; to < row.length; to++) if (from !== to) row[to] = Math.min(row[to]!, row[middle]! + on[to]!);
  return ms;
}

const msOf: Readonly<Record<string, number>> = { ns: 1e-6, us: 1e-3, ms: 1, s: 1000 };

function latencyMs(text: string | undefined): number {
  const [, number, unit] = /^(\d+(?:\.\d+)?) *(ns|us|ms|s)$/.exec(text ?? '') ?? [];
  if (number === undefined) throw new RangeError(expected('latency', 'a number and ns, us, ms or s', text ?? null));
  return Number(number) * msOf[unit!]!;
}

/** Content between brackets: values and further groups by name. */
interface Group {
  value(name: string): string | undefined;
  groups(name: string): readonly Group[];
}

function* tokensOf(text: string): Generator<string> {
  for (const [token] of text.replaceAll(/^[ \t]*#.*$/gm, '').matchAll(/"[^"]*"|\[|\]|[^\s[\]"]+/g)) yield token;
}

/** Reads until a group is closed or the file ends. */
function groupOf(tokens: Iterator<string>, depth = 0): Group {
  const values = new Map<string, string>();
  const groups = new Map<string, Group[]>();
  for (;;) {
    const { value: name, done } = tokens.next();
    if (done === true || name === ']') break;
    const { value, done: isOver } = tokens.next();
    if (isOver === true || value === ']' || depth > 8)
      throw new RangeError(expected('graph', 'names with values or groups, as GML has them', name));
    if (value === '[') {
      const of = groups.get(name) ?? [];
      of.push(groupOf(tokens, depth + 1));
      groups.set(name, of);
    } else values.set(name, value.replaceAll('"', ''));
  }
  return { value: (name) => values.get(name), groups: (name) => groups.get(name) ?? [] };
}
