import { describe, expect, it } from 'vitest';
import { upTo } from '../../test/recordedRun.ts';
import { heldIndex } from './palette.ts';

describe('heldIndex', () => {
  it('never falls as a node holds more', () => {
    const indices = upTo(1024).map((held) => heldIndex(held + 1, 1013));
    expect(indices).toEqual(indices.toSorted((a, b) => a - b));
  });

  it('takes the colour of all from the threshold on, and not before', () => {
    const all = heldIndex(1013, 1013);
    expect(heldIndex(1024, 1013)).toBe(all);
    expect(heldIndex(1012, 1013)).toBeLessThan(all);
  });

  it('steps equally far with each doubling', () => {
    expect(heldIndex(32, 1024) - heldIndex(16, 1024)).toBeCloseTo(heldIndex(16, 1024) - heldIndex(8, 1024), -1);
  });
});
