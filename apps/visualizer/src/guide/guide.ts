import { made } from '../made.ts';
import { type Chapter, chapterAt } from './chapter.ts';
import { writeSentence } from './explanation.ts';
import { pieces } from './richText.ts';

/** The run's chapters, with the one open that the present time is in. */
export class Guide {
  readonly #list = made('ol', { className: 'chapters' });
  readonly #text = made('p', { className: 'chapter-text' });
  /** As high as the longest chapter, so that what is below stays where it is. */
  readonly #room = made('div', { className: 'chapter-room' });
  readonly #toResult = made('button', {
    type: 'button',
    className: 'onward',
    textContent: 'See it, and see it checked',
  });
  readonly #seek: (timeUs: number) => void;
  #chapters: readonly Chapter[] = [];
  #open = -1;

  constructor(host: HTMLElement, onSeek: (timeUs: number) => void) {
    this.#seek = onSeek;
    this.#toResult.addEventListener('click', () => document.querySelector('#result')?.scrollIntoView());
    this.#room.append(this.#text);
    host.replaceChildren(this.#list, this.#room);
  }

  show(chapters: readonly Chapter[]): void {
    const same =
      chapters.length === this.#chapters.length && chapters.every((one, at) => one.text === this.#chapters[at]!.text);
    this.#chapters = chapters;
    if (same) return;
    this.#open = -1;
    this.#room.dataset.longest = longest(chapters, this.#toResult.textContent);
    this.#text.replaceChildren();
    this.#list.replaceChildren(
      ...chapters.map(({ title, timeUs }) =>
        made('li', {}, made('button', { type: 'button', textContent: title, onclick: () => this.#seek(timeUs) })),
      ),
    );
  }

  draw(timeUs: number): void {
    const open = chapterAt(this.#chapters, timeUs);
    const chapter = this.#chapters[open];
    if (open === this.#open || !chapter) return;
    this.#open = open;
    [...this.#list.children].forEach((item, place) => {
      const button = item.firstElementChild!;
      if (place === open) button.setAttribute('aria-current', 'step');
      else button.removeAttribute('aria-current');
    });
    writeSentence(this.#text, chapter.text);
    if (chapter.result) this.#text.append(' ', this.#toResult);
  }
}

/** The longest text as it is read, with the button that follows a result. */
function longest(chapters: readonly Chapter[], button: string): string {
  const texts = chapters.map(({ text, result }) => {
    const words = pieces(text).map((piece) => piece.text);
    return result ? `${words.join('')} ${button}` : words.join('');
  });
  return texts.reduce((most, text) => (text.length > most.length ? text : most), '');
}
