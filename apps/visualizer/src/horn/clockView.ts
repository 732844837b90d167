import { arc } from 'd3';
import { nothing, render, svg } from 'lit-html';
import { seconds } from '../formatNumber.ts';
import { drawingIn, lineFrom, set, textAt } from '../views/drawing.ts';
import type { FieldSlot } from './fieldSlot.ts';

/** Phase of a slot, as the interval [fromUs, toUs), µs since the slot began. */
export interface Phase {
  readonly fromUs: number;
  readonly toUs: number;
  readonly name: string;
}

/** Returns the phases of a slot. A slot of Horn has the additional phase of collections. */
export function phases({ result, clock }: FieldSlot): readonly Phase[] {
  const starts = [
    { fromUs: 0, name: 'the block' },
    { fromUs: clock.attestUs, name: 'votes' },
    { fromUs: clock.aggregateUs, name: 'aggregates' },
    ...(result.scenario.system === 'horn' ? [{ fromUs: clock.collectUs, name: 'collections' }] : []),
  ];
  return phasesUntil(clock.endUs, starts);
}

/**
 * Adds end times to phases: each phase lasts until the next phase begins, and the last phase lasts until the slot's
 * end.
 */
export function phasesUntil(endUs: number, starts: readonly Omit<Phase, 'toUs'>[]): readonly Phase[] {
  return starts.map((start, place) => ({ ...start, toUs: starts[place + 1]?.fromUs ?? endUs }));
}

/** Returns the phase at a time, or undefined from the end of the last phase. */
export function phaseAt(all: readonly Phase[], timeUs: number): Phase | undefined {
  return all.find(({ fromUs, toUs }) => fromUs <= timeUs && timeUs < toUs);
}

/** Size of the drawing, and radii of the ring, in the units of the view box. */
const [width, height, outer, inner] = [340, 236, 84, 72];

/** Values for the clock of a slot. */
export interface SlotDial {
  readonly phases: readonly Phase[];
  readonly endUs: number;
  /** Time at which the threshold's share of the votes is in reach, µs; undefined if that never happens. */
  readonly reachUs: number | undefined;
}

/** A slot drawn as a clock face: the full circle is one slot, and the arcs are the slot's phases. */
export class ClockView {
  readonly #svg: SVGSVGElement;
  #dial: SlotDial | undefined;

  constructor(host: HTMLElement) {
    this.#svg = drawingIn(host, 'slot-clock', 'The slot’s clock');
    set(this.#svg, { viewBox: `${-width / 2} ${-height / 2} ${width} ${height}` });
  }

  show(dial: SlotDial): void {
    this.#dial = dial;
    this.draw(0);
  }

  draw(timeUs: number): void {
    if (this.#dial === undefined) return;
    const { phases, endUs, reachUs = Number.POSITIVE_INFINITY } = this.#dial;
    const now = phaseAt(phases, timeUs);
    const within = Math.min(timeUs, endUs);
    const ring = (phase: Phase) =>
      svg`<path class=${phase === now ? 'phase now' : 'phase'} d=${arcPath(inner, outer, this.#angle(phase.fromUs), this.#angle(phase.toUs), 0.035)}></path>`;
    const name = (phase: Phase) => {
      const [x, y] = this.#at((phase.fromUs + phase.toUs) / 2, outer + 11);
      const anchor = Math.abs(x) < 12 ? 'middle' : x > 0 ? 'start' : 'end';
      return textAt(phase === now ? 'phase-name now' : 'phase-name', [x, y], phase.name, { anchor, middle: true });
    };
    const slot = `${endUs / 1e6}\u00a0s`;
    set(this.#svg, {
      'aria-label': `${seconds(timeUs)} into a slot of ${slot}${now ? `: ${now.name}` : ', after its end'}.`,
    });
    render(
      [
        phases.map(ring),
        phases.map(name),
        reachUs <= endUs ? lineFrom('reach-mark', this.#at(reachUs, inner - 7), this.#at(reachUs, outer + 4)) : nothing,
        svg`<path class="gone" d=${arcPath(outer + 1, outer + 3, 0, this.#angle(within))}></path>`,
        lineFrom('hand', this.#at(within, inner - 5), this.#at(within, outer + 5)),
        textAt('time', [0, 2], seconds(timeUs)),
        textAt('of', [0, 23], timeUs > endUs ? `${slot} are over` : `of ${slot}`),
      ],
      this.#svg,
    );
  }

  #angle(timeUs: number): number {
    return (timeUs / this.#dial!.endUs) * 2 * Math.PI;
  }

  #at(timeUs: number, radius: number): [number, number] {
    const angle = this.#angle(timeUs);
    return [Math.sin(angle) * radius, -Math.cos(angle) * radius];
  }
}

function arcPath(innerRadius: number, outerRadius: number, startAngle: number, endAngle: number, padAngle = 0): string {
  return arc()({ innerRadius, outerRadius, startAngle, endAngle, padAngle })!;
}
