import { type HornParameters, hornSizes } from '@tutti/core/horn';
import { count, seconds } from '../formatNumber.ts';
import { themeColours } from '../page.ts';
import { pixel, type SharpCanvas, screenRatio, sharpCanvas } from '../views/canvas.ts';
import { pointIn } from '../views/drawing.ts';
import {
  blockAt,
  cornerOf,
  type FieldGrid,
  type FieldLayout,
  type FieldPlace,
  fieldGrid,
  fieldLayout,
  placeUnder,
} from './fieldLayout.ts';
import { type FieldSlot, lostSinceUs, VoterRole, votesOfAll } from './fieldSlot.ts';

/** Roles in the order of their cells within a subcommittee. */
const order: readonly number[] = [VoterRole.honest, VoterRole.lostToEve, VoterRole.absent, VoterRole.byzantine];
const groups = order.length;
const groupOf = (role: number): number => order.indexOf(role);

/**
 * Computes the cell of each vote within its subcommittee. Honest voters come first; among them, voters whose votes Eve
 * will remove come last. After the honest voters follow offline voters and then Eve's voters. A dot's position
 * therefore shows the same information as its colour, and areas can be compared.
 */
export function voteCells({
  roles,
  subcommittee,
}: Pick<FieldSlot, 'roles' | 'subcommittee'>): Uint32Array<ArrayBuffer> {
  const cells = new Uint32Array(roles.length);
  for (let start = 0; start < roles.length; start += subcommittee) {
    const voters = roles.subarray(start, start + subcommittee);
    const next = new Uint32Array(groups + 1);
    for (const role of voters) next[groupOf(role) + 1]!++;
    for (let group = 1; group < groups; group++) next[group]! += next[group - 1]!;
    voters.forEach((role, voter) => {
      cells[start + voter] = next[groupOf(role)]!++;
    });
  }
  return cells;
}

/** States of a vote, as indices of {@link FieldColours.pixels}. */
const Look = { waiting: 0, cast: 1, seen: 2, reach: 3, absent: 4, byzantine: 5, lost: 6 } as const;

/** Minimum width at which votes are drawn with gaps between them, CSS pixels. */
const separatedVote = 12;

interface FieldColours {
  readonly paper: string;
  readonly ink: string;
  readonly muted: string;
  readonly line: string;
  readonly pixels: Uint32Array;
}

function readFieldColours(): FieldColours {
  const colour = themeColours();
  const names = ['empty', 'held-mid', 'held-high', 'all', 'dead-fill', 'byzantine-fill', 'bad'];
  return {
    paper: colour('paper'),
    ink: colour('ink'),
    muted: colour('muted'),
    line: colour('line'),
    pixels: Uint32Array.from(names, (name) => pixel(colour(name))),
  };
}

/** Draws every vote of the slot as a dot, with committees as blocks that contain their subcommittees. */
export class FieldView {
  readonly #host: HTMLElement;
  readonly #surface: SharpCanvas;
  /** Image with one pixel per vote, which the page scales to its size on the screen. */
  readonly #votes = document.createElement('canvas');
  #image: ImageData | undefined;
  #colours = readFieldColours();
  #index: FieldSlot | undefined;
  #grid: FieldGrid | undefined;
  #layout: FieldLayout | undefined;
  #choice: FieldPlace = { committee: 0, subcommittee: 0 };
  /** Cell of each vote within its subcommittee. */
  #cells = new Uint32Array(0);
  /** Key of the state that the image shows. If the key is the same, the image need not be painted again. */
  #painted = '';
  /** Key of the state that the screen shows, which includes the choice. */
  #drawn = '';

  constructor(host: HTMLElement, onSelect: (place: FieldPlace) => void) {
    this.#host = host;
    this.#surface = sharpCanvas(host);
    this.#surface.canvas.setAttribute('role', 'img');
    this.#surface.canvas.setAttribute('aria-label', 'Votes by committee');
    this.#surface.canvas.addEventListener('click', (event) => {
      const place = this.placeUnder(...pointIn(this.#surface.canvas, event));
      if (place) onSelect(place);
    });
  }

  get canvas(): HTMLElement {
    return this.#surface.canvas;
  }

  /** Width of a vote in screen pixels. */
  get pixelsPerVote(): number {
    return this.#layout && this.#grid
      ? (this.#layout.block.width * this.#surface.ratio) / this.#grid.committee.width
      : 1;
  }

  /** Number of votes in one subcommittee. */
  get votesOfSubcommittee(): number {
    return this.#grid ? this.#grid.subcommittee.width * this.#grid.subcommittee.height : 0;
  }

  /** Committee and subcommittee that have a frame from the next {@link draw} on. */
  set choice(place: FieldPlace) {
    this.#choice = place;
  }

  show(index: FieldSlot): void {
    this.expect(index.result.scenario.parameters);
    this.#index = index;
    this.#cells = voteCells(index);
  }

  /** Shows the places of a slot's votes before the simulation of the slot. */
  expect(parameters: HornParameters): void {
    const { committee, subcommittee } = hornSizes(parameters);
    const grid = fieldGrid(parameters.committees, committee, subcommittee);
    this.#index = undefined;
    this.#grid = grid;
    this.#choice = { committee: 0, subcommittee: 0 };
    this.#votes.width = grid.columns * grid.committee.width;
    this.#votes.height = grid.rows * grid.committee.height;
    this.#image = this.#votes.getContext('2d')!.createImageData(this.#votes.width, this.#votes.height);
    this.resize();
  }

  resize(): void {
    if (!this.#grid) return;
    this.#layout = fieldLayout(this.#grid, this.#host.clientWidth, screenRatio());
    this.#surface.resize(this.#layout.width, this.#layout.height);
    this.#painted = '';
    this.#drawn = '';
    if (!this.#index) this.#compose();
  }

  recolour(): void {
    this.#colours = readFieldColours();
    this.#painted = '';
    this.#drawn = '';
    if (this.#grid && !this.#index) this.#compose();
  }

  /**
   * Returns the committee and the subcommittee at a point of the canvas, if there are any. The point is in CSS pixels.
   */
  placeUnder(x: number, y: number): FieldPlace | undefined {
    return this.#grid && this.#layout && placeUnder(this.#grid, this.#layout, x, y);
  }

  draw(timeUs: number): void {
    const index = this.#index;
    if (!index) return;
    const { voters, cast, seen, reach } = votesOfAll(index, timeUs);
    const painted = `${cast} ${seen} ${reach} ${timeUs >= lostSinceUs(index)}`;
    const drawn = `${painted} ${this.#choice.committee} ${this.#choice.subcommittee}`;
    if (painted !== this.#painted) this.#paint(timeUs);
    if (drawn !== this.#drawn) this.#compose();
    this.#painted = painted;
    this.#drawn = drawn;
    this.#surface.canvas.setAttribute(
      'aria-label',
      `Votes at ${seconds(timeUs)}: ${count(cast)} of ${count(voters)} cast, ${count(seen)} verified by an aggregator, ${count(reach)} verified by the proposer.`,
    );
  }

  /** Paints the image in one pass over all votes. */
  #paint(timeUs: number): void {
    const [index, grid] = [this.#index!, this.#grid!];
    const { times, roles, committee, subcommittee } = index;
    const { castUs, seenUs, reachUs } = times;
    const { pixels } = this.#colours;
    const lost = timeUs >= lostSinceUs(index);
    const words = new Uint32Array(this.#image!.data.buffer);
    const { width } = this.#votes;
    const run = grid.subcommittee.width;
    for (let start = 0; start < roles.length; start += subcommittee) {
      const which = Math.floor(start / committee);
      const corner = cornerOf(grid, (start % committee) / subcommittee);
      const x = (which % grid.columns) * grid.committee.width + corner.x;
      const y = Math.floor(which / grid.columns) * grid.committee.height + corner.y;
      for (let place = start; place < start + subcommittee; place++) {
        const role = roles[place]!;
        let look: number;
        if (role === VoterRole.absent) look = Look.absent;
        else if (role === VoterRole.byzantine) look = Look.byzantine;
        else if (role === VoterRole.lostToEve && lost) look = Look.lost;
        else if (reachUs[place]! <= timeUs) look = Look.reach;
        else if (seenUs[place]! <= timeUs) look = Look.seen;
        else look = castUs[place]! <= timeUs ? Look.cast : Look.waiting;
        const cell = this.#cells[place]!;
        const column = cell % run;
        words[(y + (cell - column) / run) * width + x + column] = pixels[look]!;
      }
    }
    this.#votes.getContext('2d')!.putImageData(this.#image!, 0, 0);
  }

  /**
   * Draws the image on the screen, committee by committee, with the committees' numbers and frames around the selected
   * committee and its selected subcommittee.
   */
  #compose(): void {
    const [grid, layout] = [this.#grid!, this.#layout!];
    const votingCommittees = this.#index?.votingCommittees ?? 0;
    const { context, width, height } = this.#surface;
    const { block } = layout;
    context.clearRect(0, 0, width, height);
    // Votes that are smaller than a pixel are averaged; larger votes keep sharp edges.
    context.imageSmoothingEnabled = this.pixelsPerVote < 1;
    context.imageSmoothingQuality = 'high';
    context.font = `11px ${getComputedStyle(this.#host).fontFamily}`;
    context.textBaseline = 'alphabetic';
    context.lineWidth = 1;
    const all = grid.columns * grid.rows;
    for (let committee = 0; committee < all; committee++) {
      const { x, y } = blockAt(grid, layout, committee);
      context.fillStyle = committee === this.#choice.committee ? this.#colours.ink : this.#colours.muted;
      if (layout.label > 0) context.fillText(String(committee), x, y - 4);
      if (committee >= votingCommittees) {
        context.strokeStyle = this.#colours.line;
        context.strokeRect(x + 0.5, y + 0.5, block.width - 1, block.height - 1);
        continue;
      }
      const from = {
        x: (committee % grid.columns) * grid.committee.width,
        y: Math.floor(committee / grid.columns) * grid.committee.height,
      };
      const { width: wide, height: tall } = grid.committee;
      context.drawImage(this.#votes, from.x, from.y, wide, tall, x, y, block.width, block.height);
      if (block.width / wide >= separatedVote) this.#separate(x, y);
    }
    if (this.#index) this.#outline();
  }

  /** Draws narrow gaps between the votes in a committee's block, and wider gaps between its subcommittees. */
  #separate(x: number, y: number): void {
    const [{ committee, subcommittee }, { block }] = [this.#grid!, this.#layout!];
    const { context } = this.#surface;
    const scale = block.width / committee.width;
    context.fillStyle = this.#colours.paper;
    for (let column = 1; column < committee.width; column++) {
      const gap = column % subcommittee.width === 0 ? 6 : 2;
      context.fillRect(x + column * scale - gap / 2, y, gap, block.height);
    }
    for (let row = 1; row < committee.height; row++) {
      const gap = row % subcommittee.height === 0 ? 6 : 2;
      context.fillRect(x, y + row * scale - gap / 2, block.width, gap);
    }
  }

  #outline(): void {
    const [grid, layout] = [this.#grid!, this.#layout!];
    const { context } = this.#surface;
    const scale = layout.block.width / grid.committee.width;
    const { x, y } = blockAt(grid, layout, this.#choice.committee);
    context.strokeStyle = this.#colours.ink;
    context.strokeRect(x - 1.5, y - 1.5, layout.block.width + 3, layout.block.height + 3);
    const corner = cornerOf(grid, this.#choice.subcommittee);
    const { width, height } = grid.subcommittee;
    context.strokeRect(x + corner.x * scale - 0.5, y + corner.y * scale - 0.5, width * scale + 1, height * scale + 1);
  }
}
