import { describe, expect, it } from 'vitest';
import { attacked, expectAllReached } from '../../test/attacked.ts';

describe('v1.03 8.1: the eclipse of San Fermín', () => {
  const tenth = (name: string) => ({ attacks: [{ name, share: 0.1 }], protocol: 'san-fermin' as const });

  it('one node in ten contacts high levels first, and most nodes never get half of the contributions', () => {
    for (const seed of [1, 2, 3]) {
      const { reached, live } = attacked('eclipse', { ...tenth('eclipse'), seed, threshold: 0.5 });
      expect(reached).toBeLessThan(live / 2);
    }
  });

  it('all nodes get half of the contributions if the same nodes are silent', () => {
    for (const seed of [1, 2, 3]) expectAllReached(attacked('silent', { ...tenth('silent'), seed, threshold: 0.5 }));
  });
});
