import type { LeanRecording } from '@tutti/ethereum/lean';
import { createElement } from '../html.ts';
import { jobsOf, type LaneJob } from '../lean/leanMoment.ts';
import type { LeanState } from '../lean/leanState.ts';
import { slotTime } from '../lean/leanText.ts';
import { drawWhy, StrategyPanel } from '../lean/strategyPanel.ts';
import { FrameControls, type FrameText } from './frameControls.ts';

/** Simulated slot of proofs that a link describes. */
export interface EmbedSlot extends FrameText {
  /** Recordings of the strategies in the link, without duplicates. */
  readonly recordings: readonly LeanRecording[];
  /** Proof whose outcome is explained, if the link names one. */
  readonly asked: LeanState['asked'];
}

/**
 * A slot of proofs embedded in another page: its strategies on one clock. Pressing a bar in the drawing shows the
 * reason for its outcome.
 */
export class SlotFrame {
  readonly #panels: readonly StrategyPanel[];
  readonly #why = createElement('div', { className: 'why' });
  readonly #controls: FrameControls;
  readonly #recordings: readonly LeanRecording[];

  constructor(host: HTMLElement, { recordings, asked, ...text }: EmbedSlot) {
    this.#recordings = recordings;
    this.#panels = recordings.map(
      (recording, place) => new StrategyPanel(place + 1, { ask: (job) => this.#press(recording, job) }),
    );
    const endUs = 1000 * recordings[0]!.slotMs;
    this.#controls = new FrameControls(host, {
      ...text,
      endUs,
      atUs: text.atUs ?? (asked === undefined ? undefined : endUs),
      words: (timeUs) => slotTime(timeUs / 1000),
      draw: (timeUs) => {
        for (const panel of this.#panels) panel.draw(timeUs / 1000);
      },
      resized: () => {
        for (const panel of this.#panels) panel.layOut();
      },
      recoloured: () => {},
    });
    const { figure, picture } = this.#controls;
    figure.classList.add('slot');
    picture.append(...this.#panels.map(({ element }) => element));
    this.#why.setAttribute('aria-live', 'polite');
    figure.append(this.#why);
    this.#panels.forEach((panel, place) => {
      panel.strategy = recordings[place]!.strategy;
      panel.show(recordings[place]);
    });
    for (const recording of recordings.filter(({ strategy }) => strategy === asked?.strategy)) {
      const job = jobsOf(recording).find(({ proof }) => proof === asked!.proof);
      if (job !== undefined) this.#ask(recording, job);
    }
    this.#controls.start();
  }

  /** Ends the animation of a frame that has been removed from the page. */
  stop(): void {
    this.#controls.stop();
  }

  /** Explains a pressed bar. If the bar's job has not ended yet, the clock goes to its end. */
  #press(recording: LeanRecording, job: LaneJob): void {
    this.#ask(recording, job);
    const endUs = Math.min(1000 * recording.slotMs, Math.round(1000 * job.endMs));
    if (this.#controls.timeUs < endUs) this.#controls.goTo(endUs);
  }

  #ask(recording: LeanRecording, job: LaneJob): void {
    this.#panels.forEach((panel, place) => {
      panel.asked = this.#recordings[place] === recording ? job.proof : undefined;
    });
    drawWhy(this.#why, recording, job);
  }
}
