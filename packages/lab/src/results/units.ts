/** Units of columns, by the words of their names that say them; of several the last. */
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

/** The unit of a column by its name; undefined for counts, names and truth values. */
function unitOf(column: string): string | undefined {
  const word = column.split('_').findLast((one) => Object.hasOwn(byWord, one));
  return byName[column] ?? (word === undefined ? undefined : byWord[word]);
}

/** The units of those columns that have one. */
export function unitsOf(columns: readonly string[]): Readonly<Record<string, string>> {
  return Object.fromEntries(
    columns.flatMap((column) => {
      const unit = unitOf(column);
      return unit === undefined ? [] : [[column, unit]];
    }),
  );
}
