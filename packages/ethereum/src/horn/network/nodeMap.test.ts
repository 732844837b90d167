import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { heavyTail, mapNodes, nodeDistributions } from './nodeMap.ts';

describe('mapNodes(distribution, validators, nodes, seed)', () => {
  it('assigns every validator to one node, for any distribution', () => {
    fc.assert(
      fc.property(
        fc.constantFrom('uniform' as const, 'heavy-tailed' as const),
        fc.integer({ min: 1, max: 40_000 }),
        fc.integer({ min: 1, max: 3000 }),
        fc.integer({ min: 0, max: 2 ** 32 - 1 }),
        (distribution, validators, nodes, seed) => {
          const { validators: of, nodeOf } = mapNodes(distribution, validators, nodes, seed);
          expect(of.reduce((sum, one) => sum + one, 0)).toBe(validators);
          expect(Math.min(...of)).toBeGreaterThanOrEqual(0);
          const counted = new Int32Array(nodes);
          for (const node of nodeOf) counted[node]!++;
          expect(counted).toEqual(of);
        },
      ),
      { numRuns: 40 },
    );
  });

  it('uniform: node sizes differ by at most one', () => {
    const { validators } = mapNodes('uniform', 2 ** 20, 10_000, 1);
    expect([Math.min(...validators), Math.max(...validators)]).toEqual([104, 105]);
  });

  it('heavy-tailed: about 30 % of the nodes with validators have more than 100, the largest about 19,000', () => {
    const { validators } = mapNodes('heavy-tailed', 2 ** 20, 10_000, 1);
    const hosts = [...validators].filter((count) => count > 0);
    expect(hosts.length).toBeLessThan(10_000);
    const over = hosts.filter((count) => count > 100).length / hosts.length;
    expect(Math.abs(over - heavyTail.overHundred)).toBeLessThan(0.1);
    expect(Math.abs(Math.max(...hosts) / heavyTail.largest - 1)).toBeLessThan(0.25);
  });

  it('heavy-tailed: another seed has other large nodes', () => {
    const largest = (seed: number): number => {
      const { validators } = mapNodes('heavy-tailed', 2 ** 16, 1000, seed);
      return validators.indexOf(Math.max(...validators));
    };
    expect(new Set([1, 2, 3, 4].map(largest)).size).toBeGreaterThan(1);
  });

  it('one-each: refuses another number of nodes', () => {
    expect(mapNodes('one-each', 5, 5, 1).nodeOf).toEqual(Int32Array.of(0, 1, 2, 3, 4));
    expect(() => mapNodes('one-each', 5, 4, 1)).toThrow(
      'nodes: expected as many as validators, 5, where each has its own, got 4',
    );
    expect(nodeDistributions).toContain('one-each');
  });
});
