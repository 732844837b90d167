import { describe, expect, it } from 'vitest';
import { warmUp } from './warmUp.ts';

describe('warmUp', () => {
  it('plays a small run before a large one, and nothing before a small one', () => {
    expect(warmUp(1023)).toBe(0);
    expect(warmUp(1024)).toBeGreaterThan(64);
  });
});
