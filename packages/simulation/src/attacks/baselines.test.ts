import { describe, expect, it } from 'vitest';
import { ended } from '../../test/ended.ts';
import { simulate } from '../run/simulation.ts';
import { defaultScenario, type Scenario } from '../scenario/scenario.ts';
import { protocolNames } from './attack.ts';

const under = (protocol: Scenario['protocol'], name: string, chosen: Partial<Scenario> = {}) => {
  const scenario = { ...defaultScenario, protocol, nodes: 48, attacks: name === '' ? [] : [{ name, share: 0.3 }] };
  return simulate({ ...scenario, ...chosen }, { giveUpAfterMs: 8000 });
};
const ways: readonly (readonly [Scenario['protocol'], Partial<Scenario>])[] = [
  ...protocolNames.filter((name) => name !== 'handel').map((protocol) => [protocol, {}] as const),
  ['complete-graph', { completeGraph: { ...defaultScenario.completeGraph, verification: 'bulk' } }],
  ['gossip', { gossip: { ...defaultScenario.gossip, of: 'aggregates' } }],
];

describe.each(ways)('%s under attack, %o', (protocol, chosen) => {
  it.each(['silent', 'invalid', 'flood', 'equivocate'])('by %s: one run per seed, and no invalid output', (name) => {
    const one = under(protocol, name, chosen);
    expect(under(protocol, name, chosen)).toEqual(one);
    if (name !== 'silent') expect(one.checkedInvalid.mean).toBeGreaterThan(0);
    const { heaviestOutput: heaviest, scheme } = ended(one.scenario, { giveUpAfterMs: 8000 });
    if (heaviest !== undefined) expect(scheme.verify(heaviest.contribution)).toBe(true);
  });
});

describe('the cost of invalid contributions', () => {
  it('an invalid contribution costs a node of the complete graph one check, as in its paper, and a bulk a binary search', () => {
    for (const name of ['invalid', 'flood'])
      expect(under('complete-graph', name).checkedInvalid.max).toBeLessThanOrEqual(Math.floor(0.3 * 48));
    const bulk = under('complete-graph', 'invalid', ways[3]![1]);
    expect(bulk.checkedInvalid.mean).toBeGreaterThan(under('complete-graph', 'invalid').checkedInvalid.mean);
    expect(bulk.reached).toBe(bulk.live);
  });

  it('a flood makes a node of gossip check forged contributions once for each Byzantine neighbour and name', () => {
    const flooded = under('gossip', 'flood');
    expect(flooded.checkedInvalid.mean).toBeGreaterThan(2 * under('gossip', 'invalid').checkedInvalid.mean);
    expect(flooded.reached).toBe(flooded.live);
  });

  it('San Fermín, without a blacklist, has no protection against a flood', () => {
    const flooded = under('san-fermin', 'flood');
    expect(flooded.reached).toBeLessThan(flooded.live);
    expect(flooded.checkedInvalid.mean).toBeGreaterThan(100);
  });
});
