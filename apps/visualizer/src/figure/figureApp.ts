import { protocolNames, protocols, type RunResult, type Scenario } from '@tutti/simulation';
import { html, render } from 'lit-html';
import { download } from '../files.ts';
import { FieldForm } from '../links/fields.ts';
import { query } from '../page.ts';
import { present } from '../player/present.ts';
import { svgAsPng } from '../views/pictureOf.ts';
import { messageOf, type Task, task } from '../worker/task.ts';
import { drawFigureFile, figureCsv, figureOf, originOf, withText } from './figureDrawing.ts';
import { axes, type FigurePlan, planFields, pointsOf, quantities } from './figurePlan.ts';

/** Resolution of PNG files, dots per inch, as journals require. */
const dotsPerInch = 600;

/** Returns the form of a plan. The field `log` has two checkboxes, one per axis, and the field `ground` has one. */
function figureForm(form: HTMLFormElement): FieldForm<FigurePlan> {
  const boxes = protocolNames.map(
    (name) =>
      html`<label class="box"><input type="checkbox" name="protocols" value=${name}> ${protocols[name].title}</label>`,
  );
  render(boxes, query('#figure-protocols'));
  const box = (name: string) => form.elements.namedItem(name) as HTMLInputElement;
  const inWords = ({ label, unit }: { readonly label: string; readonly unit: string }) =>
    unit === '' ? label : `${label}, ${unit}`;
  const logs = ['x', 'y'] as const;
  return new FieldForm(
    form,
    planFields,
    { x: (x) => inWords(axes[x]), y: (y) => inWords(quantities[y]), mm: (mm) => `${mm} mm` },
    {
      log: {
        read: () => logs.filter((axis) => box(`log${axis}`).checked).join(''),
        show: (log) => {
          for (const axis of logs) box(`log${axis}`).checked = log?.includes(axis) ?? false;
        },
      },
      ground: {
        read: () => (box('clear').checked ? 'none' : 'white'),
        show: (ground) => {
          box('clear').checked = ground === 'none';
        },
      },
    },
  );
}

/** Page for creating a figure for a paper: a form, a small sweep in a worker, the drawing, and the files. */
class FigureApp {
  readonly #form = query<HTMLFormElement>('#figure-form');
  readonly #status = query('#status');
  readonly #fields = figureForm(this.#form);
  readonly #fileButtons = document.querySelectorAll<HTMLButtonElement>('[data-file]');
  #plan = planFields.first;
  #run: Task<readonly RunResult[]> | undefined;
  #runs: readonly RunResult[] | undefined;

  open(): void {
    present({ follow: (hash) => this.#follow(hash) });
    this.#form.addEventListener('input', () => this.#read());
    this.#form.addEventListener('submit', (event) => {
      event.preventDefault();
      this.#plan = this.#fields.accept(this.#plan);
      this.#sweep();
    });
    query('#figure-stop').addEventListener('click', () => this.#stop('Stopped.'));
    for (const button of this.#fileButtons)
      button.addEventListener('click', () => void this.#save(button.dataset.file!));
    this.#follow(location.hash);
    document.documentElement.dataset.state = 'ready';
  }

  #follow(hash: string): void {
    const { values: linked, notices } = planFields.read(hash);
    // On a first visit, the figure shows the same quantity as the matrix: the time of the last node. For a link without
    // `y`, the figure shows the time of the mean node.
    this.#plan = hash === '' ? { ...linked, y: 'lastMs' } : linked;
    this.#fields.show(this.#plan);
    this.#stop(notices.join(' '));
    this.#show(undefined);
    if (notices.length === 0) this.#sweep();
  }

  #read(): void {
    const { values: plan, notices } = this.#fields.read(this.#plan);
    // The text about the progress of a sweep stays.
    if (notices.length > 0 || this.#run === undefined) this.#status.textContent = notices.join(' ');
    if (notices.length > 0) return;
    const isSameSweep = JSON.stringify(pointsOf(plan)) === JSON.stringify(pointsOf(this.#plan));
    this.#plan = plan;
    history.replaceState(null, '', `#${planFields.write(plan, true)}`);
    // Changes that affect only the drawing take effect immediately.
    if (!isSameSweep) this.#stop('');
    this.#show(isSameSweep ? this.#runs : undefined);
  }

  #stop(words: string): void {
    this.#run?.stop();
    this.#run = undefined;
    query('#figure-stop').hidden = true;
    this.#status.textContent = words;
  }

  #sweep(): void {
    this.#stop('');
    history.replaceState(null, '', `#${planFields.write(this.#plan, true)}`);
    const scenarios = pointsOf(this.#plan).flatMap((point) => point.scenarios);
    const beganMs = performance.now();
    query('#figure-stop').hidden = false;
    this.#status.textContent = `0 of ${scenarios.length} runs …`;
    const worker = new Worker(new URL('./figureWorker.ts', import.meta.url), { type: 'module', name: 'tutti-figure' });
    const progress = (done: number) => {
      const leftS = (((performance.now() - beganMs) / done) * (scenarios.length - done)) / 1000;
      this.#status.textContent = `${done} of ${scenarios.length} runs, about ${Math.ceil(leftS)} s left …`;
    };
    this.#run = task<readonly Scenario[], readonly RunResult[], number>(worker, 'The sweep', scenarios, { progress });
    this.#run.result.then(
      (runs) => {
        this.#stop(`${scenarios.length} runs.`);
        this.#show(runs);
      },
      (error: Error) => this.#stop(`The sweep failed: ${error.message}`),
    );
  }

  #show(runs: readonly RunResult[] | undefined): void {
    this.#runs = runs;
    for (const button of this.#fileButtons) button.disabled = runs === undefined;
    const host = query('#figure');
    query('#figure-origin').textContent = runs === undefined ? '' : originOf(this.#plan);
    if (runs === undefined) {
      render('Choose the settings, then press Draw.', host);
      return;
    }
    const plan = this.#plan;
    const figure = figureOf(plan, runs);
    const { svg } = drawFigureFile(plan, figure);
    const alt = `${figure.charts[0]!.title}: ${quantities[plan.y].label} over ${axes[plan.x].label}`;
    render(html`<img src="data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}" alt=${alt}>`, host);
  }

  async #save(as: string): Promise<void> {
    if (this.#runs === undefined) return;
    try {
      download(await fileOf(as, this.#plan, this.#runs), `tutti-figure.${as}`);
      this.#status.textContent = 'Saved.';
    } catch (error) {
      this.#status.textContent = `The figure could not be saved: ${messageOf(error)}`;
    }
  }
}

/** Returns a figure as a file. @param as file extension: csv, parquet, svg or png. */
async function fileOf(as: string, plan: FigurePlan, runs: readonly RunResult[]): Promise<Blob> {
  if (as === 'parquet') {
    const { figureParquet } = await import('./figureTable.ts');
    return figureParquet(plan, runs);
  }
  const figure = figureOf(plan, runs);
  if (as === 'csv') return new Blob([figureCsv(plan, figure)], { type: 'text/csv' });
  const drawn = drawFigureFile(plan, figure);
  if (as === 'svg') return new Blob([drawn.svg], { type: 'image/svg+xml' });
  const scale = ((plan.mm / 25.4) * dotsPerInch) / drawn.width;
  return withText(await svgAsPng(drawn.svg, drawn, scale), originOf(plan));
}

new FigureApp().open();
