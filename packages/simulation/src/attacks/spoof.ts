import { noContribution } from '@tutti/core';
import type { Attack, AttackSetting, ByzantinePort } from './attack.ts';
import { Forgeries } from './forgery.ts';
import { honestPeersByLevel, PeriodicAttacker } from './periodicAttacker.ts';

/** Period, ms: an honest node's default dissemination period. */
const periodMs = 20;

/**
 * Sends messages in the names of honest nodes with forged individual contributions (v1.03 section 2.3, which assumes
 * authenticated channels). Without authentication, a forged contribution replaces the genuine one, and its alleged
 * sender is blacklisted.
 */
export const spoof: Attack = {
  name: 'spoof',
  section: 'v1.03 2.3',
  aim: 'Makes honest nodes blacklist each other for contributions that they never made.',
  against: ['handel'],
  form(setting) {
    const random = setting.random('names');
    const forgeries = new Forgeries(setting);
    return {
      join(id, port) {
        const levels = honestPeersByLevel(setting, id);
        const names = levels.flat();
        return new PeriodicAttacker(port, periodMs, (round) => {
          for (const peers of levels) {
            const to = peers[round % peers.length];
            if (to === undefined) continue;
            const claimed = names[random.nextBelow(names.length)];
            if (claimed !== undefined && claimed !== to) sendInName(setting, forgeries, port, claimed, to);
          }
        });
      },
    };
  },
};

function sendInName(
  { scheme }: AttackSetting,
  forgeries: Forgeries,
  port: ByzantinePort,
  claimed: number,
  to: number,
): void {
  // Two nodes are peers on the level above the highest bit in which their ids differ.
  const level = 32 - Math.clz32(claimed ^ to);
  port.sendAs(claimed, to, level, forgeries.of(scheme.tree.peerBlock(to, level), claimed), noContribution, 0);
}
