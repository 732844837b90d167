import { sanFerminSettings, validateHandelConfig } from '@tutti/core';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { anyScenario } from '../../test/anyScenario.ts';
import { configOf } from '../world/honest.ts';
import { defaultScenario, type Scenario, validateScenario } from './scenario.ts';
import { scenarioArguments, scenarioFields, writeScenario } from './scenarioFields.ts';
import { scenarioTable } from './scenarioTable.ts';

function read(fields: Iterable<readonly [string, string]>): Scenario {
  let scenario = defaultScenario;
  for (const [name, text] of fields)
    scenario = scenarioFields.find((field) => field.name === name)!.read(name, text, scenario);
  return scenario;
}

describe('scenarioFields', () => {
  it('read returns the written value, to the last bit', () => {
    fc.assert(
      fc.property(anyScenario({ nodes: 4096 }), (scenario) => {
        validateScenario(scenario);
        expect(read(writeScenario(scenario))).toEqual(scenario);
      }),
    );
  });

  it('has the exact ranges of Handel and of San Fermín', () => {
    const scenario = { ...defaultScenario, threshold: 1 };
    for (const [name, text, path] of [
      ['period', '3600000', 'disseminationPeriodMs'],
      ['period', '0.001', 'disseminationPeriodMs'],
      ['level-start', '3600000', 'levelStartMs'],
      ['fast-path', '1048576', 'fastPathPeers'],
    ] as const) {
      const given = read([[name, text]]);
      validateScenario(given);
      const config = configOf({ ...scenario, ...given }, 1);
      validateHandelConfig(config, 1);
      expect(config[path]).toBe(Number(text));
    }
    expect(() => read([['period', '3600001']])).toThrow(RangeError);
    expect(scenarioTable.sanFermin.replyTimeoutMs.range).toBe(sanFerminSettings.replyTimeoutMs.range);
  });

  it.each(scenarioFields)('$name refuses invalid values with its label', ({ read }) => {
    expect(() => read('here', '?', defaultScenario)).toThrow(/^here: expected .*, got "\?"$/);
  });
});

it('scenarioArguments names the common fields and those that differ from the default, but no fields of other protocols', () => {
  const gossip = { of: 'aggregates', degree: 3 } as const;
  const scenario: Scenario = { ...defaultScenario, nodes: 64, network: 'constant:50', without: ['window'], gossip };
  expect(scenarioArguments(scenario).join(' ')).toBe(
    '--protocol handel --nodes 64 --threshold 0.99 --network constant:50 --dead 0 --scheme counting --seed 1 --without window',
  );
});
