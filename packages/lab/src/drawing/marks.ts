import { type SymbolType, symbol, symbolCircle, symbolDiamond, symbolSquare, symbolTriangle } from 'd3-shape';
import { seriesColours } from './theme.ts';

type Attribute = string | number | undefined;

/** One SVG element as text; attributes that are undefined are left out, numbers are kept to a hundredth of a pixel. */
export function element(name: string, attributes: Readonly<Record<string, Attribute>>, ...children: string[]): string {
  const text = Object.entries(attributes)
    .filter(([, value]) => value !== undefined)
    .map(([key, value]) => ` ${key}="${typeof value === 'number' ? Math.round(value * 100) / 100 : escaped(value!)}"`)
    .join('');
  return children.length === 0 ? `<${name}${text}/>` : `<${name}${text}>${children.join('')}</${name}>`;
}

/** Text for between the tags or the quotes of SVG and HTML. */
export function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}

/** A tick's label: thousands as k, millions as M. @param greatest on its axis: over 10,000, all thousands are k. */
export function tick(value: number, greatest = value): string {
  const magnitude = Math.abs(value);
  if (magnitude >= 1e6) return `${trimmed(value / 1e6)} M`;
  if (magnitude >= (Math.abs(greatest) >= 1e4 ? 1e3 : 1e4)) return `${trimmed(value / 1e3)} k`;
  return trimmed(value);
}

function trimmed(value: number): string {
  return String(Number(value.toPrecision(4)));
}

/** About how wide a text is, pixels: a drawing without a DOM cannot ask. */
export function textWidth(text: string): number {
  return text.length * 13 * 0.58;
}

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
