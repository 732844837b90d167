import { describe, expect, it } from 'vitest';
import { forkChoiceCases } from './forkChoice.ts';

describe("Horn, 'Censorship attack implications on consensus'", () => {
  it.each([
    [1, 1, 1],
    [2, 1, 1],
    [3, 1, 1],
    [3, 2, 1],
    [2, 1, 2],
    [2, 2, 2],
    [3, 2, 2],
    [2, 3, 2],
  ])('%i blocks, %i honest votes, %i of Eve: censoring gains nothing over whoever has voted before', (...sizes) => {
    expect(forkChoiceCases(...sizes).irreproducible).toBe(0);
  });

  it('looks at every vote before, block and number of censored votes', () => {
    expect(forkChoiceCases(2, 1, 1).cases).toBe(3 * 3 * 2 * 2);
    expect(forkChoiceCases(3, 2, 1).cases).toBe(4 ** 2 * 4 * 3 * 2);
  });

  it('a censored first vote is out of reach exactly where Eve has voted before', () => {
    // Honest never voted, Eve for one of two blocks: with censorship one vote is counted, without it two, whichever the
    // block.
    expect(forkChoiceCases(2, 1, 1).irreproducibleFirstVotes).toBe(2 * 2);
  });
});
