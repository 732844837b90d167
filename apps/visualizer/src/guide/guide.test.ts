import { describe, expect, it } from 'vitest';
import { chapterAt } from './guide.ts';

describe('chapterAt', () => {
  it('is the last chapter that has begun', () => {
    const at = (timeUs: number) => ({ timeUs, title: '', text: '' });
    const all = [at(0), at(10), at(10), at(30)];
    expect([-5, 0, 9, 10, 29, 30, 99].map((timeUs) => chapterAt(all, timeUs))).toEqual([0, 0, 0, 2, 2, 3, 3]);
  });
});
