/** Types for the parts of a library that Tutti uses, because the library has no types. */
declare module 'svg-to-pdfkit' {
  import type PDFDocument from 'pdfkit';

  interface Options {
    fontCallback?(family: string, isBold: boolean, isItalic: boolean): string;
    warningCallback?(warning: string): void;
  }

  export default function svgToPdf(
    document: InstanceType<typeof PDFDocument>,
    svg: string,
    x: number,
    y: number,
    options?: Options,
  ): void;
}
