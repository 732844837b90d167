import { describe, expect, it } from 'vitest';
import { firstState, type RingState, readRingLink, writeRingLink } from './ringLink.ts';

describe('a link to the ring', () => {
  it('says nothing of what is as at first', () => {
    expect(writeRingLink(firstState)).toBe('');
    expect(readRingLink('')).toEqual(firstState);
  });

  it('gives back what was shown', () => {
    const state: RingState = { signer: 0, flaw: 'stranger', isRevealed: true, cheat: 7, members: 64, known: 0 };
    expect(writeRingLink(state)).toBe('signer=1&flaw=stranger&reveal&cheat=8&members=64&known=0');
    expect(readRingLink(`#${writeRingLink(state)}`)).toEqual(state);
  });

  it.each(['#signer=0', '#signer=9', '#signer=1.5', '#flaw=none2', '#cheat=x', '#members=65', '#known=101', '#known='])(
    '%s asks for what there is not',
    (hash) => {
      expect(readRingLink(hash)).toEqual(firstState);
    },
  );
});
