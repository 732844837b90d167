import { NodeRole, type ProtocolName } from '@tutti/simulation';
import { heldSinceUs } from '../timeline/heldSteps.ts';
import type { NodeStory, StoryStep } from '../timeline/nodeStory.ts';
import type { RunIndex } from '../timeline/runIndex.ts';
import { figure, ms } from '../words.ts';
import type { Chapter } from './chapter.ts';

interface BaselineWords {
  /** Shown in place of the tree, if there is none. */
  readonly noTree: string;
  readonly alone: (live: number, nodes: number) => string;
  readonly arrival: (from: string, me: string) => string;
  readonly check: string;
}

const words: Readonly<Record<Exclude<ProtocolName, 'handel'>, BaselineWords>> = {
  'complete-graph': {
    noTree:
      'The complete graph has no levels: each node sends to all others and collects one contribution after the other.',
    alone: (live, nodes) =>
      `${figure(live)} nodes have signed the same message. Each sends its [[contribution]] to all ${figure(nodes - 1)} others.`,
    arrival: (from, me) =>
      `Node ${from} sends its own [[contribution]] to ${me}, as to all others. Nothing is added up on the way.`,
    check:
      'Each [[contribution]] takes a check of its own, in the order of arrival: as many checks as there are nodes.',
  },
  'san-fermin': {
    noTree: '',
    alone: (live) =>
      `${figure(live)} nodes have signed the same message. On each [[level]] a node swaps what it holds with one partner, and waits for the answer before it goes on to the next.`,
    arrival: (from, me) =>
      `Node ${from} asks ${me} to swap, or answers it. A message for a [[level]] that its receiver has left is ignored.`,
    check:
      'A node verifies each answer. An invalid one adds nothing; its sender is not excluded, and the level waits for the next partner.',
  },
  gossip: {
    noTree: 'Gossip has no levels: each node passes what is new to it on to its neighbours in a random mesh.',
    alone: (live) =>
      `${figure(live)} nodes have signed the same message. Each passes its [[contribution]], and everything new that it receives, on to its neighbours in a random mesh.`,
    arrival: (from, me) =>
      `Node ${from} is a neighbour of ${me}, and passes on what it has received. Much of that arrives more than once.`,
    check:
      'A node verifies each contribution before it passes it on, so every node verifies the signature of every other.',
  },
};

export function baselineWords(protocol: ProtocolName): BaselineWords {
  if (protocol === 'handel') throw new RangeError('baselineWords: expected a baseline of Handel, got "handel"');
  return words[protocol];
}

/** Chapters of a baseline's run from one live node's point of view, without Handel's mechanisms. */
export function baselineChapters(index: RunIndex, story: NodeStory): Chapter[] {
  const { recording } = index;
  const { world, scenario } = recording;
  const own = baselineWords(scenario.protocol);
  const me = `node ${figure(story.node)}`;
  const all: Chapter[] = [{ timeUs: 0, title: 'Alone', text: own.alone(recording.result.live, world.nodes) }];
  const first = (what: StoryStep['what']) => story.steps.find((step) => step.what === what);
  const arrival = first('arrival');
  if (arrival) {
    const from = figure(recording.node[arrival.line]!);
    all.push({ timeUs: arrival.timeUs, title: 'First message', text: own.arrival(from, me) });
  }
  const check = first('check');
  if (check) all.push({ timeUs: check.timeUs, title: 'First check', text: own.check });
  const reached = heldSinceUs(index.steps, story.node, world.threshold);
  if (reached !== undefined && world.alive[story.node] === NodeRole.honest) {
    all.push({
      timeUs: reached,
      title: 'Threshold',
      text: `N${me.slice(1)} holds the [[threshold]] of ${figure(world.threshold)}, and so its [[multi-signature]], after ${ms(reached)}.`,
    });
  }
  return all;
}
