import { create } from 'd3';

const bars = 16;

/**
 * Draws the first bytes of a tag as bars, which can be compared at a glance. Two tags with the same drawing agree in
 * 128 bits.
 */
export function tagGlyph(hex: string, width: number, height: number): SVGSVGElement {
  const svg = create('svg:svg')
    .attr('class', 'tag-glyph')
    .attr('width', width)
    .attr('height', height)
    .attr('aria-hidden', 'true');
  const step = width / bars;
  for (let i = 0; i < bars; i++) {
    const byte = Number.parseInt(hex.slice(2 * i, 2 * i + 2), 16);
    const tall = 2 + ((height - 2) * byte) / 255;
    svg
      .append('rect')
      .attr('x', (i * step).toFixed(2))
      .attr('y', (height - tall).toFixed(2))
      .attr('width', (step - 1.2).toFixed(2))
      .attr('height', tall.toFixed(2));
  }
  return svg.node() as SVGSVGElement;
}

/** Returns the first digits of a hexadecimal text. */
export const shortHex = (hex: string, digits: number): string => `${hex.slice(0, digits)}…`;
