import { colourOf, element, escaped, mark, textWidth } from './marks.ts';

export interface LegendEntry {
  readonly label: string;
  /** Index of the colour and shape. */
  readonly index: number;
  readonly kind: 'runs' | 'published' | 'curve';
}

const swatch = 26;
const gap = 18;
const legendRow = 20;

/** Draws a legend of the marks, in as many rows as necessary. */
export function legend(entries: readonly LegendEntry[], width: number): { svg: string; height: number } {
  let x = 0;
  let y = 0;
  const parts = entries.map(({ label, index, kind }) => {
    const own = swatch + textWidth(label);
    if (x > 0 && x + own > width) {
      x = 0;
      y += legendRow;
    }
    const at = { x, y };
    x += own + gap;
    const line =
      kind === 'published'
        ? element('line', { class: 'stroke whisker', x1: 10, y1: 2, x2: 10, y2: 18 })
        : element('line', { class: `stroke${kind === 'curve' ? ' curve' : ''}`, x1: 0, y1: 10, x2: 20, y2: 10 });
    const symbol = kind === 'curve' ? '' : mark(index, 10, 10, kind === 'published');
    const text = element('text', { class: 'ink', x: swatch, y: 14.5 }, escaped(label));
    return element(
      'g',
      { class: colourOf(index), transform: `translate(${at.x.toFixed(1)},${at.y})` },
      line,
      symbol,
      text,
    );
  });
  return { svg: parts.join(''), height: entries.length === 0 ? 0 : y + legendRow };
}
