import { type Contribution, ForwardingPort } from '@tutti/core';
import type { Attack, ByzantinePort } from './attack.ts';
import { Forgeries } from './forgery.ts';

/**
 * Follows the protocol, but tells one peer this and another one that (v1.03 section 2.3). For each message it draws what
 * to send: its aggregate, its individual contribution alone, an aggregate of the Byzantine nodes around it, or an invalid
 * contribution.
 */
export const equivocate: Attack = {
  name: 'equivocate',
  section: 'v1.03 2.3',
  aim: 'Tells every peer something else, so that honest aggregates overlap and cannot be aggregated with each other.',
  against: ['handel'],
  form(setting) {
    const random = setting.random('versions');
    const forgeries = new Forgeries(setting);
    const versionOf = (id: number, aggregate: Contribution): Contribution => {
      const version = versions[random.nextBelow(versions.length)]!;
      return version(forgeries, id, setting.scheme.block(aggregate), aggregate);
    };
    return {
      join: (id, port) => setting.honest(id, new VersionsPort(port, (aggregate) => versionOf(id, aggregate))),
    };
  },
};

/** What a peer may be told in place of an aggregate over a block; lent. */
const versions: readonly ((
  forgeries: Forgeries,
  id: number,
  block: number,
  aggregate: Contribution,
) => Contribution)[] = [
  (_forgeries, _id, _block, aggregate) => aggregate,
  (forgeries, id, block) => forgeries.alone(block, id),
  (forgeries, _id, block) => forgeries.together(block),
  (forgeries, _id, block) => forgeries.full(block),
];

/** A Byzantine node's port that tells each receiver a version of what the node says. */
class VersionsPort extends ForwardingPort<ByzantinePort> implements ByzantinePort {
  readonly #versionOf: (aggregate: Contribution) => Contribution;

  constructor(port: ByzantinePort, versionOf: (aggregate: Contribution) => Contribution) {
    super(port);
    this.#versionOf = versionOf;
  }

  override send(to: number, level: number, aggregate: Contribution, individual: Contribution, flags: number): void {
    super.send(to, level, this.#versionOf(aggregate), individual, flags);
  }

  sendAs(...message: Parameters<ByzantinePort['sendAs']>): void {
    this.port.sendAs(...message);
  }

  sendBytes(to: number, bytes: Uint8Array): void {
    this.port.sendBytes(to, bytes);
  }
}
