import { noContribution } from '@tutti/core';
import { equivocate } from './alteredMessages.ts';
import { type Attack, protocolNames } from './attack.ts';
import { censor } from './censor.ts';
import { acrossLevels, invalid, isolate, mixed, worthless } from './composedAttacks.ts';
import { silence } from './composer.ts';
import { firstPlaces } from './firstPlaces.ts';
import { Forgeries } from './forgery.ts';
import { flood, malformed, spoof } from './periodicAttacks.ts';

/** Refrains from participating (v1.03 section 4.1 (1)). */
export const silent: Attack = {
  name: 'silent',
  section: 'v1.03 4.1 (1)',
  aim: 'Sends nothing, so that levels stay incomplete and the nodes that contact the attacker receive no answer.',
  against: protocolNames,
  form: () => ({ join: () => silence }),
};

/**
 * Contacts honest nodes on their high levels before any other node can (v1.03 section 8.1). San Fermín accepts the
 * first contribution of a level. Each victim therefore gets one Byzantine contribution instead of thousands of honest
 * ones, and swaps with no honest partner on that level.
 */
export const eclipse: Attack = {
  name: 'eclipse',
  section: 'v1.03 8.1',
  aim: 'Contacts honest San Fermín nodes on their high levels first, and exchanges a contribution of weight 1 with them.',
  against: ['san-fermin'],
  form(setting) {
    const { scheme, members, isByzantine } = setting;
    const { tree } = scheme;
    const forgeries = new Forgeries(setting);
    return {
      join: (id, port) => ({
        ...silence,
        start() {
          for (let level = tree.levels; level >= 1; level--) {
            // Members of the node's own block divide the nodes of the peer block among themselves.
            const block = tree.ownBlock(id, level);
            const inBlock = members.filter((member) => tree.contains(block, member));
            const peers = tree.peerBlock(id, level);
            const contribution = forgeries.alone(block, id);
            for (let at = inBlock.indexOf(id); at < tree.size(peers); at += inBlock.length) {
              const to = tree.start(peers) + at;
              if (!isByzantine(to)) port.send(to, level, contribution, noContribution, 0);
            }
          }
        },
      }),
    };
  },
};

/** Maximum intentional delay of a message, ms: about the longest one-way latency between two AWS regions. */
export const delayBoundMs = 200;

/**
 * Delays every message by the maximum intentional delay (v1.03 section 2.3). The attack needs no Byzantine nodes: with
 * `delay:0`, all nodes are honest. The attack's nodes, if any, are silent.
 */
export const delay: Attack = {
  name: 'delay',
  section: 'v1.03 2.3',
  aim: `Delays every message by the permitted ${delayBoundMs} ms.`,
  against: protocolNames,
  form: () => ({ join: () => silence, delayUs: () => delayBoundMs * 1000 }),
};

/**
 * All attacks: those of v1.03 section 4.1 first, then others that the model allows (2.3), then those on ids (v1.0 4.3)
 * and on San Fermín (8.1).
 */
export const attacks: readonly Attack[] = [
  silent,
  invalid,
  worthless,
  censor,
  mixed,
  acrossLevels,
  flood,
  equivocate,
  malformed,
  spoof,
  delay,
  firstPlaces,
  isolate,
  eclipse,
];

/** Returns the attack of the given name; undefined if no attack has it. */
export function attackNamed(name: string): Attack | undefined {
  return attacks.find((attack) => attack.name === name);
}

/**
 * Returns whether an attack chooses its ids, which is impossible if the global shuffle draws them (v1.0 section 4.3).
 */
export function choosesIds(name: string, plan?: string): boolean {
  const attack = attackNamed(name);
  return attack?.choosesIds?.(plan) ?? attack?.choose !== undefined;
}
