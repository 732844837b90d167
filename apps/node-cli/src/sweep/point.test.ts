import { defaultScenario } from '@tutti/simulation';
import { describe, expect, it } from 'vitest';
import { describeScenario, pointKey } from './point.ts';

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
