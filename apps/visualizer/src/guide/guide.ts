import { html, nothing, render } from 'lit-html';
import { keyed } from 'lit-html/directives/keyed.js';
import { type Chapter, chapterAt } from './chapter.ts';
import { pieces, sentence } from './explanation.ts';

const toResult = 'Show the result and its verification';

/** Chapters of the run as a list. The chapter at the current time is expanded. */
export class Guide {
  readonly #host: HTMLElement;
  readonly #seek: (timeUs: number) => void;
  #chapters: readonly Chapter[] = [];
  #open = -1;
  /** Whether the clock has passed the moment of the expanded chapter. */
  #isPast = false;
  /**
   * Text of the longest chapter, used to reserve height. The reserved height prevents the content below from moving.
   */
  #longest = '';

  constructor(host: HTMLElement, onSeek: (timeUs: number) => void) {
    this.#host = host;
    this.#seek = onSeek;
    host.replaceChildren();
    this.#render();
  }

  show(chapters: readonly Chapter[]): void {
    this.#chapters = chapters;
    this.#open = -1;
    this.#longest = longest(chapters);
    this.#render();
  }

  draw(timeUs: number): void {
    const open = chapterAt(this.#chapters, timeUs);
    const chapter = this.#chapters[open];
    if (chapter === undefined) return;
    const isPast = timeUs > chapter.timeUs;
    if (open === this.#open && isPast === this.#isPast) return;
    this.#open = open;
    this.#isPast = isPast;
    this.#render();
  }

  #render(): void {
    const item = ({ title, timeUs }: Chapter, place: number) =>
      html`<li><button type="button" aria-current=${place === this.#open ? 'step' : nothing} @click=${() => this.#seek(timeUs)}>${title}</button></li>`;
    const { text: told = '', result } = this.#chapters[this.#open] ?? {};
    const text = this.#isPast ? earlier(told) : told;
    const onward = html` <button type="button" class="onward" @click=${() => document.querySelector('#result')?.scrollIntoView()}>${toResult}</button>`;
    render(
      html`<ol class="chapters">${this.#chapters.map(item)}</ol><div class="chapter-room" data-longest=${this.#longest}>${keyed(text, html`<p class="chapter-text">${sentence(text)}${result ? onward : nothing}</p>`)}</div>`,
      this.#host,
    );
  }
}

/** Returns the text of a chapter whose moment, in milliseconds, is earlier than the time on the clock. */
function earlier(text: string): string {
  return text.replace(/^At (?=[\d.,]+\sms\b)/, 'Earlier, at ');
}

/** Returns the longest text as plain text, including the text of the button that follows a result. */
function longest(chapters: readonly Chapter[]): string {
  const texts = chapters.map(({ text, result }) => {
    const words = pieces(earlier(text)).map((piece) => piece.text);
    return result ? `${words.join('')} ${toResult}` : words.join('');
  });
  return texts.reduce((max, text) => (text.length > max.length ? text : max), '');
}
