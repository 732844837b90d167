import type { ProtocolNode } from '@tutti/core';
import type { AttackSetting, ByzantinePort } from './attack.ts';

/** A Byzantine node that ignores received messages, and acts at its start and then once per period. */
export class PeriodicAttacker implements ProtocolNode {
  readonly #port: ByzantinePort;
  readonly #periodUs: number;
  readonly #act: (round: number) => void;
  #round = 0;

  /** @param act the action; its argument is the number of earlier rounds. */
  constructor(port: ByzantinePort, periodMs: number, act: (round: number) => void) {
    this.#port = port;
    this.#periodUs = Math.round(periodMs * 1000);
    this.#act = act;
  }

  start(): void {
    this.onTimer();
  }

  onTimer(): void {
    this.#act(this.#round++);
    this.#port.setTimer(this.#periodUs, 0);
  }

  onMessage(): void {}

  onVerified(): void {}
}

/**
 * Returns the honest peers of a level in the order in which the node contacts them: those that rank it best come first
 * (v1.03 section 3.3).
 */
function honestPeers({ scheme, priorities, isByzantine }: AttackSetting, id: number, level: number): number[] {
  const block = scheme.tree.peerBlock(id, level);
  if (scheme.tree.size(block) === 0) return [];
  return Array.from({ length: priorities.places(block) }, (_, place) => priorities.contact(id, block, place)).filter(
    (peer) => peer >= 0 && !isByzantine(peer),
  );
}

/** Returns the {@link honestPeers} of every level. */
export function honestPeersByLevel(setting: AttackSetting, id: number): readonly (readonly number[])[] {
  return Array.from({ length: setting.scheme.tree.levels + 1 }, (_, level) =>
    level === 0 ? [] : honestPeers(setting, id, level),
  );
}
