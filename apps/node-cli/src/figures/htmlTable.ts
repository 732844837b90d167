import { escaped } from '@tutti/lab/drawing';

export function htmlTable(heads: readonly string[], rows: readonly (readonly string[])[]): string {
  const row = (cells: readonly string[], tag: 'th' | 'td') =>
    `<tr>${cells.map((one) => `<${tag}>${escaped(one)}</${tag}>`).join('')}</tr>`;
  return `<div class="table"><table><thead>${row(heads, 'th')}</thead><tbody>${rows.map((cells) => row(cells, 'td')).join('')}</tbody></table></div>`;
}
