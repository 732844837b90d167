import { sparseCoding } from '@tutti/core/horn';
import { describe, expect, it } from 'vitest';
import { changeBytes } from './changes.ts';

describe('changeBytes(coding, bits, percent, stay, slots, seed)', () => {
  it('saves many bytes if the same validators are absent in consecutive slots', () => {
    const { alone, changes } = changeBytes(sparseCoding, 4096, 95, 0.99, 8, 1);
    expect(changes).toBeLessThan(alone / 4);
  });

  it('costs bytes if absence is independent: twice as many bits differ as are missing', () => {
    const { alone, changes, lesser } = changeBytes(sparseCoding, 4096, 95, 0.05, 8, 1);
    expect(changes).toBeGreaterThan(1.4 * alone);
    expect(lesser).toBeLessThanOrEqual(alone);
  });

  it('preserves participation', () => {
    const [early, late] = [4, 64].map((slots) => changeBytes(sparseCoding, 4096, 95, 0.9, slots, 2).alone);
    expect(Math.abs(late! / early! - 1)).toBeLessThan(0.1);
  });
});
