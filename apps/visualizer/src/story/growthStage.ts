import type { RunResult } from '@tutti/simulation';
import { count, ms } from '../formatNumber.ts';
import { GrowthView } from '../growth/growthView.ts';
import { type Chapter, lastPerMoment } from '../guide/chapter.ts';
import { showConclusion } from '../page.ts';
import type { PlayerContent } from '../player/player.ts';
import { decodeState } from '../state/pageState.ts';
import type { RunIndex } from '../timeline/runIndex.ts';
import type { Shown } from './address.ts';
import { growthConclusion } from './conclusions.ts';
import { RunStage } from './runStage.ts';
import type { StageListener } from './stage.ts';

/** Range of the slider: exponents of powers of two, for the number of nodes. */
const powers = { min: 3, max: 12 } as const;

/** Stage that plots the time against N: the published times, and the reader's runs, one per size. */
export class GrowthStage extends RunStage<Shown<'growth'>> {
  readonly #view = new GrowthView();
  /** The reader's last result for each number of nodes. */
  readonly #results = new Map<number, RunResult>();
  /** Exponent of the chosen number of nodes; 0 before the first choice. */
  #power = 0;

  constructor(section: HTMLElement, on: StageListener) {
    super(section, on);
    const handle = this.find<HTMLInputElement>('#growth-n');
    handle.min = String(powers.min);
    handle.max = String(powers.max);
    handle.addEventListener('change', () => this.#choose(Number(handle.value)));
    handle.addEventListener('input', () => this.#name(Number(handle.value)));
  }

  get shows(): Shown<'growth'> {
    return { nodes: 2 ** this.#power };
  }

  show({ nodes }: Shown<'growth'>): void {
    this.#choose(Math.log2(nodes));
  }

  #choose(power: number): void {
    this.find<HTMLInputElement>('#growth-n').value = String(power);
    this.#name(power);
    if (power === this.#power && !this.hasFailed) return;
    this.#power = power;
    this.simulate(decodeState(`n=${2 ** power}&scheme=counting&network=aws&dead=0&seed=1`).scenario);
  }

  #name(power: number): void {
    this.find('#growth-n-value').textContent = count(2 ** power);
  }

  protected adopt({ recording }: RunIndex): void {
    const { scenario, result } = recording;
    this.#results.delete(result.nodes);
    this.#view.show(scenario, result, [...this.#results.values()]);
    this.#view.draw();
    this.#results.set(result.nodes, result);
    showConclusion(this.find('#growth-said'), growthConclusion([...this.#results.values()]));
  }

  protected contentOf({ recording, endUs }: RunIndex): Omit<PlayerContent, 'track'> {
    const { nodes, timeToThresholdMs: time } = recording.result;
    const at = (milliseconds: number) => Math.round(milliseconds * 1000);
    const chapters: Chapter[] = [
      { timeUs: 0, title: 'Start', text: `${count(nodes)} nodes start. The line shows the time on the clock.` },
      {
        timeUs: at(time.min),
        title: 'First',
        text: `The first of ${count(nodes)} nodes has its [[multi-signature]] after ${ms(at(time.min))}.`,
      },
      {
        timeUs: endUs,
        title: 'Last',
        text: `The last node finishes after ${ms(endUs)}; the mean time is ${ms(at(time.mean))}. Move the slider: doubling the number of nodes adds one level.`,
      },
    ];
    return {
      chapters: lastPerMoment(chapters),
      marks: [
        { timeUs: at(time.min), label: 'first', kind: 'level' },
        { timeUs: endUs, label: 'last', kind: 'output' },
      ],
      stepsUs: chapters.map(({ timeUs }) => timeUs),
    };
  }

  draw(timeUs: number): void {
    this.#view.draw(timeUs);
  }

  resize(): void {
    this.#view.resize();
    this.#view.draw();
  }
}
