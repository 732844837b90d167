import { noContribution, type ProtocolNode, type RandomStream } from '@tutti/core';
import type { Attack, AttackSetting, ByzantinePort } from './attack.ts';
import { baselines, floodAmongBaselines } from './baselines.ts';
import { Forgeries } from './forgery.ts';
import { honestPeersByLevel, PeriodicAttacker } from './periodicAttacker.ts';

/** A fifth of the time that a standard node takes to verify one contribution: no node keeps up with one sender. */
const periodMs = 0.8;

/** A member stops after this many rounds, when a node that keeps all that it gets holds thousands. */
const rounds = 250;

/**
 * An endless stream of different heavy invalid contributions (v1.03 section 3.5.2 bounds how many are kept): every
 * member first fills its place at every honest peer, then sends to one of them continuously, each contribution twice.
 */
export const flood: Attack = {
  name: 'flood',
  section: 'v1.03 3.5.2',
  aim: 'Fills the places of its senders everywhere, and has one victim keep more and more where nothing bounds what it keeps.',
  against: ['handel', ...baselines],
  form(setting) {
    if (setting.protocol !== 'handel') return floodAmongBaselines(setting);
    const random = setting.random('sets');
    const forgeries = new Forgeries(setting);
    return { join: (id, port) => member(setting, forgeries, id, port, random) };
  },
};

/** The victim of all members is the honest node in the middle. */
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

/** A contribution over all of the block but one, drawn; sent this many times. */
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
