import type { HandelNode } from '../src/handel/node.ts';
import { List } from '../src/handel/pending.ts';
import { type Contribution, noContribution } from '../src/protocol.ts';

/** An entry that a node keeps. */
export interface ShownEntry {
  readonly sender: number;
  readonly aggregate?: Contribution;
  readonly individual?: Contribution;
}

/** What a node shows of one level; its other levels are empty. */
export interface ShownLevel {
  readonly level?: number;
  readonly in?: Contribution;
  readonly inWeight?: number;
  readonly queued?: readonly ShownEntry[];
  readonly dormant?: readonly ShownEntry[];
  readonly verified?: readonly ShownEntry[];
  readonly keptInts?: number;
}

/** Node 0 as a broken node could show itself to checkers; by default it has nothing on level 4. */
export function shownNode(shown: ShownLevel): HandelNode {
  const isIt = (level: number): boolean => level === (shown.level ?? 4);
  const lists = { [List.queued]: shown.queued, [List.dormant]: shown.dormant, [List.verified]: shown.verified };
  const node: Pick<HandelNode, 'id' | 'inWeight' | 'in' | 'keptInts' | 'forEachKept'> = {
    id: 0,
    inWeight: (level) => (isIt(level) ? (shown.inWeight ?? 0) : 0),
    in: (level) => (isIt(level) ? (shown.in ?? noContribution) : noContribution),
    keptInts: () => shown.keptInts ?? 48,
    forEachKept(level, list, tell) {
      if (!isIt(level)) return;
      for (const { sender, aggregate, individual } of lists[list as 0 | 1 | 2] ?? []) {
        tell(sender, aggregate ?? noContribution, individual ?? noContribution);
      }
    },
  };
  return node as HandelNode;
}
