import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { fontLetters } from '../../../../scripts/data/fonts.mjs';

const pages = join(import.meta.dirname, '../..');
const fonts = join(import.meta.dirname, 'fonts');

it('typefaces have less than 60 kB in total', () => {
  const files = readdirSync(fonts).filter((name) => name.endsWith('.woff2'));
  const bytes = files.map((name) => readFileSync(join(fonts, name)).length);
  expect(files).toHaveLength(5);
  expect(bytes.reduce((sum, one) => sum + one, 0)).toBeLessThan(60_000);
});

it('typefaces have every letter of the pages', () => {
  for (const name of readdirSync(pages).filter((file) => file.endsWith('.html'))) {
    const text = readFileSync(join(pages, name), 'utf8');
    const missing = new Set([...text].filter((letter) => letter > '~' && !fontLetters.includes(letter)));
    // Comparison and result signs are rendered in the device's own fonts.
    for (const sign of '≠✓✗▲▼→⟨⟩σ⁹⁵²') missing.delete(sign);
    expect([...missing], name).toEqual([]);
  }
});

it('style sheets use only font sizes of the scale', () => {
  const names = readdirSync(join(pages, 'src'), { recursive: true, encoding: 'utf8' });
  for (const name of names.filter((one) => one.endsWith('.css')))
    expect(readFileSync(join(pages, 'src', name), 'utf8'), name).not.toMatch(/font(?:-size)?: (?:\d{3} )?[\d.]+px/);
});
