import { defaultScenario } from '@tutti/simulation';
import { describe, expect, it } from 'vitest';
import { describeScenario, pointKey, variedText } from './point.ts';

describe('pointKey', () => {
  it('differs if any field differs', () => {
    const key = pointKey(defaultScenario);
    expect(pointKey({ ...defaultScenario })).toBe(key);
    expect(pointKey({ ...defaultScenario, seed: 2 })).not.toBe(key);
    expect(pointKey({ ...defaultScenario, dead: 0.1 })).not.toBe(key);
  });
});

describe('describeScenario', () => {
  it('names nodes, seed and the fields that differ from the defaults', () => {
    expect(describeScenario({ ...defaultScenario, nodes: 64, dead: 0.2 })).toBe('nodes 64, dead 0.2, seed 1');
  });

  it('compares lists and settings from a file or a thread by their content', () => {
    const scenario = structuredClone({ ...defaultScenario, attacks: [{ name: 'silent', share: 0.1 }] });
    expect(describeScenario(scenario)).toBe('nodes 1024, seed 1, attacks [{"name":"silent","share":0.1}]');
  });
});

describe('variedText', () => {
  it('writes a value like its flag, also lists and settings of several parts', () => {
    const scenario = { ...defaultScenario, dead: 0.2, attacks: [{ name: 'invalid', share: 0.3 }] as const };
    expect(variedText(scenario, 'dead')).toBe('0.2');
    expect(variedText(scenario, 'authenticated')).toBe('true');
    expect(variedText(scenario, 'attacks')).toBe('invalid:0.3');
    expect(variedText(scenario, 'without')).toBe('none');
    for (const field of Object.keys(scenario) as (keyof typeof scenario)[])
      expect(variedText(scenario, field)).not.toContain('[object');
  });
});
