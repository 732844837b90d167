import type { LeanRecording, LeanRival } from '@tutti/ethereum/lean';
import { type Selection, select } from 'd3';
import { made } from '../made.ts';
import { count } from '../numberWords.ts';
import { type JobLook, jobsOf, type LaneJob, lookOf, momentOf, subnetsWords } from './leanMoment.ts';
import { percent, rivalWords } from './leanWords.ts';
import { type RivalLayout, rivalLayout } from './rivalLayout.ts';

export interface RivalPanelListener {
  /** Another rival was chosen for the place; undefined where it cannot be. */
  choose?(rival: LeanRival): void;
  /** A bar was pressed; undefined where none can be. */
  ask?(job: LaneJob): void;
  /** How high a drawing may be, px; undefined for as high as it likes. */
  room?(): number;
}

/** Names of the slot's intervals, as many as a chain of five has. */
const intervalNames = ['block', 'votes', 'proofs', 'safe', 'known'];
/** What they need, and what the words over the columns do, px. */
const nameRoom = 38;
const wordsRoom = 200;
/** About what a letter in a bar takes, and the space around it, px. */
const letter = { width: 6.4, around: 6 };

interface Bar {
  readonly job: LaneJob;
  readonly shape: SVGRectElement;
  readonly words: SVGTextElement | undefined;
  readonly wordsWidth: number;
  look: JobLook | undefined;
}

/** One rival's slot: the next proposer's votes as columns of subnets, and its provers' work as lanes. */
export class RivalPanel {
  readonly element = made('figure', { className: 'rival' });
  readonly #on: RivalPanelListener;
  readonly #choice = document.createElement('select');
  readonly #name = document.createElement('h3');
  readonly #how = made('p', { className: 'sub how' });
  readonly #share = document.createElement('strong');
  readonly #words = document.createElement('span');
  readonly #svg: Selection<SVGSVGElement, unknown, null, undefined>;
  #recording: LeanRecording | undefined;
  #jobs: readonly LaneJob[] = [];
  #layout: RivalLayout | undefined;
  #bars: Bar[] = [];
  #fills: SVGRectElement[] = [];
  #hand: SVGLineElement | undefined;
  #asked: number | undefined;

  /** @param place counted from 1, for whoever does not see where it is. */
  constructor(place: number, on: RivalPanelListener) {
    this.#on = on;
    this.element.dataset.testid = `rival-${place}`;
    for (const rival of Object.keys(rivalWords) as LeanRival[])
      this.#choice.add(new Option(rivalWords[rival].title, rival));
    this.#choice.setAttribute('aria-label', `Rival ${place}`);
    this.#choice.addEventListener('change', () => on.choose?.(this.#choice.value as LeanRival));
    const tally = made('p', { className: 'tally' }, this.#share, ' ', this.#words);
    const host = document.createElement('div');
    this.#svg = select(host).append('svg').attr('class', 'rival-slot').attr('role', 'img');
    const caption = made('figcaption', {}, on.choose === undefined ? this.#name : this.#choice, this.#how, tally);
    this.element.append(caption, host);
    host.addEventListener('click', (event) => {
      const job = this.#jobAt(event);
      if (job !== undefined) on.ask?.(job);
    });
    host.addEventListener('pointermove', (event) => {
      host.style.cursor = on.ask === undefined || this.#jobAt(event) === undefined ? '' : 'pointer';
    });
  }

  set rival(rival: LeanRival) {
    this.#choice.value = rival;
    this.#name.textContent = rivalWords[rival].title;
    this.#how.textContent = rivalWords[rival].how;
  }

  /** @param recording undefined while it is being played. */
  show(recording: LeanRecording | undefined): void {
    this.element.setAttribute('aria-busy', String(recording === undefined));
    if (recording === this.#recording) return;
    this.#recording = recording;
    this.#jobs = recording === undefined ? [] : jobsOf(recording);
    this.layOut();
  }

  /** The proof that is asked about, and with it the one that made it a duplicate. */
  set asked(proof: number | undefined) {
    this.#asked = proof;
    this.#mark();
  }

  /** Draws what stays, for the width that there is now. */
  layOut(): void {
    const recording = this.#recording;
    this.#svg.selectAll('*').remove();
    this.#bars = [];
    this.#fills = [];
    if (recording === undefined) return;
    const { subnets, lanes, slotMs } = recording;
    const width = this.element.clientWidth;
    if (width === 0) return;
    const layout = rivalLayout(width, { subnets, provers: lanes.length, slotMs }, this.#on.room?.());
    this.#layout = layout;
    this.#svg.classed('thin', layout.lanes.height < 6);
    this.#svg.attr('width', width).attr('height', layout.height).attr('viewBox', `0 0 ${width} ${layout.height}`);
    this.#drawColumns(layout, subnets);
    this.#drawIntervals(layout, recording);
    this.#drawLanes(layout, recording);
    this.#bars = this.#jobs.map((job) => this.#addBar(layout, recording, job));
    const hand = this.#svg.append('line').attr('class', 'hand');
    this.#hand = hand
      .attr('y1', layout.lanes.top - 4)
      .attr('y2', layout.y(lanes.length) + 4)
      .node()!;
    this.#mark();
  }

  #label(x: number, y: number, words: string, anchor = 'start'): void {
    this.#svg.append('text').attr('x', x).attr('y', y).attr('text-anchor', anchor).text(words);
  }

  #drawColumns({ left, columns }: RivalLayout, subnets: number): void {
    const { top, height, width, every } = columns;
    this.#label(
      left,
      top - 6,
      width * subnets < wordsRoom ? 'votes by subnet' : 'subnets: votes that the proposer has',
    );
    for (let subnet = 0; subnet < subnets; subnet++) {
      const x = left + subnet * width;
      const column = () =>
        this.#svg
          .append('rect')
          .attr('x', x)
          .attr('width', Math.max(1, width - 2));
      column().attr('class', 'column').attr('y', top).attr('height', height);
      this.#fills.push(column().attr('class', 'column-fill').node()!);
      if (subnet % every === 0) this.#label(x + width / 2 - 1, top + height + 13, String(subnet), 'middle');
    }
  }

  #drawIntervals(layout: RivalLayout, { intervalsMs, slotMs, lanes }: LeanRecording): void {
    const bottom = layout.y(lanes.length);
    intervalsMs.forEach((atMs, at) => {
      const x = layout.x(atMs);
      const next = layout.x(intervalsMs[at + 1] ?? slotMs);
      this.#svg.append('line').attr('class', 'border').attr('x1', x).attr('x2', x);
      const name = intervalsMs.length === intervalNames.length ? intervalNames[at]! : String(at);
      if (next - x >= nameRoom) this.#label((x + next) / 2, layout.lanes.top - 7, name, 'middle');
      this.#label(x, bottom + 16, (atMs / 1000).toString(), at === 0 ? 'start' : 'middle');
    });
    this.#label(layout.x(slotMs), bottom + 16, `${slotMs / 1000} s`, 'end');
    this.#svg.append('line').attr('class', 'border').attr('x1', layout.x(slotMs)).attr('x2', layout.x(slotMs));
    this.#svg
      .selectAll('.border')
      .attr('y1', layout.lanes.top - 2)
      .attr('y2', bottom + 3);
  }

  #drawLanes(layout: RivalLayout, { lanes, subnets }: LeanRecording): void {
    const each = lanes.length / subnets;
    const every = Math.ceil(13 / (each * layout.lanes.height));
    for (const { position, subnet, role } of lanes) {
      const y = layout.y(position);
      if (position % each === 0) {
        this.#svg
          .append('line')
          .attr('class', 'lane')
          .attr('x1', 0)
          .attr('x2', layout.x(0))
          .attr('y1', y)
          .attr('y2', y)
          .clone()
          .attr('class', 'lane across')
          .attr('x1', layout.x(0))
          .attr('x2', layout.width - 4);
        if (subnet % every === 0) {
          const middle = y + (each * layout.lanes.height) / 2 + 4;
          this.#label(layout.left - 6, Math.max(middle, y + 10), String(subnet), 'end');
        }
      }
      if (role === null) continue;
      const box = this.#svg
        .append('rect')
        .attr('class', 'absent')
        .attr('x', layout.x(0))
        .attr('y', y + 1);
      box.attr('width', layout.width - 4 - layout.x(0)).attr('height', Math.max(1, layout.lanes.height - 2));
      if (layout.hasWords) this.#label(layout.x(0) + 5, y + layout.lanes.height / 2 + 4, role);
    }
    this.#label(layout.left, layout.lanes.top - 22, 'provers, by subnet');
  }

  #addBar(layout: RivalLayout, { proofs, slotMs }: LeanRecording, job: LaneJob): Bar {
    const height = layout.lanes.height;
    const y = layout.y(job.position);
    const x = layout.x(job.startMs);
    const words = subnetsWords(proofs[job.proof]!.shares);
    const room = layout.x(Math.min(job.endMs, slotMs)) - x;
    const group = this.#svg.append('g').attr('class', 'job').attr('data-proof', job.proof).attr('visibility', 'hidden');
    const shape = group
      .append('rect')
      .attr('x', x)
      .attr('y', y + 1)
      .attr('rx', Math.min(2, height / 4));
    shape.attr('height', Math.max(2, height - 2));
    const wordsWidth = words.length * letter.width + letter.around;
    const fits = layout.hasWords && room >= wordsWidth + 1;
    const text = fits
      ? group
          .append('text')
          .attr('x', x + letter.around / 2 + 1)
          .attr('y', y + height / 2 + 4)
          .text(words)
          .node()!
      : undefined;
    return { job, shape: shape.node()!, words: text, wordsWidth, look: undefined };
  }

  #mark(): void {
    const vain = this.#jobs.find(({ proof }) => proof === this.#asked)?.vain;
    for (const { job, shape } of this.#bars) {
      shape.classList.toggle('asked', job.proof === this.#asked);
      shape.classList.toggle('instead', vain?.why === 'same' && vain.proof === job.proof);
    }
  }

  draw(timeMs: number): void {
    const recording = this.#recording;
    const layout = this.#layout;
    if (recording === undefined || layout === undefined) {
      this.#share.textContent = '';
      this.#words.textContent = 'being played …';
      return;
    }
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
    this.#share.textContent = percent(moment.coverage.pooled);
    const words = `of the votes · ${moment.vain} of ${count(moment.merges)} merges in vain`;
    if (this.#words.textContent !== words) this.#words.textContent = words;
    const { title } = rivalWords[recording.rival];
    const label = `${title} at ${(timeMs / 1000).toFixed(1)} s: ${percent(moment.coverage.pooled)} ${words}, ${moment.busy} of ${recording.lanes.length} provers at work`;
    this.#svg.attr('aria-label', label);
  }

  /** The job under a pointer. */
  #jobAt({ clientX, clientY }: MouseEvent): LaneJob | undefined {
    const box = this.#svg.node()!.getBoundingClientRect();
    const at = this.#layout?.at(clientX - box.left, clientY - box.top);
    if (at === undefined) return undefined;
    const shown = this.#bars.filter(({ look, job }) => look !== undefined && job.position === at.position);
    return shown.find(({ job }) => job.startMs <= at.timeMs && at.timeMs < job.endMs)?.job;
  }
}

function drawBar(bar: Bar, layout: RivalLayout, timeMs: number, slotMs: number): void {
  const { job, shape, words } = bar;
  const look = lookOf(job, timeMs, slotMs);
  if (look === 'running' || look !== bar.look) {
    const untilMs = Math.min(timeMs, job.endMs, slotMs);
    const width = look === undefined ? 0 : layout.x(untilMs) - layout.x(job.startMs);
    shape.setAttribute('width', String(Math.max(0, width - (look === 'running' ? 0 : 1))));
    // While it grows its words wait for room.
    words?.setAttribute('visibility', width < bar.wordsWidth ? 'hidden' : 'inherit');
  }
  if (look === bar.look) return;
  bar.look = look;
  const group = shape.parentElement!;
  group.setAttribute('visibility', look === undefined ? 'hidden' : 'visible');
  group.setAttribute('class', `job ${look ?? ''}`);
}
