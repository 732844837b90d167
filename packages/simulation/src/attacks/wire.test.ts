import { describe, expect, it } from 'vitest';
import { expectAllReached } from '../../test/attacked.ts';
import { simulate } from '../run/simulation.ts';
import { defaultScenario } from '../scenario/scenario.ts';
import type { Attack } from './attack.ts';
import { wireAttacks } from './wire.ts';

describe.each(wireAttacks.map((attack) => [attack.name, attack] as const))('%s, by nodes only', (name, attack) => {
  const protocol = attack.against.includes('handel') ? 'handel' : 'san-fermin';
  const scenario = { ...defaultScenario, protocol, nodes: 64, dead: 0.1 } as const;

  it('requires only nodes, and for delay its delays', () => {
    const methods = new Set<string>();
    const watched: Attack = {
      ...attack,
      form(setting) {
        const coalition = attack.form(setting);
        for (const key of Object.keys(coalition)) methods.add(key);
        return coalition;
      },
    };
    simulate(scenario, { attacks: [{ attack: watched, share: 0.2 }], giveUpAfterMs: 0 });
    expect([...methods]).toEqual(name === 'delay' ? ['join', 'delayUs'] : ['join']);
  });

  it.runIf(protocol === 'handel')('v1.03 4.3: all honest nodes of Handel reach the threshold', () => {
    for (const seed of [1, 2]) expectAllReached(simulate({ ...scenario, seed }, { attacks: [{ attack, share: 0.3 }] }));
  });
});

it('v1.03 4.1 (2): invalid contributions that each member sends once cost at most one check per member', () => {
  const checksOf = (name: string) => {
    const attack = wireAttacks.find((one) => one.name === name)!;
    return simulate({ ...defaultScenario, nodes: 64 }, { attacks: [{ attack, share: 0.25 }] });
  };
  const invalid = checksOf('invalid').checkedInvalid;
  expect(invalid.max).toBeLessThanOrEqual(16);
  expect(invalid.mean).toBeGreaterThan(8);
  expect(checksOf('worthless').checkedInvalid.max).toBe(0);
});
