import { version } from '@tutti/core';
import type { DrawnPlan, MeasuredPoint, Shape } from './figureDrawing.ts';
import { type FigurePlan, quantities, sweepOf } from './figurePlan.ts';

/** What a figure says of itself: the command that prints the same numbers, its seeds, and the version. */
export function originOf(plan: FigurePlan): string {
  const sweep = JSON.stringify(sweepOf(plan));
  return `Tutti ${version}; seeds 1 to ${plan.seeds}; bars: 95 % of the mean over seeds; tutti sweep figure.json --out runs.csv, figure.json: ${sweep}`;
}

/** The corners of a mark with so many sides around a point; a circle has none. */
function corners([x, y]: readonly [number, number], sides: number): readonly (readonly [number, number])[] {
  const radius = 2.6;
  return Array.from({ length: sides }, (_, side) => {
    const angle = ((side + (sides === 4 ? 0.5 : 0)) / sides) * 2 * Math.PI - Math.PI / 2;
    return [x + radius * Math.cos(angle), y + radius * Math.sin(angle)] as const;
  });
}

const short = (value: number): string => String(Math.round(value * 100) / 100);
const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');

export function figureSvg(plan: FigurePlan, { width, height, shapes }: DrawnPlan): string {
  const body = shapes.map(svgShape).join('\n');
  const ground = plan.isTransparent ? '' : `<rect width="${short(width)}" height="${short(height)}" fill="#ffffff"/>\n`;
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${plan.widthMm}mm" viewBox="0 0 ${short(width)} ${short(height)}" font-family="Helvetica, Arial, sans-serif">
<title>${escaped(plan.title === '' ? quantities[plan.y].label : plan.title)}</title>
<desc>${escaped(originOf(plan))}</desc>
${ground}${body}
</svg>
`;
}

function svgShape(shape: Shape): string {
  const path = (points: readonly (readonly [number, number])[]) =>
    points.map((point) => point.map(short).join(',')).join(' ');
  if (shape.kind === 'line')
    return `<polyline points="${path(shape.points)}" fill="none" stroke="${shape.colour}" stroke-width="${shape.width}"/>`;
  if (shape.kind === 'mark') {
    const [x, y] = shape.at;
    return shape.form === 0
      ? `<circle cx="${short(x)}" cy="${short(y)}" r="2.3" fill="${shape.colour}"/>`
      : `<polygon points="${path(corners(shape.at, shape.form))}" fill="${shape.colour}"/>`;
  }
  const [x, y] = shape.at.map(short);
  const turned = shape.isUpright ? ` transform="rotate(-90 ${x} ${y})"` : '';
  return `<text x="${x}" y="${y}" font-size="${shape.size}" text-anchor="${shape.anchor}"${turned}>${escaped(shape.text)}</text>`;
}

/** Widths of Helvetica's glyphs from space to tilde, thousandths of the size. */
const helvetica = [
  278, 278, 355, 556, 556, 889, 667, 191, 333, 333, 389, 584, 278, 333, 278, 278, 556, 556, 556, 556, 556, 556, 556,
  556, 556, 556, 278, 278, 584, 584, 584, 556, 1015, 667, 667, 722, 722, 667, 611, 778, 722, 278, 500, 667, 556, 833,
  722, 778, 667, 778, 722, 667, 611, 722, 667, 944, 667, 667, 611, 278, 278, 278, 469, 556, 333, 556, 556, 500, 556,
  556, 278, 556, 556, 222, 222, 500, 222, 833, 556, 556, 556, 556, 333, 500, 278, 556, 500, 722, 500, 500, 500, 334,
  260, 334, 584,
];

/** The same figure as a PDF of lines and text, in one of the fonts that every reader has. */
export function figurePdf(plan: FigurePlan, { width, height, shapes }: DrawnPlan): Uint8Array<ArrayBuffer> {
  const content = shapes.map((shape) => pdfShape(shape, height)).join('\n');
  const ground = plan.isTransparent ? '' : `1 1 1 rg 0 0 ${short(width)} ${short(height)} re f\n`;
  const stream = `${ground}${content}`;
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 ${short(width)} ${short(height)}] /Contents 4 0 R /Resources << /Font << /F 5 0 R >> >> >>`,
    `<< /Length ${stream.length} >>\nstream\n${stream}\nendstream`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>',
    `<< /Title ${pdfText(plan.title === '' ? quantities[plan.y].label : plan.title)} /Subject ${pdfText(originOf(plan))} /Creator (Tutti) >>`,
  ];
  let file = '%PDF-1.4\n';
  const places = objects.map((object, place) => {
    const at = file.length;
    file += `${place + 1} 0 obj\n${object}\nendobj\n`;
    return at;
  });
  const table = file.length;
  const rows = places.map((at) => `${String(at).padStart(10, '0')} 00000 n \n`).join('');
  file += `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${rows}trailer\n<< /Size ${objects.length + 1} /Root 1 0 R /Info 6 0 R >>\nstartxref\n${table}\n%%EOF\n`;
  // Every character is one byte: what Latin-1 has not was replaced.
  return Uint8Array.from(file, (letter) => letter.charCodeAt(0));
}

function pdfText(text: string): string {
  const latin = Array.from(text, (letter) => (letter.charCodeAt(0) < 256 ? letter : '?')).join('');
  return `(${latin.replace(/[\\()]/g, (letter) => `\\${letter}`)})`;
}

function pdfShape(shape: Shape, height: number): string {
  const colour = (hex: string) =>
    [1, 3, 5].map((at) => short(Number.parseInt(hex.slice(at, at + 2), 16) / 255)).join(' ');
  const path = (points: readonly (readonly [number, number])[]) =>
    points.map(([x, y], place) => `${short(x)} ${short(height - y)} ${place === 0 ? 'm' : 'l'}`).join(' ');
  if (shape.kind === 'line') return `${colour(shape.colour)} RG ${shape.width} w ${path(shape.points)} S`;
  if (shape.kind === 'mark')
    return `${colour(shape.colour)} rg ${path(corners(shape.at, shape.form === 0 ? 24 : shape.form))} h f`;
  const long = Array.from(shape.text, (letter) => helvetica[letter.charCodeAt(0) - 32] ?? 500).reduce(
    (sum, one) => sum + one,
    0,
  );
  const back = ((long / 1000) * shape.size * { start: 0, middle: 1, end: 2 }[shape.anchor]) / 2;
  const [x, y] = [shape.at[0], height - shape.at[1]];
  const place = shape.isUpright ? `0 1 -1 0 ${short(x)} ${short(y - back)}` : `1 0 0 1 ${short(x - back)} ${short(y)}`;
  return `0.1 0.12 0.14 rg BT /F ${shape.size} Tf ${place} Tm ${pdfText(shape.text)} Tj ET`;
}

/** A row a mark, after lines that say where the numbers are from. */
export function figureCsv(plan: FigurePlan, points: readonly MeasuredPoint[]): string {
  const rows = points.map(({ protocol, x, mean, interval, seeds }) =>
    [protocol, x, mean ?? '', interval?.low ?? '', interval?.high ?? '', seeds].join(','),
  );
  return [`# ${originOf(plan)}`, `protocol,${plan.x},${plan.y},low,high,seeds`, ...rows, ''].join('\n');
}
