import { hornTables } from '../horn/tables.ts';
import { growthChapter } from './growthChapter.ts';
import { hornChapter } from './hornChapter.ts';
import type { TableChapter } from './html.ts';

/** Returns the report's chapters of tables. */
export function furtherChapters(): TableChapter[] {
  return [growthChapter(), hornChapter(hornTables())];
}
