import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { canonicalJson } from './sweepPoint.ts';

describe('canonicalJson', () => {
  it('is JSON of the same value', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        // JSON has only one zero.
        expect(JSON.parse(canonicalJson(value))).toEqual(JSON.parse(JSON.stringify(value)));
      }),
    );
  });

  it('does not depend on the order of fields', () => {
    expect(canonicalJson({ b: [1, { d: 2, c: 3 }], a: undefined })).toBe('{"b":[1,{"c":3,"d":2}]}');
    expect(canonicalJson({ x: 1, y: { q: 2, p: 1 } })).toBe(canonicalJson({ y: { p: 1, q: 2 }, x: 1 }));
  });
});
