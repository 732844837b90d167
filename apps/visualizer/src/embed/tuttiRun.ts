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
const workerUrl = new URL(workerFile, import.meta.url);
/** Address of the worker script. A browser cannot start a script from another origin directly, but can import it. */
const workerAddress =
  workerUrl.origin === location.origin
    ? workerUrl.href
    : URL.createObjectURL(new Blob([`import ${JSON.stringify(workerUrl.href)};`], { type: 'text/javascript' }));

const sheet = new CSSStyleSheet();
sheet.replaceSync(
  `${colours.replaceAll(/:root(:not\([^)]*\)|\[[^\]]*\])?/g, (_, of?: string) => (of ? `:host(${of})` : ':host'))}
  :host { display: block; container-type: inline-size; }
  ${strategy}
  ${frame}`,
);

/**
 * Element `<tutti-run link="n=64&dead=0.2">`, which simulates and plays the run of a link, with counted signatures.
 * With a link `lean.html#...`, the element shows a slot of proofs. The attribute `caption` replaces the text below the
 * picture.
 */
class TuttiRun extends HTMLElement {
  static readonly observedAttributes = ['link', 'caption'];
  readonly #root = this.attachShadow({ mode: 'open' });
  /** Ends the simulation or the animation of the current link. */
  #stop: (() => void) | undefined;

  connectedCallback(): void {
    this.#root.adoptedStyleSheets = [sheet];
    this.#start();
  }

  attributeChangedCallback(): void {
    // The browser reports the first attributes before the connection, which starts the run.
    if (this.isConnected && this.#stop !== undefined) this.#start();
  }

  disconnectedCallback(): void {
    this.#stop?.();
  }

  #start(): void {
    this.#stop?.();
    const host = createElement('div', { textContent: 'Simulating …' });
    this.#root.replaceChildren(host);
    this.dataset.state = 'running';
    const link = this.getAttribute('link') ?? '';
    const worker = new Worker(workerAddress, { type: 'module' });
    const run = task<string, EmbedRun | EmbedSlot>(worker, 'tutti-run', link);
    this.#stop = () => run.stop();
    run.result
      .then((shown) => {
        const caption = this.getAttribute('caption') ?? shown.caption;
        const frame =
          'recordings' in shown
            ? new SlotFrame(host, { ...shown, caption })
            : new RunFrame(host, shown.index, { ...shown, caption });
        this.#stop = () => frame.stop();
        this.dataset.state = 'ready';
      })
      .catch((error: Error) => {
        host.textContent = `tutti-run: ${error.message}`;
        this.dataset.state = 'error';
      });
  }
}

customElements.define('tutti-run', TuttiRun);
