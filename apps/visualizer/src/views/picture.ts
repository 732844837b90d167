import { escaped } from '../escaped.ts';

/** Drawing at its position in a picture, CSS pixels. */
export interface PicturePart {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  /** Markup of an `svg` element's children, or the address of an image with the part's size. */
  readonly content:
    | { readonly svg: string; readonly viewBox: string | null }
    | { readonly image: string }
    | { readonly words: string; readonly font: string; readonly colour: string };
}

/** Exported view without external dependencies. */
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
