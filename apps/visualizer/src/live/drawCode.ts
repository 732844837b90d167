import { select } from 'd3';
import { encode } from 'uqr';

/** Draws a text as a QR code, with the quiet border that readers need. */
export function drawCode(host: HTMLElement, text: string): void {
  const { data, size } = encode(text, { border: 3 });
  const path = data.map((row, y) => row.map((dark, x) => (dark ? `M${x} ${y}h1v1h-1z` : '')).join('')).join('');
  const svg = select(host).selectAll('svg').data([text]).join('svg');
  svg
    .attr('viewBox', `0 0 ${size} ${size}`)
    .attr('shape-rendering', 'crispEdges')
    .attr('role', 'img')
    .attr('aria-label', `QR code of ${text}`);
  svg.selectAll('path').data([path]).join('path').attr('d', path);
}
