import type { Contribution } from '../protocol.ts';
import type { Attack, AttackSetting, ByzantinePort } from './attack.ts';
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
    return {
      join: (id, port) =>
        setting.honest(
          id,
          withVersions(setting, forgeries, id, port, () => random.nextBelow(versions.length)),
        ),
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

function withVersions(
  { scheme }: AttackSetting,
  forgeries: Forgeries,
  id: number,
  port: ByzantinePort,
  draw: () => number,
): ByzantinePort {
  return {
    nowUs: () => port.nowUs(),
    setTimer: (delayUs, timer) => port.setTimer(delayUs, timer),
    verify: (contribution, level, peer) => port.verify(contribution, level, peer),
    verifyBatch: (...batch) => port.verifyBatch!(...batch),
    output: (contribution) => port.output(contribution),
    refuse: (level, peer, code) => port.refuse(level, peer, code),
    trace: (kind, level, peer, contribution) => port.trace(kind, level, peer, contribution),
    sendAs: (...message) => port.sendAs(...message),
    sendBytes: (to, bytes) => port.sendBytes(to, bytes),
    send(to, level, aggregate, individual, flags) {
      const version = versions[draw()]!(forgeries, id, scheme.block(aggregate), aggregate);
      port.send(to, level, version, individual, flags);
    },
  };
}
