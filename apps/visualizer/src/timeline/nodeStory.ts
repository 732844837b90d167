import { peerSet, Tree } from '@tutti/core';
import { LineKind, NodeRole, type Recording } from '@tutti/simulation';
import { hasLevels, upperBound } from './heldSteps.ts';
import type { RunIndex } from './runIndex.ts';

/** Messages of one node, as lines of the recording in order of departure, including lost messages. */
export interface NodeMessages {
  /** Messages sent to the node. */
  readonly came: Int32Array;
  /** Messages sent by the node. */
  readonly went: Int32Array;
}

export function nodeMessages({ length, kind, node, peer }: Recording, id: number): NodeMessages {
  const came: number[] = [];
  const went: number[] = [];
  for (let line = 0; line < length; line++) {
    if (kind[line] !== LineKind.send) continue;
    if (peer[line] === id) came.push(line);
    if (node[line] === id) went.push(line);
  }
  return { came: Int32Array.from(came), went: Int32Array.from(went) };
}

/** Part of a recording from which a story is derived. In a live room, it contains only the events of one node. */
export type StoryGround = Omit<Recording, 'result' | 'sends'>;

/** Events that concern one node in a run. All drawings from the node's point of view are derived from them. */
export interface NodeStory {
  readonly node: number;
  readonly recording: StoryGround;
  /** Events and arrivals at the node, in order of time. */
  readonly steps: readonly StoryStep[];
  /** Times of the steps, µs. */
  readonly stepTimeUs: Int32Array;
  /** Recording lines of kind `improve` for each level, from level 0, in order of time. */
  readonly improvements: readonly Int32Array[];
  /** Recording lines of kind `check`, in order of time. */
  readonly checks: Int32Array;
}

/** Event of a node. */
export interface StoryStep {
  readonly timeUs: number;
  readonly what: 'start' | 'arrival' | 'check' | 'improve' | 'output' | 'refuse' | 'blacklist';
  /** Line of the step's event in the recording. For an arrival, the line is that of the sending. */
  readonly line: number;
}

const ownSteps: Readonly<Record<number, StoryStep['what']>> = {
  [LineKind.start]: 'start',
  [LineKind.check]: 'check',
  [LineKind.improve]: 'improve',
  [LineKind.output]: 'output',
  [LineKind.refuse]: 'refuse',
  [LineKind.blacklist]: 'blacklist',
};

/** Returns the story of node `id`. */
export function nodeStory(
  { recording, lines }: { readonly recording: StoryGround } & Pick<RunIndex, 'lines'>,
  id: number,
): NodeStory {
  const { kind, level, timeUs, untilUs, world } = recording;
  const steps: StoryStep[] = [];
  const improvements: number[][] = Array.from({ length: world.levels + 1 }, () => []);
  const checks: number[] = [];
  for (const line of lines.line.subarray(lines.offset[id]!, lines.offset[id + 1]!)) {
    if (kind[line] === LineKind.send) {
      steps.push({ timeUs: untilUs[line]!, what: 'arrival', line });
      continue;
    }
    const what = ownSteps[kind[line]!];
    if (what === undefined) continue;
    steps.push({ timeUs: timeUs[line]!, what, line });
    if (what === 'improve') improvements[level[line]!]!.push(line);
    if (what === 'check') checks.push(line);
  }
  // The sort is stable, so lines with equal times keep their order.
  steps.sort((a, b) => a.timeUs - b.timeUs);
  return {
    node: id,
    recording,
    steps,
    stepTimeUs: Int32Array.from(steps, (step) => step.timeUs),
    improvements: improvements.map((lines) => Int32Array.from(lines)),
    checks: Int32Array.from(checks),
  };
}

/** In_level, the best aggregate of a level's peers, at a given time, according to the recording. */
export interface InLevel {
  /** Weight of In_level; 0 if it is empty. */
  readonly weight: number;
  /** Time of the last improvement of In_level, µs; -1 if In_level is empty. */
  readonly sinceUs: number;
  /**
   * Whether the recording contains the sets of ids in addition to the weights. The functions `has` and `count` need the
   * sets.
   */
  readonly named: boolean;
  /** Returns whether In_level contains the id with index `bit` in the level's peer set. */
  has(bit: number): boolean;
  /** Returns the number of ids in [from, to) of the level's peer set that In_level contains. */
  count(from: number, to: number): number;
}

const nothingIn: InLevel = { weight: 0, sinceUs: -1, named: true, has: () => false, count: () => 0 };

/** Returns the In_level of the story's node at a given time. */
export function inLevelAt(story: NodeStory, level: number, atUs: number): InLevel {
  const line = lastLineAt(story.recording, story.improvements[level]!, atUs);
  if (line < 0) return nothingIn;
  const { value, timeUs, set, words, world, scenario } = story.recording;
  const start = set[line]!;
  const peers = peerSet(story.node, level, world.nodes, scenario.tree, scenario.branching);
  return {
    weight: value[line]!,
    sinceUs: timeUs[line]!,
    named: start >= 0 || value[line]! >= peers.end - peers.start,
    has: (bit) => start < 0 || hasBit(words, start, bit),
    count: (from, to) => (start < 0 ? to - from : countBits(words, start * 32 + from, start * 32 + to)),
  };
}

/** Returns whether a bit is set in the set of bits that begins at the word `start`. */
export function hasBit(words: Int32Array, start: number, bit: number): boolean {
  return ((words[start + (bit >> 5)]! >>> (bit & 31)) & 1) === 1;
}

/** Returns the number of set bits in the bit range [from, to) of consecutive words. */
function countBits(words: Int32Array, from: number, to: number): number {
  let count = 0;
  for (let at = from; at < to; ) {
    const within = at & 31;
    const length = Math.min(32 - within, to - at);
    let word = words[Math.floor(at / 32)]! >>> within;
    if (length < 32) word &= (1 << length) - 1;
    for (; word !== 0; word &= word - 1) count++;
    at += length;
  }
  return count;
}

/**
 * Returns the lines of the verification in progress at a given time: a single line, or one per contribution in a batch;
 * none if the verifier is idle.
 */
export function checksAt({ recording, checks }: NodeStory, atUs: number): number[] {
  const { timeUs, untilUs } = recording;
  const last = lastLineAt(recording, checks, atUs);
  if (last < 0) return [];
  const until = untilUs[last]!;
  if (until >= 0 && until <= atUs) return [];
  const end = checks.indexOf(last) + 1;
  let start = end - 1;
  while (start > 0 && timeUs[checks[start - 1]!] === timeUs[last] && untilUs[checks[start - 1]!] === until) start--;
  return [...checks.subarray(start, end)];
}

/** Returns the number of the story's events up to a given time. */
export function stepsUntil(story: NodeStory, atUs: number): number {
  return upperBound(story.stepTimeUs, atUs);
}

/** Returns the last of the given lines at a given time, or -1 if there is none. @param lines lines in order of time. */
function lastLineAt({ timeUs }: StoryGround, lines: Int32Array, atUs: number): number {
  return lines.findLast((line) => timeUs[line]! <= atUs) ?? -1;
}

/** Results of {@link heardBy}, cached because the page needs them for every node that it shows. */
const counted = new WeakMap<Recording, Int32Array | undefined>();

/**
 * Returns, for each honest node, the number of other honest nodes that have its contribution at the end, and 0 for
 * other nodes. The result is undefined if the protocol has no levels or the recording does not contain the sets. A run
 * is fair if all nodes have all contributions (v1.03 section 4.1 (3)).
 */
export function heardBy(index: Pick<RunIndex, 'recording' | 'lines'>): Int32Array | undefined {
  if (!counted.has(index.recording)) counted.set(index.recording, countHeardBy(index));
  return counted.get(index.recording);
}

function countHeardBy({ recording, lines }: Pick<RunIndex, 'recording' | 'lines'>): Int32Array | undefined {
  const { kind, level, value, set, words, world, scenario } = recording;
  if (!hasLevels(scenario.protocol)) return undefined;
  const tree = new Tree(world.nodes, scenario.tree, scenario.branching);
  const by = new Int32Array(world.nodes);
  const last = new Int32Array(world.levels + 1);
  for (let id = 0; id < world.nodes; id++) {
    if (world.role[id] !== NodeRole.honest) continue;
    last.fill(-1);
    for (const line of lines.line.subarray(lines.offset[id]!, lines.offset[id + 1]!))
      if (kind[line] === LineKind.improve) last[level[line]!] = line;
    for (const [of, line] of last.entries()) {
      if (line < 0) continue;
      const block = tree.peerBlock(id, of);
      const [start, size] = [tree.start(block), tree.size(block)];
      const isAll = value[line]! >= size;
      if (!isAll && set[line]! < 0) return undefined;
      for (let bit = 0; bit < size; bit++) if (isAll || hasBit(words, set[line]!, bit)) by[start + bit]!++;
    }
  }
  return by.map((count, id) => (world.role[id] === NodeRole.honest ? count : 0));
}
