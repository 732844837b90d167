const namespace = 'http://www.w3.org/2000/svg';

/**
 * Converts a view of boxes and text to a drawing: the backgrounds, borders and text as the browser paints them.
 * Elements with `data-not-exported` are left out.
 */
export function boxesOf(host: HTMLElement): SVGGElement {
  const group = document.createElementNS(namespace, 'g');
  const { left, top } = host.getBoundingClientRect();
  const visit = (element: Element) => {
    const style = getComputedStyle(element);
    if (element.hasAttribute('data-not-exported') || style.display === 'none' || style.visibility === 'hidden') return;
    const box = element.getBoundingClientRect();
    group.append(...boxOf(style, new DOMRect(box.left - left, box.top - top, box.width, box.height)));
    // Adjacent text nodes with only comments between them form a single text.
    let texts: Text[] = [];
    const write = () => {
      for (const line of linesOf(texts)) group.append(wordsOf(line, style, line.left - left, line.middle - top));
      texts = [];
    };
    for (const child of element.childNodes) {
      if (child instanceof Text) texts.push(child);
      else if (child instanceof Element) {
        write();
        visit(child);
      }
    }
    write();
  };
  visit(host);
  return group;
}

function make(name: string, attributes: Readonly<Record<string, string | number>>): SVGElement {
  const element = document.createElementNS(namespace, name);
  for (const [attribute, value] of Object.entries(attributes)) element.setAttribute(attribute, String(value));
  return element;
}

/** Returns the background of a box, and its border on all sides that have one. */
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
  if (above.thick > 0 && left.thick > 0) {
    const half = above.thick / 2;
    const inner = { x: x + half, y: y + half, width: width - above.thick, height: height - above.thick };
    found.push(make('rect', { ...inner, rx: Math.max(0, radius - half), ...stroke(above) }));
    return found;
  }
  // A border on one side is drawn as a bracket, bent at round corners.
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

/** Returns the lines of a text as the browser has broken them, in pixels of the window. */
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
  // An opaque colour can end with 0 too, such as rgb(255, 0, 0).
  return colour !== 'transparent' && !/^rgba\(.*, *0\)$|\/ *0\)$/.test(colour);
}
