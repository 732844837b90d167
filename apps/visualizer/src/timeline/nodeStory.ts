import { peerSet } from '@tutti/core';
import { LineKind, type Recording } from '@tutti/simulation';
import { upperBound } from './heldSteps.ts';
import type { RunIndex } from './runIndex.ts';

/** The messages of one node, as lines of the recording in order of departure; those that were lost on their way too. */
export interface NodeMessages {
  readonly came: Int32Array;
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

/**
 * What a story needs of a recording: its lines and its world. A live room has these too, as far as one node sees them.
 */
export type StoryGround = Omit<Recording, 'result' | 'sends'>;

/** What one node saw and did, of a whole run: the ground of every drawing from its point of view. */
export interface NodeStory {
  readonly node: number;
  readonly recording: StoryGround;
  /** Its own steps and what arrived, in order of time. */
  readonly steps: readonly StoryStep[];
  readonly stepTimeUs: Int32Array;
  /** The recording's `improve` lines of each level, in order of time. */
  readonly improvements: readonly Int32Array[];
  /** The recording's `check` lines, in order of time. */
  readonly checks: Int32Array;
}

export interface StoryStep {
  readonly timeUs: number;
  readonly what: 'start' | 'arrival' | 'check' | 'improve' | 'output' | 'refuse' | 'blacklist';
  /** The line of the recording that says it; for an arrival, the line of the sending. */
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
  // Stable: lines of one instant stay in the recording's order.
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

/** In_level at a time, according to the recording. */
export interface InLevel {
  /** 0 while nothing is in. */
  readonly weight: number;
  /** Since when it is this heavy, microseconds; -1 while nothing is in. */
  readonly sinceUs: number;
  /** Whether the sets are known, and not only the weights; if so, the next two functions answer. */
  readonly named: boolean;
  /** Is the b-th id of the level's peer set in? */
  has(bit: number): boolean;
  /** How many ids in [from, to) of the level's peer set are in. */
  count(from: number, to: number): number;
}

const nothingIn: InLevel = { weight: 0, sinceUs: -1, named: true, has: () => false, count: () => 0 };

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
    has: (bit) => start < 0 || ((words[start + (bit >> 5)]! >>> (bit & 31)) & 1) === 1,
    count: (from, to) => (start < 0 ? to - from : countBits(words, start * 32 + from, start * 32 + to)),
  };
}

/** How many of the bits [from, to) of consecutive words are 1. */
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
 * The lines of the check that the node is doing at a time: one, or one of each contribution of a batch; none when its
 * verifier is free.
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

/** How many of the story's steps have happened at a time. */
export function stepsUntil(story: NodeStory, atUs: number): number {
  return upperBound(story.stepTimeUs, atUs);
}

function lastLineAt(recording: StoryGround, lines: Int32Array, atUs: number): number {
  let low = 0;
  let high = lines.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (recording.timeUs[lines[middle]!]! <= atUs) low = middle + 1;
    else high = middle;
  }
  return low === 0 ? -1 : lines[low - 1]!;
}
