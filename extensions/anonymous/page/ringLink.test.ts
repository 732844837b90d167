import { describe, expect, it } from 'vitest';
import { type RingState, ringFields } from './anonymousStage.ts';

describe('a link to the ring', () => {
  it('omits the default values', () => {
    expect(ringFields.write(ringFields.first)).toBe('');
    expect(ringFields.read('').values).toEqual(ringFields.first);
  });

  it('decodes to the displayed state', () => {
    const state: RingState = { signer: 0, flaw: 'stranger', isRevealed: true, cheat: 7, members: 64, known: 0 };
    expect(ringFields.write(state)).toBe('signer=1&flaw=stranger&reveal&cheat=8&members=64&known=0');
    expect(ringFields.read(`#${ringFields.write(state)}`)).toEqual({ values: state, notices: [] });
  });

  it.each(['#signer=0', '#signer=9', '#signer=1.5', '#flaw=none2', '#cheat=x', '#members=65', '#known=101', '#known='])(
    '%s requests an invalid value',
    (hash) => {
      const { values, notices } = ringFields.read(hash);
      expect(notices).toHaveLength(1);
      expect(ringFields.read(ringFields.write(values)).notices).toEqual([]);
    },
  );
});
