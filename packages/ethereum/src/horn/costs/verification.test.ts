import { expect, it } from 'vitest';
import { keysUs, verificationUs } from '../costs.ts';

it('512 full collections take the 6.1 s of the post\'s i7-8550U to sum, and nothing when taken from the total ("Verification time for collections")', () => {
  expect((512 * keysUs(32_768, 32_768, 'naive', 364)) / 1e6).toBeCloseTo(6.1, 1);
  expect(keysUs(32_768, 32_768, 'subtracting', 364)).toBe(0);
  expect(keysUs(32_768, 16_384, 'subtracting', 364)).toBe(keysUs(32_768, 16_384, 'naive', 364));
});

it('a vote costs its signature alone, and nothing is free', () => {
  expect(verificationUs(1, 1, { verifyMs: 4, additionNs: 364, keySums: 'naive' })).toBe(4000);
  expect(verificationUs(512, 500, { verifyMs: 4, additionNs: 364, keySums: 'naive' })).toBe(4182);
  expect(verificationUs(1, 1, { verifyMs: 0, additionNs: 0, keySums: 'naive' })).toBe(1);
});
