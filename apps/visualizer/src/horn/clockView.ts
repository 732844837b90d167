import { arc, type Selection, select } from 'd3';
import { type Phase, phaseAt, seconds } from './words.ts';

const width = 340;
const height = 236;
const outer = 84;
const inner = 72;

/** What a slot's clock shows. */
export interface SlotDial {
  readonly phases: readonly Phase[];
  readonly endUs: number;
  /** When the threshold's share of the votes is in reach; undefined for never. */
  readonly reachUs: number | undefined;
}

/** The slot as a clock: once round is one slot, the arcs are its rounds. */
export class ClockView {
  readonly #svg: Selection<SVGSVGElement, unknown, null, undefined>;
  #phases: readonly Phase[] = [];
  #endUs = 1;

  constructor(host: HTMLElement) {
    this.#svg = select(host)
      .append('svg')
      .attr('class', 'slot-clock')
      .attr('viewBox', `${-width / 2} ${-height / 2} ${width} ${height}`)
      .attr('role', 'img')
      .attr('aria-label', 'The clock of the slot');
  }

  show({ phases, endUs, reachUs = Number.POSITIVE_INFINITY }: SlotDial): void {
    this.#phases = phases;
    this.#endUs = endUs;
    const svg = this.#svg;
    svg.selectAll('*').remove();
    const ring = arc<Phase>()
      .innerRadius(inner)
      .outerRadius(outer)
      .startAngle(({ fromUs }) => this.#angle(fromUs))
      .endAngle(({ toUs }) => this.#angle(toUs))
      .padAngle(0.035);
    svg.selectAll('.phase').data(this.#phases).join('path').attr('class', 'phase').attr('d', ring);
    svg
      .selectAll('.phase-name')
      .data(this.#phases)
      .join('text')
      .attr('class', 'phase-name')
      .each((phase, place, texts) => {
        const [x, y] = this.#at((phase.fromUs + phase.toUs) / 2, outer + 11);
        select(texts[place]!)
          .attr('x', x)
          .attr('y', y)
          .attr('dy', '0.34em')
          .attr('text-anchor', Math.abs(x) < 12 ? 'middle' : x > 0 ? 'start' : 'end')
          .text(phase.name);
      });
    if (reachUs <= this.#endUs) {
      const [from, to] = [this.#at(reachUs, inner - 7), this.#at(reachUs, outer + 4)];
      svg
        .append('line')
        .attr('class', 'reach-mark')
        .attr('x1', from[0])
        .attr('y1', from[1])
        .attr('x2', to[0])
        .attr('y2', to[1]);
    }
    svg.append('path').attr('class', 'gone');
    svg.append('line').attr('class', 'hand');
    svg.append('text').attr('class', 'time').attr('y', 2);
    svg.append('text').attr('class', 'of').attr('y', 23);
  }

  draw(timeUs: number): void {
    if (this.#phases.length === 0) return;
    const svg = this.#svg;
    const now = phaseAt(this.#phases, timeUs);
    const within = Math.min(timeUs, this.#endUs);
    svg.selectAll<SVGPathElement, Phase>('.phase').classed('now', (phase) => phase === now);
    svg.selectAll<SVGTextElement, Phase>('.phase-name').classed('now', (phase) => phase === now);
    const gone = arc<null>()
      .innerRadius(outer + 1)
      .outerRadius(outer + 3)
      .startAngle(0)
      .endAngle(this.#angle(within));
    svg.select('.gone').attr('d', gone(null));
    const [from, to] = [this.#at(within, inner - 5), this.#at(within, outer + 5)];
    svg.select('.hand').attr('x1', from[0]).attr('y1', from[1]).attr('x2', to[0]).attr('y2', to[1]);
    svg.select('.time').text(seconds(timeUs));
    const slot = `${this.#endUs / 1e6}\u00a0s`;
    svg.select('.of').text(timeUs > this.#endUs ? `${slot} are over` : `of ${slot}`);
    svg.attr('aria-label', `${seconds(timeUs)} into a slot of ${slot}${now ? `: ${now.name}` : ', which is over'}.`);
  }

  #angle(timeUs: number): number {
    return (timeUs / this.#endUs) * 2 * Math.PI;
  }

  #at(timeUs: number, radius: number): [number, number] {
    const angle = this.#angle(timeUs);
    return [Math.sin(angle) * radius, -Math.cos(angle) * radius];
  }
}
