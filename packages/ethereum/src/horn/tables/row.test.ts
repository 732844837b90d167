import { describe, expect, it } from 'vitest';
import { atLeast, atMost, exactly, rounded, row } from './row.ts';

describe("agreement with the post's figure", () => {
  it.each([
    [rounded('2.1 MB', 2.1e6, 0.05e6), 2_097_152, true],
    [rounded('2.1 MB', 2.1e6, 0.05e6), 2_195_456, false],
    [exactly('512', 512), 512, true],
    [exactly('512', 512), 513, false],
    [atLeast('over 2 GB', 2e9), 1.99e9, false],
    [atLeast('over 2 GB', 2e9), 2.01e9, true],
    [atMost('never', 1), 0.7, true],
    [atMost('never', 1), 1.1, false],
  ])('%j of %d: %s', (figure, exact, follows) => {
    expect(row('item', 'B', exact, figure)).toMatchObject({ post: figure.text, exact, follows });
  });

  it('is open if the post gives no figure', () => {
    expect(row('item', 'B', 1)).toMatchObject({ post: undefined, follows: undefined });
  });
});
