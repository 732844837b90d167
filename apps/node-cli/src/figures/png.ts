import { createRequire } from 'node:module';
import { Resvg } from '@resvg/resvg-js';

const font = (name: string): string => createRequire(import.meta.url).resolve(`dejavu-fonts-ttf/ttf/${name}.ttf`);

/** An SVG as a PNG at twice its size, with a font that comes along, so that every machine makes the same picture. */
export function pngOf(svg: string): Uint8Array {
  const fontFiles = [font('DejaVuSans'), font('DejaVuSans-Bold')];
  const rendering = new Resvg(svg, {
    fitTo: { mode: 'zoom', value: 2 },
    font: { loadSystemFonts: false, fontFiles, defaultFontFamily: 'DejaVu Sans' },
  });
  return rendering.render().asPng();
}
