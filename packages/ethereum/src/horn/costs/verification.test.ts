import { expect, it } from 'vitest';
import { keysUs, verificationUs } from '../costs.ts';

it('512 full collections are summed in the 6.1 s of the post\'s i7-8550U, and in no time from the total ("Verification time for collections")', () => {
  expect((512 * keysUs(32_768, 32_768, 'naive', 364)) / 1e6).toBeCloseTo(6.1, 1);
  expect(keysUs(32_768, 32_768, 'subtracting', 364)).toBe(0);
  expect(keysUs(32_768, 16_384, 'subtracting', 364)).toBe(keysUs(32_768, 16_384, 'naive', 364));
});

it('a vote costs only its signature, and no message is free', () => {
  expect(verificationUs(1, 1, { verifyMs: 4, additionNs: 364, keySums: 'naive' })).toBe(4000);
  expect(verificationUs(512, 500, { verifyMs: 4, additionNs: 364, keySums: 'naive' })).toBe(4182);
  expect(verificationUs(1, 1, { verifyMs: 0, additionNs: 0, keySums: 'naive' })).toBe(1);
});
