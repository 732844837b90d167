import { createElement } from '../html.ts';
import strategy from '../lean/strategy.css?inline';
import colours from '../style/colours.css?inline';
import { task } from '../worker/task.ts';
import type { EmbedRun } from './embedWorker.ts';
import frame from './frame.css?inline';
import { RunFrame } from './runFrame.ts';
import { type EmbedSlot, SlotFrame } from './slotFrame.ts';

/** Name of the worker's file, in the same folder. */
const workerFile = 'tutti-run-worker.js';

const sheet = new CSSStyleSheet();
sheet.replaceSync(
  `${colours.replaceAll(/:root(:not\([^)]*\)|\[[^\]]*\])?/g, (_, of?: string) => (of ? `:host(${of})` : ':host'))}
  :host { display: block; container-type: inline-size; }
  ${strategy}
  ${frame}`,
);

/**
 * Element `<tutti-run link="n=64&dead=0.2">`, which plays the run that the link describes, with counted signatures.
 * With a link `lean.html#...`, the element shows a slot of proofs. The attribute `caption` replaces the sentence below
 * the picture.
 */
class TuttiRun extends HTMLElement {
  static readonly observedAttributes = ['link', 'caption'];
  readonly #root = this.attachShadow({ mode: 'open' });
  #stop: (() => void) | undefined;

  connectedCallback(): void {
    this.#root.adoptedStyleSheets = [sheet];
    this.#start();
  }

  attributeChangedCallback(): void {
    if (this.isConnected) this.#start();
  }

  disconnectedCallback(): void {
    this.#stop?.();
  }

  #start(): void {
    this.#stop?.();
    const host = createElement('div', { textContent: 'Playing …' });
    this.#root.replaceChildren(host);
    this.dataset.state = 'running';
    const link = this.getAttribute('link') ?? '';
    const run = task<string, EmbedRun | EmbedSlot>(newWorker(), 'tutti-run', link);
    this.#stop = () => run.stop();
    run.result.then(
      (shown) => {
        const caption = this.getAttribute('caption') ?? shown.caption;
        if ('recordings' in shown) new SlotFrame(host, { ...shown, caption });
        else new RunFrame(host, shown.index, { ...shown, caption });
        this.dataset.state = 'ready';
      },
      (error: Error) => {
        host.textContent = `tutti-run: ${error.message}`;
        this.dataset.state = 'error';
      },
    );
  }
}

/** Starts the element's worker. A worker from another origin cannot be started directly, only imported. */
function newWorker(): Worker {
  const url = new URL(workerFile, import.meta.url);
  if (url.origin === location.origin) return new Worker(url, { type: 'module' });
  const importing = new Blob([`import ${JSON.stringify(url.href)};`], { type: 'text/javascript' });
  return new Worker(URL.createObjectURL(importing), { type: 'module' });
}

customElements.define('tutti-run', TuttiRun);
