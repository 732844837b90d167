import { type Impairment, noImpairment } from '@tutti/transports';
import { badChoiceValue, type FlagReader, numberFlag } from './flags.ts';

const impairments = ['loss', 'duplication', 'reordering'];

/** Reads NAME=SHARE,...: impairments, each with the share of the packets that it affects. */
export const impairmentFlag: FlagReader<Impairment> = (text) => {
  const shares = text.split(',').map((part) => {
    const [, name = '', share = ''] = /^([a-z]+)=(.+)$/.exec(part) ?? [];
    if (!impairments.includes(name))
      throw badChoiceValue(
        '--impair',
        impairments,
        text,
        `NAME=SHARE,..., where NAME is one of ${impairments.join(', ')}`,
        name,
      );
    const read = numberFlag('--impair', 'a share from 0 to less than 1 after each =', (value) => value < 1);
    return [name, read(share)] as const;
  });
  return { ...noImpairment, ...Object.fromEntries(shares) };
};
