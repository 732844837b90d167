import { area, axisBottom, line, type ScaleLinear, scaleLinear, select } from 'd3';
import { figure } from '../numberWords.ts';
import type { NetworkLane } from './networkFile.ts';

const panelHeight = 132;
const panelGap = 34;

/**
 * The global topic as a queue that fills: what was sent, what a node of each class has verified, and between them what
 * waits.
 */
export class QueueView {
  readonly #host: HTMLElement;
  readonly #svg;
  #lane: NetworkLane | undefined;
  #x: ScaleLinear<number, number> = scaleLinear();

  constructor(host: HTMLElement) {
    this.#host = host;
    this.#svg = select(host)
      .append('svg')
      .attr('class', 'queue')
      .attr('role', 'img')
      .attr('aria-label', 'Messages of the global topic');
  }

  show(lane: NetworkLane): void {
    this.#lane = lane;
    this.resize();
  }

  resize(): void {
    const lane = this.#lane;
    const width = Math.max(280, this.#host.clientWidth);
    if (lane === undefined) return;
    const { steps, scenario, result } = lane;
    const { sent, verified, stepMs } = steps;
    const count = sent.length;
    const [left, right] = [12, width - 12];
    // From a second before the first message until everything is verified, or the slot ends.
    const first = Math.max(0, sent.findIndex((messages) => messages > 0) - Math.round(1000 / stepMs));
    const done = sent.findIndex(
      (_, step) => step > first && verified.every((counts) => counts[step]! >= 0.999 * result.globalMessages),
    );
    const last = done === -1 ? count - 1 : Math.min(count - 1, done + Math.round(2000 / stepMs));
    this.#x = scaleLinear([first, last], [left, right]).clamp(true);
    const x = this.#x;
    const svg = this.#svg;
    svg.selectAll('*').remove();
    const height = scenario.links.length * (panelHeight + panelGap) + 20;
    svg.attr('width', width).attr('height', height);
    scenario.links.forEach(({ name }, of) => {
      const top = of * (panelHeight + panelGap) + 24;
      const y = scaleLinear([0, Math.max(1, result.globalMessages)], [top + panelHeight - 24, top]);
      const places = sent.map((_, step) => step).slice(first, last + 1);
      const between = area<number>()
        .x((step) => x(step))
        .y0((step) => y(verified[of]![step]!))
        .y1((step) => y(sent[step]!));
      const below = area<number>()
        .x((step) => x(step))
        .y0(y(0))
        .y1((step) => y(verified[of]![step]!));
      const edge = line<number>()
        .x((step) => x(step))
        .y((step) => y(sent[step]!));
      const panel = svg.append('g');
      panel.append('path').attr('class', 'verified').attr('d', below(places));
      panel.append('path').attr('class', 'waits').attr('d', between(places));
      panel.append('path').attr('class', 'sent').attr('d', edge(places));
      panel.append('line').attr('class', 'base').attr('x1', left).attr('x2', right).attr('y1', y(0)).attr('y2', y(0));
      panel
        .append('text')
        .attr('class', 'name')
        .attr('x', 0)
        .attr('y', top - 10)
        .text(name);
      panel
        .append('text')
        .attr('class', 'now')
        .attr('data-of', of)
        .attr('x', right)
        .attr('y', top - 10);
    });
    const bottom = height - 26;
    const seconds = scaleLinear([(first * stepMs) / 1000, (last * stepMs) / 1000], [left, right]);
    const axis = axisBottom(seconds)
      .ticks(Math.max(3, Math.floor((right - left) / 90)))
      .tickSize(4)
      .tickFormat((value) => `${value} s`);
    svg.append('g').attr('class', 'axis').attr('transform', `translate(0,${bottom})`).call(axis);
    svg.append('line').attr('class', 'playhead').attr('y1', 14).attr('y2', bottom);
  }

  draw(step: number): void {
    const lane = this.#lane;
    if (lane === undefined) return;
    const { sent, verified } = lane.steps;
    this.#svg.select('.playhead').attr('x1', this.#x(step)).attr('x2', this.#x(step));
    const words = lane.scenario.links.map(({ name }, of) => {
      const waits = Math.max(0, Math.round(sent[step]! - verified[of]![step]!));
      const now = `${figure(waits)} of ${figure(Math.round(sent[step]!))} wait`;
      this.#svg.select(`[data-of="${of}"]`).text(now);
      return `at a ${name} node ${now}`;
    });
    this.#svg.attr('aria-label', `Messages of the global topic: ${words.join(', ')}.`);
  }
}
