import { html, render } from 'lit-html';
import { encode } from 'uqr';

/** Draws a text as a QR code, with the quiet border that readers need. */
export function drawCode(host: HTMLElement, text: string): void {
  const { data, size } = encode(text, { border: 3 });
  const path = data.map((row, y) => row.map((dark, x) => (dark ? `M${x} ${y}h1v1h-1z` : '')).join('')).join('');
  render(
    html`<svg viewBox="0 0 ${size} ${size}" shape-rendering="crispEdges" role="img" aria-label="QR code of ${text}"><path d=${path}></path></svg>`,
    host,
  );
}
