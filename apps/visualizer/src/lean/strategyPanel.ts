import type { LeanRecording, LeanStrategy } from '@tutti/ethereum/lean';
import { html, nothing, render, svg, type TemplateResult } from 'lit-html';
import { live } from 'lit-html/directives/live.js';
import { count } from '../formatNumber.ts';
import { createElement } from '../html.ts';
import { drawingIn, lineFrom, pointIn, set } from '../views/drawing.ts';
import { type JobLook, jobsOf, type LaneJob, lookOf, momentOf, subnetsWords } from './leanMoment.ts';
import { jobWords, percent, strategyWords } from './leanText.ts';
import { type StrategyLayout, strategyLayout } from './strategyLayout.ts';

interface StrategyPanelListener {
  /** Called when another strategy is selected for the panel; absent if the strategy cannot change. */
  choose?(strategy: LeanStrategy): void;
  /** Called when a bar is pressed; absent if the bars have no explanations. */
  ask?(job: LaneJob): void;
  /** Returns the maximum height of a drawing, px; undefined if there is no maximum. */
  room?(): number;
}

/** Names of the five intervals of a slot. */
const intervalNames = ['block', 'votes', 'proofs', 'safe', 'known'];
/** Minimum width that an interval needs to show its name, px. */
const nameRoom = 38;
/** Minimum width of the columns with the long title, px. */
const wordsRoom = 200;
/** Approximate width of a letter in a bar, and of the space around the text, px. */
const letter = { width: 6.4, around: 6 };

/** Bar of a job. */
interface Bar {
  readonly job: LaneJob;
  readonly shape: SVGRectElement;
  readonly words: SVGTextElement | undefined;
  /** Minimum width that the bar needs to show its text, px. */
  readonly wordsWidth: number;
  /** Current look of the bar; undefined before the job starts. */
  look: JobLook | undefined;
}

/**
 * Drawing of a slot under one strategy: the next proposer's votes as columns of subnets, and the provers' work as
 * lanes.
 */
export class StrategyPanel {
  readonly element = createElement('figure', { className: 'strategy' });
  readonly #on: StrategyPanelListener;
  readonly #place: number;
  readonly #svg: SVGSVGElement;
  #strategy: LeanStrategy | undefined;
  #tally = { share: '', words: '' };
  #recording: LeanRecording | undefined;
  #jobs: readonly LaneJob[] = [];
  #layout: StrategyLayout | undefined;
  #bars: Bar[] = [];
  #fills: SVGRectElement[] = [];
  #hand: SVGLineElement | undefined;
  #asked: number | undefined;

  /**
   * Creates a panel for one strategy.
   *
   * @param place number of the panel from 1, for users who cannot see the panel's position.
   */
  constructor(place: number, on: StrategyPanelListener) {
    this.#on = on;
    this.#place = place;
    this.element.dataset.testid = `strategy-${place}`;
    const host = createElement('div');
    this.element.append(createElement('figcaption'), host);
    this.#svg = drawingIn(host, 'strategy-slot');
    host.addEventListener('click', (event) => {
      const job = this.#jobAt(event);
      if (job !== undefined) on.ask?.(job);
    });
    host.addEventListener('pointermove', (event) => {
      host.style.cursor = on.ask === undefined || this.#jobAt(event) === undefined ? '' : 'pointer';
    });
  }

  set strategy(strategy: LeanStrategy) {
    this.#strategy = strategy;
    this.#caption();
  }

  #caption(): void {
    if (this.#strategy === undefined) return;
    const { title, how } = strategyWords[this.#strategy];
    const options = Object.entries(strategyWords).map(
      ([strategy, words]) =>
        html`<option value=${strategy} ?selected=${strategy === this.#strategy}>${words.title}</option>`,
    );
    const choose = ({ target }: Event) => this.#on.choose?.((target as HTMLSelectElement).value as LeanStrategy);
    const choice = html`<select aria-label="Strategy ${this.#place}" .value=${live(this.#strategy)} @change=${choose}>${options}</select>`;
    render(
      html`${this.#on.choose === undefined ? html`<h3>${title}</h3>` : choice}<p class="sub how">${how}</p><p class="tally"><strong>${this.#tally.share}</strong> <span>${this.#tally.words}</span></p>`,
      this.element.querySelector('figcaption')!,
    );
  }

  /**
   * Shows the recording of a slot.
   *
   * @param recording the recording; undefined during the simulation and after its failure.
   * @param isRunning whether the slot is being simulated.
   */
  show(recording: LeanRecording | undefined, isRunning = recording === undefined): void {
    this.element.setAttribute('aria-busy', String(isRunning));
    if (recording === undefined) {
      this.#tally = { share: '', words: isRunning ? 'simulating …' : 'not simulated' };
      this.#caption();
    }
    if (recording === this.#recording) return;
    this.#recording = recording;
    this.#jobs = recording === undefined ? [] : jobsOf(recording);
    this.layOut();
  }

  /** Highlights a proof, and the earlier proof that made it a duplicate. */
  set asked(proof: number | undefined) {
    this.#asked = proof;
    this.#mark();
  }

  /** Draws everything that does not change with the time, for the current width. */
  layOut(): void {
    const recording = this.#recording;
    this.#bars = [];
    this.#fills = [];
    render(nothing, this.#svg);
    if (recording === undefined) return;
    const { subnets, lanes, slotMs } = recording;
    const width = this.element.clientWidth;
    if (width === 0) return;
    const layout = strategyLayout(width, { subnets, provers: lanes.length, slotMs }, this.#on.room?.());
    this.#layout = layout;
    this.#svg.classList.toggle('thin', layout.lanes.height < 6);
    set(this.#svg, { width, height: layout.height, viewBox: `0 0 ${width} ${layout.height}` });
    const jobs = this.#jobs.map((job) => jobBar(layout, recording, job));
    const hand = svg`<line class="hand" y1=${layout.lanes.top - 4} y2=${layout.y(lanes.length) + 4}></line>`;
    render(
      svg`${columnsOf(layout, subnets)}${intervalsOf(layout, recording)}${lanesOf(layout, recording)}${jobs}${hand}`,
      this.#svg,
    );
    this.#fills = [...this.#svg.querySelectorAll<SVGRectElement>('.column-fill')];
    this.#hand = this.#svg.querySelector<SVGLineElement>('.hand')!;
    this.#bars = [...this.#svg.querySelectorAll('.job')].map((group, at) => {
      const job = this.#jobs[at]!;
      const words = group.querySelector('text') ?? undefined;
      const wordsWidth = roomFor(words?.textContent ?? '');
      return { job, shape: group.querySelector('rect')!, words, wordsWidth, look: undefined };
    });
    this.#mark();
  }

  #mark(): void {
    const waste = this.#jobs.find(({ proof }) => proof === this.#asked)?.waste;
    for (const { job, shape } of this.#bars) {
      shape.classList.toggle('asked', job.proof === this.#asked);
      shape.classList.toggle('instead', waste?.why === 'same' && waste.proof === job.proof);
    }
  }

  draw(timeMs: number): void {
    const recording = this.#recording;
    const layout = this.#layout;
    if (recording === undefined || layout === undefined) return;
    const { slotMs } = recording;
    for (const bar of this.#bars) drawBar(bar, layout, timeMs, slotMs);
    const x = String(layout.x(Math.min(timeMs, slotMs)));
    this.#hand?.setAttribute('x1', x);
    this.#hand?.setAttribute('x2', x);
    const moment = momentOf(recording, this.#jobs, timeMs);
    const { top, height } = layout.columns;
    moment.coverage.subnets.forEach((share, subnet) => {
      const fill = this.#fills[subnet];
      if (fill === undefined) return;
      fill.setAttribute('y', String(top + height * (1 - share)));
      fill.setAttribute('height', String(height * share));
      fill.classList.toggle('whole', share === 1);
    });
    const words = `of the votes · ${count(moment.wasted)} of ${count(moment.merges)} merges wasted`;
    this.#tally = { share: percent(moment.coverage.pooled), words };
    this.#caption();
    const { title } = strategyWords[recording.strategy];
    set(this.#svg, {
      'aria-label': `${title} at ${(timeMs / 1000).toFixed(1)} s: ${this.#tally.share} ${words}, ${moment.busy} of ${recording.lanes.length} provers at work`,
    });
  }

  /** Returns the started job under the pointer, also if the pointer is on the part of a bar that is not drawn yet. */
  #jobAt(event: MouseEvent): LaneJob | undefined {
    const at = this.#layout?.at(...pointIn(this.#svg, event));
    if (at === undefined) return undefined;
    const shown = this.#bars.filter(({ look, job }) => look !== undefined && job.position === at.position);
    return shown.find(({ job }) => job.startMs <= at.timeMs && at.timeMs < job.endMs)?.job;
  }
}

function label(x: number, y: number, words: string, anchor: 'start' | 'middle' | 'end' = 'start'): TemplateResult {
  return svg`<text x=${x} y=${y} text-anchor=${anchor}>${words}</text>`;
}

function columnsOf({ left, columns }: StrategyLayout, subnets: number): TemplateResult {
  const { top, height, width, every } = columns;
  const all = Array.from({ length: subnets }, (_, subnet) => {
    const x = left + subnet * width;
    const wide = Math.max(1, width - 2);
    const name = label(x + width / 2 - 1, top + height + 13, String(subnet), 'middle');
    return svg`<rect class="column" x=${x} width=${wide} y=${top} height=${height}></rect><rect class="column-fill" x=${x} width=${wide}></rect>${subnet % every === 0 ? name : nothing}`;
  });
  const title = width * subnets < wordsRoom ? 'votes by subnet' : 'proposer’s votes by subnet';
  return svg`${label(left, top - 6, title)}${all}`;
}

function intervalsOf(layout: StrategyLayout, { intervalsMs, slotMs, lanes }: LeanRecording): TemplateResult {
  const bottom = layout.y(lanes.length);
  const border = (x: number) => lineFrom('border', [x, layout.lanes.top - 2], [x, bottom + 3]);
  const all = intervalsMs.map((atMs, at) => {
    const x = layout.x(atMs);
    const next = layout.x(intervalsMs[at + 1] ?? slotMs);
    const name = intervalsMs.length === intervalNames.length ? intervalNames[at]! : String(at);
    const title = next - x >= nameRoom ? label((x + next) / 2, layout.lanes.top - 7, name, 'middle') : nothing;
    return svg`${border(x)}${title}${label(x, bottom + 16, (atMs / 1000).toString(), at === 0 ? 'start' : 'middle')}`;
  });
  return svg`${all}${label(layout.x(slotMs), bottom + 16, `${slotMs / 1000} s`, 'end')}${border(layout.x(slotMs))}`;
}

function lanesOf(layout: StrategyLayout, { lanes, subnets, slotMs }: LeanRecording): TemplateResult {
  const each = lanes.length / subnets;
  const { height } = layout.lanes;
  const every = Math.ceil(13 / (each * height));
  const [begin, end] = [layout.x(0), layout.x(slotMs)];
  const all = lanes.map(({ position, subnet, role }) => {
    const y = layout.y(position);
    const number = label(layout.left - 6, Math.max(y + (each * height) / 2 + 4, y + 10), String(subnet), 'end');
    const edge = svg`${lineFrom('lane', [0, y], [begin, y])}${lineFrom('lane across', [begin, y], [end, y])}${subnet % every === 0 ? number : nothing}`;
    const absent = svg`<rect class="absent" x=${begin} y=${y + 1} width=${end - begin} height=${Math.max(1, height - 2)}></rect>${layout.hasWords && role !== null ? label(begin + 5, y + height / 2 + 4, role) : nothing}`;
    return svg`${position % each === 0 ? edge : nothing}${role === null ? nothing : absent}`;
  });
  return svg`${all}${label(layout.left, layout.lanes.top - 22, 'provers, by subnet')}`;
}

/** Returns the width that a bar needs to show words, px. */
function roomFor(words: string): number {
  return words.length * letter.width + letter.around;
}

function jobBar(layout: StrategyLayout, { proofs, slotMs }: LeanRecording, job: LaneJob): TemplateResult {
  const { height } = layout.lanes;
  const [x, y] = [layout.x(job.startMs), layout.y(job.position)];
  const words = subnetsWords(proofs[job.proof]!.shares);
  const fits = layout.hasWords && layout.x(Math.min(job.endMs, slotMs)) - x >= roomFor(words) + 1;
  const text = svg`<text x=${x + letter.around / 2 + 1} y=${y + height / 2 + 4}>${words}</text>`;
  return svg`<g class="job" visibility="hidden"><rect x=${x} y=${y + 1} rx=${Math.min(2, height / 4)} height=${Math.max(2, height - 2)}></rect>${fits ? text : nothing}</g>`;
}

function drawBar(bar: Bar, layout: StrategyLayout, timeMs: number, slotMs: number): void {
  const { job, shape, words } = bar;
  const look = lookOf(job, timeMs, slotMs);
  if (look === 'running' || look !== bar.look) {
    const untilMs = Math.min(timeMs, job.endMs, slotMs);
    const width = look === undefined ? 0 : layout.x(untilMs) - layout.x(job.startMs);
    shape.setAttribute('width', String(Math.max(0, width - (look === 'running' ? 0 : 1))));
    // A growing bar shows its text as soon as there is enough space.
    words?.setAttribute('visibility', width < bar.wordsWidth ? 'hidden' : 'inherit');
  }
  if (look === bar.look) return;
  bar.look = look;
  const group = shape.parentElement!;
  group.setAttribute('visibility', look === undefined ? 'hidden' : 'visible');
  group.setAttribute('class', `job ${look ?? ''}`);
}

/** Shows the work and the outcome of a job, or states that no job is chosen. */
export function drawWhy(host: HTMLElement, recording: LeanRecording | undefined, job: LaneJob | undefined): void {
  host.dataset.outcome = job?.outcome ?? '';
  if (job === undefined || recording === undefined) {
    render(html`<p class="sub">Nothing is chosen.</p>`, host);
    return;
  }
  const [work, outcome] = jobWords(recording, job);
  render(
    html`<h3>${strategyWords[recording.strategy].title}, prover ${job.position}</h3><p>${work}</p><p class="outcome-words">${outcome}</p>`,
    host,
  );
}
