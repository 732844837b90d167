import { thresholdCount, thresholdText } from '@tutti/core';
import { area, curveStepAfter, line, type ScaleLinear, scaleLinear } from 'd3';
import { nothing, render, svg, type TemplateResult } from 'lit-html';
import { count, megabytes, seconds } from '../formatNumber.ts';
import { upperBound } from '../timeline/heldSteps.ts';
import { axisBelow, drawingIn, lineFrom, pointIn, set, textAt } from '../views/drawing.ts';
import { phases } from './clockView.ts';
import type { GlobalTopic, SlotIndex } from './slotIndex.ts';

/** Number of points in a curve: about one point per two pixels of a wide page. */
const points = 600;
/** Minimum width of a bar, pixels. */
const minBarWidth = 12;
/** Possible durations of a bar, ms. */
const barChoicesMs = [10, 20, 50, 100, 200, 250, 500, 1000];

interface ChartLayout {
  readonly width: number;
  readonly left: number;
  readonly right: number;
  readonly phases: { readonly top: number; readonly bottom: number };
  readonly votes: { readonly top: number; readonly bottom: number };
  readonly topic: { readonly top: number; readonly bottom: number };
}

function chartLayout(width: number): ChartLayout {
  const narrow = width < 560;
  const votes = { top: 50, bottom: narrow ? 160 : 180 };
  const topic = { top: votes.bottom + 40, bottom: votes.bottom + (narrow ? 150 : 170) };
  return {
    width,
    left: narrow ? 30 : 40,
    right: width - (narrow ? 34 : 40),
    phases: { top: 0, bottom: 22 },
    votes,
    topic,
  };
}

/** Numbers of messages that the proposer verified during one bar. */
interface TopicBar {
  readonly fromUs: number;
  readonly honest: number;
  readonly byzantine: number;
}

/**
 * Returns the shortest bar duration that divides a time span into at most `maxBars` bars, or else the longest duration,
 * µs.
 */
export function barUs(spanUs: number, maxBars: number): number {
  return 1000 * (barChoicesMs.find((ms) => spanUs / (1000 * ms) <= maxBars) ?? barChoicesMs.at(-1)!);
}

/** Returns the bars for the messages verified by `untilUs`, inclusive, in order of time and without empty bars. */
export function topicBars({ verifiedUs, verifiedByzantine }: GlobalTopic, stepUs: number, untilUs: number): TopicBar[] {
  const bars = new Map<number, { honest: number; byzantine: number }>();
  verifiedUs.forEach((us, at) => {
    if (us > untilUs) return;
    const which = Math.floor(us / stepUs);
    const bar = bars.get(which) ?? { honest: 0, byzantine: 0 };
    bar[verifiedByzantine[at] === 1 ? 'byzantine' : 'honest']++;
    bars.set(which, bar);
  });
  return [...bars].toSorted(([a], [b]) => a - b).map(([which, bar]) => ({ fromUs: which * stepUs, ...bar }));
}

/** Chart of a slot over time: the rounds, the votes, and the traffic on the global topic. */
export class SlotChart {
  readonly #host: HTMLElement;
  readonly #svg: SVGSVGElement;
  #index: SlotIndex | undefined;
  #layout: ChartLayout | undefined;

  constructor(host: HTMLElement, onSeek: (timeUs: number) => void) {
    this.#host = host;
    this.#svg = drawingIn(host, 'slot-chart', 'The slot over time');
    host.addEventListener('pointerdown', (event) => {
      host.setPointerCapture(event.pointerId);
      onSeek(this.#timeUnder(event));
    });
    host.addEventListener('pointermove', (event) => {
      if (host.hasPointerCapture(event.pointerId)) onSeek(this.#timeUnder(event));
    });
  }

  #timeUnder(event: PointerEvent): number {
    if (!this.#layout || !this.#index) return 0;
    const { left, right } = this.#layout;
    const [x] = pointIn(this.#host, event);
    return Math.min(1, Math.max(0, (x - left) / (right - left))) * this.#index.spanUs;
  }

  show(index: SlotIndex): void {
    this.#index = index;
    const { blockReachUs, result, spanUs } = index;
    const share = thresholdText(result.scenario.threshold);
    set(this.#svg, {
      'aria-label': `The slot over ${(spanUs / 1e6).toFixed(0)} s. Time at which the proposer has verified ${share} of the votes: ${blockReachUs === undefined ? 'never' : seconds(blockReachUs)}. Messages on the global topic: ${count(result.topics.global.messages)}.`,
    });
    this.resize();
  }

  resize(): void {
    const index = this.#index;
    if (!index) return;
    const layout = chartLayout(Math.max(280, this.#host.clientWidth));
    this.#layout = layout;
    const { width, left, right, topic } = layout;
    const x = scaleLinear([0, index.spanUs], [left, right]);
    set(this.#svg, { width, height: topic.bottom + 26 });
    const axis = axisBelow(scaleLinear([0, index.spanUs / 1e6], [left, right]), topic.bottom, 's');
    render(
      svg`${this.#phases(x)}${this.#votes(x)}${this.#topic(x)}${axis}<path class="veil"></path>${this.#reached(x)}<line class="playhead" y1="0" y2=${topic.bottom + 4}></line>`,
      this.#svg,
    );
    for (const name of this.#svg.querySelectorAll<SVGTextElement>('.round-name')) {
      name.style.display = '';
      if (name.getComputedTextLength() > Number(name.dataset.room)) name.style.display = 'none';
    }
  }

  #phases(x: ScaleLinear<number, number>): unknown {
    const [{ clock, spanUs }, { phases: strip, votes, topic }] = [this.#index!, this.#layout!];
    const all = phases(this.#index!).map((phase) => ({ ...phase, kind: 'round' }));
    if (spanUs > clock.endUs)
      all.push({ fromUs: clock.endUs, toUs: spanUs, name: 'too late for the next block', kind: 'round over' });
    return all.map(({ fromUs, toUs, name, kind }) => {
      const [from, to] = [x(fromUs), x(toUs)];
      const edge = fromUs === clock.endUs ? 'round-edge end' : 'round-edge';
      const edges = [votes, topic].map((box) => lineFrom(edge, [from, box.top], [from, box.bottom]));
      return svg`<rect class=${kind} x=${from + 0.5} width=${Math.max(0, to - from - 1)} y=${strip.bottom - 4} height="3"></rect><text class="round-name" data-room=${to - from - 4} x=${from + 2} y=${strip.bottom - 9}>${name}</text>${fromUs === 0 ? nothing : edges}`;
    });
  }

  /** Returns the scale that maps a number of votes to a height in the drawing. */
  #heightOfVotes(): ScaleLinear<number, number> {
    const [{ sorted }, { votes }] = [this.#index!, this.#layout!];
    return scaleLinear([0, Math.max(1, sorted.castUs.length)], [votes.bottom, votes.top]);
  }

  #votes(x: ScaleLinear<number, number>): TemplateResult {
    const [{ sorted, result, spanUs }, { votes, left, right }] = [this.#index!, this.#layout!];
    const voters = sorted.castUs.length;
    const y = this.#heightOfVotes();
    const times = timesOf(spanUs);
    const columns = [
      ['cast', sorted.castUs],
      ['seen', sorted.seenUs],
      ['reach', sorted.reachUs],
    ] as const;
    const curves = columns.map(([name, column]) => {
      const height = (us: number) => y(upperBound(column, us));
      const since = times.slice(Math.max(0, times.findIndex((us) => upperBound(column, us) > 0) - 1));
      const shape = area<number>(x, votes.bottom, height).curve(curveStepAfter);
      const filled = name === 'reach' ? svg`<path class="reach-area" d=${shape(since)}></path>` : nothing;
      return svg`${filled}<path class="votes ${name}" d=${line<number>(x, height).curve(curveStepAfter)(since)}></path>`;
    });
    const threshold = y(thresholdCount(result.scenario.threshold, voters));
    return svg`${curves}${lineFrom('base', [left, votes.bottom], [right, votes.bottom])}${lineFrom('threshold', [left, threshold], [right, threshold])}${side(`of ${count(voters)} votes`, left, votes.top - 12, 'start')}`;
  }

  /**
   * Draws the time at which the threshold's share of the votes is in reach. The time is never veiled, because it is the
   * main result.
   */
  #reached(x: ScaleLinear<number, number>): unknown {
    const [{ result, blockReachUs, sorted }, { left, right, width }] = [this.#index!, this.#layout!];
    if (blockReachUs === undefined) return nothing;
    const { threshold } = result.scenario;
    const at = x(blockReachUs);
    const y = this.#heightOfVotes()(thresholdCount(threshold, sorted.castUs.length));
    const isRight = at > (left + right) / 2;
    const words = `${thresholdText(threshold)}${width < 560 ? '' : ' verified'} at ${seconds(blockReachUs)}`;
    return svg`<circle class="reached" cx=${at} cy=${y} r="4"></circle>${textAt('threshold-name', [at + (isRight ? -9 : 9), y + 20], words, { anchor: isRight ? 'end' : 'start' })}`;
  }

  #topic(x: ScaleLinear<number, number>): TemplateResult {
    const [{ topic, spanUs }, { topic: box, left, right }] = [this.#index!, this.#layout!];
    const stepUs = barUs(spanUs, (right - left) / minBarWidth);
    const all = topicBars(topic, stepUs, spanUs);
    const rate = (messages: number) => messages / (stepUs / 1e6);
    const maxRate = Math.max(1, ...all.map(({ honest, byzantine }) => rate(honest + byzantine)));
    const y = scaleLinear([0, maxRate], [box.bottom, box.top]).nice(4);
    const wide = Math.max(1, x(stepUs) - x(0) - 0.5);
    const bars = all.map(({ fromUs, honest, byzantine }) => {
      const bar = (kind: string, from: number, to: number) =>
        svg`<rect class=${kind} x=${x(fromUs)} width=${wide} y=${y(rate(to))} height=${y(rate(from)) - y(rate(to))}></rect>`;
      return [
        bar('arrived', 0, honest),
        byzantine > 0 ? bar('arrived byzantine', honest, honest + byzantine) : nothing,
      ];
    });
    const bytes = topic.messageBytes * topic.sentUs.length;
    const yBytes = scaleLinear([0, Math.max(1, bytes)], [box.bottom, box.top]);
    const times = timesOf(spanUs);
    const curve = (name: string, column: Int32Array) =>
      svg`<path class="bytes ${name}" d=${line<number>(x, (us) => yBytes(upperBound(column, us) * topic.messageBytes)).curve(curveStepAfter)(times)}></path>`;
    return svg`${bars}${curve('sent', topic.sentUs)}${curve('verified', topic.verifiedUs)}${[
      side('messages/s that the proposer verifies', left, box.top - 12, 'start'),
      side('MB so far', right, box.top - 12, 'end'),
      side(count(Math.round(y.domain()[1]!)), left - 8, box.top + 4, 'end'),
      side('0', left - 8, box.bottom, 'end'),
      side(megabytes(bytes), right + 8, box.top + 4, 'start'),
      side('0', right + 8, box.bottom, 'start'),
    ]}`;
  }

  draw(timeUs: number): void {
    const [index, layout] = [this.#index, this.#layout];
    if (!index || !layout) return;
    const x = layout.left + (timeUs / index.spanUs) * (layout.right - layout.left);
    set(this.#svg.querySelector('.playhead'), { x1: x, x2: x });
    const covered = [{ top: layout.phases.bottom - 4, bottom: layout.phases.bottom - 1 }, layout.votes, layout.topic];
    const veil = covered.map(({ top, bottom }) => `M${x} ${top - 2}H${layout.right + 2}V${bottom + 1}H${x}Z`);
    set(this.#svg.querySelector('.veil'), { d: veil.join('') });
  }
}

/** Returns the times of the points of a curve, µs. */
function timesOf(spanUs: number): number[] {
  return Array.from({ length: points + 1 }, (_, step) => (step / points) * spanUs);
}

function side(text: string, x: number, y: number, anchor: 'start' | 'end'): TemplateResult {
  return textAt('side', [x, y], text, { anchor });
}
