import { createElement } from '@tutti/visualizer/html';
import type { LinesReport, TagRow } from './ringMessages.ts';
import { shortHex, tagGlyph } from './tagGlyph.ts';

/** Draws a list of signatures, and marks those whose tag equals the first signature's tag. */
export function drawTags(list: HTMLElement, rows: readonly TagRow[], isRevealed: boolean): void {
  list.replaceChildren(
    ...rows.map(({ event, text, tag, hasFirstTag, signer }, i) => {
      const item = document.createElement('li');
      item.classList.toggle('together', hasFirstTag);
      item.append(
        words('what', `${event}, “${text}”${isRevealed ? `, signed by member ${signer + 1}` : ''}`),
        tagOf(tag, 8, 96),
        words('seen', i === 0 ? '' : hasFirstTag ? 'same as tag 1: one member, two keys' : 'different from tag 1'),
      );
      return item;
    }),
  );
}

/**
 * Draws the tags of three traceable registrations by member, and marks the member for which the first two registrations
 * have the same tag.
 */
export function drawLines(table: HTMLTableElement, { rows, named }: LinesReport): void {
  table.createTHead().replaceChildren(headRow(['member', ...rows.map(({ text }) => `“${text}”`)]));
  const body = table.tBodies[0] ?? table.createTBody();
  body.replaceChildren(
    ...rows[0]!.tags.map((_, member) => {
      const line = namedRow(`${member + 1}`);
      for (const [i, { tags }] of rows.entries()) {
        const cell = line.insertCell();
        cell.append(tagOf(tags[member]!, 6, 56));
        cell.classList.toggle('meeting', member === named && i < 2);
      }
      line.classList.toggle('named', member === named);
      return line;
    }),
  );
}

function tagOf(tag: string, digits: number, width: number): HTMLElement {
  const code = createElement('code', { textContent: shortHex(tag, digits) });
  return createElement('span', { className: 'tag' }, tagGlyph(tag, width, 18), code);
}

function words(className: string, text: string): HTMLElement {
  return createElement('span', { className, textContent: text });
}

/** Returns the head of a table, with the names of the columns. */
export function headRow(names: readonly string[]): HTMLTableRowElement {
  return createElement('tr', {}, ...names.map((textContent) => createElement('th', { scope: 'col', textContent })));
}

/** Returns a table row that begins with a name; the caller appends the other cells. */
export function namedRow(name: string): HTMLTableRowElement {
  return createElement('tr', {}, createElement('th', { scope: 'row', textContent: name }));
}
