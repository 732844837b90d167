import { setFlagsFromString } from 'node:v8';
import { afterAll, describe, expect, it } from 'vitest';
import { inlineMore } from './inlineMore.ts';

describe('inlineMore', () => {
  afterAll(() => setFlagsFromString('--max-inlined-bytecode-size-cumulative=920'));

  it('is true only for large runs or many runs, alone', () => {
    expect(inlineMore(32_767)).toBe(false);
    expect(inlineMore(32_768)).toBe(true);
  });
});
