import { describe, expect, it } from 'vitest';
import { isWhole } from '../../../../tests/sampled.ts';
import { outputOf, runMain } from '../../test/runMain.ts';
import { answerWidth, columnTable, fourDigits, grouped, markdownTable, pairTable, wrapped } from './text.ts';

it('a Markdown table escapes the bars in its cells', () => {
  expect(markdownTable(['a'], [['x|y']], ['--:'])).toBe('| a |\n| --: |\n| x\\|y |\n');
});

describe('a table that is wider than the terminal', () => {
  const head = ['name', 'first figure', 'second figure'];
  const rows = [['a label of several words', '1,000', '2,000']];

  it('has lines of any length when a program reads it', () => {
    expect(answerWidth({ isTTY: false, columns: 80 })).toBe(Number.POSITIVE_INFINITY);
    expect(columnTable(head, rows, answerWidth({}))).toBe(`\
name                      first figure  second figure
a label of several words         1,000          2,000
`);
  });

  it('wraps its heads first', () => {
    expect(columnTable(head, rows, 46)).toBe(`\
                                        second
name                      first figure  figure
a label of several words         1,000   2,000
`);
  });

  it('is then split into blocks that repeat the first column', () => {
    const wide = [['a label of several words', '1,000,000,000,000', '2,000,000,000,000']];
    const blocks = columnTable(head, wide, 50).split('\n\n');
    expect(blocks.map((block) => block.includes('a label of several words'))).toEqual([true, true]);
  });

  it('of pairs has the second text wrapped with an indent', () => {
    expect(pairTable([['what', 'one two three four five six']], 20)).toBe('what  one two three\n      four five six\n');
  });

  it('breaks a word that is wider than the terminal, and loses no part of it', () => {
    expect(wrapped('ab 0123456789 c', 4)).toBe('ab\n0123\n4567\n89 c');
  });
});

it.each(isWhole ? ['horn tables', 'simulate --protocol horn --nodes 1024'] : ['simulate --protocol horn --nodes 256'])(
  'on a terminal of 80 columns, no line of tutti %s is wider',
  async (line) => {
    const { isTTY, columns } = process.stdout;
    Object.assign(process.stdout, { isTTY: true, columns: 80 });
    const out = outputOf(await runMain(line).finally(() => Object.assign(process.stdout, { isTTY, columns })));
    expect(out.split('\n').filter(({ length }) => length > 80)).toEqual([]);
  },
);

it('numbers are written in groups of three, with the requested digits', () => {
  const written = [grouped(0), grouped(1234567), grouped(1234.5, 2), grouped(-1500)];
  expect(written.join(' ')).toBe('0 1,234,567 1,234.50 -1,500');
  const rounded = [0.03456, 1.5, 99.996, 1234.5, 262144, 0.00012].map(fourDigits);
  expect(rounded.join(' ')).toBe('0.03456 1.500 100.00 1,235 262,144 1.20e-4');
});
