import { createElement } from '../html.ts';

/** Small label that follows the pointer over a drawing and describes the element under it. */
export class Tip {
  readonly #label = createElement('div', { className: 'tip', hidden: true });

  constructor() {
    this.#label.setAttribute('aria-hidden', 'true');
    document.body.append(this.#label);
  }

  /**
   * Shows the text that `words` returns for the pointer's position over `host`. Shows nothing if the result is
   * undefined.
   */
  follow(host: HTMLElement, words: (x: number, y: number) => string | undefined): void {
    host.addEventListener('pointermove', (event) => {
      const box = host.getBoundingClientRect();
      const text = words(event.clientX - box.left, event.clientY - box.top);
      this.#label.hidden = text === undefined;
      if (text === undefined) return;
      this.#label.textContent = text;
      const width = this.#label.offsetWidth;
      const left = Math.min(Math.max(8, event.clientX - width / 2), document.documentElement.clientWidth - width - 8);
      this.#label.style.transform = `translate(${Math.round(left)}px, ${Math.round(event.clientY - 36)}px)`;
    });
    host.addEventListener('pointerleave', () => {
      this.#label.hidden = true;
    });
  }
}
