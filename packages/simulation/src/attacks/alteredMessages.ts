import { type Contribution, ForwardingPort, type Message } from '@tutti/core';
import { type Attack, type AttackSetting, type ByzantinePort, type Coalition, protocolNames } from './attack.ts';
import { Forgeries } from './forgery.ts';

/**
 * Creates a coalition whose members follow the protocol, but send only invalid contributions with the largest possible
 * claim. The protocols with which Handel is compared (v1.03 sections 7.2 and 8.1) verify every contribution before they
 * aggregate it, so an invalid one never counts. In the complete graph and in gossip, a node ignores a sender after its
 * first invalid contribution. San Fermín does not record such senders.
 */
export function invalidAmongBaselines(setting: AttackSetting): Coalition {
  const forgeries = new Forgeries(setting);
  const invalidOver = (aggregate: Contribution) => forgeries.full(setting.scheme.block(aggregate));
  return { join: (id, port) => setting.honest(id, new AlteredPort(port, invalidOver)) };
}

/** A Byzantine node's port that replaces the contributions sent by the node. */
export class AlteredPort extends ForwardingPort<ByzantinePort> implements ByzantinePort {
  readonly #instead: (aggregate: Contribution) => Contribution;

  /** @param instead returns the contribution that is sent in place of an aggregate; lent. */
  constructor(port: ByzantinePort, instead: (aggregate: Contribution) => Contribution) {
    super(port);
    this.#instead = instead;
  }

  override send(to: number, level: number, aggregate: Contribution, individual: Contribution, flags: number): void {
    super.send(to, level, this.#instead(aggregate), individual, flags);
  }

  sendAs(message: Message): void {
    this.port.sendAs(message);
  }

  sendBytes(to: number, bytes: Uint8Array): void {
    this.port.sendBytes(to, bytes);
  }
}

/**
 * Follows the protocol, but sends different peers different contributions (v1.03 section 2.3). For each message, the
 * node chooses one variant at random: its aggregate, its individual contribution alone, an aggregate of the Byzantine
 * nodes around it, or an invalid contribution.
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
      const possible = isIndividual ? versionsOfIndividual : versions;
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
const invalid: Version = (forgeries, _id, block) => forgeries.full(block);
const versions: readonly Version[] = [
  itself,
  (forgeries, id, block) => forgeries.alone(block, id),
  (forgeries, _id, block) => forgeries.together(block),
  invalid,
];
const versionsOfIndividual: readonly Version[] = [itself, invalid];
