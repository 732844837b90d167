import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { fontLetters } from '../../../../scripts/data/fonts.mjs';

const pages = join(import.meta.dirname, '../..');
const fonts = join(import.meta.dirname, 'fonts');

describe('typefaces', () => {
  it('have less than 60 kB in total', () => {
    const files = readdirSync(fonts).filter((name) => name.endsWith('.woff2'));
    const bytes = files.map((name) => readFileSync(join(fonts, name)).length);
    expect(files).toHaveLength(5);
    expect(bytes.reduce((sum, one) => sum + one, 0)).toBeLessThan(60_000);
  });

  it('have every letter of the pages', () => {
    for (const name of readdirSync(pages).filter((file) => file.endsWith('.html'))) {
      const text = readFileSync(join(pages, name), 'utf8');
      const missing = new Set([...text].filter((letter) => letter > '~' && !fontLetters.includes(letter)));
      // Signs of comparison and of the result come from the machine's own fonts.
      for (const sign of '≠✓✗▲▼→⟨⟩σ⁹⁵²') missing.delete(sign);
      expect([...missing], name).toEqual([]);
    }
  });
});

describe('style sheets', () => {
  it('use only font sizes of the scale', () => {
    const sheets = readdirSync(join(pages, 'src'), { recursive: true, encoding: 'utf8' }).filter((name) =>
      name.endsWith('.css'),
    );
    for (const name of sheets) {
      const text = readFileSync(join(pages, 'src', name), 'utf8');
      expect(text.match(/font(?:-size)?: (?:\d{3} )?[\d.]+px/g) ?? [], name).toEqual([]);
    }
  });
});
