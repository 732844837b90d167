import { made } from '../made.ts';
import { part } from '../page.ts';
import { present } from '../player/present.ts';

/** What each colour means, and the mark that says it in grey, too. */
const meanings = [
  ['part', 'a part of a set', 'swatch'],
  ['all', 'all of it, ticked or notched', 'swatch done'],
  ['dead-fill', 'dead: hollow, or struck through', 'dot dead'],
  ['bad', 'Byzantine, or wrong: a cross', 'dot byzantine'],
  ['held-low', 'holds little', 'swatch'],
  ['held-mid', 'holds more', 'swatch'],
  ['held-high', 'holds nearly all', 'swatch'],
  ['ink', 'the page itself, and the reader’s own', 'swatch'],
] as const;

/** Lists what the style sheets have under a name and a number, from 1. */
function scale(name: string, row: (value: string, variable: string) => HTMLElement): HTMLElement[] {
  const style = getComputedStyle(document.documentElement);
  const rows: HTMLElement[] = [];
  for (let step = 1; ; step++) {
    const value = style.getPropertyValue(`--${name}-${step}`).trim();
    if (value === '') return rows;
    rows.push(row(value, `var(--${name}-${step})`));
  }
}

function item(words: string, property: string, value: string): HTMLElement {
  const shown = document.createElement('span');
  shown.style.setProperty(property, value);
  if (property === 'font-size') shown.textContent = 'All together: many voices, one signature';
  return made('li', {}, made('code', { textContent: words }), shown);
}

part('#sizes').replaceChildren(...scale('size', (value, variable) => item(value, 'font-size', variable)));
part('#spaces').replaceChildren(...scale('space', (value, variable) => item(value, 'width', variable)));
for (const [name, meaning, mark] of meanings) {
  const sign = made('i', { className: mark });
  sign.style.setProperty('--swatch', `var(--${name})`);
  part('#colours').append(made('dt', { className: 'legend' }, sign), made('dd', { textContent: meaning }));
}
present({});
document.documentElement.dataset.state = 'ready';
