import { expect, it } from 'vitest';
import { reachedText } from './folded.ts';

it('prints a share with its count, and a count alone', () => {
  expect(reachedText(0.99, 1014)).toBe('99 % (1,014 signatures)');
  expect(reachedText(0.29, 1)).toBe('29 % (1 signature)');
  expect(reachedText(67, 67)).toBe('67 signatures');
});
