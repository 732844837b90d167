import { type Contribution, ForwardingPort, noContribution } from '@tutti/core';
import type { AttackSetting, ByzantinePort, Coalition } from './attack.ts';
import { Forgeries } from './forgery.ts';
import { honestPeersByLevel, PeriodicAttacker } from './periodicAttacker.ts';

/**
 * Liars in the protocols that Handel is compared with: v1.03 sections 7.2 and 8.1 say what those let a sender do. Each
 * verifies what it aggregates, so a lie is never counted; what differs is how many lies a sender may have checked.
 */
export const baselines = ['complete-graph', 'san-fermin', 'gossip'] as const;

/**
 * Members keep the protocol, and each contribution that they send is invalid and claims all that it could. The complete
 * graph and gossip stop listening to who lied; San Fermín remembers nobody.
 */
export function invalidAmongBaselines(setting: AttackSetting): Coalition {
  const forgeries = new Forgeries(setting);
  const lie = (aggregate: Contribution) => forgeries.full(setting.scheme.block(aggregate));
  return { join: (id, port) => setting.honest(id, new AlteredPort(port, lie)) };
}

/** How soon a flooding member of San Fermín sends the next lies, ms, and after how many rounds it stops. */
const floodMs = 4;
const floodRounds = 250;

/**
 * As many lies as a peer has to check. In San Fermín a peer keeps one contribution of a level and checks the next liar's
 * after it, so members send to all peers over and over. In the others a member sends, before its first message to a
 * peer, a lie in the name of every signer that it may name: its own in the complete graph, everybody's in gossip.
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
    // Its own last: what came before a lie that was found out is checked all the same.
    return Array.from({ length: tree.nodes }, (_, place) => forgeries.full(tree.leaf((id + 1 + place) % tree.nodes)));
  };
  return { join: (id, port) => setting.honest(id, new FloodingPort(port, (aggregate) => lies(id, aggregate))) };
}

/** A Byzantine node's port that says something else in the place of what the node says. */
export class AlteredPort extends ForwardingPort<ByzantinePort> implements ByzantinePort {
  readonly #instead: (aggregate: Contribution) => Contribution;

  /** @param instead what is said in the place of an aggregate; lent. */
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

/** A port whose node's first message to a peer comes after many others. */
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
