import { ms } from '../formatNumber.ts';
import { RaceField } from '../race/raceField.ts';
import type { RaceLane } from '../race/raceFile.ts';
import type { RunIndex } from '../timeline/runIndex.ts';
import { readPalette } from '../views/canvas.ts';
import { FlightView } from '../views/flightView.ts';
import { FrameControls, type FrameText } from './frameControls.ts';

/** Options of a frame for a run. */
export interface RunFrameOptions extends FrameText {
  /** Node from whose point of view the run is drawn. */
  readonly node: number;
  /** Field of cells, for a run without recorded messages. */
  readonly lane: RaceLane | undefined;
}

/** Run embedded in another page: its picture, clock and one-sentence caption. */
export class RunFrame {
  readonly #index: RunIndex;
  readonly #controls: FrameControls;
  readonly #view: FlightView | RaceField;

  constructor(host: HTMLElement, index: RunIndex, options: RunFrameOptions) {
    this.#index = index;
    this.#controls = new FrameControls(host, {
      ...options,
      endUs: index.endUs,
      words: ms,
      draw: (timeUs) => this.#view.draw(timeUs),
      resized: () => this.#view.resize(),
      recoloured: () => {
        this.#view.palette = readPalette(this.#controls.picture);
      },
    });
    this.#view = this.#addPicture(options);
    this.#controls.start();
  }

  /** Ends the animation of a frame that has been removed from the page. */
  stop(): void {
    this.#controls.stop();
  }

  /** Adds the picture to the controls: the messages, or the field of cells. */
  #addPicture({ node, lane }: RunFrameOptions): FlightView | RaceField {
    const { picture } = this.#controls;
    const palette = readPalette(picture);
    if (lane !== undefined) return new RaceField(picture, lane, palette);
    picture.dataset.given = '';
    const view = new FlightView(picture, palette, {
      select: (chosen) => {
        view.node = chosen;
        this.#controls.want();
      },
      circle: () => {},
      redraw: () => this.#controls.want(),
    });
    view.node = node;
    view.show(this.#index, 'tree');
    return view;
  }
}
