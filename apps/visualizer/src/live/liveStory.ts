import { levelCount, peerSet } from '@tutti/core';
import { defaultScenario, LineKind, NodeRole } from '@tutti/simulation';
import type { RoomStep } from '@tutti/transports/rooms';
import { type NodeStory, nodeStory, type StoryGround } from '../timeline/nodeStory.ts';

/** Maximum number of lines per round, in case members never stop sending messages. Later lines are not stored. */
const maxLines = 20_000;

/** Line of a recording, as in {@link StoryGround}. Absent values are -1, except for `value`, which is 0. */
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
 * Round of a live room from the perspective of this page's node, stored as lines of a recording. The views for
 * simulated nodes can therefore draw the live node during the round.
 */
export class LiveStory {
  readonly #node: number;
  readonly #nodes: number;
  readonly #threshold: number;
  readonly #lines: Line[] = [];
  readonly #words: number[] = [];
  /** Lines of the verifications in progress. */
  #checks: Line[] = [];

  /**
   * Creates the story of a round.
   *
   * @param nodes number of nodes. @param node position of the page's node in the round's tree.
   */
  constructor(nodes: number, node: number, threshold: number) {
    this.#node = node;
    this.#nodes = nodes;
    this.#threshold = threshold;
    this.#push({ kind: LineKind.start, timeUs: 0, level: 0 });
  }

  /** Adds a step of the round. Sent messages are not drawn, so they are not stored. */
  add(step: RoomStep): void {
    if (step.what === 'checked') {
      for (const check of this.#checks) check.untilUs = step.timeUs;
      this.#checks = [];
      return;
    }
    if (step.what === 'sent' || this.#lines.length >= maxLines) return;
    const { timeUs, level } = step;
    if (step.what === 'improved') {
      const set = this.#store(level, step.held);
      this.#push({ kind: LineKind.improve, timeUs, level, value: step.held.length, set });
    } else if (step.what === 'received')
      this.#push({ kind: LineKind.send, timeUs, node: step.peer, peer: this.#node, level, untilUs: timeUs });
    else this.#checks.push(this.#push({ kind: LineKind.check, timeUs, peer: step.peer, level }));
  }

  #push(line: Pick<Line, 'kind' | 'timeUs' | 'level'> & Partial<Line>): Line {
    const whole = { node: this.#node, peer: -1, value: 0, untilUs: -1, set: -1, ...line };
    this.#lines.push(whole);
    return whole;
  }

  /** Returns the story of the round up to now. */
  story(): NodeStory {
    const recording = this.#recording();
    const line = Int32Array.from(this.#lines.keys());
    const offset = new Int32Array(this.#nodes + 1).fill(line.length, this.#node + 1);
    return nodeStory({ recording, lines: { offset, line } }, this.#node);
  }

  /** Stores a set of positions as bits of the peer set of a level. Returns the offset of the stored set. */
  #store(level: number, held: readonly number[]): number {
    const { start, end } = peerSet(this.#node, level, this.#nodes);
    const words = new Array<number>(Math.ceil((end - start) / 32)).fill(0);
    for (const position of held) words[(position - start) >> 5]! |= 1 << ((position - start) & 31);
    const at = this.#words.length;
    this.#words.push(...words);
    return at;
  }

  #recording(): StoryGround {
    const lines = this.#lines;
    const nodes = this.#nodes;
    return {
      scenario: { ...defaultScenario, nodes },
      world: {
        nodes,
        levels: levelCount(nodes),
        threshold: this.#threshold,
        role: new Uint8Array(nodes).fill(NodeRole.honest),
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
