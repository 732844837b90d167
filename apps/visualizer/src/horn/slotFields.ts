import { hornSizes } from '@tutti/core/horn';
import { committeeCells } from '@tutti/lab';
import { createElement } from '../html.ts';
import { themeColours } from '../page.ts';
import { type SharpCanvas, screenRatio, sharpCanvas } from '../views/canvas.ts';
import { blockAt, type FieldGrid, type FieldLayout, fieldGrid, fieldLayout } from './fieldLayout.ts';
import { laneTitle, laneWords } from './laneText.ts';
import { type FieldLane, quartersAt } from './slotFile.ts';

/** Minimum size of a cell with a mark, CSS pixels. */
const minMarkedSize = 3;
/** Caption during the simulation of a slot. */
const simulating = 'simulating …';

/** Cell of a subcommittee, CSS pixels. */
interface Square {
  readonly left: number;
  readonly top: number;
  readonly side: number;
}

interface Colours {
  readonly paper: string;
  readonly empty: string;
  readonly line: string;
  readonly muted: string;
  /** Colours of the stages: cast, with an aggregator, in reach. */
  readonly stages: readonly string[];
}

function readColours(): Colours {
  const colour = themeColours();
  return {
    paper: colour('paper'),
    empty: colour('empty'),
    line: colour('line'),
    muted: colour('muted'),
    stages: ['held-mid', 'held-high', 'all'].map(colour),
  };
}

type SimulatedLane = Exclude<FieldLane, { title: string }>;

/** Returns the arrangement of a lane's cells, and the name by which tests find the lane. */
function laneGrid(lane: SimulatedLane): { grid: FieldGrid; system: string } {
  if (!('result' in lane)) return { grid: fieldGrid(1, committeeCells, 1), system: 'handel' };
  const { system, parameters } = lane.result.scenario;
  const { committee, subcommittee } = hornSizes(parameters);
  return { grid: fieldGrid(parameters.committees, committee / subcommittee, 1), system };
}

/**
 * Draws the subcommittees of a lane, or Handel's nodes in groups of the same size, as cells in the blocks of their
 * committees. Each cell is filled from the bottom in quarters.
 */
class SlotField {
  readonly #figure = document.createElement('figure');
  readonly #host = document.createElement('div');
  /** Elements of the caption. They show the texts of the same names in {@link laneWords}. */
  readonly #share = document.createElement('strong');
  readonly #block = document.createElement('span');
  readonly #now = createElement('p', { className: 'sub' });
  readonly #lane: SimulatedLane;
  readonly #sharp: SharpCanvas;
  readonly #grid: FieldGrid;
  #layout: FieldLayout | undefined;
  /** Step that the field shows; -1 if the field must be drawn again. */
  #drawn = -1;
  #isStale = false;

  constructor(host: HTMLElement, lane: SimulatedLane) {
    this.#lane = lane;
    const { grid, system } = laneGrid(lane);
    this.#grid = grid;
    const share = createElement('p', { className: 'in-reach' });
    share.append(this.#share, ' ', this.#block);
    this.#figure.dataset.testid = `three-${system}`;
    this.#figure.append(heading(lane), this.#host, share, this.#now);
    host.append(this.#figure);
    this.#sharp = sharpCanvas(this.#host);
    this.#sharp.canvas.setAttribute('role', 'img');
    this.#sharp.canvas.setAttribute('aria-label', laneTitle(lane));
  }

  resize(): void {
    const width = this.#host.clientWidth;
    if (width === 0) return;
    // A single committee is drawn as a square with the height of the rows in the other fields.
    const room = this.#grid.columns * this.#grid.rows === 1 ? Math.round(width * 0.55) : width;
    this.#layout = fieldLayout(this.#grid, room, screenRatio());
    this.#sharp.resize(this.#layout.width, this.#layout.height);
    this.#drawn = -1;
  }

  /**
   * Whether another slot is being simulated at the moment. During the simulation, the caption and the label of the
   * field show no numbers of this slot.
   */
  set isStale(isStale: boolean) {
    this.#isStale = isStale;
    this.#drawn = -1;
  }

  draw(timeUs: number, colours: Colours): void {
    const { steps } = this.#lane;
    const step = Math.min(steps.counts[0]!.length - 1, Math.floor(timeUs / steps.stepUs));
    if (step === this.#drawn || !this.#layout) return;
    this.#drawn = step;
    const words = this.#isStale
      ? { share: '', block: simulating, now: '\u00a0' }
      : laneWords(this.#lane, step * steps.stepUs);
    this.#share.textContent = words.share;
    this.#block.textContent = words.block;
    this.#now.textContent = words.now;
    this.#sharp.canvas.setAttribute(
      'aria-label',
      `${laneTitle(this.#lane)}. ${this.#isStale ? simulating : words.now}`,
    );
    this.#paint(step, colours, this.#layout);
  }

  #paint(step: number, colours: Colours, layout: FieldLayout): void {
    const { context, width, height } = this.#sharp;
    const { steps } = this.#lane;
    const grid = this.#grid;
    const { width: across, height: down } = grid.committee;
    const pitch = layout.block.width / across;
    const side = pitch - (pitch >= 4 ? 1 : 0);
    // Each cell has the times of its four quarters for each of the three stages. Committees that do not vote have no
    // times.
    const voting = steps.quarters.length / 12 / (across * down);
    context.clearRect(0, 0, width, height);
    context.font = `11px ${getComputedStyle(this.#host).fontFamily}`;
    context.lineWidth = 1;
    for (let committee = 0; committee < grid.columns * grid.rows; committee++) {
      const { x, y } = blockAt(grid, layout, committee);
      context.fillStyle = colours.muted;
      if (layout.label > 0) context.fillText(String(committee), x, y - 4);
      if (committee >= voting) {
        context.strokeStyle = colours.line;
        context.strokeRect(x + 0.5, y + 0.5, layout.block.width - 1, layout.block.height - 1);
        continue;
      }
      for (let cell = 0; cell < across * down; cell++) {
        const [left, top] = [x + (cell % across) * pitch, y + Math.floor(cell / across) * pitch];
        this.#paintCell({ left, top, side }, committee * across * down + cell, step, colours);
      }
    }
  }

  /** Fills the cell of a subcommittee from the bottom, one stage over the other. */
  #paintCell({ left, top, side }: Square, subcommittee: number, step: number, colours: Colours): void {
    const { context } = this.#sharp;
    context.fillStyle = colours.empty;
    context.fillRect(left, top, side, side);
    for (const [stage, colour] of colours.stages.entries()) {
      const filled = (side * quartersAt(this.#lane.steps, subcommittee, stage, step)) / 4;
      if (filled === 0) continue;
      context.fillStyle = colour;
      context.fillRect(left, top + side - filled, side, filled);
      if (stage === colours.stages.length - 1 && side >= minMarkedSize)
        this.#notch({ left, top, side }, filled, colours);
    }
  }

  /**
   * Marks votes in reach for readers who cannot distinguish the gold colour: a full cell has one corner cut off, and a
   * partially filled cell has a line over it.
   */
  #notch({ left, top, side }: Square, filled: number, { paper }: Colours): void {
    const { context } = this.#sharp;
    context.fillStyle = paper;
    if (filled < side) {
      context.fillRect(left, top + side - filled, side, 1);
      return;
    }
    const cut = Math.max(2, side * 0.35);
    context.beginPath();
    context.moveTo(left + side, top);
    context.lineTo(left + side - cut, top);
    context.lineTo(left + side, top + cut);
    context.fill();
  }
}

function heading(lane: FieldLane): HTMLElement {
  return createElement('figcaption', {}, createElement('h3', { textContent: laneTitle(lane) }));
}

/** Returns the placeholder for a lane whose simulation is still running. */
function awaited(lane: FieldLane): HTMLElement {
  return createElement(
    'figure',
    {},
    heading(lane),
    createElement('p', { className: 'in-reach', textContent: simulating }),
  );
}

/** Shows the same slot under several systems side by side on one clock. */
export class SlotFields {
  readonly #host: HTMLElement;
  #fields: readonly SlotField[] = [];
  #lanes: readonly FieldLane[] = [];
  #colours = readColours();

  constructor(host: HTMLElement) {
    this.#host = host;
  }

  /** Whether another slot is being simulated at the moment. A call of {@link show} ends this state. */
  set isStale(isStale: boolean) {
    for (const field of this.#fields) field.isStale = isStale;
  }

  show(lanes: readonly FieldLane[]): void {
    this.isStale = false;
    const same = lanes.length === this.#lanes.length && lanes.every((lane, place) => lane === this.#lanes[place]);
    if (same) return;
    this.#lanes = lanes;
    this.#host.replaceChildren();
    this.#fields = lanes.flatMap((lane) => {
      if (!('title' in lane)) return new SlotField(this.#host, lane);
      this.#host.append(awaited(lane));
      return [];
    });
    this.resize();
  }

  resize(): void {
    for (const field of this.#fields) field.resize();
  }

  recolour(): void {
    this.#colours = readColours();
    this.resize();
  }

  draw(timeUs: number): void {
    for (const field of this.#fields) field.draw(timeUs, this.#colours);
  }
}
