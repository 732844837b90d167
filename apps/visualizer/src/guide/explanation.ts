import { made } from '../made.ts';
import { pieces } from './richText.ts';
import { type Term, terms } from './terms.ts';

/** Fills `host` with a sentence whose marked words explain themselves when pressed. */
export function writeSentence(host: HTMLElement, sentence: string): void {
  host.replaceChildren(
    ...pieces(sentence).map(({ text, term }) => {
      if (term === undefined) return document.createTextNode(text);
      const button = made('button', { type: 'button', className: 'term', textContent: text });
      button.addEventListener('click', () => explain(button, term));
      return button;
    }),
  );
}

function explain(beside: HTMLElement, term: Term): void {
  const panel = document.querySelector<HTMLElement>('#explanation')!;
  const { text, section } = terms[term];
  panel.replaceChildren(
    made('strong', { textContent: term }),
    made('p', { textContent: text }),
    made('p', { className: 'section', textContent: section }),
  );
  panel.showPopover();
  const box = beside.getBoundingClientRect();
  const room = document.documentElement.clientWidth;
  const left = Math.min(Math.max(12, box.left - 16), room - panel.offsetWidth - 12);
  const below = box.bottom + 10;
  const fits = below + panel.offsetHeight < globalThis.innerHeight - 12;
  panel.style.left = `${left}px`;
  panel.style.top = `${fits ? below : Math.max(12, box.top - panel.offsetHeight - 10)}px`;
}
