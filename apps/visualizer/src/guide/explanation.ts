import { html, render, type TemplateResult } from 'lit-html';
import { isTerm, type Term, terms } from './terms.ts';

type TextPiece = { readonly text: string; readonly term?: Term };

/**
 * Splits a sentence at its marked words: `[[level]]` is the term itself, and `[[level|a higher level]]` shows the term
 * as other words.
 */
export function pieces(sentence: string): readonly TextPiece[] {
  return sentence
    .split(/(\[\[[^\]]+\]\])/)
    .filter((part) => part !== '')
    .map((part) => {
      if (!part.startsWith('[[')) return { text: part };
      const [word, shown] = part.slice(2, -2).split('|') as [string, string?];
      if (!isTerm(word))
        throw new RangeError(`term in a guide's sentence: expected one of the defined terms, got "${word}"`);
      return { text: shown ?? word, term: word };
    });
}

/** Returns a sentence whose marked words show an explanation when pressed. */
export function sentence(text: string): readonly (string | TemplateResult)[] {
  return pieces(text).map(({ text: words, term }) =>
    term === undefined
      ? words
      : html`<button type="button" class="term" @click=${(event: Event) => explain(event.currentTarget as HTMLElement, term)}>${words}</button>`,
  );
}

/** Explains the words of the page's own text that name a term: `<button class="term" data-term="level">`. */
export function explainMarkedTerms(): void {
  document.addEventListener('click', ({ target }) => {
    const anchor = target instanceof Element ? target.closest<HTMLElement>('[data-term]') : null;
    const word = anchor?.dataset.term ?? '';
    if (anchor !== null && isTerm(word)) explain(anchor, word);
  });
}

function explain(anchor: HTMLElement, term: Term): void {
  const panel = document.querySelector<HTMLElement>('#explanation')!;
  const { text, section } = terms[term];
  render(html`<strong>${term}</strong><p>${text}</p><p class="section">${section}</p>`, panel);
  panel.showPopover();
  const box = anchor.getBoundingClientRect();
  const room = document.documentElement.clientWidth;
  const left = Math.min(Math.max(12, box.left - 16), room - panel.offsetWidth - 12);
  panel.style.left = `${left}px`;
  const paragraph = anchor.closest('p, li, td')?.getBoundingClientRect() ?? box;
  panel.style.top = `${explanationTop(paragraph, box, panel.offsetHeight, globalThis.innerHeight)}px`;
}

type Extent = Pick<DOMRect, 'top' | 'bottom'>;

/** Distances of an explanation from its word and from the edge of the window, px. */
const gap = 10;
const edge = 12;
/** Maximum distance between a word and an explanation outside its paragraph, px. */
const maxDistance = 140;

/**
 * Returns the vertical position of an explanation, px. It covers neither the word nor, if its edge is near, the
 * paragraph of the word.
 */
export function explanationTop(paragraph: Extent, word: Extent, height: number, windowHeight: number): number {
  const places: readonly (readonly [distance: number, top: number])[] = [
    [paragraph.bottom - word.bottom, paragraph.bottom + gap],
    [word.top - paragraph.top, paragraph.top - gap - height],
    [0, word.bottom + gap],
    [0, word.top - gap - height],
  ];
  const fits = places.find(
    ([distance, top]) => distance <= maxDistance && top >= edge && top + height <= windowHeight - edge,
  );
  return fits?.[1] ?? edge;
}
