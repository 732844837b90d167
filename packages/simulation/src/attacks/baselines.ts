import { type Contribution, ForwardingPort, noContribution } from '@tutti/core';
import type { AttackSetting, ByzantinePort, Coalition } from './attack.ts';
import { Forgeries } from './forgery.ts';
import { honestPeersByLevel, PeriodicAttacker } from './periodicAttacker.ts';

/**
 * Creates a coalition whose members follow the protocol, but send only invalid contributions with the largest possible
 * claim. The protocols with which Handel is compared (v1.03 sections 7.2 and 8.1) verify every contribution before they
 * aggregate it, so an invalid one never counts. In the complete graph and in gossip, a node ignores a sender after its first invalid contribution. San Fermín
 * keeps no such record.
 */
export function invalidAmongBaselines(setting: AttackSetting): Coalition {
  const forgeries = new Forgeries(setting);
  const lie = (aggregate: Contribution) => forgeries.full(setting.scheme.block(aggregate));
  return { join: (id, port) => setting.honest(id, new AlteredPort(port, lie)) };
}

/** Sending period of a flooding member of San Fermín, ms, and its number of periods. */
const floodMs = 4;
const floodRounds = 250;

/**
 * Creates a coalition that sends as many invalid contributions as a peer can be made to verify. In San Fermín, a peer
 * stores one contribution per level and then verifies the next Byzantine node's, so members repeatedly send to all
 * peers. In the other protocols, a member precedes its first message to a peer with one invalid contribution for every
 * signer that it may name: itself in the complete graph, any node in gossip.
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
    // The member's own contribution comes last: a peer still verifies the contributions that were sent before the
    // detected invalid one.
    return Array.from({ length: tree.nodes }, (_, place) => forgeries.full(tree.leaf((id + 1 + place) % tree.nodes)));
  };
  return { join: (id, port) => setting.honest(id, new FloodingPort(port, (aggregate) => lies(id, aggregate))) };
}

/** A Byzantine node's port that replaces the contributions that the node sends. */
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
