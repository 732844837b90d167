import { made } from '../made.ts';
import { messageOf } from '../messageOf.ts';
import { part, say, sayError } from '../page.ts';
import { present } from '../player/present.ts';
import { copyOnPress } from '../views/copy.ts';
import { TaskWorker } from '../worker/task.ts';
import type { BenchAnswer, BenchProgress, BenchRequest } from './benchMessages.ts';
import {
  engineOf,
  type Figures,
  type Kernel,
  kernels,
  type MeasuredEngine,
  ofHash,
  operations,
  toCsv,
  toHash,
} from './figures.ts';
import { date, machine, ours } from './ours.ts';

const headings: Readonly<Record<Kernel, string>> = {
  scalar: 'plain',
  simd: 'with SIMD',
  wide: 'wide arithmetic',
  noble: 'noble-curves',
};

/** A function of a v128 constant, and one of f64x2.relaxed_madd: whether the browser has either. */
const probes: readonly (readonly [string, Uint8Array<ArrayBuffer>])[] = [
  ['SIMD', moduleOf([0x41, 0x00, 0xfd, 0x0f, 0x1a])],
  ['relaxed SIMD', moduleOf([...zero(), ...zero(), ...zero(), 0xfd, 0x87, 0x02, 0x1a])],
  // i64.mul_wide_u
  ['wide arithmetic', moduleOf([0x42, 0x00, 0x42, 0x00, 0xfc, 0x16, 0x1a, 0x1a])],
];

/** f64x2.splat of 0. */
function zero(): number[] {
  return [0x44, 0, 0, 0, 0, 0, 0, 0, 0, 0xfd, 0x14];
}

/** A module of one function with this body, which takes and gives nothing. */
function moduleOf(body: readonly number[]): Uint8Array<ArrayBuffer> {
  const code = [0x00, ...body, 0x0b];
  return Uint8Array.of(
    ...[0x00, 0x61, 0x73, 0x6d, 0x01, 0x00, 0x00, 0x00],
    ...[0x01, 0x04, 0x01, 0x60, 0x00, 0x00],
    ...[0x03, 0x02, 0x01, 0x00],
    ...[0x0a, code.length + 2, 0x01, code.length, ...code],
  );
}

/** The page that measures the kernels in a browser, and verifies a round of drand. */
export class BenchApp {
  readonly #measure = part<HTMLButtonElement>('#measure');
  readonly #csv = part<HTMLButtonElement>('#copy-csv');
  #own: MeasuredEngine | undefined;
  #theirs: MeasuredEngine | undefined;
  /** How many rounds were to be verified: the answer to the last one stays. */
  #asked = 0;

  open(): void {
    present({ follow: (hash) => this.#openLink(hash), link: () => this.#link() });
    copyOnPress(this.#csv, () => (this.#own === undefined ? '' : toCsv(this.#own)));
    this.#measure.addEventListener('click', () => void this.#start());
    part('#verify-beacon').addEventListener('click', () => void this.#verifyBeacon());
    part('#ours').textContent = `Ours were measured on ${date} (${machine}).`;
    this.#openLink(location.hash);
    say('ready', '');
  }

  #openLink(hash: string): void {
    this.#theirs = ofHash(hash);
    this.#draw();
  }

  #link(): string {
    const shown = this.#own ?? this.#theirs;
    return shown === undefined ? '' : toHash(shown);
  }

  async #start(): Promise<void> {
    this.#measure.disabled = true;
    const features =
      typeof WebAssembly === 'undefined' ? [] : probes.filter(([, bytes]) => WebAssembly.validate(bytes));
    const engine = engineOf(
      navigator.userAgent,
      features.map(([name]) => name),
    );
    const figures: Figures = {};
    this.#own = { engine, figures };
    try {
      for (const kernel of kernels) {
        say('running', `Measuring ${headings[kernel]} …`);
        await this.#measureOne(kernel, figures);
      }
      history.replaceState(null, '', `#${this.#link()}`);
      say('ready', '');
    } catch (error) {
      sayError(error, 'The kernel');
    } finally {
      this.#measure.disabled = false;
      this.#csv.disabled = false;
      this.#draw();
    }
  }

  async #measureOne(kernel: Kernel, figures: Figures): Promise<void> {
    const worker = workerOf();
    try {
      await worker.ask(
        { ask: 'measure', kernel },
        {
          progress: ({ operation, ms }) => {
            figures[kernel] = { ...figures[kernel], [operation]: ms };
            this.#draw();
          },
        },
      );
    } finally {
      worker.end();
    }
  }

  async #verifyBeacon(): Promise<void> {
    const asked = ++this.#asked;
    const tell = (words: string) => {
      if (asked === this.#asked) part('#beacon-words').textContent = words;
    };
    const worker = workerOf();
    try {
      const answer = await worker.ask({ ask: 'beacon', text: part<HTMLTextAreaElement>('#beacon').value });
      tell('words' in answer ? answer.words : '');
    } catch (error) {
      tell(`The kernel: ${messageOf(error)}`);
    } finally {
      worker.end();
    }
  }

  #draw(): void {
    const shown = [
      ...(this.#own === undefined ? [] : [{ whose: 'here', ...this.#own }]),
      ...(this.#theirs === undefined ? [] : [{ whose: 'of the link', ...this.#theirs }]),
    ];
    part('#engine').textContent = shown.map(({ whose, engine }) => `${whose}: ${engine}`).join(' · ');
    const groups = [
      ...shown.map(({ whose, figures }) => ({ name: whose === 'here' ? 'Here' : 'Of the link', figures })),
      ...ours.map(({ engine, figures }) => ({ name: `Ours: ${engine}`, figures })),
    ].map(({ name, figures }) => ({
      name,
      columns: kernels.filter((kernel) => figures[kernel] !== undefined),
      figures,
    }));
    const head = document.createElement('thead');
    head.append(
      row([cell('td', ''), ...groups.map(({ name, columns }) => cell('th', name, 'colgroup', columns.length))]),
      row([
        cell('td', ''),
        ...groups.flatMap(({ columns }) => columns.map((kernel) => cell('th', headings[kernel], 'col'))),
      ]),
    );
    const body = document.createElement('tbody');
    for (const [name, words] of Object.entries(operations)) {
      const figuresOf = groups.flatMap(({ columns, figures }) => columns.map((kernel) => figures[kernel]!));
      const texts = figuresOf.map((own) => own[name as keyof typeof operations]?.toFixed(2) ?? '');
      body.append(row([cell('th', words, 'row'), ...texts.map((text) => cell('td', text))]));
    }
    part('#figures').replaceChildren(head, body);
  }
}

function row(cells: readonly HTMLTableCellElement[]): HTMLTableRowElement {
  return made('tr', {}, ...cells);
}

function cell(kind: 'th' | 'td', text: string, scope = '', columns = 1): HTMLTableCellElement {
  return made(kind, { textContent: text, colSpan: columns, ...(scope === '' ? {} : { scope }) });
}

const workerOf = (): TaskWorker<BenchRequest, BenchAnswer, BenchProgress> =>
  new TaskWorker<BenchRequest, BenchAnswer, BenchProgress>(
    new Worker(new URL('./benchWorker.ts', import.meta.url), { type: 'module', name: 'tutti-bench' }),
    'The kernel',
  );
