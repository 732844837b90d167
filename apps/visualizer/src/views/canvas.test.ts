import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { rgb } from 'd3';
import { describe, expect, it } from 'vitest';
import { upTo } from '../../test/recordedRun.ts';
import { heldIndex, paletteNames } from './canvas.ts';

it('a colour never decreases with more contributions, rises equally per doubling, and is the last from the threshold on', () => {
  const indices = upTo(1024).map((held) => heldIndex(held + 1, 1013));
  expect(indices).toEqual(indices.toSorted((a, b) => a - b));
  expect(heldIndex(1024, 1013)).toBe(heldIndex(1013, 1013));
  expect(heldIndex(1012, 1013)).toBeLessThan(heldIndex(1013, 1013));
  expect(heldIndex(32, 1024) - heldIndex(16, 1024)).toBeCloseTo(heldIndex(16, 1024) - heldIndex(8, 1024), -1);
});

/** Returns a colour's perceived lightness, 0 to 1 (WCAG 2's relative luminance). */
function luminance(colour: string): number {
  const { r, g, b } = rgb(colour);
  const linear = (channel: number) =>
    channel / 255 <= 0.04045 ? channel / 255 / 12.92 : ((channel / 255 + 0.055) / 1.055) ** 2.4;
  return 0.2126 * linear(r) + 0.7152 * linear(g) + 0.0722 * linear(b);
}

describe('the colours of progress', () => {
  const themes = readFileSync(join(import.meta.dirname, '../style/colours.css'), 'utf8')
    .split(':root')
    .slice(1);

  it('have a colour of each name in every theme', () => {
    expect(themes).toHaveLength(3);
    for (const theme of themes)
      for (const name of paletteNames) expect(theme, name).toMatch(new RegExp(`--${name}: #[0-9a-f]{6};`));
  });

  it.each(themes.map((theme) => [theme.includes('color-scheme: dark') ? 'dark' : 'light', theme] as const))(
    'differ in lightness, so that a greyscale picture is readable: %s',
    (_, theme) => {
      const of = (name: string) => luminance(new RegExp(`--${name}: (#[0-9a-f]{6})`).exec(theme)![1]!);
      const away = ['held-low', 'held-mid', 'held-high', 'all'].map((name) => Math.abs(of(name) - of('paper')));
      away.forEach((distance, step) => {
        if (step > 0) expect(distance).toBeGreaterThan(away[step - 1]! + 0.03);
      });
    },
  );
});
