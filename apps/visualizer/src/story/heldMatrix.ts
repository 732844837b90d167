import { peerSet } from '@tutti/core';
import { LineKind } from '@tutti/simulation';
import { count } from '../formatNumber.ts';
import { nodeStory } from '../timeline/nodeStory.ts';
import type { RunIndex } from '../timeline/runIndex.ts';
import { type Palette, type SharpCanvas, sharpCanvas } from '../views/canvas.ts';

/** Value that stands for "never" in {@link heldMatrix}. */
export const never = 2 ** 31 - 1;

/**
 * Returns the times from which each node holds each signature: `since[node * nodes + signer]`, µs. A node replaces
 * In_level as a whole; a signature that was lost in this way still counts from its first arrival. The matrix has N²
 * entries and therefore suits only small runs.
 *
 * @param index run of Handel with recorded sets.
 */
export function heldMatrix(index: RunIndex): Int32Array {
  const { recording } = index;
  const { tree, branching } = recording.scenario;
  const { nodes, levels } = recording.world;
  const { kind, node, timeUs, set, words, value } = recording;
  const since = new Int32Array(nodes * nodes).fill(never);
  for (let line = 0; line < recording.length; line++) {
    if (kind[line] === LineKind.start) since[node[line]! * nodes + node[line]!] = timeUs[line]!;
  }
  for (let id = 0; id < nodes; id++) {
    const { improvements } = nodeStory(index, id);
    for (let level = 1; level <= levels; level++) {
      const peers = peerSet(id, level, nodes, tree, branching);
      const size = peers.end - peers.start;
      for (const line of improvements[level]!) {
        const start = set[line]!;
        const isWhole = value[line]! >= size;
        for (let bit = 0; bit < size; bit++) {
          const isIn = isWhole || (start >= 0 && ((words[start + (bit >> 5)]! >>> (bit & 31)) & 1) === 1);
          const at = id * nodes + peers.start + bit;
          if (isIn && timeUs[line]! < since[at]!) since[at] = timeUs[line]!;
        }
      }
    }
  }
  return since;
}

/**
 * Returns the times at which the last node reached 2, 4, 8, ... signatures, µs; `never` if some node did not reach this
 * number.
 */
export function doublings(since: Int32Array, nodes: number): readonly number[] {
  const rows = Array.from({ length: nodes }, (_, id) => since.slice(id * nodes, (id + 1) * nodes).sort());
  const times: number[] = [];
  for (let size = 2; size <= nodes; size *= 2) times.push(Math.max(...rows.map((held) => held[size - 1]!)));
  return times;
}

/** Message that carried a signature onwards: its sender, receiver, level and times. */
export interface Hop {
  readonly from: number;
  readonly to: number;
  readonly level: number;
  readonly sentUs: number;
  /** Time at which the receiver verified and accepted the message and so obtained the signature, µs. */
  readonly heldUs: number;
}

/**
 * Returns, in order, the messages by which a signature first reached a node, or undefined if the signature never
 * reached the node.
 *
 * @param since {@link heldMatrix} of the run.
 */
export function pathOf(
  signer: number,
  to: number,
  { recording }: RunIndex,
  since: Int32Array,
): readonly Hop[] | undefined {
  const { kind, node, peer, level, timeUs, untilUs, value, length } = recording;
  const { nodes } = recording.world;
  const hops: Hop[] = [];
  for (let at = to; at !== signer; at = hops[0]!.from) {
    const heldUs = since[at * nodes + signer]!;
    let found: Hop | undefined;
    for (let check = 0; check < length && found === undefined; check++) {
      if (kind[check] !== LineKind.check || node[check] !== at || untilUs[check] !== heldUs || value[check]! < 0)
        continue;
      const from = peer[check]!;
      // The verified message is the last message of this weight that the sender sent when it already had the signature
      // and that arrived before the check. Every message also carries its sender's own signature.
      for (let line = 0; line < check; line++) {
        if (kind[line] !== LineKind.send || node[line] !== from || peer[line] !== at) continue;
        const isIt = untilUs[line]! >= 0 && (value[line] === value[check] || (value[check] === 1 && from === signer));
        if (!isIt || untilUs[line]! > timeUs[check]! || timeUs[line]! < since[from * nodes + signer]!) continue;
        found = { from, to: at, level: level[line]!, sentUs: timeUs[line]!, heldUs };
      }
    }
    if (found === undefined) return undefined;
    hops.unshift(found);
  }
  return hops;
}

/** Maximum number of nodes and signatures for which labels are drawn. */
const maxNames = 16;

/** Drawn matrix of held signatures: one row per node, one column per signature. */
export class MatrixView {
  readonly #host: HTMLElement;
  readonly #sharp: SharpCanvas;
  #palette: Palette;
  #since: Int32Array = new Int32Array(0);
  #nodes = 0;
  #left = 0;
  #top = 0;
  #pitch = 1;
  #font = '';
  /** Signature whose path is shown, and its path; undefined if there is none. */
  path: { readonly signer: number; readonly hops: readonly Hop[] } | undefined;

  constructor(host: HTMLElement, palette: Palette) {
    this.#host = host;
    this.#palette = palette;
    this.#sharp = sharpCanvas(host);
    this.#sharp.canvas.setAttribute('role', 'img');
    this.#sharp.canvas.setAttribute('aria-label', 'Signatures per node');
  }

  set palette(palette: Palette) {
    this.#palette = palette;
  }

  show(since: Int32Array, nodes: number): void {
    this.#since = since;
    this.#nodes = nodes;
    this.resize();
  }

  resize(): void {
    const { clientWidth, clientHeight } = this.#host;
    const isNamed = this.#nodes <= maxNames;
    this.#left = isNamed ? 58 : 2;
    this.#top = isNamed ? 30 : 2;
    const right = isNamed ? 34 : 2;
    const side = Math.floor(Math.min(clientWidth - this.#left - right, (clientHeight || clientWidth) - this.#top - 2));
    if (side <= 0 || this.#nodes === 0) return;
    this.#sharp.resize(this.#left + side + right, this.#top + side + 2);
    this.#pitch = side / this.#nodes;
    this.#font = `13px ${getComputedStyle(this.#host).fontFamily}`;
  }

  /** Returns the node whose row contains a point of the host, px, or undefined if there is none. */
  nodeUnder(x: number, y: number): number | undefined {
    const left = (this.#host.clientWidth - this.#sharp.width) / 2;
    const row = Math.floor((y - this.#top) / this.#pitch);
    return row >= 0 && row < this.#nodes && x >= left && x < left + this.#sharp.width ? row : undefined;
  }

  /** Returns the number of signatures that a node holds at a moment. */
  heldAt(node: number, timeUs: number): number {
    let held = 0;
    for (let signer = 0; signer < this.#nodes; signer++)
      if (this.#since[node * this.#nodes + signer]! <= timeUs) held++;
    return held;
  }

  draw(timeUs: number, chosen: number | undefined): void {
    const { context, width, height } = this.#sharp;
    const nodes = this.#nodes;
    const palette = this.#palette;
    const pitch = this.#pitch;
    const isNamed = nodes <= maxNames;
    const gap = pitch > 20 ? 2 : pitch > 6 ? 1 : 0.35;
    context.clearRect(0, 0, width, height);
    context.font = this.#font;
    context.textBaseline = 'middle';
    let total = 0;
    for (let node = 0; node < nodes; node++) {
      const held = this.heldAt(node, timeUs);
      total += held;
      const isAll = held === nodes;
      const y = this.#top + node * pitch;
      for (let signer = 0; signer < nodes; signer++) {
        const isIn = this.#since[node * nodes + signer]! <= timeUs;
        context.fillStyle = !isIn ? palette.line : signer === node ? palette.ink : isAll ? palette.all : palette.part;
        context.fillRect(this.#left + signer * pitch, y, pitch - gap, pitch - gap);
      }
      if (node === chosen) {
        context.strokeStyle = palette.ink;
        context.lineWidth = 2;
        context.strokeRect(this.#left - 1.5, y - 1.5, nodes * pitch - gap + 3, pitch - gap + 3);
      }
      if (!isNamed) continue;
      context.fillStyle = palette.muted;
      context.textAlign = 'right';
      context.fillText(`node ${node}`, this.#left - 10, y + pitch / 2);
      context.textAlign = 'center';
      context.fillText(String(node), this.#left + (node + 0.5) * pitch - gap / 2, this.#top - 13);
      context.fillStyle = palette.ink;
      context.textAlign = 'left';
      context.fillText(`${held}${isAll ? ' ✓' : ''}`, this.#left + nodes * pitch + 6, y + pitch / 2);
    }
    this.#drawPath(timeUs, pitch - gap);
    this.#sharp.canvas.setAttribute(
      'aria-label',
      `Signatures per node: ${count(nodes)} nodes hold ${(total / nodes).toFixed(1)} of ${count(nodes)} on average.`,
    );
  }

  /** Draws a ring around the followed signature in each row of the signature's path, and lines between the rings. */
  #drawPath(timeUs: number, side: number): void {
    if (this.path === undefined) return;
    const { signer, hops } = this.path;
    const { context } = this.#sharp;
    const rows = [signer, ...hops.filter(({ heldUs }) => heldUs <= timeUs).map(({ to }) => to)];
    const x = this.#left + signer * this.#pitch;
    const reach = Math.max(0, 5 - side / 2);
    context.strokeStyle = this.#palette.ink;
    context.lineWidth = 2;
    context.beginPath();
    for (const [place, row] of rows.entries()) {
      const y = this.#top + row * this.#pitch;
      context.rect(x - reach, y - reach, side + 2 * reach, side + 2 * reach);
      if (place === 0) continue;
      // Lines between more distant rows are more curved, so that the lines of the path do not cover each other.
      const [from, to] = [this.#top + rows[place - 1]! * this.#pitch + side / 2, y + side / 2];
      const right = x + side + reach;
      const bow = 12 + Math.abs(to - from) / 4;
      context.moveTo(right, from);
      context.bezierCurveTo(right + bow, from, right + bow, to, right, to);
    }
    context.stroke();
  }
}
