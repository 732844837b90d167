import type { HandelInspector, HandelNode } from '../src/handel/packed/node.ts';
import { List } from '../src/handel/packed/pending.ts';
import { type Contribution, noContribution } from '../src/protocol.ts';

/** An entry in a node's lists. */
export interface ShownEntry {
  readonly sender: number;
  readonly aggregate?: Contribution;
  readonly individual?: Contribution;
}

/** Lists that a node reports for one level. The default level is 4. */
export interface ShownLevel {
  readonly level?: number;
  readonly in?: Contribution;
  readonly inWeight?: number;
  readonly queued?: readonly ShownEntry[];
  readonly dormant?: readonly ShownEntry[];
  readonly verified?: readonly ShownEntry[];
  readonly keptInts?: number;
}

/** Creates a fake node 0 that shows any state, even a broken one, to checkers. Other levels are empty. */
export function shownNode(...levels: readonly ShownLevel[]): HandelNode {
  const shownOn = (level: number): ShownLevel | undefined => levels.find((shown) => level === (shown.level ?? 4));
  const inspector: Pick<HandelInspector, 'id' | 'inWeight' | 'in' | 'keptInts' | 'forEachContribution' | 'rules'> = {
    id: 0,
    rules: {},
    inWeight: (level) => shownOn(level)?.inWeight ?? 0,
    in: (level) => shownOn(level)?.in ?? noContribution,
    keptInts: levels[0]?.keptInts ?? 48,
    forEachContribution(level, list, visit) {
      const { queued, dormant, verified } = shownOn(level) ?? {};
      const lists = { [List.queued]: queued, [List.dormant]: dormant, [List.verified]: verified };
      for (const { sender, aggregate, individual } of lists[list] ?? [])
        visit(sender, aggregate ?? noContribution, individual ?? noContribution);
    },
  };
  return { id: 0, inspector } as HandelNode;
}
