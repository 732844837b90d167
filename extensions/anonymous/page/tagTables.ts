import { createElement } from '@tutti/visualizer/html';
import type { LinesReport, TagRow } from './ringMessages.ts';
import { shortHex, tagGlyph } from './tagGlyph.ts';

const relationWords: Readonly<Record<TagRow['toFirst'], string>> = {
  independent: 'different from tag 1',
  repeated: 'the same signature as 1',
  double: 'same as tag 1: one member, two keys',
};

/** Draws four signatures, and marks those that belong to the same member. */
export function drawTags(list: HTMLElement, rows: readonly TagRow[], isRevealed: boolean): void {
  list.replaceChildren(
    ...rows.map(({ event, text, tag, toFirst, signer }, i) => {
      const item = document.createElement('li');
      item.classList.toggle('together', toFirst === 'double' || i === 0);
      item.append(
        words('what', `${event}, “${text}”${isRevealed ? `, signed by member ${signer + 1}` : ''}`),
        tagOf(tag, 8, 96),
        words('seen', i === 0 ? '' : relationWords[toFirst]),
      );
      return item;
    }),
  );
}

/**
 * Draws the tags of three traceable registrations by place, and marks the place at which the first two registrations
 * agree.
 */
export function drawLines(table: HTMLTableElement, { rows, named }: LinesReport): void {
  table.createTHead().replaceChildren(row('th', ['member', ...rows.map(({ text }) => `“${text}”`)]));
  const body = table.tBodies[0] ?? table.createTBody();
  body.replaceChildren(
    ...rows[0]!.tags.map((_, place) => {
      const line = row('td', [`${place + 1}`]);
      for (const [i, { tags }] of rows.entries()) {
        const cell = line.insertCell();
        cell.append(tagOf(tags[place]!, 6, 56));
        cell.classList.toggle('meeting', place === named && i < 2);
      }
      line.classList.toggle('named', place === named);
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

/** Returns a table row whose first cell contains its name. */
export function row(kind: 'th' | 'td', cells: readonly string[]): HTMLTableRowElement {
  const line = document.createElement('tr');
  for (const [i, text] of cells.entries()) {
    const isHead = (kind === 'th' || i === 0) && text !== '';
    line.append(
      isHead
        ? createElement('th', { scope: kind === 'th' ? 'col' : 'row', textContent: text })
        : createElement('td', { textContent: text }),
    );
  }
  return line;
}
