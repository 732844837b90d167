import { expect, test } from 'vitest';
import { staleness } from '../scripts/kernel-source.mjs';

test('the committed kernel is the one that its sources ask for', () => {
  expect(staleness()).toBeUndefined();
});
