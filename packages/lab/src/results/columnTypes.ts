/** Types of Parquet columns. Every number that is not an integer by definition is a `DOUBLE`. */
export type ColumnType = 'BOOLEAN' | 'INT32' | 'INT64' | 'DOUBLE' | 'STRING';

const words = (text: string) => new Set(text.split(/\s+/).filter((word) => word !== ''));

/** Columns of texts; lists are JSON texts. Fields of a scenario have `scenario_` before them. */
const texts = words(`
  key version command digest sha256 inputs ended name kind labels
  protocol tree weights priorities_by network dead_by scheme priorities window attacks attack_by faults without
  go_reference_quirks complete_graph_verification san_fermin_exhausted gossip_of
  preset distribution machine key_sums mode link origin assumed assumption proposal simulation question coding
  stake_total stake_live stake_required
  what unit measured source verdict cause slot_name
  story profile strategy objective ids plan again attack role region
`);

const truths = words('back_off jitter authenticated judged unfinished');

/**
 * Columns that are integers by definition. Other counts are not, since a column of means may have the same name. A seed
 * is an unsigned integer of 32 bits.
 */
const integers: Readonly<Record<string, ColumnType>> = { nodes: 'INT32', node: 'INT32', seed: 'INT64' };

/**
 * Returns the type of a column, which only depends on its name: tables of different runs then have the same types, and
 * can be joined. Undefined for a name that is not listed: such a column is a `DOUBLE` unless it contains texts or truth
 * values.
 */
export function columnType(column: string): ColumnType | undefined {
  const name = column.replace(/^scenario_/, '');
  if (texts.has(name)) return 'STRING';
  if (truths.has(name)) return 'BOOLEAN';
  return Object.hasOwn(integers, name) ? integers[name] : undefined;
}

/** Prefixes of digests in a table, by the last word of the column's name. */
const digests: Readonly<Record<string, string>> = { digest: 'digest-', key: 'key-', sha256: 'sha256-' };

/**
 * Returns the cell of a digest, with a prefix before its digits. Some readers of CSV would convert hexadecimal digits
 * alone to a number, such as 12e4567890123456.
 */
export function digestText(column: string, cell: string): string {
  const prefix = digests[column.split('_').at(-1)!];
  return prefix !== undefined && /^[0-9a-f]+$/.test(cell) ? `${prefix}${cell}` : cell;
}

/** Units of columns by words of their names. The last such word counts. */
const byWord: Readonly<Record<string, string>> = {
  ns: 'ns',
  us: 'us',
  ms: 'ms',
  seconds: 's',
  bytes: 'B',
  mbps: 'Mbit/s',
  percent: '%',
  share: '1',
};

/** Xatu's name for the time of arrival. */
const byName: Readonly<Record<string, string>> = { propagation_slot_start_diff: 'ms' };

/** Returns the unit of a column by its name; undefined for counts, names and truth values. */
export function unitOf(column: string): string | undefined {
  const word = column.split('_').findLast((one) => Object.hasOwn(byWord, one));
  return byName[column] ?? (word === undefined ? undefined : byWord[word]);
}
