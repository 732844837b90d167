import { expect, it } from 'vitest';
import { clipType } from './clip.ts';

it('clipType is the first type that the browser can record', () => {
  const that = (...types: readonly string[]) => ({ isTypeSupported: (type: string) => types.includes(type) });
  expect(clipType(that('video/webm', 'video/mp4'))).toBe('video/webm');
  expect(clipType(that('video/mp4'))).toBe('video/mp4');
  expect(clipType(that())).toBeUndefined();
  expect(clipType(undefined)).toBeUndefined();
});
