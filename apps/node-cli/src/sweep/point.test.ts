import { defaultScenario } from '@tutti/simulation';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { canonicalJson, describeScenario, pointKey } from './point.ts';

describe('canonicalJson', () => {
  it('is JSON of the same value', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        // JSON has one zero.
        expect(JSON.parse(canonicalJson(value))).toEqual(JSON.parse(JSON.stringify(value)));
      }),
    );
  });

  it('does not depend on the order of fields', () => {
    expect(canonicalJson({ b: [1, { d: 2, c: 3 }], a: undefined })).toBe('{"b":[1,{"c":3,"d":2}]}');
    expect(canonicalJson({ x: 1, y: { q: 2, p: 1 } })).toBe(canonicalJson({ y: { p: 1, q: 2 }, x: 1 }));
  });
});

describe('pointKey', () => {
  it('differs when any field does', () => {
    const key = pointKey(defaultScenario);
    expect(pointKey({ ...defaultScenario })).toBe(key);
    expect(pointKey({ ...defaultScenario, seed: 2 })).not.toBe(key);
    expect(pointKey({ ...defaultScenario, dead: 0.1 })).not.toBe(key);
  });
});

describe('describeScenario', () => {
  it('names nodes, seed and what is not as usual', () => {
    expect(describeScenario({ ...defaultScenario, nodes: 64, dead: 0.2 })).toBe('nodes 64, dead 0.2, seed 1');
  });

  it('tells lists and settings that came from a file or a thread by what is in them', () => {
    const scenario = structuredClone({ ...defaultScenario, attacks: [{ name: 'silent', share: 0.1 }] });
    expect(describeScenario(scenario)).toBe('nodes 1024, seed 1, attacks [{"name":"silent","share":0.1}]');
  });
});
