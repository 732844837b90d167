import { noContribution } from '@tutti/core';
import type { Attack } from './attack.ts';
import { Forgeries } from './forgery.ts';
import { silence } from './silent.ts';

/**
 * Contacts honest nodes on their high levels before anybody else can (v1.03 section 8.1). San Fermín takes the first
 * contribution of a level for the level's, so each is left with one Byzantine contribution where thousands of honest
 * ones should be, and swaps with no honest partner there.
 */
export const eclipse: Attack = {
  name: 'eclipse',
  section: 'v1.03 8.1',
  aim: 'Swaps with honest nodes of San Fermín on their high levels first, for a contribution of weight 1.',
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
            // The members of this side share the nodes of the other among them.
            const block = tree.ownBlock(id, level);
            const side = members.filter((member) => tree.contains(block, member));
            const other = tree.peerBlock(id, level);
            const contribution = forgeries.alone(block, id);
            for (let at = side.indexOf(id); at < tree.size(other); at += side.length) {
              const to = tree.start(other) + at;
              if (!isByzantine(to)) port.send(to, level, contribution, noContribution, 0);
            }
          }
        },
      }),
    };
  },
};
