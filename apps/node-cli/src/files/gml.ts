import { expected, likeliest } from '@tutti/core/input';
import { type FileLatencies, LatencyBuilder, type LatencyReading, requirePlaces } from './latencies.ts';

/** GML attributes that Tutti reads. A warning names all other attributes, except those that have no effect. */
const used = {
  graph: ['directed', 'node', 'edge'],
  node: ['id', 'label'],
  edge: ['source', 'target', 'latency'],
} as const;

/**
 * Reads a graph in the way Shadow does: nodes with ids and optional labels, and edges with a one-way latency in ns, us,
 * ms or s. Each node needs an edge to the node itself. For a pair of nodes without an edge, the latency is that of the
 * fastest path.
 *
 * @throws RangeError that names the line and the error.
 */
export function gmlLatencies(text: string, reading: LatencyReading): FileLatencies {
  const [graph, more] = groupOf(new Tokens(text)).groups('graph');
  if (graph === undefined) throw new RangeError(expected('graph', 'one in GML', text.slice(0, 40)));
  if (more !== undefined) throw new RangeError(`${more.where}: graph: expected one graph, got several`);
  const nodes = graph.groups('node');
  const ids = nodes.map((node) => {
    const id = node.one('id');
    if (id === undefined) throw new RangeError(`${node.where}: node: expected an id, got none`);
    return id;
  });
  const places = nodes.map((node, index) => withoutEntities(node.one('label') ?? ids[index]!));
  const indexOf = new Map(ids.map((id, index) => [id, index]));
  if (indexOf.size < ids.length) {
    const again = ids.findIndex((id, index) => indexOf.get(id) !== index);
    throw new RangeError(expected(`${nodes[again]!.where}: node id`, 'a distinct id for each node', ids[again]));
  }
  const latencies = new LatencyBuilder(places, reading);
  const directed = graph.one('directed') ?? '0';
  if (!/^[01]$/.test(directed)) throw new RangeError(expected(`${graph.where}: directed`, '0 or 1', directed));
  const edges = graph.groups('edge');
  const endOf = (edge: Group, end: 'source' | 'target'): number => {
    const id = edge.one(end);
    const index = id === undefined ? undefined : indexOf.get(id);
    if (index === undefined) throw new RangeError(expected(`${edge.where}: ${end}`, 'the id of a node', id ?? null));
    return index;
  };
  for (const edge of edges) {
    const [from, to] = [endOf(edge, 'source'), endOf(edge, 'target')];
    const ms = latencyMs(edge);
    const where = () => `${edge.where}: latency`;
    latencies.setIfLower(from, to, ms, where);
    if (directed === '0') latencies.setIfLower(to, from, ms, where);
  }
  const alone = nodes.findIndex((_, index) => !latencies.has(index, index));
  if (alone >= 0) throw new RangeError(`node ${places[alone]}: expected an edge from the node to itself, got none`);
  return latencies.finished(true, [...unused('graph', [graph]), ...unused('node', nodes), ...unused('edge', edges)]);
}

/**
 * Returns notes about attributes that Tutti does not read, each with the number of nodes or edges that have the
 * attribute.
 *
 * @throws RangeError for an attribute that is probably a misspelling of a missing one; for too many attributes.
 */
function unused(kind: keyof typeof used, groups: readonly Group[]): string[] {
  const counts = new Map<string, number>();
  for (const group of groups)
    for (const name of group.names) {
      if ((used[kind] as readonly string[]).includes(name) || isWithoutEffect(name, group.value(name))) continue;
      const meant = likeliest(name, used[kind]);
      if (meant !== undefined && group.value(meant) === undefined)
        throw new RangeError(
          `${expected(`${group.where}: ${kind}`, `an attribute of a ${kind}`, name)} (Did you mean ${meant}?)`,
        );
      counts.set(name, (counts.get(name) ?? 0) + 1);
      if (counts.size > maxAttributes)
        throw new RangeError(`${kind}: expected at most ${maxAttributes} different attributes, got more`);
    }
  return Array.from(counts, ([name, count]) =>
    kind === 'graph' ? `ignored: ${name}` : `ignored: ${name} of ${count} of ${groups.length} ${kind}s`,
  );
}

/**
 * Returns whether an attribute has no effect: labels, comments, and a loss or a jitter of 0, which is also what Tutti
 * simulates.
 */
function isWithoutEffect(name: string, value: string | undefined): boolean {
  if (['label', 'name', 'comment', 'Creator', 'Version'].includes(name)) return true;
  return ['packet_loss', 'jitter'].includes(name) && value !== undefined && Number.parseFloat(value) === 0;
}

const msOf: Readonly<Record<string, number>> = { ns: 1e-6, us: 1e-3, ms: 1, s: 1000 };

function latencyMs(edge: Group): number {
  const text = edge.one('latency');
  const [, number, unit] = /^(\d+(?:\.\d+)?) *(ns|us|ms|s)$/.exec(text ?? '') ?? [];
  if (number === undefined)
    throw new RangeError(expected(`${edge.where}: latency`, 'a number with the unit ns, us, ms or s', text ?? null));
  return Number(number) * msOf[unit!]!;
}

const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

/**
 * Replaces the numeric and named character entities of GML, such as `&#233;` and `&amp;`, with the characters that they
 * represent.
 */
function withoutEntities(text: string): string {
  return text.replaceAll(/&(?:#(\d{1,7})|([a-z]{2,4}));/g, (entity, code: string | undefined, name: string) => {
    if (code === undefined) return Object.hasOwn(entities, name) ? entities[name]! : entity;
    return Number(code) <= 0x10ffff ? String.fromCodePoint(Number(code)) : entity;
  });
}

/**
 * Content of a pair of brackets: values and nested groups, by name. A large graph has a million groups, so each group
 * is stored as a list instead of a map.
 */
class Group {
  readonly #tokens: Tokens;
  readonly #begin: number;
  /** Names and values in alternation. */
  readonly #values: readonly string[];
  readonly #groups: ReadonlyMap<string, readonly Group[]> | undefined;

  constructor(
    tokens: Tokens,
    begin: number,
    values: readonly string[],
    groups: ReadonlyMap<string, readonly Group[]> | undefined,
  ) {
    this.#tokens = tokens;
    this.#begin = begin;
    this.#values = values;
    this.#groups = groups;
  }

  /** Line on which the group begins, such as "line 3". */
  get where(): string {
    return this.#tokens.lineOf(this.#begin);
  }

  /** Names of the group's values and nested groups, each once. */
  get names(): Iterable<string> {
    return new Set([...this.#values.filter((_, place) => place % 2 === 0), ...(this.#groups?.keys() ?? [])]);
  }

  /** Returns the first value with a name. */
  value(name: string): string | undefined {
    return this.#values[this.#placeOf(name) + 1];
  }

  /**
   * Returns the value of an attribute that Tutti reads.
   *
   * @throws RangeError if the attribute has several values, or a group as its value.
   */
  one(name: string): string | undefined {
    const place = this.#placeOf(name);
    const isGroup = this.#groups?.has(name) === true;
    if (isGroup || (place >= 0 && this.#placeOf(name, place + 2) >= 0))
      throw new RangeError(`${this.where}: ${name}: expected one value, got ${isGroup ? 'a group' : 'several'}`);
    return this.#values[place + 1];
  }

  /** Returns the groups with a name. @throws RangeError if the name has a value instead of a group. */
  groups(name: string): readonly Group[] {
    if (this.#placeOf(name) >= 0)
      throw new RangeError(`${this.where}: ${name}: expected a group in brackets, got a value`);
    return this.#groups?.get(name) ?? [];
  }

  /** Returns the index of a name at or after an index; {@link noPlace} if the name does not occur. */
  #placeOf(name: string, from = 0): number {
    for (let place = from; place < this.#values.length; place += 2) if (this.#values[place] === name) return place;
    return noPlace;
  }
}

/** Index of a missing name. The list has no value at the next index. */
const noPlace = -2;

/** Tokens of a file: words, brackets and quoted texts, but no comment lines. */
class Tokens {
  readonly #text: string;
  readonly #matches: Iterator<RegExpExecArray>;
  #at = 0;
  /** Number of groups that have begun so far. */
  #groups = 0;

  constructor(text: string) {
    this.#text = text;
    this.#matches = text.matchAll(/^[ \t]*#.*$|"[^"]*"|\[|\]|[^\s[\]"]+/gm);
  }

  /** Returns the next token; undefined at the end of the text. @throws RangeError for too many groups. */
  next(): string | undefined {
    for (let match = this.#matches.next(); !match.done; match = this.#matches.next()) {
      const [token] = match.value;
      if (/^[ \t]*#/.test(token)) continue;
      this.#at = match.value.index;
      if (token === '[' && ++this.#groups > maxGroups)
        throw new RangeError(`graph: expected at most ${maxGroups} groups, got more`);
      return token;
    }
    return undefined;
  }

  /** Position of the last token in the text. */
  get at(): number {
    return this.#at;
  }

  /** Returns the line of a position in the text, such as "line 3". Each call counts the lines again. */
  lineOf(at: number): string {
    let line = 1;
    for (let place = this.#text.indexOf('\n'); place >= 0 && place < at; place = this.#text.indexOf('\n', place + 1))
      line++;
    return `line ${line}`;
  }
}

/**
 * Maximum number of values in a group; also the maximum number of different unused attributes over all groups of a
 * kind.
 */
const maxAttributes = 100;
/** Maximum number of groups, which exceeds the number of nodes and edges in the largest file. */
const maxGroups = 2 ** 21;
/** Maximum nesting depth of groups that have content. */
const maxDepth = 8;

/** Reads the rest of a group, or the whole file at depth 0. @throws RangeError with the line of the error. */
function groupOf(tokens: Tokens, depth = 0): Group {
  const begin = tokens.at;
  const values: string[] = [];
  let groups: Map<string, Group[]> | undefined;
  for (;;) {
    const name = tokens.next();
    const isClosed = name === ']';
    if (name === undefined || isClosed) {
      if (isClosed === depth > 0) break;
      const got = isClosed ? 'more' : 'fewer, as in a truncated file';
      throw new RangeError(`${tokens.lineOf(tokens.at)}: graph: expected one ] for each [, got ${got}`);
    }
    const value = tokens.next();
    if (depth > maxDepth)
      throw new RangeError(`${tokens.lineOf(tokens.at)}: graph: expected at most ${maxDepth} nested groups, got more`);
    if (value === undefined || value === ']')
      throw new RangeError(
        expected(`${tokens.lineOf(tokens.at)}: graph`, 'GML text: names, each with a value or a group', name),
      );
    if (value === '[') {
      groups ??= new Map();
      const of = groups.get(name) ?? [];
      of.push(groupOf(tokens, depth + 1));
      // The limit is checked before the rest of the file is read.
      if (name === 'node') requirePlaces(of.length);
      groups.set(name, of);
    } else if (values.push(name, value.startsWith('"') ? value.slice(1, -1) : value) > 2 * maxAttributes)
      throw new RangeError(
        `${tokens.lineOf(tokens.at)}: graph: expected at most ${maxAttributes} attributes of a group, got more`,
      );
  }
  return new Group(tokens, begin, values, groups);
}
