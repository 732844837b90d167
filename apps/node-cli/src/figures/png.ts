import { Resvg } from '@resvg/resvg-js';
import { fontFile } from './fonts.ts';

/** An SVG as a PNG at twice its size. */
export function pngOf(svg: string): Uint8Array {
  const rendering = new Resvg(svg, {
    fitTo: { mode: 'zoom', value: 2 },
    font: {
      loadSystemFonts: false,
      fontFiles: [fontFile('DejaVuSans'), fontFile('DejaVuSans-Bold')],
      defaultFontFamily: 'DejaVu Sans',
    },
  });
  return rendering.render().asPng();
}
