import { type SymbolType, symbol, symbolCircle, symbolDiamond, symbolSquare, symbolTriangle } from 'd3-shape';
import { seriesColours } from './theme.ts';

type Attribute = string | number | undefined;

/** Returns one SVG element as text. Undefined attributes are omitted. Numbers are rounded to a hundredth of a pixel. */
export function element(name: string, attributes: Readonly<Record<string, Attribute>>, ...children: string[]): string {
  const text = Object.entries(attributes)
    .filter(([, value]) => value !== undefined)
    .map(([key, value]) => ` ${key}="${typeof value === 'number' ? Math.round(value * 100) / 100 : escaped(value!)}"`)
    .join('');
  return children.length === 0 ? `<${name}${text}/>` : `<${name}${text}>${children.join('')}</${name}>`;
}

/** Escapes text for use between the tags or the quotes of SVG and HTML. */
export function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}

/**
 * Returns a tick's label: thousands as k, millions as M. @param greatest maximum of the axis. From 10,000 on, all
 * thousands are k.
 */
export function tick(value: number, greatest = value): string {
  const magnitude = Math.abs(value);
  if (magnitude >= 1e6) return `${trimmed(value / 1e6)} M`;
  if (magnitude >= (Math.abs(greatest) >= 1e4 ? 1e3 : 1e4)) return `${trimmed(value / 1e3)} k`;
  return trimmed(value);
}

function trimmed(value: number): string {
  return String(Number(value.toPrecision(4)));
}

/** Estimates the width of a text, pixels, because a drawing without a DOM cannot measure it. */
export function textWidth(text: string): number {
  return text.length * 13 * 0.58;
}

/** Shapes for the series, so that no reader depends on colours. */
const shapes: readonly SymbolType[] = [symbolCircle, symbolSquare, symbolTriangle, symbolDiamond];

/** Returns the class that gives a series its colour. */
export const colourOf = (index: number): string => `s${index % seriesColours}`;

/**
 * Draws a mark. @param open whether the mark is hollow, as for published values and for runs in which some nodes did
 * not finish.
 */
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
