import PDFDocument from 'pdfkit';
import svgToPdf from 'svg-to-pdfkit';
import { fontFile, type PdfFacts } from './writeFigures.ts';

/** PDF points per SVG pixel. */
const pointsPerPixel = 72 / 96;

/**
 * Converts an SVG that Tutti has drawn to a one-page PDF of the same size. Lines remain vector lines, and text remains
 * text in an embedded font.
 *
 * @throws Error if the SVG uses a feature that the conversion does not support.
 */
export async function pdfOf(svg: string, { title, creator, created }: PdfFacts): Promise<Uint8Array> {
  const [, width, height] = /viewBox="0 0 (\d+(?:\.\d+)?) (\d+(?:\.\d+)?)"/.exec(svg)!.map(Number) as [
    number,
    number,
    number,
  ];
  const document = new PDFDocument({
    size: [width * pointsPerPixel, height * pointsPerPixel],
    margin: 0,
    info: { Title: title, Creator: creator, CreationDate: created },
  });
  const chunks: Uint8Array[] = [];
  document.on('data', (chunk: Uint8Array) => chunks.push(chunk));
  const ended = new Promise((resolve) => document.on('end', resolve));
  document.registerFont('regular', fontFile('DejaVuSans'));
  document.registerFont('bold', fontFile('DejaVuSans-Bold'));
  svgToPdf(document, svg, 0, 0, {
    fontCallback: (_family, isBold) => (isBold ? 'bold' : 'regular'),
    warningCallback: (warning) => {
      throw new Error(`PDF of ${title}: ${warning}`);
    },
  });
  document.end();
  await ended;
  return Buffer.concat(chunks);
}
