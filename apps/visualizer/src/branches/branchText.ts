import type { Mechanism } from '@tutti/core';
import { type Fault, NodeRole, type RecordedWorld, type Scenario } from '@tutti/simulation';
import { figure } from '../formatNumber.ts';

/** A mechanism that can be switched off, with its name on the page and its section of the paper. */
export interface Switch {
  readonly id: string;
  readonly words: string;
  readonly section: string;
  /** Effect of switching the mechanism off, in one sentence. */
  readonly lost: string;
  /** Returns the scenario without the mechanism. */
  readonly off: (scenario: Scenario) => Scenario;
  readonly isOff: (scenario: Scenario) => boolean;
}

const mechanism = (id: Mechanism, words: string, section: string, lost: string): Switch => ({
  id,
  words,
  section,
  lost,
  off: (scenario) => ({ ...scenario, without: [...scenario.without, id] }),
  isOff: ({ without }) => without.includes(id),
});

/** The mechanisms of Handel, each with a switch. */
export const switches: readonly Switch[] = [
  mechanism(
    'window',
    'the window',
    'v1.03 3.3, 3.6',
    'The contribution with the largest claim is verified first, whatever its sender’s rank.',
  ),
  mechanism(
    'score',
    'the score',
    'v1.03 3.3',
    'The best-ranked contribution is verified first, even if it adds little.',
  ),
  mechanism(
    'rank-growth',
    'growing ranks',
    'v1.0 3.6',
    'A sender keeps its rank, however often the node verifies its contributions.',
  ),
  mechanism(
    'blacklist',
    'the blacklist',
    'v1.03 3.5.3',
    'Nodes keep accepting contributions from a sender of invalid contributions.',
  ),
  mechanism(
    'individual-contributions',
    'individual contributions',
    'v1.03 3.5',
    'If an aggregate omits a node’s signature, the signature cannot be added separately.',
  ),
  mechanism('bounded-queue', 'the bounded queue', 'v1.03 3.5.2', 'A node stores all received contributions.'),
  mechanism(
    'level-flag',
    'the “level complete” flag',
    'v1.03 6',
    'Nodes do not tell their peers that a level is complete, so peers keep sending.',
  ),
  {
    id: 'fast-path',
    words: 'the fast path',
    section: 'v1.03 3.5.1',
    lost: 'A node sends a completed level at its next regular time instead of immediately.',
    off: (scenario) => ({ ...scenario, fastPath: 0 }),
    isOff: ({ fastPath }) => fastPath === 0,
  },
  {
    id: 'level-starts',
    words: 'delayed level starts',
    section: 'v1.03 3.5.1',
    lost: 'All levels start at once, when nodes have few signatures to send on the higher levels. Delayed starts save checks and bytes, not time.',
    off: (scenario) => ({ ...scenario, levelStartMs: 0 }),
    isOff: ({ levelStartMs }) => levelStartMs === 0,
  },
];

/** Describes nodes: by a single id, by a region if they are all of its honest live nodes, or by their number. */
export function whoWords(ids: readonly number[], world: RecordedWorld): string {
  if (ids.length === 1) return `node ${figure(ids[0]!)}`;
  const place = world.region[ids[0]!]!;
  const isWhole =
    regionNodes(world, place).filter((id) => world.alive[id] === NodeRole.honest || ids.includes(id)).length ===
    ids.length;
  if (world.regionNames.length > 1 && isWhole && ids.every((id) => world.region[id] === place))
    return world.regionNames[place]!;
  return `${figure(ids.length)} nodes`;
}

/** Returns the nodes of a region. */
export function regionNodes({ region, nodes }: RecordedWorld, place: number): readonly number[] {
  return Array.from({ length: nodes }, (_, id) => id).filter((id) => region[id] === place);
}

/** Describes a fault in a few words. */
export function faultWords(fault: Fault, world: RecordedWorld): string {
  const set = 'nodes' in fault ? fault.nodes : 'from' in fault ? fault.from : undefined;
  const who =
    set === undefined
      ? 'all nodes'
      : 'share' in set
        ? `${Math.round(set.share * 100)} % of the nodes`
        : whoWords(set, world);
  const at = 'atMs' in fault && fault.atMs !== undefined ? ` from ${fault.atMs.toFixed(0)} ms` : '';
  const length = 'forMs' in fault && fault.forMs !== undefined ? ` for ${figure(fault.forMs)} ms` : '';
  switch (fault.kind) {
    case 'crash':
      return `${who} stopped at ${fault.atMs.toFixed(0)} ms`;
    case 'partition':
      return `${who} cut off${at}${length}`;
    case 'slow-nodes':
      return `${who} ${fault.factor} times slower${at}${length}`;
    case 'corruption':
      return fault.of === 'signature'
        ? `${who}: invalid signatures${at}${length}`
        : `${who}: corrupted messages${at}${length}`;
    default:
      return `${fault.kind.replace('-', ' ')} of ${who}${at}${length}`;
  }
}

/** Describes the difference between a branch and its original run. */
export function branchWords(scenario: Scenario, ground: Scenario, world: RecordedWorld): string {
  const off = switches.filter(({ isOff }) => isOff(scenario) && !isOff(ground));
  const parts = scenario.faults.map((fault) => faultWords(fault, world));
  if (off.length > 0) parts.push(`without ${off.map(({ words }) => words).join(' and ')}`);
  return parts.length === 0 ? 'original run' : parts.join('; ');
}
