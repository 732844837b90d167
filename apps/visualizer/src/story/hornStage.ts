import { hornSystems, slotClock } from '@tutti/core/horn';
import { countsAt, readSlotFile, type SlotLane } from '../horn/slotFile.ts';
import { ThreeFields } from '../horn/threeFields.ts';
import { threeChapters } from '../horn/threeWords.ts';
import { seconds } from '../horn/words.ts';
import type { Told } from '../player/player.ts';
import type { Stage, StageFields, StageListener } from './stage.ts';

/** Points of the track's curve. */
const trackPoints = 120;

/** Status quo, strawman and Horn on one clock, which waits where the next block is made today. */
class HornStage implements Stage {
  readonly endUs: number;
  readonly holdUs: number;
  readonly fields: StageFields = new Map();
  readonly told: Told;
  readonly #three: ThreeFields;

  constructor(lanes: readonly SlotLane[], section: HTMLElement) {
    this.#three = new ThreeFields(section.querySelector<HTMLElement>('#three-fields')!);
    this.#three.show(lanes);
    const clock = slotClock('horn', lanes[hornSystems.indexOf('horn')]!.result.scenario.parameters);
    this.endUs = clock.endUs;
    this.holdUs = clock.collectUs;
    const chapters = threeChapters(lanes);
    const inReach = (us: number) => lanes.reduce((sum, { steps }) => sum + countsAt(steps, us)[2], 0);
    const most = inReach(this.endUs);
    const curve = Array.from({ length: trackPoints + 1 }, (_, point): [number, number] => [
      point / trackPoints,
      inReach((point / trackPoints) * this.endUs) / most,
    ]);
    this.told = {
      track: { spanUs: this.endUs, curve },
      chapters,
      marks: chapters.map(({ timeUs, title }) => ({ timeUs, label: title, kind: 'level' })),
      stepsUs: chapters.map(({ timeUs }) => timeUs),
    };
  }

  words(timeUs: number): string {
    return seconds(timeUs);
  }

  show(): void {}

  draw(timeUs: number): void {
    this.#three.draw(timeUs);
  }

  resize(): void {
    this.#three.resize();
  }

  recolour(): void {
    this.#three.recolour();
  }
}

export async function hornStage(section: HTMLElement, _on: StageListener): Promise<Stage> {
  const answer = await fetch(new URL('../horn/slots.json', import.meta.url));
  if (!answer.ok) throw new Error(`${answer.status} ${answer.statusText}`);
  return new HornStage(readSlotFile(await answer.json()), section);
}
