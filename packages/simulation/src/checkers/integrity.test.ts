import { type Contribution, CountingScheme, noContribution, Tree } from '@tutti/core';
import { describe, expect, it } from 'vitest';
import { contributionOf } from '../../../core/test/sets.ts';
import { upTo } from '../../../core/test/sizes.ts';
import { createNetwork } from '../engine/network/network.ts';
import { brokenIntegrity } from './integrity.ts';

/** 48 nodes. Node 40 is dead, node 41 is Byzantine, and node 42 starts at 5 ms. */
const scheme = new CountingScheme(new Tree(48));
const world = {
  network: createNetwork('constant:1', 48, 1),
  alive: Uint8Array.from(upTo(48), (id) => (id === 40 || id === 41 ? 0 : 1)),
  live: 46,
  present: Uint8Array.from(upTo(48), (id) => (id === 40 ? 0 : 1)),
  attack: Int8Array.from(upTo(48), (id) => (id === 41 ? 0 : -1)),
  threshold: 10,
  attacks: [],
  faults: { all: [], byNode: new Map() },
  startUs: Int32Array.from(upTo(48), (id) => (id === 40 ? -1 : id === 42 || id === 41 ? 5000 : 0)),
  cpuFactor: new Float32Array(48).fill(1),
};
const all = 1;
const of = (ids: number[], block = all) => contributionOf(scheme, block, ids);
const broken = (contribution: Contribution, weight: number, nowUs = 0) =>
  brokenIntegrity(scheme, world, contribution, all, weight, nowUs);

describe('brokenIntegrity', () => {
  it('is undefined for a consistent set', () => {
    expect(broken(of([0, 31, 32, 47]), 4)).toBeUndefined();
  });

  it('v1.03 4.3: names a weight that differs from the set', () => {
    expect(broken(of([0, 1]), 3)).toBe('expected each signer to be counted once, got 2 signers for a weight of 3');
    const counted = scheme.aggregate(all, of([0, 1, 2]), of([1, 2, 3]));
    expect(broken(counted, 6), 'aggregated though not disjoint').toContain('got 4 signers for a weight of 6');
    expect(broken(counted, 4)).toContain('got 4 signers for a weight of 6');
  });

  it('v1.03 4.3: names a signer that is dead or has not started', () => {
    expect(broken(of([0, 40]), 2)).toBe('expected only signers that had contributed, got signer 40');
    expect(broken(of([0, 42]), 2, 4999)).toBe('expected only signers that had contributed, got signer 42');
    expect(broken(of([0, 42]), 2, 5000)).toBeUndefined();
  });

  it('checks the first signer of a block too', () => {
    const alone = scheme.tree.leaf(40);
    expect(brokenIntegrity(scheme, world, of([40], alone), alone, 1, 0)).toBe(
      'expected only signers that had contributed, got signer 40',
    );
  });

  it('accepts a contribution of a Byzantine signer at any time', () => {
    expect(broken(of([0, 41]), 2)).toBeUndefined();
  });

  it('names a set over other ids, or a missing set', () => {
    expect(broken(of([0, 1], 2), 2)).toBe('expected a set over block 1, got one over 2');
    expect(broken(noContribution, 0)).toBe('expected a set over block 1, got none');
  });
});
