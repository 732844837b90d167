import { levelCount, peerSet } from '@tutti/core';
import { defaultScenario, LineKind, NodeRole } from '@tutti/simulation';
import type { RoomStep } from '@tutti/transports/rooms';
import { type NodeStory, nodeStory, type StoryGround } from '../timeline/nodeStory.ts';

/**
 * Maximum number of lines per round, in case members never answer and this node never stops sending messages to them.
 */
const maxLines = 20_000;

interface Line {
  readonly kind: number;
  readonly timeUs: number;
  readonly node: number;
  readonly peer: number;
  readonly level: number;
  readonly value: number;
  untilUs: number;
  readonly set: number;
}

/**
 * Round of a live room from the perspective of this page's node, as lines of a recording. The views for simulated nodes
 * can therefore draw the live node during the round.
 */
export class LiveStory {
  readonly node: number;
  readonly #nodes: number;
  readonly #threshold: number;
  readonly #lines: Line[];
  readonly #words: number[] = [];
  /** Verifications in progress. */
  #checks: Line[] = [];

  /**
   * Creates the story of a round.
   *
   * @param node position of the page's node in the round's tree.
   */
  constructor(nodes: number, node: number, threshold: number) {
    this.node = node;
    this.#nodes = nodes;
    this.#threshold = threshold;
    this.#lines = [{ kind: LineKind.start, timeUs: 0, node, peer: -1, level: 0, value: 0, untilUs: -1, set: -1 }];
  }

  add(step: RoomStep): void {
    if (step.what === 'checked') {
      for (const check of this.#checks) check.untilUs = step.timeUs;
      this.#checks = [];
      return;
    }
    if (this.#lines.length >= maxLines) return;
    const { timeUs, level } = step;
    if (step.what === 'improved') {
      const line = { kind: LineKind.improve, timeUs, node: this.node, peer: -1, level, untilUs: -1 };
      this.#lines.push({ ...line, value: step.held.length, set: this.#store(level, step.held) });
      return;
    }
    // Sent messages are ignored, because the drawing shows only messages that have arrived or are being verified.
    if (step.what === 'sent') return;
    const { peer } = step;
    if (step.what === 'received') {
      const line = { kind: LineKind.send, timeUs, node: peer, peer: this.node, level };
      this.#lines.push({ ...line, value: 0, untilUs: timeUs, set: -1 });
      return;
    }
    const line = { kind: LineKind.check, timeUs, node: this.node, peer, level, value: 0, untilUs: -1, set: -1 };
    this.#checks.push(line);
    this.#lines.push(line);
  }

  /** Returns the story of the round up to now. */
  story(): NodeStory {
    const recording = this.#ground();
    const line = Int32Array.from(this.#lines.keys());
    const offset = new Int32Array(this.#nodes + 1).fill(line.length, this.node + 1);
    return nodeStory({ recording, lines: { offset, line } }, this.node);
  }

  /** Stores a set of positions as bits of the peer set of a level. Returns the offset of the stored set. */
  #store(level: number, held: readonly number[]): number {
    const { start, end } = peerSet(this.node, level, this.#nodes);
    const words = new Array<number>(Math.ceil((end - start) / 32)).fill(0);
    for (const position of held) words[(position - start) >> 5]! |= 1 << ((position - start) & 31);
    const at = this.#words.length;
    this.#words.push(...words);
    return at;
  }

  #ground(): StoryGround {
    const lines = this.#lines;
    const nodes = this.#nodes;
    return {
      scenario: { ...defaultScenario, nodes },
      world: {
        nodes,
        levels: levelCount(nodes),
        threshold: this.#threshold,
        alive: new Uint8Array(nodes).fill(NodeRole.honest),
        startUs: new Int32Array(nodes),
        region: new Uint8Array(nodes),
        regionNames: [],
        cpuFactor: new Float32Array(nodes).fill(1),
      },
      length: lines.length,
      timeUs: Int32Array.from(lines, ({ timeUs }) => timeUs),
      kind: Uint8Array.from(lines, ({ kind }) => kind),
      node: Int32Array.from(lines, ({ node }) => node),
      peer: Int32Array.from(lines, ({ peer }) => peer),
      level: Uint8Array.from(lines, ({ level }) => level),
      value: Int32Array.from(lines, ({ value }) => value),
      untilUs: Int32Array.from(lines, ({ untilUs }) => untilUs),
      set: Int32Array.from(lines, ({ set }) => set),
      words: Int32Array.from(this.#words),
    };
  }
}
