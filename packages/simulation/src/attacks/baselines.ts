import { type Contribution, ForwardingPort, noContribution } from '@tutti/core';
import type { AttackSetting, ByzantinePort, Coalition } from './attack.ts';
import { Forgeries } from './forgery.ts';
import { honestPeersByLevel, PeriodicAttacker } from './periodicAttacker.ts';

/**
 * Byzantine nodes in the protocols with which Handel is compared: v1.03 sections 7.2 and 8.1 say what these allow a
 * sender. Each protocol verifies what it aggregates, so an invalid contribution never counts. They differ in the number
 * of invalid contributions that a sender can make a node verify.
 */
export const baselines = ['complete-graph', 'san-fermin', 'gossip'] as const;

/**
 * Members follow the protocol, but each contribution that they send is invalid and claims as much as it can. The
 * complete graph and gossip stop listening to a sender of an invalid contribution; San Fermín keeps no such record.
 */
export function invalidAmongBaselines(setting: AttackSetting): Coalition {
  const forgeries = new Forgeries(setting);
  const lie = (aggregate: Contribution) => forgeries.full(setting.scheme.block(aggregate));
  return { join: (id, port) => setting.honest(id, new AlteredPort(port, lie)) };
}

/** Period in which a flooding member of San Fermín sends, ms, and its number of rounds. */
const floodMs = 4;
const floodRounds = 250;

/**
 * Sends as many invalid contributions as a peer can be made to verify. In San Fermín, a peer stores one contribution
 * per level and verifies the next Byzantine node's after it, so members repeatedly send to all peers. In the others, a
 * member first sends a peer an invalid contribution in the name of every signer that it may name: its own in the
 * complete graph, all nodes' in gossip.
 */
export function floodAmongBaselines(setting: AttackSetting): Coalition {
  const forgeries = new Forgeries(setting);
  const { tree } = setting.scheme;
  if (setting.protocol === 'san-fermin')
    return {
      join: (id, port) => {
        const levels = honestPeersByLevel(setting, id);
        return new PeriodicAttacker(port, floodMs, (round) => {
          if (round >= floodRounds) return;
          for (const [level, peers] of levels.entries()) {
            const peer = peers[round % Math.max(1, peers.length)];
            if (peer !== undefined)
              port.send(peer, level, forgeries.full(tree.peerBlock(peer, level)), noContribution, 0);
          }
        });
      },
    };
  const lies = (id: number, aggregate: Contribution): readonly Contribution[] => {
    const block = setting.scheme.block(aggregate);
    if (setting.protocol === 'complete-graph' || tree.order(block) > 0) return [forgeries.full(block)];
    // Its own contribution comes last. Contributions that were sent before a detected invalid one are verified nevertheless.
    return Array.from({ length: tree.nodes }, (_, place) => forgeries.full(tree.leaf((id + 1 + place) % tree.nodes)));
  };
  return { join: (id, port) => setting.honest(id, new FloodingPort(port, (aggregate) => lies(id, aggregate))) };
}

/** A Byzantine node's port that replaces the contributions that the node sends. */
export class AlteredPort extends ForwardingPort<ByzantinePort> implements ByzantinePort {
  readonly #instead: (aggregate: Contribution) => Contribution;

  /** @param instead returns the contribution to send instead of an aggregate; lent. */
  constructor(port: ByzantinePort, instead: (aggregate: Contribution) => Contribution) {
    super(port);
    this.#instead = instead;
  }

  override send(to: number, level: number, aggregate: Contribution, individual: Contribution, flags: number): void {
    super.send(to, level, this.#instead(aggregate), individual, flags);
  }

  sendAs(...message: Parameters<ByzantinePort['sendAs']>): void {
    this.port.sendAs(...message);
  }

  sendBytes(to: number, bytes: Uint8Array): void {
    this.port.sendBytes(to, bytes);
  }
}

/** A port that sends many messages before its node's first message to a peer. */
class FloodingPort extends AlteredPort {
  readonly #before: (aggregate: Contribution) => readonly Contribution[];
  readonly #flooded = new Set<number>();

  constructor(port: ByzantinePort, before: (aggregate: Contribution) => readonly Contribution[]) {
    super(port, (aggregate) => aggregate);
    this.#before = before;
  }

  override send(to: number, level: number, aggregate: Contribution, individual: Contribution, flags: number): void {
    if (!this.#flooded.has(to)) {
      this.#flooded.add(to);
      for (const lie of this.#before(aggregate)) super.send(to, level, lie, noContribution, flags);
    }
    super.send(to, level, aggregate, individual, flags);
  }
}
