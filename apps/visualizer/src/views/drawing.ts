import type { ScaleLinear } from 'd3';
import { html, nothing, svg, type TemplateResult } from 'lit-html';
import { createElement } from '../html.ts';

/** Creates a drawing in a host element. @param label description for screen readers. */
export function drawingIn(host: HTMLElement, kind: string, label = ''): SVGSVGElement {
  const drawing = document.createElementNS('http://www.w3.org/2000/svg', 'svg');
  set(drawing, { class: kind, role: 'img', ...(label && { 'aria-label': label }) });
  host.append(drawing);
  return drawing;
}

/** Returns the position of a mouse event in a host element, CSS pixels. */
export function pointIn(host: Element, { clientX, clientY }: MouseEvent): [x: number, y: number] {
  const { left, top } = host.getBoundingClientRect();
  return [clientX - left, clientY - top];
}

/** Sets attributes of an element. Does nothing without an element. */
export function set(element: Element | null, attributes: Readonly<Record<string, string | number>>): void {
  for (const [name, value] of Object.entries(attributes)) element?.setAttribute(name, String(value));
}

/**
 * Moves the line that marks the clock's time, `.playhead`, to `x`, but not beyond `overlay.right`. Fits `.veil`, the
 * overlay over later times, to the space from `x` to `overlay.right`. The overlay's rectangle begins at `left - right`
 * and ends at 0. The line and the overlay are separate layers, so that the browser moves them without drawing the
 * picture again.
 */
export function movePlayhead(
  drawing: SVGSVGElement,
  x: number,
  overlay?: { readonly left: number; readonly right: number },
): void {
  set(drawing.querySelector('.playhead'), { transform: `translate(${Math.min(x, overlay?.right ?? x)} 0)` });
  if (overlay === undefined) return;
  const { left, right } = overlay;
  const share = Math.max(0, (right - x) / Math.max(1, right - left));
  set(drawing.querySelector('.veil'), { transform: `translate(${right} 0) scale(${share} 1)` });
}

/** Draws a straight line between two points. */
export function lineFrom(kind: string, [x1, y1]: Point, [x2, y2]: Point): TemplateResult {
  return svg`<line class=${kind} x1=${x1} y1=${y1} x2=${x2} y2=${y2}></line>`;
}

/**
 * Draws a text. @param kind CSS class of the text. @param middle whether `y` is the middle of the letters instead of
 * the baseline.
 */
export function textAt(
  kind: string,
  [x, y]: Point,
  text: string,
  { anchor, middle = false }: { readonly anchor?: 'start' | 'middle' | 'end'; readonly middle?: boolean } = {},
): TemplateResult {
  return svg`<text class=${kind} x=${x} y=${y} text-anchor=${anchor ?? nothing} dy=${middle ? '0.34em' : nothing}>${text}</text>`;
}

type Point = readonly [x: number, y: number];

/** Draws the axis of a scale, with its values below. @param y vertical position of the axis, px. */
export function axisBelow(scale: ScaleLinear<number, number>, y: number, unit: string): TemplateResult {
  const [left, right] = scale.range() as [number, number];
  const offset = devicePixelRatio > 1 ? 0 : 0.5;
  const ticks = scale
    .ticks(Math.max(3, Math.floor((right - left) / 90)))
    .map(
      (value) =>
        svg`<g class="tick" transform="translate(${scale(value) + offset},0)"><line stroke="currentColor" y2="4"></line><text fill="currentColor" y="7" dy="0.71em">${value} ${unit}</text></g>`,
    );
  return svg`<g class="axis" transform="translate(0,${y})" fill="none" font-size="10" font-family="sans-serif" text-anchor="middle"><path class="domain" stroke="currentColor" d="M${left + offset},4V${offset}H${right + offset}V4"></path>${ticks}</g>`;
}

/** Small label that follows the pointer over a drawing and describes the element under it. */
export class Tip {
  readonly #label = createElement('div', { className: 'tip', hidden: true });

  constructor() {
    this.#label.setAttribute('aria-hidden', 'true');
    document.body.append(this.#label);
  }

  /**
   * Shows the text that `words` returns for the pointer's position over `host`. Shows nothing if `words` returns
   * undefined.
   */
  follow(host: HTMLElement, words: (x: number, y: number) => string | undefined): void {
    host.addEventListener('pointermove', (event) => {
      const text = words(...pointIn(host, event));
      this.#label.hidden = text === undefined;
      if (text === undefined) return;
      this.#label.textContent = text;
      const width = this.#label.offsetWidth;
      const left = Math.min(Math.max(8, event.clientX - width / 2), document.documentElement.clientWidth - width - 8);
      this.#label.style.transform = `translate(${Math.round(left)}px, ${Math.round(event.clientY - 36)}px)`;
    });
    host.addEventListener('pointerleave', () => {
      this.#label.hidden = true;
    });
  }
}

/** Returns a table of texts. @param lines rows; the first entry of each row is the row's name. */
export function wordTable(columns: readonly string[], lines: readonly (readonly string[])[]): TemplateResult {
  const line = ([name, ...words]: readonly string[]) =>
    html`<tr><th scope="row">${name}</th>${words.map((one) => html`<td>${one}</td>`)}</tr>`;
  return html`<table><thead><tr>${columns.map((name) => html`<th scope="col">${name}</th>`)}</tr></thead><tbody>${lines.map(line)}</tbody></table>`;
}
