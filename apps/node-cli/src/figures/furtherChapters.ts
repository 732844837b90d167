import { hornTables } from '../horn/tables.ts';
import { growthChapter } from './growthChapter.ts';
import { hornChapter } from './hornChapter.ts';
import type { TableChapter } from './html.ts';

/** What the report has in addition to the figures that it draws. */
export function furtherChapters(): TableChapter[] {
  return [growthChapter(), hornChapter(hornTables())];
}
