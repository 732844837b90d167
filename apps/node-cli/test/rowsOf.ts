/** Splits a table, which has one row per line and `=>` between cells, into rows of cells. */
export const rowsOf = (table: string) =>
  table
    .trim()
    .split('\n')
    .map((row) => row.split(' => ') as [string, string, string]);
