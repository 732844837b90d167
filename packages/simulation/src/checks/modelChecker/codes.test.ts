import { CountingScheme, Tree } from '@tutti/core';
import { expect, it } from 'vitest';
import { contributionOf, forgeryOf } from '../../../../core/test/sets.ts';
import { contributionCode, decodeContribution, decodeMessageCode, messageCode } from './codes.ts';

it('contributionCode is unique for each set over each block, valid or forged, and decodes to the contribution', () => {
  for (const nodes of [2, 3, 4]) {
    const scheme = new CountingScheme(new Tree(nodes));
    const codes = new Set<number>();
    for (let block = 1; block < 2 * scheme.tree.leafBase; block++) {
      const size = scheme.tree.size(block);
      for (let set = 1; set < 1 << size; set++) {
        const places = [0, 1, 2, 3].filter((bit) => ((set >>> bit) & 1) === 1);
        const ids = places.map((bit) => scheme.tree.start(block) + bit);
        for (const made of [contributionOf(scheme, block, ids), forgeryOf(scheme, block, ids)]) {
          const code = contributionCode(scheme, made);
          expect(codes.has(code)).toBe(false);
          codes.add(code);
          const decoded = decodeContribution(scheme, code);
          expect(contributionCode(scheme, decoded)).toBe(code);
          expect(scheme.verify(decoded)).toBe(scheme.verify(made));
          expect(scheme.weight(decoded)).toBe(ids.length);
          scheme.release(decoded);
          scheme.release(made);
        }
      }
    }
    expect(scheme.held).toBe(0);
  }
});

it('messageCode decodes to the message, in 24 bits', () => {
  const message = { from: 1, to: 3, level: 2, aggregate: 0b0010_0011, individual: 0b1101_0001, flags: 3 };
  expect(decodeMessageCode(messageCode(message))).toEqual(message);
  expect(messageCode({ from: 3, to: 3, level: 3, aggregate: 255, individual: 255, flags: 3 })).toBe(2 ** 24 - 1);
});
