import { type SymbolType, symbol, symbolCircle, symbolDiamond, symbolSquare, symbolTriangle } from 'd3-shape';
import { element } from './element.ts';
import { seriesColours } from './theme.ts';

/** A shape for each colour, so that nobody needs to see colours. */
const shapes: readonly SymbolType[] = [symbolCircle, symbolSquare, symbolTriangle, symbolDiamond];

/** The class that gives a series its colour. */
export const colourOf = (index: number): string => `s${index % seriesColours}`;

/** @param open hollow, for what others measured and for runs in which not everybody finished. */
export function mark(index: number, x: number, y: number, open: boolean, title?: string): string {
  const path = symbol(shapes[index % shapes.length]!, 52)() ?? '';
  return element(
    'path',
    {
      d: path.replaceAll(/-?\d+\.\d+/g, (number) => String(Math.round(Number(number) * 100) / 100)),
      transform: `translate(${x.toFixed(1)},${y.toFixed(1)})`,
      class: open ? 'open stroke' : 'mark fill',
    },
    ...(title === undefined ? [] : [element('title', {}, title)]),
  );
}
