import { setFlagsFromString } from 'node:v8';
import { afterAll, describe, expect, it } from 'vitest';
import { inlineMore } from './inlineMore.ts';

describe('inlineMore', () => {
  afterAll(() => setFlagsFromString('--max-inlined-bytecode-size-cumulative=920'));

  it('is for large runs alone', () => {
    expect(inlineMore(16_383)).toBe(false);
    expect(inlineMore(16_384)).toBe(true);
  });
});
