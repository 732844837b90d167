import { fourDigits } from '../numbers.ts';
import type { MeasuredDocument, PixelTable } from '../pixel/tables.ts';
import { htmlTable } from './htmlTable.ts';
import type { TableChapter } from './tableChapter.ts';

/** Pixel's tables in the report: what `tutti pixel tables` prints, of the timings only their ratios. */
export function pixelChapter(tables: readonly PixelTable[], here: MeasuredDocument): TableChapter {
  return {
    title: 'The quantities of Pixel',
    opening: `The tables of <em>Pixel: Multi-signatures for Consensus</em> (Drijvers, Gorbunov, Neven and Wee) beside what follows from their inputs. Printed again by <code>tutti pixel tables</code>.`,
    sections: [
      ...tables.map(({ name, title, rows }) => ({
        id: `pixel-${name}`,
        title,
        body: htmlTable(
          ['quantity', 'the paper', 'computed', 'follows'],
          rows.map(({ item, unit, paper, computed, follows }) => [
            item,
            paper === null ? '' : fourDigits(paper),
            `${fourDigits(computed)} ${unit}`,
            follows === null ? '' : follows ? 'yes' : 'no',
          ]),
        ),
      })),
      { id: 'pixel-measured', title: 'Verifying sets of signatures, measured here', body: measuredBody(here) },
    ],
  };
}

function measuredBody({ rows, pixelByBls, updateByVerify }: MeasuredDocument): string {
  return `${htmlTable(
    [
      'signatures',
      'Pixel: keys summed, one verification; by that of one',
      'as many Ed25519 verifications, by one of Pixel',
    ],
    rows.map(({ signatures, byOne, ed25519ByPixel }) => [
      fourDigits(signatures),
      fourDigits(byOne),
      fourDigits(ed25519ByPixel),
    ]),
  )}
<p class="sub">The least processor time of several turns, every part in turn, in the kernel. A verification with Pixel takes ${fourDigits(pixelByBls)} times one with BLS,
both from bytes; a key update by one period ${fourDigits(updateByVerify)} times a verification, the mean of 63. Ed25519 is OpenSSL's; the paper's
baseline is a tree of such signatures.</p>`;
}
