import { hornAttacks } from '@tutti/ethereum/settings';
import type { AttackShare } from '@tutti/simulation';
import { attacks } from '@tutti/simulation/attacks';
import { badChoiceValue, type FlagReader, numberFlag } from './flags.ts';

/**
 * NAME:SHARE, an attack and the share of all nodes that is Byzantine and behaves so. In a file of its own, because only
 * this flag needs all of Horn's code.
 */
export const attackFlag: FlagReader<AttackShare> = (text) => {
  const [, name = '', share = ''] = /^([a-z-]+):(.+)$/.exec(text) ?? [];
  const names = [...new Set([...attacks, ...hornAttacks].map((attack) => attack.name))];
  if (!names.includes(name))
    throw badChoiceValue('--attack', names, text, `NAME:SHARE with one of ${names.join(', ')}`, name);
  const read = numberFlag('--attack', 'a share from 0 to under 1 behind the colon', (value) => value < 1);
  return { name, share: read(share) };
};
