import { Tree } from '@tutti/core';
import { attackNamed, LineKind, NodeRole, type ProtocolName, type Recording, type Scenario } from '@tutti/simulation';
import { capital, count, ms, uncapital } from '../formatNumber.ts';
import { heldAt, heldSinceUs } from '../timeline/heldSteps.ts';
import { heardBy, inLevelAt, type NodeStory, type StoryStep } from '../timeline/nodeStory.ts';
import type { RunIndex } from '../timeline/runIndex.ts';
import type { Chapter } from './chapter.ts';

/** Returns the chapters of a run from one node's point of view: the first event of each kind, in order of time. */
export function chapters(index: RunIndex, story: NodeStory): readonly Chapter[] {
  const { recording } = index;
  const { world, result } = recording;
  const me = `Node ${count(story.node)}`;
  if (world.role[story.node] === NodeRole.byzantine) return [byzantineChapter(index, me)];
  if (world.role[story.node] !== NodeRole.honest) return [deadChapter(index, story.node, me)];

  const { protocol } = recording.scenario;
  const ofRun = protocol === 'handel' ? handelChapters(index, story, me) : baselineChapters(index, story);
  if (index.done) {
    ofRun.push({
      timeUs: index.endUs,
      title: 'Everyone',
      text: [everyone(index), ...outcomeOfAttacks(index)].join(' '),
      result: result.reached > 0,
    });
  }
  return mergeSimultaneous(ofRun.toSorted((a, b) => a.timeUs - b.timeUs));
}

/** Merges chapters that begin in the same microsecond, because otherwise only the later one could be reached. */
function mergeSimultaneous(ordered: readonly Chapter[]): readonly Chapter[] {
  const all: Chapter[] = [];
  for (const chapter of ordered) {
    const before = all.at(-1);
    if (before?.timeUs !== chapter.timeUs) all.push(chapter);
    else
      all[all.length - 1] = {
        ...chapter,
        title: before.title === 'Alone' ? chapter.title : `${before.title}, ${chapter.title.toLowerCase()}`,
        text: `${before.text} ${chapter.text}`,
      };
  }
  return all;
}

/** Returns the chapters of a Handel run, except the final chapter. */
function handelChapters(index: RunIndex, story: NodeStory, me: string): Chapter[] {
  const alone: Chapter = {
    timeUs: 0,
    title: 'Alone',
    text: `${count(index.recording.result.live)} ${nodesWord(index)} have signed the same message. Each node holds its own [[contribution]] and collects the other contributions in a tree, [[level]] by [[level]]. ${costWords(index)}`,
  };
  return [alone, ...firstEvents(index.recording, story, me), ...amountChapters(index, story, me)];
}

function firstStep({ steps }: NodeStory, what: StoryStep['what']): StoryStep | undefined {
  return steps.find((step) => step.what === what);
}

/** Returns the chapters about the first message, first check and first invalid contribution of a node. */
function firstEvents(recording: Recording, story: NodeStory, me: string): Chapter[] {
  const { scenario } = recording;
  const all: Chapter[] = [];
  const arrival = firstStep(story, 'arrival');
  if (arrival) {
    const [from, level] = [recording.node[arrival.line]!, recording.level[arrival.line]!];
    all.push({
      timeUs: arrival.timeUs,
      title: 'First message',
      text: `Node ${count(from)} is one of the [[peer set|peers]] of ${me.toLowerCase()} on [[level]] ${level} and sends it a contribution. In each [[dissemination period]], a node sends a message to one more peer on each level that it has started${scenario.backOff ? ', as long as it has something new to send' : ''}.`,
    });
  }
  const check = firstStep(story, 'check');
  if (check) {
    const costMs = (recording.untilUs[check.line]! - check.timeUs) / 1000;
    all.push({
      timeUs: check.timeUs,
      title: 'First check',
      text: `A check takes this node ${costMs.toFixed(1)} ms. ${orderWords(scenario)}`,
    });
  }
  const invalid = story.steps.find((step) => step.what === 'check' && recording.value[step.line]! < 0);
  if (invalid) {
    const from = count(recording.peer[invalid.line]!);
    const timeUs = recording.untilUs[invalid.line]!;
    all.push({
      timeUs,
      title: 'First invalid',
      text: `At ${ms(timeUs)}, a check showed that the contribution of node ${from} was invalid. ${invalidWords(scenario, me, from)}`,
    });
  }
  return all;
}

/**
 * Returns the chapters about a node's first complete level, and about the times at which the node holds half of the
 * threshold and reaches the threshold.
 */
function amountChapters(index: RunIndex, story: NodeStory, me: string): Chapter[] {
  const { world, scenario } = index.recording;
  const all: Chapter[] = [];
  const complete = completion(index, story);
  if (complete) {
    all.push({
      timeUs: complete.timeUs,
      title: 'Complete level',
      text: `At ${ms(complete.timeUs)}, ${me.toLowerCase()} held all ${count(complete.size)} signatures from its side of the tree up to [[level]] ${complete.level}.${fastPathWords(scenario, complete.next)}`,
    });
  }
  const half = heldSinceUs(index.steps, story.node, world.threshold / 2);
  if (half !== undefined) {
    all.push({
      timeUs: half,
      title: 'Halfway',
      text: `At ${ms(half)}, ${me.toLowerCase()} held ${count(heldAt(index.steps, story.node, half))} of ${count(world.nodes)} signatures. ${growthWords(scenario)}.`,
    });
  }
  const reached = heldSinceUs(index.steps, story.node, world.threshold);
  if (reached !== undefined) {
    all.push({
      timeUs: reached,
      title: 'Threshold',
      text: `${me} holds ${count(heldAt(index.steps, story.node, reached))} signatures; the [[threshold]] is ${count(world.threshold)}. The node outputs its [[multi-signature]] after ${ms(reached)} and continues to send to the other nodes.`,
    });
  }
  return all;
}

/** Describes the order in which the node selects waiting contributions. */
function orderWords({ without }: Scenario): string {
  if (without.includes('score'))
    return 'The waiting contribution with the best [[rank]] is verified first, whatever it claims to add.';
  if (without.includes('window'))
    return 'The waiting contribution with the best [[score]] is verified first, whatever its rank.';
  return 'The sender’s [[rank]] determines whether a contribution is in the [[window]]. In the window, the contribution with the best [[score]] is verified first.';
}

/** Describes how the node reacts to senders of invalid contributions. */
function invalidWords({ without }: Scenario, me: string, from: string): string {
  const listens = without.includes('blacklist')
    ? `${me} has no [[blacklist]] and keeps verifying contributions from node ${from}`
    : `${me} [[blacklist|ignores]] node ${from} from then on`;
  if (without.includes('window') || without.includes('score')) return `${listens}.`;
  return `${listens} and reduces the level’s [[window]] to a quarter.`;
}

function fastPathWords({ fastPath }: Scenario, [first, last]: readonly [number, number]): string {
  if (fastPath === 0) return '';
  const levels = first === last ? `level ${first}` : `levels ${first} to ${last}`;
  return ` The node sent these signatures to peers of ${levels} immediately, on the [[fast path]].`;
}

function growthWords({ branching }: Scenario): string {
  return branching === 2
    ? 'Each [[level]] doubles the number of signatures that the node can hold'
    : `Every ${count(branching - 1)} [[level|levels]] multiply the number of signatures that the node can hold by ${count(branching)}`;
}

/** Describes the messages and checks per node of the complete graph and, after the run, of this run. */
function costWords({ done, recording: { world, result } }: RunIndex): string {
  const others = count(world.nodes - 1);
  const everyone = `If each node sent its signature to all others, each would need ${others} messages and ${others} checks`;
  if (!done) return `${everyone}.`;
  const { messagesSent, checked } = result;
  return `${everyone}. In this run, a node needed ${count(Math.round(messagesSent.mean))} messages and ${checked.mean.toFixed(1)} checks on average.${messagesSent.mean > world.nodes - 1 ? ' Messages are small, but a check takes milliseconds, so saving checks is worth more than saving messages.' : ''}`;
}

/** Returns the noun for the nodes that a run counts. Byzantine and dead nodes are not counted. */
function nodesWord({ recording: { world } }: RunIndex): string {
  if (world.role.includes(NodeRole.byzantine)) return 'honest nodes';
  return world.role.includes(NodeRole.dead) ? 'working nodes' : 'nodes';
}

function everyone(index: RunIndex): string {
  const { endUs } = index;
  const { reached, live } = index.recording.result;
  if (reached < live)
    return `When the run ended after ${ms(endUs)}, ${count(reached)} of ${count(live)} ${nodesWord(index)} held a [[multi-signature]].`;
  return live === 1
    ? `The only one of the ${nodesWord(index)} holds a [[multi-signature]] ${ms(endUs)} after the start.`
    : `All ${count(live)} ${nodesWord(index)} hold a [[multi-signature]] ${ms(endUs)} after the start.`;
}

/**
 * Describes the effects of the attackers: nodes that did not reach the threshold, nodes that others excluded, and
 * flooded nodes.
 */
function outcomeOfAttacks(index: RunIndex): string[] {
  const { steps } = index;
  const { scenario, world } = index.recording;
  if (scenario.attacks.length === 0) return [];
  const outcomes: string[] = [];
  const isHonest = (id: number) => world.role[id] === NodeRole.honest;
  const honest = Array.from({ length: world.nodes }, (_, id) => id).filter(isHonest);
  const out = honest.filter((id) => heldSinceUs(steps, id, world.threshold) === undefined);
  if (out.length > 0) outcomes.push(`${names(out)} never reached the [[threshold]].`);
  const left = leftOut(index, honest);
  if (left !== undefined) outcomes.push(left);
  const flood = flooded(index, honest);
  if (flood !== undefined) outcomes.push(flood);
  if (outcomes.length > 0) return outcomes;
  const deeds = heardBy(index) === undefined ? 'did not flood' : 'neither excluded nor flooded';
  return [`The attackers ${deeds} any node.`];
}

/** Describes the messages of a flooded node; undefined if there is none. The node's id requires recorded messages. */
function flooded({ recording, endUs }: RunIndex, honest: readonly number[]): string | undefined {
  const { max, mean } = recording.result.messagesReceived;
  if (max <= 4 * mean) return undefined;
  const words = (who: string, messages: number) =>
    `${who} received ${count(messages)} messages, which is ${Math.round(messages / mean)} times the mean over all nodes.`;
  if (!recording.sends) return words('One honest node', max);
  const received = new Int32Array(recording.world.nodes);
  for (let line = 0; line < recording.length; line++) {
    const arrivalUs = recording.untilUs[line]!;
    if (recording.kind[line] !== LineKind.send || arrivalUs < 0 || arrivalUs > endUs) continue;
    received[recording.peer[line]!]!++;
  }
  const victim = honest.reduce((most, id) => (received[id]! > received[most]! ? id : most), honest[0]!);
  return words(`Node ${count(victim)}`, received[victim]!);
}

/**
 * Minimum share of the other honest nodes that have an honest node's contribution at the end, 0 to 1. An honest node
 * with a smaller share counts as excluded.
 */
const leftOutBelow = 0.8;

/** Names the honest nodes that the other nodes excluded; undefined if the attackers excluded no particular nodes. */
function leftOut(index: RunIndex, honest: readonly number[]): string | undefined {
  const heard = heardBy(index);
  if (heard === undefined || honest.length < 2) return undefined;
  const others = honest.length - 1;
  const left = honest.filter((id) => heard[id]! < leftOutBelow * others);
  // If many nodes are excluded, the run has ended early, and no single node was targeted.
  if (left.length === 0 || left.length > honest.length / 10) return undefined;
  const min = Math.min(...left.map((id) => heard[id]!));
  return left.length === 1
    ? `${names(left)} was excluded: only ${count(min)} of the other ${count(others)} honest nodes’ [[multi-signature|multi-signatures]] include it.`
    : `${names(left)} were excluded. The node that was excluded most often is in only ${count(min)} of the other ${count(others)} honest nodes’ [[multi-signature|multi-signatures]].`;
}

function names(ids: readonly number[]): string {
  const few = ids.slice(0, 3).map(count).join(', ');
  return ids.length === 1 ? `Node ${few}` : `${count(ids.length)} honest nodes (${few}${ids.length > 3 ? ', …' : ''})`;
}

function deadChapter({ done, recording: { scenario, world, result } }: RunIndex, node: number, me: string): Chapter {
  const stopsMs = scenario.faults.flatMap((fault) =>
    fault.kind === 'crash' && ('share' in fault.nodes || fault.nodes.includes(node)) ? fault.atMs : [],
  );
  const stopUs = 1000 * Math.min(...stopsMs);
  // A node that is dead from the beginning has no start time.
  const hasStarted = stopsMs.length > 0 && world.startUs[node]! >= 0 && world.startUs[node]! < stopUs;
  const how = hasStarted
    ? `stopped at ${ms(stopUs)} and neither sends nor answers from then on`
    : 'failed before the start: it neither sends nor answers';
  const who = done && result.reached < result.live ? `${count(result.reached)} of ${count(result.live)}` : 'they';
  return {
    timeUs: 0,
    title: 'Dead',
    text: `${me} ${how}. The other nodes do not know about this failure, and ${who} reach the [[threshold]] of ${count(world.threshold)}${hasStarted ? '' : ' without this node'}.`,
  };
}

function byzantineChapter({ recording }: RunIndex, me: string): Chapter {
  const aims = recording.scenario.attacks.flatMap(({ name }) => attackNamed(name)?.aim ?? []);
  const deeds = aims.map((aim) => `It ${uncapital(aim)}`).join(' ');
  return {
    timeUs: 0,
    title: 'Byzantine',
    text: `${me} does not follow the protocol. ${deeds} Only honest nodes count towards the [[threshold]].`,
  };
}

/**
 * Returns the time at which the node first holds all contributions of its side up to a level above the first. Also
 * returns this level, the number of these contributions, and the first and last levels whose peers need them. At this
 * time, the node sends the contributions on the fast path. Returns undefined if the node never completes such a level.
 */
function completion(
  index: RunIndex,
  story: NodeStory,
): { timeUs: number; level: number; size: number; next: readonly [number, number] } | undefined {
  const { world, scenario } = index.recording;
  const tree = new Tree(world.nodes, scenario.tree, scenario.branching);
  let sinceUs = 0;
  let size = 1;
  for (let level = 1; level < world.levels; level++) {
    const peers = tree.size(tree.peerBlock(story.node, level));
    if (peers > 0) {
      const state = inLevelAt(story, level, index.endUs);
      if (state.weight < peers) return undefined;
      sinceUs = Math.max(sinceUs, state.sinceUs);
      size += peers;
    }
    // All levels of a tier send contributions of the same side, which is complete when the tier's last level is
    // complete.
    const isLast = tree.lastOfTier(level) === level;
    if (isLast && peers > 0 && level >= Math.min(2, world.levels - 1))
      return { timeUs: sinceUs, level, size, next: [level + 1, tree.lastOfTier(level + 1)] };
  }
  return undefined;
}

/** Texts about a baseline. */
interface BaselineWords {
  /** Text shown instead of the tree; empty for a protocol with levels. */
  readonly noTree: string;
  readonly alone: (live: number, nodes: number) => string;
  readonly arrival: (from: string, me: string) => string;
  readonly check: string;
}

const baselines: Readonly<Record<Exclude<ProtocolName, 'handel'>, BaselineWords>> = {
  'complete-graph': {
    noTree:
      'The complete graph has no levels: each node sends to all others and collects their contributions one at a time.',
    alone: (live, nodes) =>
      `${count(live)} nodes have signed the same message. Each node sends its [[contribution]] to all ${count(nodes - 1)} other nodes.`,
    arrival: (from, me) =>
      `Node ${from} sends its own [[contribution]] to ${me} and to all other nodes. No node combines contributions on the way.`,
    check:
      'A node verifies each [[contribution]] separately, in order of arrival. It needs one check for each node in the network.',
  },
  'san-fermin': {
    noTree: '',
    alone: (live) =>
      `${count(live)} nodes have signed the same message. On each [[level]], a node exchanges its signatures with one partner. The node waits for the answer before it continues with the next partner.`,
    arrival: (from, me) =>
      `Node ${from} sends ${me} either a request to exchange signatures or an answer to a request. A receiver ignores messages for a [[level]] that it has left.`,
    check:
      'A node verifies each answer. An invalid answer adds nothing. The sender of an invalid answer is not excluded, and the node continues with the next partner on the level.',
  },
  gossip: {
    noTree: 'Gossip has no levels: each node forwards new contributions to its neighbours in a random mesh.',
    alone: (live) =>
      `${count(live)} nodes have signed the same message. Each node sends its own [[contribution]] to its neighbours in a random mesh and forwards all new contributions to them.`,
    arrival: (from, me) =>
      `Node ${from} is a neighbour of ${me} and forwards the contributions that it receives. Many contributions arrive more than once.`,
    check:
      'A node verifies each contribution before it forwards it, so every node verifies the signatures of all other nodes.',
  },
};

/** Returns the texts about a baseline. @throws RangeError for Handel. */
export function baselineWords(protocol: ProtocolName): BaselineWords {
  if (protocol === 'handel') throw new RangeError('baselineWords: expected a baseline protocol, got "handel"');
  return baselines[protocol];
}

/** Returns the chapters of a baseline's run from the point of view of one honest node, except the final chapter. */
function baselineChapters(index: RunIndex, story: NodeStory): Chapter[] {
  const { recording } = index;
  const { world, scenario } = recording;
  const own = baselineWords(scenario.protocol);
  const me = `node ${count(story.node)}`;
  const all: Chapter[] = [{ timeUs: 0, title: 'Alone', text: own.alone(recording.result.live, world.nodes) }];
  const arrival = firstStep(story, 'arrival');
  if (arrival) {
    const from = count(recording.node[arrival.line]!);
    all.push({ timeUs: arrival.timeUs, title: 'First message', text: own.arrival(from, me) });
  }
  const check = firstStep(story, 'check');
  if (check) all.push({ timeUs: check.timeUs, title: 'First check', text: own.check });
  const reached = heldSinceUs(index.steps, story.node, world.threshold);
  if (reached !== undefined) {
    all.push({
      timeUs: reached,
      title: 'Threshold',
      text: `${capital(me)} holds the [[threshold]] of ${count(world.threshold)} signatures and outputs its [[multi-signature]] after ${ms(reached)}.`,
    });
  }
  return all;
}
