import { thresholdCount, thresholdText } from '@tutti/core';
import { area, axisBottom, curveStepAfter, line, type ScaleLinear, scaleLinear, select } from 'd3';
import { figure } from '../numberWords.ts';
import { countUntil, type GlobalTopic, type SlotIndex } from './slotIndex.ts';
import { megabytes, phases, seconds } from './words.ts';

/** Points of a curve: about one for two pixels of a wide page. */
const points = 600;
/** A bar is about as wide, in pixels, and a round number of milliseconds long. */
const leastBarWidth = 12;
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

/** Messages that the proposer verified in one bar's time. */
export interface TopicBar {
  readonly fromUs: number;
  readonly toUs: number;
  readonly honest: number;
  readonly byzantine: number;
}

/** The length of a bar, so that a span of time has at most this many. */
export function barUs(spanUs: number, mostBars: number): number {
  return 1000 * (barChoicesMs.find((ms) => spanUs / (1000 * ms) <= mostBars) ?? barChoicesMs.at(-1)!);
}

/** The bars that are not empty, in order. */
export function topicBars({ verifiedUs, verifiedByzantine }: GlobalTopic, stepUs: number, untilUs: number): TopicBar[] {
  const bars = new Map<number, { honest: number; byzantine: number }>();
  verifiedUs.forEach((us, at) => {
    if (us > untilUs) return;
    const which = Math.floor(us / stepUs);
    const bar = bars.get(which) ?? { honest: 0, byzantine: 0 };
    bar[verifiedByzantine[at] === 1 ? 'byzantine' : 'honest']++;
    bars.set(which, bar);
  });
  return [...bars]
    .toSorted(([a], [b]) => a - b)
    .map(([which, bar]) => ({ fromUs: which * stepUs, toUs: (which + 1) * stepUs, ...bar }));
}

/** The slot over time: its rounds, the votes, and the traffic on the global topic. */
export class SlotChart {
  readonly #host: HTMLElement;
  readonly #svg;
  #index: SlotIndex | undefined;
  #layout: ChartLayout | undefined;

  constructor(host: HTMLElement, onSeek: (timeUs: number) => void) {
    this.#host = host;
    this.#svg = select(host)
      .append('svg')
      .attr('class', 'slot-chart')
      .attr('role', 'img')
      .attr('aria-label', 'The slot over time');
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
    const share = (event.clientX - this.#host.getBoundingClientRect().left - left) / (right - left);
    return Math.min(1, Math.max(0, share)) * this.#index.spanUs;
  }

  show(index: SlotIndex): void {
    this.#index = index;
    this.resize();
  }

  resize(): void {
    const index = this.#index;
    if (!index) return;
    const layout = chartLayout(Math.max(280, this.#host.clientWidth));
    this.#layout = layout;
    const { width, left, right, topic } = layout;
    const x = scaleLinear([0, index.spanUs], [left, right]);
    const svg = this.#svg;
    svg.selectAll('*').remove();
    svg.attr('width', width).attr('height', topic.bottom + 26);
    this.#drawPhases(x);
    this.#drawVotes(x);
    this.#drawTopic(x);
    const axis = axisBottom(scaleLinear([0, index.spanUs / 1e6], [left, right]))
      .ticks(Math.max(3, Math.floor((right - left) / 90)))
      .tickSize(4)
      .tickFormat((value) => `${value} s`);
    svg.append('g').attr('class', 'axis').attr('transform', `translate(0,${topic.bottom})`).call(axis);
    svg.append('path').attr('class', 'veil');
    this.#markReach(x);
    svg
      .append('line')
      .attr('class', 'playhead')
      .attr('y1', 0)
      .attr('y2', topic.bottom + 4);
  }

  #drawPhases(x: ScaleLinear<number, number>): void {
    const [index, { phases: strip, votes, topic }] = [this.#index!, this.#layout!];
    const svg = this.#svg;
    const all = phases(index).map(({ fromUs, toUs, name }) => ({ fromUs, toUs, name, className: 'round' }));
    if (index.spanUs > index.clock.endUs)
      all.push({
        fromUs: index.clock.endUs,
        toUs: index.spanUs,
        name: 'too late for the next block',
        className: 'round over',
      });
    for (const { fromUs, toUs, name, className } of all) {
      const [from, to] = [x(fromUs), x(toUs)];
      svg
        .append('rect')
        .attr('class', className)
        .attr('x', from + 0.5)
        .attr('width', Math.max(0, to - from - 1))
        .attr('y', strip.bottom - 4)
        .attr('height', 3);
      const text = svg
        .append('text')
        .attr('class', 'round-name')
        .attr('x', from + 2)
        .attr('y', strip.bottom - 9)
        .text(name);
      if (text.node()!.getComputedTextLength() > to - from - 4) text.remove();
      if (fromUs === 0) continue;
      for (const box of [votes, topic])
        svg
          .append('line')
          .attr('class', fromUs === index.clock.endUs ? 'round-edge end' : 'round-edge')
          .attr('x1', from)
          .attr('x2', from)
          .attr('y1', box.top)
          .attr('y2', box.bottom);
    }
  }

  #drawVotes(x: ScaleLinear<number, number>): void {
    const [index, { votes, left, right }] = [this.#index!, this.#layout!];
    const svg = this.#svg;
    const { sorted, result, spanUs } = index;
    const voters = sorted.castUs.length;
    const y = scaleLinear([0, Math.max(1, voters)], [votes.bottom, votes.top]);
    const times = Array.from({ length: points + 1 }, (_, step) => (step / points) * spanUs);
    const columns = [
      ['cast', sorted.castUs],
      ['seen', sorted.seenUs],
      ['reach', sorted.reachUs],
    ] as const;
    for (const [name, column] of columns) {
      const height = (us: number) => y(countUntil(column, us));
      const since = times.slice(Math.max(0, times.findIndex((us) => countUntil(column, us) > 0) - 1));
      if (name === 'reach') {
        const shape = area<number>().x(x).y0(votes.bottom).y1(height).curve(curveStepAfter);
        svg.append('path').attr('class', 'reach-area').attr('d', shape(since));
      }
      svg
        .append('path')
        .attr('class', `votes ${name}`)
        .attr('d', line<number>().x(x).y(height).curve(curveStepAfter)(since));
    }
    this.#baseline(votes.bottom);
    const threshold = y(thresholdCount(result.scenario.threshold, voters));
    svg
      .append('line')
      .attr('class', 'threshold')
      .attr('x1', left)
      .attr('x2', right)
      .attr('y1', threshold)
      .attr('y2', threshold);
    this.#side(`of ${figure(voters)} votes`, left, votes.top - 12, 'start');
  }

  /** When the threshold is in reach: not under the veil, since this is what one waits for. */
  #markReach(x: ScaleLinear<number, number>): void {
    const [{ result, blockReachUs }, { votes, left, right, width }] = [this.#index!, this.#layout!];
    if (blockReachUs === undefined) return;
    const { threshold } = result.scenario;
    const voters = Math.max(1, this.#index!.sorted.castUs.length);
    const at = x(blockReachUs);
    const y = votes.bottom - (thresholdCount(threshold, voters) / voters) * (votes.bottom - votes.top);
    const isRight = at > (left + right) / 2;
    this.#svg.append('circle').attr('class', 'reached').attr('cx', at).attr('cy', y).attr('r', 4);
    this.#svg
      .append('text')
      .attr('class', 'threshold-name')
      .attr('x', at + (isRight ? -9 : 9))
      .attr('y', y + 20)
      .attr('text-anchor', isRight ? 'end' : 'start')
      .text(`${thresholdText(threshold)}${width < 560 ? '' : ' in reach'} at ${seconds(blockReachUs)}`);
  }

  #drawTopic(x: ScaleLinear<number, number>): void {
    const [index, { topic: box, left, right }] = [this.#index!, this.#layout!];
    const svg = this.#svg;
    const { topic, spanUs } = index;
    const stepUs = barUs(spanUs, (right - left) / leastBarWidth);
    const bars = topicBars(topic, stepUs, spanUs);
    const rate = (messages: number) => messages / (stepUs / 1e6);
    const mostRate = Math.max(1, ...bars.map(({ honest, byzantine }) => rate(honest + byzantine)));
    const y = scaleLinear([0, mostRate], [box.bottom, box.top]).nice(4);
    const wide = Math.max(1, x(stepUs) - x(0) - 0.5);
    for (const { fromUs, honest, byzantine } of bars) {
      const bar = (className: string, from: number, to: number) =>
        svg
          .append('rect')
          .attr('class', className)
          .attr('x', x(fromUs))
          .attr('width', wide)
          .attr('y', y(rate(to)))
          .attr('height', y(rate(from)) - y(rate(to)));
      bar('arrived', 0, honest);
      if (byzantine > 0) bar('arrived byzantine', honest, honest + byzantine);
    }
    const bytes = topic.messageBytes * topic.sentUs.length;
    const yBytes = scaleLinear([0, Math.max(1, bytes)], [box.bottom, box.top]);
    const times = Array.from({ length: points + 1 }, (_, step) => (step / points) * spanUs);
    for (const [name, column] of [
      ['sent', topic.sentUs],
      ['verified', topic.verifiedUs],
    ] as const) {
      const curve = line<number>()
        .x((us) => x(us))
        .y((us) => yBytes(countUntil(column, us) * topic.messageBytes))
        .curve(curveStepAfter);
      svg.append('path').attr('class', `bytes ${name}`).attr('d', curve(times));
    }
    this.#side('messages/s that the proposer verifies', left, box.top - 12, 'start');
    this.#side('MB so far', right, box.top - 12, 'end');
    this.#side(figure(Math.round(y.domain()[1]!)), left - 8, box.top + 4, 'end');
    this.#side('0', left - 8, box.bottom, 'end');
    this.#side(megabytes(bytes), right + 8, box.top + 4, 'start');
    this.#side('0', right + 8, box.bottom, 'start');
  }

  #baseline(y: number): void {
    const { left, right } = this.#layout!;
    this.#svg.append('line').attr('class', 'base').attr('x1', left).attr('x2', right).attr('y1', y).attr('y2', y);
  }

  #side(text: string, x: number, y: number, anchor: 'start' | 'end'): void {
    this.#svg.append('text').attr('class', 'side').attr('x', x).attr('y', y).attr('text-anchor', anchor).text(text);
  }

  draw(timeUs: number): void {
    const [index, layout] = [this.#index, this.#layout];
    if (!index || !layout) return;
    const x = layout.left + (timeUs / index.spanUs) * (layout.right - layout.left);
    this.#svg.select('.playhead').attr('x1', x).attr('x2', x);
    const covered = [{ top: layout.phases.bottom - 4, bottom: layout.phases.bottom - 1 }, layout.votes, layout.topic];
    const veil = covered.map(({ top, bottom }) => `M${x} ${top - 2}H${layout.right + 2}V${bottom + 1}H${x}Z`);
    this.#svg.select('.veil').attr('d', veil.join(''));
    const { blockReachUs, result } = index;
    this.#svg.attr(
      'aria-label',
      `The slot over ${(index.spanUs / 1e6).toFixed(0)} s: 99 % of the votes in reach ${blockReachUs === undefined ? 'never' : `at ${seconds(blockReachUs)}`}; ${figure(result.topics.global.messages)} messages on the global topic.`,
    );
  }
}
