import { type ProtocolName, protocolNames, type RunResult } from '@tutti/simulation';
import { made } from '../made.ts';
import { messageOf } from '../messageOf.ts';
import { part } from '../page.ts';
import { present } from '../player/present.ts';
import { download } from '../state/download.ts';
import { parquetType } from '../state/tableFile.ts';
import { svgAsPng } from '../views/pictureOf.ts';
import { protocolTitles } from '../words.ts';
import { type Task, task } from '../worker/task.ts';
import { drawFigureFile, figureOf } from './figureDrawing.ts';
import { figureCsv, originOf } from './figureFiles.ts';
import {
  axes,
  decodePlan,
  encodePlan,
  type FigurePlan,
  figureAttacks,
  firstPlan,
  pointsOf,
  quantities,
  widthsMm,
} from './figurePlan.ts';
import type { SweepRequest } from './figureWorker.ts';
import { withText } from './pngText.ts';

/** Resolution of PNGs, as journals ask for it. */
const dotsPerInch = 600;

/** The page that makes a paper's figure: a form, a small sweep in a worker, the drawing, and its files. */
export class FigureApp {
  readonly #form = part<HTMLFormElement>('#figure-form');
  readonly #status = part('#status');
  #plan: FigurePlan = firstPlan;
  #run: Task<readonly RunResult[]> | undefined;
  #runs: readonly RunResult[] | undefined;

  open(): void {
    present({ follow: (hash) => this.#follow(hash) });
    this.#fill();
    this.#form.addEventListener('input', () => this.#read());
    this.#form.addEventListener('submit', (event) => {
      event.preventDefault();
      this.#sweep();
    });
    part('#figure-stop').addEventListener('click', () => this.#stop('Stopped.'));
    for (const button of document.querySelectorAll<HTMLButtonElement>('[data-file]'))
      button.addEventListener('click', () => void this.#save(button.dataset.file!));
    this.#follow(location.hash);
    document.documentElement.dataset.state = 'ready';
  }

  #follow(hash: string): void {
    const { plan, notices } = decodePlan(hash);
    this.#plan = plan;
    this.#write();
    this.#status.textContent = notices.join(' ');
    this.#show(undefined);
    // A link repeats the figure, if it is one.
    if (hash !== '' && notices.length === 0) this.#sweep();
  }

  /** The choices that the plan's types name. */
  #fill(): void {
    const labels = (all: Readonly<Record<string, { readonly label: string; readonly unit: string }>>) =>
      Object.entries(all).map(([name, { label, unit }]) => [name, unit === '' ? label : `${label}, ${unit}`] as const);
    const choices = {
      x: labels(axes),
      y: labels(quantities),
      attack: figureAttacks.map((name) => [name, name] as const),
      mm: widthsMm.map((mm) => [String(mm), `${mm} mm`] as const),
    };
    for (const [name, all] of Object.entries(choices))
      this.#select(name).replaceChildren(...all.map(([value, words]) => new Option(words, value)));
    part('#figure-protocols').append(
      ...protocolNames.map((name) => {
        const box = made('input', { type: 'checkbox', name: 'protocol', value: name });
        return made('label', { className: 'box' }, box, ` ${protocolTitles[name]}`);
      }),
    );
  }

  #select(name: string): HTMLSelectElement {
    return this.#form.elements.namedItem(name) as HTMLSelectElement;
  }

  #input(name: string): HTMLInputElement {
    return this.#form.elements.namedItem(name) as HTMLInputElement;
  }

  #write(): void {
    const plan = this.#plan;
    for (const name of ['x', 'y', 'attack'] as const) this.#select(name).value = plan[name];
    this.#select('mm').value = String(plan.widthMm);
    this.#input('title').value = plan.title;
    this.#input('n').value = String(plan.nodes);
    this.#input('seeds').value = String(plan.seeds);
    this.#input('logx').checked = plan.isLogX;
    this.#input('logy').checked = plan.isLogY;
    this.#input('clear').checked = plan.isTransparent;
    for (const box of this.#form.querySelectorAll<HTMLInputElement>('[name="protocol"]'))
      box.checked = plan.protocols.includes(box.value as ProtocolName);
  }

  #read(): void {
    const protocols = [...this.#form.querySelectorAll<HTMLInputElement>('[name="protocol"]:checked')]
      .map(({ value }) => value)
      .join(',');
    const asked = new URLSearchParams({
      title: this.#input('title').value,
      x: this.#select('x').value,
      y: this.#select('y').value,
      protocols,
      n: this.#input('n').value,
      attack: this.#select('attack').value,
      seeds: this.#input('seeds').value,
      log: `${this.#input('logx').checked ? 'x' : ''}${this.#input('logy').checked ? 'y' : ''}`,
      ground: this.#input('clear').checked ? 'none' : 'white',
      mm: this.#select('mm').value,
    });
    const { plan, notices } = decodePlan(asked.toString());
    this.#status.textContent = notices.join(' ');
    if (notices.length > 0) return;
    const isSameSweep = JSON.stringify(pointsOf(plan)) === JSON.stringify(pointsOf(this.#plan));
    this.#plan = plan;
    history.replaceState(null, '', `#${encodePlan(plan)}`);
    // What only the drawing needs is drawn at once.
    if (!isSameSweep) this.#stop('');
    this.#show(isSameSweep ? this.#runs : undefined);
  }

  #stop(words: string): void {
    this.#run?.stop();
    this.#run = undefined;
    part('#figure-stop').hidden = true;
    this.#status.textContent = words;
  }

  #sweep(): void {
    this.#stop('');
    history.replaceState(null, '', `#${encodePlan(this.#plan)}`);
    const plan = this.#plan;
    const scenarios = pointsOf(plan).flatMap((point) => point.scenarios);
    const beganMs = performance.now();
    part('#figure-stop').hidden = false;
    this.#status.textContent = `0 of ${scenarios.length} runs …`;
    const worker = new Worker(new URL('./figureWorker.ts', import.meta.url), { type: 'module', name: 'tutti-figure' });
    const run = task<SweepRequest, readonly RunResult[], number>(
      worker,
      'The sweep',
      { scenarios },
      {
        progress: (done) => {
          const leftS = (((performance.now() - beganMs) / done) * (scenarios.length - done)) / 1000;
          this.#status.textContent = `${done} of ${scenarios.length} runs, about ${Math.ceil(leftS)} s left …`;
        },
      },
    );
    this.#run = run;
    run.result.then(
      (runs) => {
        this.#stop(`${scenarios.length} runs.`);
        this.#show(runs);
      },
      (error: Error) => this.#stop(`The sweep failed: ${error.message}`),
    );
  }

  #show(runs: readonly RunResult[] | undefined): void {
    this.#runs = runs;
    for (const button of document.querySelectorAll<HTMLButtonElement>('[data-file]'))
      button.disabled = runs === undefined;
    const host = part('#figure');
    part('#figure-origin').textContent = runs === undefined ? '' : originOf(this.#plan);
    if (runs === undefined) {
      host.textContent = 'Choose, and press Draw.';
      return;
    }
    const plan = this.#plan;
    const figure = figureOf(plan, runs);
    const { svg } = drawFigureFile(plan, figure, originOf(plan));
    const alt = `${figure.charts[0]!.title}: ${quantities[plan.y].label} over ${axes[plan.x].label}`;
    host.replaceChildren(made('img', { src: `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}`, alt }));
  }

  async #save(as: string): Promise<void> {
    const runs = this.#runs;
    if (runs === undefined) return;
    const plan = this.#plan;
    const figure = figureOf(plan, runs);
    try {
      download(await fileOf(as), `tutti-figure.${as}`);
      this.#status.textContent = 'Saved.';
    } catch (error) {
      this.#status.textContent = `It could not be drawn: ${messageOf(error)}`;
    }

    async function fileOf(kind: string): Promise<Blob> {
      if (kind === 'csv') return new Blob([figureCsv(plan, figure)], { type: 'text/csv' });
      if (kind === 'parquet') {
        const { figureParquet } = await import('./figureTable.ts');
        return new Blob([await figureParquet(plan, runs!)], { type: parquetType });
      }
      const drawn = drawFigureFile(plan, figure, originOf(plan));
      if (kind === 'svg') return new Blob([drawn.svg], { type: 'image/svg+xml' });
      const scale = ((plan.widthMm / 25.4) * dotsPerInch) / drawn.width;
      return withText(await svgAsPng(drawn.svg, drawn, scale), originOf(plan));
    }
  }
}
