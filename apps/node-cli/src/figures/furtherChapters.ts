import type { Extent } from '@tutti/lab';
import { hornTables } from '../horn/tables.ts';
import { handelRows, measured, publishedTables } from '../pixel/tables.ts';
import { growthChapter } from './growthChapter.ts';
import { hornChapter } from './hornChapter.ts';
import { pixelChapter } from './pixelChapter.ts';
import type { TableChapter } from './tableChapter.ts';

/** How often each part of Pixel's table 3 is timed. */
const repeats: Readonly<Record<Extent, number>> = { tiny: 1, quick: 5, full: 15 };

/** What the report has in addition to the figures that it draws. */
export async function furtherChapters(extent: Extent): Promise<TableChapter[]> {
  const pixelTables = [...publishedTables(), handelRows(extent === 'tiny' ? 64 : 4500)];
  return [growthChapter(), hornChapter(hornTables()), pixelChapter(pixelTables, await measured(repeats[extent]))];
}
