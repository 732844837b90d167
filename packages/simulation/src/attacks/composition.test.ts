import { RandomStream } from '@tutti/core';
import { describe, expect, it } from 'vitest';
import { changedComposition, randomComposition } from '../checks/attackSearch/draw.ts';
import { compositionText, maxLevels, maxParts, partsOn, readComposition } from './composition.ts';

describe('readComposition', () => {
  it('decodes levels from the top down, and the parts of each level', () => {
    expect(readComposition('light@0~2.5/-/3invalid@front+mixed@always')).toEqual([
      [{ what: 'light', count: undefined, when: { fromMs: 0, everyMs: 2.5 } }],
      [],
      [
        { what: 'invalid', count: 3, when: 'front' },
        { what: 'mixed', count: undefined, when: 'always' },
      ],
    ]);
  });

  it('decodes the output of compositionText, for any drawn or changed composition', () => {
    const random = new RandomStream(1, 'test');
    let composition = randomComposition(random);
    for (let step = 0; step < 500; step++) {
      composition = step % 20 === 0 ? randomComposition(random) : changedComposition(composition, random);
      expect(composition.length).toBeLessThanOrEqual(maxLevels);
      for (const parts of composition) expect(parts.length).toBeLessThanOrEqual(maxParts);
      expect(readComposition(compositionText(composition))).toEqual(composition);
    }
  });

  const words = '/ light light@ @0 heavy@0 light@soon light@-1 light@0~ light@99999 light@0+ +light@0 -light@0';
  const tooMany = [`${'-/'.repeat(20)}-`, 'light@0+light@0+light@0+light@0+light@0'];
  it.each(['', ...words.split(' '), '1e3light@0', 'light@0/', ...tooMany])('refuses %j', (text) => {
    expect(() => readComposition(text)).toThrow(/^attack plan: expected levels from the top down, .*, got/);
  });
});

it('partsOn returns the parts from the top level down, and the last parts for all lower levels', () => {
  const composition = readComposition('light@0/invalid@front/-');
  const texts = [10, 9, 8, 1].map((level) => compositionText([partsOn(composition, level, 10)]));
  expect(texts).toEqual(['light@0', 'invalid@front', '-', '-']);
});
