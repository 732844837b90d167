import { peerSet } from '@tutti/core';
import type { Recording } from '@tutti/simulation';
import { scaleLinear } from 'd3';
import { nothing, render, svg } from 'lit-html';
import { count, ms } from '../formatNumber.ts';
import { type Face, faceOf, faces } from '../timeline/flights.ts';
import { hasLevels } from '../timeline/heldSteps.ts';
import { type NodeMessages, type NodeStory, nodeMessages } from '../timeline/nodeStory.ts';
import type { RunIndex } from '../timeline/runIndex.ts';
import { cross, type Palette, sharpCanvas } from './canvas.ts';
import { axisBelow, drawingIn, movePlayhead, pointIn, set, textAt } from './drawing.ts';
import { brokenLine, faceColour } from './messages.ts';

/** Maximum distance between the pointer and a selected line, CSS pixels. */
const reachPx = 7;

/**
 * Time-space diagram of one node. The diagram shows each message of the node as a line from sender to receiver over
 * time, and the outcome of each message that arrived.
 */
export class TimeSpaceView {
  readonly #host: HTMLElement;
  readonly #surface;
  readonly #svg: SVGSVGElement;
  #palette: Palette;
  #shown: { readonly index: RunIndex; readonly story: NodeStory; readonly messages: NodeMessages } | undefined;
  #layout: TimeSpaceLayout | undefined;

  /** @param select called with the id of the message's other node when the user clicks a message. */
  constructor(host: HTMLElement, palette: Palette, select: (node: number) => void) {
    this.#host = host;
    this.#palette = palette;
    this.#surface = sharpCanvas(host);
    this.#svg = drawingIn(host, 'time-space', 'The messages of a node over time, drawn when scrolled into view.');
    host.addEventListener('click', (event) => {
      const message = this.#messageUnder(...pointIn(host, event));
      if (message !== undefined) select(message.other);
    });
  }

  set palette(palette: Palette) {
    this.#palette = palette;
    this.#paint();
  }

  show(index: RunIndex, story: NodeStory): void {
    this.#shown = { index, story, messages: nodeMessages(index.recording, story.node) };
    this.resize();
  }

  resize(): void {
    if (!this.#shown || this.#host.clientWidth === 0) return;
    const { index, story } = this.#shown;
    this.#layout = timeSpaceLayout(index.recording, story.node, Math.max(280, this.#host.clientWidth));
    this.#surface.resize(this.#layout.width, this.#layout.height);
    this.#paint();
    this.#drawFrame();
  }

  /** Numbers of messages sent to the node and by the node, including lost messages. */
  get tally(): { readonly came: number; readonly went: number } {
    const { came, went } = this.#shown?.messages ?? { came: [], went: [] };
    return { came: came.length, went: went.length };
  }

  draw(timeUs: number): void {
    const layout = this.#layout;
    if (!layout || !this.#shown) return;
    movePlayhead(this.#svg, this.#x(timeUs), layout);
  }

  /** Returns a description of the message whose line is near a position in the host, or undefined if there is none. */
  wordsUnder(x: number, y: number): string | undefined {
    const found = this.#messageUnder(x, y);
    if (found === undefined || !this.#shown) return undefined;
    const { level, value, timeUs, untilUs } = this.#shown.index.recording;
    const { line, other, isMine } = found;
    const on = level[line]! > 0 ? `, level ${level[line]}` : '';
    const way = untilUs[line]! < 0 ? 'lost' : `${ms(timeUs[line]!)} to ${ms(untilUs[line]!)}`;
    return `${isMine ? 'to' : 'from'} node ${count(other)}${on}: ${count(value[line]!)} in it, ${way}`;
  }

  #x(timeUs: number): number {
    const { left, right } = this.#layout!;
    const { spanUs } = this.#shown!.index;
    return left + (spanUs === 0 ? 0 : timeUs / spanUs) * (right - left);
  }

  /**
   * Returns the start point and the end point of a message's line, or undefined if the message's peer is not in the
   * picture.
   */
  #ends(line: number, isMine: boolean): readonly [number, number, number, number] | undefined {
    const layout = this.#layout!;
    const { node, peer, level, timeUs, untilUs } = this.#shown!.index.recording;
    const y = layout.peerY(isMine ? peer[line]! : node[line]!, level[line]!, isMine ? 1 : -1);
    if (y === undefined) return undefined;
    const lost = untilUs[line]! < 0;
    const from = this.#x(timeUs[line]!);
    const to = this.#x(lost ? timeUs[line]! : untilUs[line]!);
    const own = layout.selfY + (isMine ? layout.selfHalf - 3 : 3 - layout.selfHalf);
    // The line of a lost message ends after a third of its path.
    const reach = (a: number, b: number) => (lost ? a + (b - a) / 3 : b);
    return isMine ? [from, own, to, reach(own, y)] : [from, y, to, reach(y, own)];
  }

  #messageUnder(x: number, y: number): { line: number; other: number; isMine: boolean } | undefined {
    if (!this.#shown || !this.#layout) return undefined;
    const { messages, index } = this.#shown;
    let [nearest, min, isMine] = [-1, reachPx ** 2, false];
    for (const mine of [false, true]) {
      for (const line of mine ? messages.went : messages.came) {
        const ends = this.#ends(line, mine);
        if (!ends) continue;
        const apart = fromSegment(x, y, ends);
        if (apart < min) [nearest, min, isMine] = [line, apart, mine];
      }
    }
    if (nearest < 0) return undefined;
    const { node, peer } = index.recording;
    return { line: nearest, other: isMine ? peer[nearest]! : node[nearest]!, isMine };
  }

  #paint(): void {
    const [shown, layout] = [this.#shown, this.#layout];
    if (!shown || !layout) return;
    const { context, width, height } = this.#surface;
    const { recording } = shown.index;
    context.clearRect(0, 0, width, height);
    this.#paintBands(layout);
    // A message in transit at the end of the run arrives outside the picture.
    context.save();
    context.beginPath();
    context.rect(layout.left, 0, layout.right - layout.left, height);
    context.clip();
    const all = shown.messages.came.length + shown.messages.went.length;
    for (const isMine of [true, false]) {
      const paths: Readonly<Record<Face, Path2D>> = { part: new Path2D(), all: new Path2D(), invalid: new Path2D() };
      for (const line of isMine ? shown.messages.went : shown.messages.came) {
        const ends = this.#ends(line, isMine);
        if (!ends) continue;
        const path = paths[faceOf(recording, line)];
        path.moveTo(ends[0], ends[1]);
        path.lineTo(ends[2], ends[3]);
        // A cross marks the place at which a message was lost.
        if (recording.untilUs[line]! < 0) cross(path, ends[2], ends[3], 3);
      }
      context.lineWidth = all > 400 ? 0.75 : 1.25;
      context.globalAlpha = (isMine ? 0.5 : 0.85) * (all > 400 ? 0.7 : 1);
      for (const face of faces) {
        context.strokeStyle = faceColour(this.#palette, face);
        context.setLineDash(face === 'invalid' ? [...brokenLine] : []);
        context.stroke(paths[face]);
      }
      context.setLineDash([]);
    }
    context.restore();
    this.#paintSelf(layout, shown.story);
  }

  #paintBands(layout: TimeSpaceLayout): void {
    const { context } = this.#surface;
    context.fillStyle = this.#palette.land;
    for (const side of [-1, 1] as const) {
      for (let band = 1; band <= layout.bands; band += 2) {
        const y = layout.bandY(band, side);
        context.fillRect(
          layout.left,
          side < 0 ? y - layout.bandHeight : y,
          layout.right - layout.left,
          layout.bandHeight,
        );
      }
    }
  }

  /**
   * Draws the node's own line, with its outputs and its verifications; verifications of invalid contributions are red.
   */
  #paintSelf(layout: TimeSpaceLayout, { checks, steps, recording }: NodeStory): void {
    const { context } = this.#surface;
    const { timeUs, untilUs, value } = recording;
    context.strokeStyle = this.#palette.ink;
    context.lineWidth = 1.25;
    context.beginPath();
    context.moveTo(this.#x(steps[0]?.timeUs ?? 0), layout.selfY);
    context.lineTo(layout.right, layout.selfY);
    context.stroke();
    for (const line of checks) {
      const from = this.#x(timeUs[line]!);
      const to = untilUs[line]! < 0 ? from : this.#x(untilUs[line]!);
      const width = Math.max(1.5, to - from - 0.5);
      const isInvalid = value[line]! < 0;
      context.fillStyle = isInvalid ? this.#palette.bad : this.#palette.ink;
      // Verifications of invalid contributions are drawn taller, which identifies them without relying on colour.
      context.fillRect(from, layout.selfY - (isInvalid ? 9 : 4), width, isInvalid ? 18 : 8);
    }
    for (const { what, line } of steps) {
      if (what !== 'output') continue;
      const x = this.#x(timeUs[line]!);
      context.fillStyle = this.#palette.all;
      context.strokeStyle = this.#palette.paper;
      context.beginPath();
      context.moveTo(x, layout.selfY - 9);
      context.lineTo(x + 6, layout.selfY);
      context.lineTo(x, layout.selfY + 9);
      context.lineTo(x - 6, layout.selfY);
      context.closePath();
      context.fill();
      context.stroke();
    }
  }

  #drawFrame(): void {
    const [{ index, story }, layout] = [this.#shown!, this.#layout!];
    const x = scaleLinear([0, index.spanUs / 1000], [layout.left, layout.right]);
    const bottom = layout.height - edge.bottom;
    const word = (kind: string, text: string, at: number) =>
      textAt(kind, [layout.left - 8, at], text, { anchor: 'end', middle: true });
    const every = layout.bandHeight < 14 ? 2 : 1;
    const bands = Array.from({ length: Math.ceil(layout.bands / every) }, (_, at) => 1 + at * every);
    const levels = ([-1, 1] as const).map((side) =>
      bands.map((band) => {
        const middle = layout.bandY(band, side) + (side * layout.bandHeight) / 2;
        return word('band', layout.left < 50 ? String(band) : `level ${band}`, middle);
      }),
    );
    const side = (text: string, y: number) => textAt('side-name', [layout.right - 6, y], text, { anchor: 'end' });
    set(this.#svg, { width: layout.width, height: layout.height });
    render(
      svg`${axisBelow(x, bottom, 'ms')}${hasLevels(index.recording.scenario.protocol) ? levels : nothing}${word('self-name', count(story.node), layout.selfY)}${side('incoming', 20)}${side('outgoing', bottom - 8)}<rect class="veil" x=${layout.left - layout.right} width=${layout.right - layout.left} y="2" height=${bottom - 2}></rect><line class="playhead" y1="2" y2=${bottom + 4}></line>`,
      this.#svg,
    );
    const { came, went } = this.tally;
    set(this.#svg, {
      'aria-label': `${came} messages to node ${story.node} and ${went} from node ${story.node}, over ${ms(index.spanUs)}.`,
    });
  }
}

/** Returns the squared distance between a point and a line segment. */
function fromSegment(x: number, y: number, [x0, y0, x1, y1]: readonly [number, number, number, number]): number {
  const [dx, dy] = [x1 - x0, y1 - y0];
  const length = dx * dx + dy * dy;
  const share = length === 0 ? 0 : Math.min(1, Math.max(0, ((x - x0) * dx + (y - y0) * dy) / length));
  return (x0 + share * dx - x) ** 2 + (y0 + share * dy - y) ** 2;
}

/**
 * Positions in a time-space diagram of one node's messages. Time runs to the right, and the node's own line is in the
 * middle. The peers that send messages to the node are above its line. The peers that receive messages from the node
 * are below its line, mirrored. Each level has one band; bands of lower levels are nearer to the middle.
 */
interface TimeSpaceLayout {
  readonly width: number;
  readonly height: number;
  readonly left: number;
  readonly right: number;
  /** Vertical position of the middle of the node's own line. */
  readonly selfY: number;
  /** Distance between the middle of the node's own line and the nearest bands. */
  readonly selfHalf: number;
  readonly bandHeight: number;
  /** Number of bands on each side of the node's own line. */
  readonly bands: number;
  /** Returns the edge of a band that is nearest to the node's own line. @param side -1 above, 1 below. */
  readonly bandY: (band: number, side: -1 | 1) => number;
  /** Returns the vertical position of a peer's line, or undefined for a peer that is on no level. */
  readonly peerY: (peer: number, level: number, side: -1 | 1) => number | undefined;
}

/** Space above the first band, and below the last band. */
const edge = { top: 6, bottom: 26 } as const;

export function timeSpaceLayout(
  { scenario, world }: Pick<Recording, 'scenario' | 'world'>,
  id: number,
  width: number,
): TimeSpaceLayout {
  const narrow = width < 560;
  const levelled = hasLevels(scenario.protocol);
  const bands = levelled ? Math.max(1, world.levels) : 1;
  const bandHeight = levelled ? Math.min(30, Math.max(13, 190 / bands)) : 150;
  const selfHalf = 13;
  const selfY = edge.top + bands * bandHeight + selfHalf;
  const bandY = (band: number, side: -1 | 1) => selfY + side * (selfHalf + (band - 1) * bandHeight);
  const inset = Math.min(3, bandHeight / 6);
  const peers = Array.from({ length: bands + 1 }, (_, level) =>
    levelled && level > 0
      ? peerSet(id, level, world.nodes, scenario.tree, scenario.branching)
      : { start: 0, end: world.nodes },
  );
  return {
    width,
    height: selfY + selfHalf + bands * bandHeight + edge.bottom,
    left: narrow ? 34 : 58,
    right: width - (narrow ? 20 : 22),
    selfY,
    selfHalf,
    bandHeight,
    bands,
    bandY,
    peerY(peer, level, side) {
      const band = levelled ? level : 1;
      const set = peers[band];
      if (set === undefined || band < 1 || peer < set.start || peer >= set.end) return undefined;
      const share = (peer - set.start + 0.5) / (set.end - set.start);
      return bandY(band, side) + side * (inset + share * (bandHeight - 2 * inset));
    },
  };
}
