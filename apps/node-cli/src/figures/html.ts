import { escaped } from '@tutti/lab/drawing';

export function htmlTable(heads: readonly string[], rows: readonly (readonly string[])[]): string {
  const row = (cells: readonly string[], tag: 'th' | 'td') =>
    `<tr>${cells.map((one) => `<${tag}>${escaped(one)}</${tag}>`).join('')}</tr>`;
  return `<div class="table"><table><thead>${row(heads, 'th')}</thead><tbody>${rows.map((cells) => row(cells, 'td')).join('')}</tbody></table></div>`;
}

/** Chapter of tables in the report, after the figures of Handel. */
export interface TableChapter {
  /** Heading, also used in the table of contents. */
  readonly title: string;
  /** HTML of one introductory paragraph. */
  readonly opening: string;
  readonly sections: readonly TableSection[];
}

interface TableSection {
  /** Anchor, unique among all sections of the report. */
  readonly id: string;
  /** Title as plain text, which is not escaped yet. */
  readonly title: string;
  /** HTML below the title. */
  readonly body: string;
}
