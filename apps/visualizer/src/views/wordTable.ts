import { html, type TemplateResult } from 'lit-html';

/** Returns a table of texts: the names of its columns, and rows that begin with their names. */
export function wordTable(columns: readonly string[], lines: readonly (readonly string[])[]): TemplateResult {
  const line = ([name, ...words]: readonly string[]) =>
    html`<tr><th scope="row">${name}</th>${words.map((one) => html`<td>${one}</td>`)}</tr>`;
  return html`<table><thead><tr>${columns.map((name) => html`<th scope="col">${name}</th>`)}</tr></thead><tbody>${lines.map(line)}</tbody></table>`;
}
