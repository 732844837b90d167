import { defaultScenario, type Scenario } from '@tutti/simulation';
import { randomScenario } from '@tutti/simulation/checks';
import { describe, expect, it } from 'vitest';
import { UsageError } from '../context.ts';
import { scenarioFlag, scenarioText } from './scenarioFlag.ts';

describe('scenarioText', () => {
  it('contains the fields that differ from the defaults', () => {
    expect(scenarioText(defaultScenario)).toBe('{}');
    const scenario: Scenario = { ...defaultScenario, nodes: 5, attacks: [{ name: 'silent', share: 0.2 }] };
    expect(scenarioText(scenario)).toBe('{"nodes":5,"attacks":[{"name":"silent","share":0.2}]}');
  });

  it('decodes to the encoded scenario, and fits into quotes of a shell', () => {
    for (let seed = 0; seed < 200; seed++) {
      const scenario = randomScenario(seed, { without: seed % 2 === 0 ? ['score', 'window'] : [] });
      expect(scenarioFlag(scenarioText(scenario))).toEqual(scenario);
      expect(scenarioText(scenario)).not.toContain("'");
    }
  });
});

describe('scenarioFlag', () => {
  it.each([
    ['', 'a JSON object with the fields of a scenario'],
    ['[]', 'a JSON object with the fields of a scenario'],
    ['null', 'a JSON object with the fields of a scenario'],
    ['{"nodes":5', 'a JSON object with the fields of a scenario'],
    ['{"node":5}', 'fields protocol, nodes,'],
    ['{"__proto__":5}', 'fields protocol, nodes,'],
    ['{"contacts":"proportion"}', '--scenario: contacts: expected one, the only value in versions after abb67a70'],
    ['{"nodes":"5"}', '--scenario: nodes: expected a number, got "5"'],
    ['{"attacks":[null]}', '--scenario: attacks: expected'],
    ['{"attacks":[{"name":"none","share":0.1}]}', 'attacks: expected silent or'],
    ['{"faults":[null]}', '--scenario: faults[0]: expected'],
    ['{"faults":[{"kind":"crash","nodes":{"share":1},"atMs":0}]}', '--scenario: faults: expected an honest node'],
    ['{"without":["nothing"]}', '--scenario: without: expected'],
    ['{"cpu":null}', '--scenario: cpu: expected an object, got null'],
    ['{"scheme":"bls"}', '--scenario: expected the counting scheme, got "bls"'],
  ])('refuses %s in one line', (text, line) => {
    expect(() => scenarioFlag(text)).toThrow(UsageError);
    expect(() => scenarioFlag(text)).toThrow(line);
  });
});
