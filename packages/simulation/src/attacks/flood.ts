import { noContribution, type ProtocolNode, type RandomStream } from '@tutti/core';
import type { Attack, AttackSetting, ByzantinePort } from './attack.ts';
import { protocolNames } from './attack.ts';
import { floodAmongBaselines } from './baselines.ts';
import { Forgeries } from './forgery.ts';
import { honestPeersByLevel, PeriodicAttacker } from './periodicAttacker.ts';

/**
 * Period of a flooding member, ms: a fifth of a standard node's time for one verification, so that no node can verify
 * the contributions of even one such member.
 */
const periodMs = 0.8;

/**
 * Number of periods in which a member sends. After them, a node that stores everything has thousands of contributions.
 */
const rounds = 250;

/**
 * Sends a stream of different heavy invalid contributions (v1.03 section 3.5.2 limits the number that a node stores).
 * Every member first fills its place at every honest peer, then sends to one victim continuously, each contribution
 * twice.
 */
export const flood: Attack = {
  name: 'flood',
  section: 'v1.03 3.5.2',
  aim: 'Fills the places of its senders everywhere, and has one victim keep more and more where nothing bounds what it keeps.',
  against: protocolNames,
  form(setting) {
    if (setting.protocol !== 'handel') return floodAmongBaselines(setting);
    const random = setting.random('sets');
    const forgeries = new Forgeries(setting);
    return { join: (id, port) => member(setting, forgeries, id, port, random) };
  },
};

/** Creates a member. The victim of all members is in the middle of the list of honest nodes. */
function member(
  setting: AttackSetting,
  forgeries: Forgeries,
  id: number,
  port: ByzantinePort,
  random: RandomStream,
): ProtocolNode {
  const { victims } = setting;
  const { tree } = setting.scheme;
  const levels = honestPeersByLevel(setting, id);
  return new PeriodicAttacker(port, periodMs, (round) => {
    for (const [level, peers] of levels.entries()) {
      const peer = peers[round];
      if (peer !== undefined) sendForged(setting, forgeries, port, peer, level, random, 1);
    }
    const victim = victims[victims.length >>> 1];
    if (victim === undefined || round >= rounds) return;
    sendForged(setting, forgeries, port, victim, tree.levelBetween(id, victim), random, 2);
  });
}

/** Sends a contribution over all ids of the block except one drawn id, this many times. */
function sendForged(
  { scheme: { tree } }: AttackSetting,
  forgeries: Forgeries,
  port: ByzantinePort,
  to: number,
  level: number,
  random: RandomStream,
  times: number,
): void {
  const block = tree.peerBlock(to, level);
  const size = tree.size(block);
  const contribution =
    size > 1 ? forgeries.allBut(block, tree.start(block) + random.nextBelow(size)) : forgeries.full(block);
  for (let time = 0; time < times; time++) port.send(to, level, contribution, noContribution, 0);
}
