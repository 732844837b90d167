import { escaped } from '@tutti/lab/drawing';
import { createElement } from '../html.ts';
import { set } from './drawing.ts';

/** Style properties of a drawing that are also SVG attributes. */
const styleAttributes = [
  'fill',
  'fill-opacity',
  'stroke',
  'stroke-opacity',
  'stroke-width',
  'stroke-dasharray',
  'stroke-linecap',
  'stroke-linejoin',
  'font-family',
  'font-size',
  'font-weight',
  'font-style',
  'text-anchor',
  'dominant-baseline',
  'paint-order',
  'visibility',
] as const;

/** Margin around the drawings, CSS pixels. */
const edge = 16;

/** Attributes that a picture outside the page does not need. */
const pagesOwn = /^(class|style|id|role|tabindex|data-.*|aria-.*)$/;

/**
 * Converts a view, as currently shown, to a picture of its canvases and drawings. If the view has none, the picture
 * contains its boxes and text.
 */
export function pictureOf(host: HTMLElement, title: string, description: string): Picture {
  const box = host.getBoundingClientRect();
  const parts = [...host.querySelectorAll<HTMLCanvasElement | SVGSVGElement>('canvas, svg')].flatMap(
    (drawing): PicturePart[] => {
      const { left, top, width, height } = drawing.getBoundingClientRect();
      if (width === 0 || height === 0 || drawing.parentElement?.closest('svg')) return [];
      const place = { x: left - box.left + edge, y: top - box.top + edge, width, height };
      if (drawing instanceof HTMLCanvasElement) return [{ ...place, content: { image: drawing.toDataURL() } }];
      const group = make('g', {});
      copyStyles(group, drawing);
      for (const child of drawing.childNodes) append(group, child, getComputedStyle(drawing));
      const svg = new XMLSerializer().serializeToString(group);
      return [{ ...place, content: { svg, viewBox: drawing.getAttribute('viewBox') } }];
    },
  );
  if (parts.length === 0) {
    const svg = new XMLSerializer().serializeToString(boxesOf(host));
    return paper([{ x: edge, y: edge, width: box.width, height: box.height, content: { svg, viewBox: null } }]);
  }
  // If several runs are shown side by side, their titles, one line each, distinguish them.
  for (const heading of host.querySelectorAll('h3')) {
    const { left, top, width, height } = heading.getBoundingClientRect();
    const { font, color: colour } = getComputedStyle(heading);
    const words = heading.textContent ?? '';
    parts.push({ x: left - box.left + edge, y: top - box.top + edge, width, height, content: { words, font, colour } });
  }
  return paper(parts);

  function paper(parts: readonly PicturePart[]): Picture {
    return {
      width: Math.ceil(Math.max(box.width + edge, ...parts.map(({ x, width }) => x + width)) + edge),
      height: Math.ceil(Math.max(edge, ...parts.map(({ y, height }) => y + height)) + edge),
      background: getComputedStyle(document.documentElement).getPropertyValue('--paper').trim(),
      title,
      description,
      parts,
    };
  }
}

/** Appends a copy of a drawing's node. @param around style of the parent of `from`. */
function append(to: Element, from: ChildNode, around: CSSStyleDeclaration): void {
  if (from.nodeType === Node.TEXT_NODE) to.append(from.textContent ?? '');
  if (!(from instanceof SVGElement)) return;
  const style = getComputedStyle(from);
  if (style.display === 'none') return;
  const copy = document.createElementNS(from.namespaceURI!, from.localName);
  for (const { name, value } of from.attributes) if (!pagesOwn.test(name)) copy.setAttribute(name, value);
  if (from.closest('defs') && from.id) copy.id = from.id;
  copyStyles(copy, from, around);
  for (const child of from.childNodes) append(copy, child, style);
  to.append(copy);
}

/** Copies the styles of an element to its copy, except the styles that equal its parent's style `around`. */
function copyStyles(copy: Element, original: Element, around?: CSSStyleDeclaration): void {
  const style = getComputedStyle(original);
  for (const name of styleAttributes) {
    const value = style.getPropertyValue(name);
    if (value !== '' && value !== around?.getPropertyValue(name)) copy.setAttribute(name, value);
    else copy.removeAttribute(name);
  }
  if (style.opacity !== '1') copy.setAttribute('opacity', style.opacity);
}

export function asSvg(picture: Picture): Blob {
  return new Blob([svgText(picture)], { type: 'image/svg+xml' });
}

/** Renders a picture as a PNG. @param scale pixels per CSS pixel. */
export function asPng(picture: Picture, scale: number): Promise<Blob> {
  return svgAsPng(svgText(picture), picture, scale);
}

/** Renders an SVG as a PNG. @param scale pixels per unit of the SVG's size. */
export async function svgAsPng(
  svg: string,
  extent: { readonly width: number; readonly height: number },
  scale: number,
): Promise<Blob> {
  const image = new Image();
  // The image address is a data URL, which the page's content security policy allows for images.
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}`;
  await image.decode();
  const [width, height] = [Math.round(extent.width * scale), Math.round(extent.height * scale)];
  const canvas = createElement('canvas', { width, height });
  canvas.getContext('2d')!.drawImage(image, 0, 0, width, height);
  return new Promise((resolve, reject) => {
    canvas.toBlob(
      (blob) => (blob ? resolve(blob) : reject(new Error('the browser could not create a PNG'))),
      'image/png',
    );
  });
}

/** Drawing at a position in a picture, CSS pixels. */
interface PicturePart {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  /**
   * Markup of an `svg` element's children, the address of an image with the part's size, or a line of text with its font
   * and colour.
   */
  readonly content:
    | { readonly svg: string; readonly viewBox: string | null }
    | { readonly image: string }
    | { readonly words: string; readonly font: string; readonly colour: string };
}

/** Exported view, which has no external dependencies. */
export interface Picture {
  readonly width: number;
  readonly height: number;
  readonly background: string;
  readonly title: string;
  /** Origin of the picture, with which the run can be repeated. */
  readonly description: string;
  readonly parts: readonly PicturePart[];
}

/** Returns the text of a picture's SVG file. */
export function svgText({ width, height, background, title, description, parts }: Picture): string {
  const all = parts.map(({ content, ...box }) => {
    const place = `x="${box.x}" y="${box.y}" width="${box.width}" height="${box.height}"`;
    if ('image' in content) return `<image ${place} href="${escaped(content.image)}"/>`;
    if ('words' in content) {
      const looks = `style="font:${escaped(content.font)}" fill="${escaped(content.colour)}"`;
      return `<text x="${box.x}" y="${box.y + box.height / 2}" dominant-baseline="central" ${looks}>${escaped(content.words)}</text>`;
    }
    const viewBox = content.viewBox === null ? '' : ` viewBox="${escaped(content.viewBox)}"`;
    return `<svg ${place}${viewBox}>${content.svg}</svg>`;
  });
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">`,
    `<title>${escaped(title)}</title>`,
    `<desc>${escaped(description)}</desc>`,
    `<rect width="${width}" height="${height}" fill="${escaped(background)}"/>`,
    ...all,
    '</svg>\n',
  ].join('\n');
}

/**
 * Converts a view that consists of boxes and text to a drawing: backgrounds, borders and text as painted by the
 * browser. Elements with the attribute `data-not-exported` are left out.
 */
function boxesOf(host: HTMLElement): SVGGElement {
  const group = make('g', {});
  const { left, top } = host.getBoundingClientRect();
  const visit = (element: Element) => {
    const style = getComputedStyle(element);
    if (element.hasAttribute('data-not-exported') || style.display === 'none' || style.visibility === 'hidden') return;
    const box = element.getBoundingClientRect();
    group.append(...boxOf(style, new DOMRect(box.left - left, box.top - top, box.width, box.height)));
    // Adjacent text nodes that are separated only by comments form a single text.
    let texts: Text[] = [];
    const appendTexts = () => {
      for (const line of linesOf(texts)) group.append(wordsOf(line, style, line.left - left, line.middle - top));
      texts = [];
    };
    for (const child of element.childNodes) {
      if (child instanceof Text) texts.push(child);
      else if (child instanceof Element) {
        appendTexts();
        visit(child);
      }
    }
    appendTexts();
  };
  visit(host);
  return group;
}

function make<Name extends keyof SVGElementTagNameMap>(
  name: Name,
  attributes: Readonly<Record<string, string | number>>,
): SVGElementTagNameMap[Name] {
  const element = document.createElementNS('http://www.w3.org/2000/svg', name);
  set(element, attributes);
  return element;
}

/** Returns the background of a box, and the borders on all sides that have one. */
function boxOf(style: CSSStyleDeclaration, { x, y, width, height }: DOMRect): SVGElement[] {
  const radius = Math.min(Number.parseFloat(style.borderTopLeftRadius) || 0, width / 2, height / 2);
  const found: SVGElement[] = [];
  if (isSeen(style.backgroundColor))
    found.push(make('rect', { x, y, width, height, rx: radius, fill: style.backgroundColor }));
  const side = (name: 'top' | 'right' | 'bottom' | 'left') => {
    const drawn = style.getPropertyValue(`border-${name}-style`);
    const colour = style.getPropertyValue(`border-${name}-color`);
    const thick = Number.parseFloat(style.getPropertyValue(`border-${name}-width`)) || 0;
    return { thick: drawn === 'none' || !isSeen(colour) ? 0 : thick, colour, isDashed: drawn === 'dashed' };
  };
  const [above, right, below, left] = [side('top'), side('right'), side('bottom'), side('left')];
  const stroke = ({ thick, colour, isDashed }: typeof above) => ({
    fill: 'none',
    stroke: colour,
    'stroke-width': thick,
    ...(isDashed ? { 'stroke-dasharray': '3 3' } : {}),
  });
  if ([above, right, below, left].every(({ thick }) => thick > 0)) {
    const half = above.thick / 2;
    const inner = { x: x + half, y: y + half, width: width - above.thick, height: height - above.thick };
    found.push(make('rect', { ...inner, rx: Math.max(0, radius - half), ...stroke(above) }));
    return found;
  }
  // A border on the left or the right is drawn as a bracket that follows the rounded corners.
  const bracket = (at: number, bend: number) =>
    `M${at + bend} ${y}Q${at} ${y} ${at} ${y + radius}V${y + height - radius}Q${at} ${y + height} ${at + bend} ${y + height}`;
  if (left.thick > 0) found.push(make('path', { d: bracket(x + left.thick / 2, radius), ...stroke(left) }));
  if (right.thick > 0) found.push(make('path', { d: bracket(x + width - right.thick / 2, -radius), ...stroke(right) }));
  for (const [edge, at] of [
    [above, y + above.thick / 2],
    [below, y + height - below.thick / 2],
  ] as const)
    if (edge.thick > 0) found.push(make('path', { d: `M${x} ${at}H${x + width}`, ...stroke(edge) }));
  return found;
}

interface Line {
  words: string;
  readonly left: number;
  readonly middle: number;
}

/** Returns the lines into which the browser has broken a text. Positions are in pixels, relative to the window. */
function linesOf(texts: readonly Text[]): Line[] {
  const lines: Line[] = [];
  const range = document.createRange();
  const placeOf = (index: number, place = 0): [Text, number] => {
    const text = texts[place]!;
    return index <= text.length ? [text, index] : placeOf(index - text.length, place + 1);
  };
  for (const { index, 0: word } of texts
    .map(({ data }) => data)
    .join('')
    .matchAll(/[^ \n\t]+/g)) {
    range.setStart(...placeOf(index));
    range.setEnd(...placeOf(index + word.length));
    const { left, top, width, height } = range.getBoundingClientRect();
    if (width === 0) continue;
    const middle = top + height / 2;
    const last = lines.at(-1);
    if (last !== undefined && Math.abs(last.middle - middle) < 2) last.words += ` ${word}`;
    else lines.push({ words: word, left, middle });
  }
  return lines;
}

function wordsOf({ words }: Line, style: CSSStyleDeclaration, x: number, y: number): SVGElement {
  const text = make('text', {
    x,
    y,
    fill: style.color,
    'dominant-baseline': 'central',
    'font-family': style.fontFamily,
    'font-size': style.fontSize,
    'font-weight': style.fontWeight,
  });
  text.textContent = words;
  return text;
}

function isSeen(colour: string): boolean {
  // The text of an opaque colour can also end with 0, as in rgb(255, 0, 0).
  return colour !== 'transparent' && !/^rgba\(.*, *0\)$|\/ *0\)$/.test(colour);
}
