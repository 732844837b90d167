import type { Contribution } from '@tutti/core';
import type { Attack } from './attack.ts';
import { protocolNames } from './attack.ts';
import { AlteredPort } from './baselines.ts';
import { Forgeries } from './forgery.ts';

/**
 * Follows the protocol, but sends different peers different contributions (v1.03 section 2.3). For each message it
 * draws one: its aggregate, its individual contribution alone, an aggregate of the Byzantine nodes around it, or an
 * invalid contribution.
 */
export const equivocate: Attack = {
  name: 'equivocate',
  section: 'v1.03 2.3',
  aim: 'Sends a different contribution to each peer, so that honest aggregates overlap and cannot be aggregated with each other.',
  against: protocolNames,
  form(setting) {
    const random = setting.random('versions');
    const forgeries = new Forgeries(setting);
    const versionOf = (id: number, aggregate: Contribution): Contribution => {
      const block = setting.scheme.block(aggregate);
      // In the other protocols, an individual contribution has only two versions: the contribution itself and an
      // invalid one.
      const isIndividual = setting.protocol !== 'handel' && setting.scheme.tree.order(block) === 0;
      const possible = isIndividual ? ofIndividuals : versions;
      return possible[random.nextBelow(possible.length)]!(forgeries, id, block, aggregate);
    };
    return {
      join: (id, port) => setting.honest(id, new AlteredPort(port, (aggregate) => versionOf(id, aggregate))),
    };
  },
};

/** Returns the contribution that a peer gets instead of an aggregate over a block; lent. */
type Version = (forgeries: Forgeries, id: number, block: number, aggregate: Contribution) => Contribution;
const itself: Version = (_forgeries, _id, _block, aggregate) => aggregate;
const lie: Version = (forgeries, _id, block) => forgeries.full(block);
const versions: readonly Version[] = [
  itself,
  (forgeries, id, block) => forgeries.alone(block, id),
  (forgeries, _id, block) => forgeries.together(block),
  lie,
];
const ofIndividuals: readonly Version[] = [itself, lie];
