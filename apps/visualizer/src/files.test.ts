import { expect, it } from 'vitest';
import { csvText } from './files.ts';

it('CSV quotes cells with a comma, a quote or a line break, and leaves a missing value empty', () => {
  const rows = [['a,b', 'a "b"'], ['a\r', null], [1.5]];
  expect(csvText(rows)).toBe('"a,b","a ""b"""\n"a\r",\n1.5\n');
});
