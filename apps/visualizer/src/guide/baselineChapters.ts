import { NodeRole, type ProtocolName } from '@tutti/simulation';
import { figure, ms } from '../formatNumber.ts';
import { heldSinceUs } from '../timeline/heldSteps.ts';
import type { NodeStory, StoryStep } from '../timeline/nodeStory.ts';
import type { RunIndex } from '../timeline/runIndex.ts';
import type { Chapter } from './chapter.ts';

interface BaselineWords {
  /** Text shown in place of the tree if the protocol has none. */
  readonly noTree: string;
  readonly alone: (live: number, nodes: number) => string;
  readonly arrival: (from: string, me: string) => string;
  readonly check: string;
}

const words: Readonly<Record<Exclude<ProtocolName, 'handel'>, BaselineWords>> = {
  'complete-graph': {
    noTree:
      'The complete graph has no levels: each node sends to all others and collects their contributions one at a time.',
    alone: (live, nodes) =>
      `${figure(live)} nodes have signed the same message. Each node sends its [[contribution]] to all ${figure(nodes - 1)} other nodes.`,
    arrival: (from, me) =>
      `Node ${from} sends its own [[contribution]] to ${me} and to all other nodes. No node combines contributions on the way.`,
    check:
      'A node verifies each [[contribution]] separately, in the order of arrival. It needs one check per node of the network.',
  },
  'san-fermin': {
    noTree: '',
    alone: (live) =>
      `${figure(live)} nodes have signed the same message. On each [[level]] a node exchanges its signatures with one partner. It waits for the answer before it continues with the next partner.`,
    arrival: (from, me) =>
      `Node ${from} sends ${me} a request to exchange signatures, or an answer. A message for a [[level]] that its receiver has left is ignored.`,
    check:
      'A node verifies each answer. An invalid answer adds nothing. Its sender is not excluded, and the node continues with the next partner of the level.',
  },
  gossip: {
    noTree: 'Gossip has no levels: each node forwards new contributions to its neighbours in a random mesh.',
    alone: (live) =>
      `${figure(live)} nodes have signed the same message. Each node sends its own [[contribution]] to its neighbours in a random mesh and forwards all new contributions to them.`,
    arrival: (from, me) =>
      `Node ${from} is a neighbour of ${me} and forwards received contributions. Many contributions arrive more than once.`,
    check:
      'A node verifies each contribution before it forwards it, so every node verifies the signatures of all other nodes.',
  },
};

export function baselineWords(protocol: ProtocolName): BaselineWords {
  if (protocol === 'handel') throw new RangeError('baselineWords: expected a baseline of Handel, got "handel"');
  return words[protocol];
}

/** Returns the chapters of a baseline's run from one live node's point of view, without Handel's mechanisms. */
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
      text: `N${me.slice(1)} holds the [[threshold]] of ${figure(world.threshold)}, and outputs its [[multi-signature]] after ${ms(reached)}.`,
    });
  }
  return all;
}
