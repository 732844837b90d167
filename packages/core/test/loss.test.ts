import { describe, expect, it } from 'vitest';
import { RandomStream } from '../src/random.ts';
import { Lockstep } from './lockstep.ts';
import { upTo } from './sizes.ts';

/** Runs periods until every node has all contributions. @returns the number of periods. */
function untilComplete(run: Lockstep, copies: Parameters<Lockstep['step']>[0], periods = 2000): number {
  const all = run.nodes.length;
  while (run.weights().some((weight) => weight < all)) {
    if (run.period === periods) expect.fail(`after ${periods} periods: ${run.weights().join(' ')}`);
    run.step(copies);
  }
  return run.period;
}

describe('v1.03 2.3: a network that delays, loses and duplicates messages', () => {
  it('v1.03 2.4: all nodes get all contributions if nothing is lost', () => {
    for (const nodes of [2, 3, 5, 13, 17, 33, 64]) {
      const run = new Lockstep(nodes);
      run.startAll();
      expect(untilComplete(run, () => 1)).toBeLessThan(60);
    }
  });

  it('a node that misses its first messages at level 1 receives them again', () => {
    const run = new Lockstep(16);
    run.startAll();
    untilComplete(run, ({ level, period }) => (level === 1 && period < 30 ? 0 : 1));
    expect(run.period).toBeGreaterThan(30);
  });

  it('v1.03 2.4: all nodes get all contributions if half of all messages are lost', () => {
    for (const nodes of [3, 17, 32]) {
      const random = new RandomStream(nodes, 'loss');
      const run = new Lockstep(nodes);
      run.startAll();
      untilComplete(run, () => (random.nextUnit() < 0.5 ? 0 : 1));
    }
  });

  it('duplicated messages change nothing', () => {
    const once = new Lockstep(33);
    const thrice = new Lockstep(33);
    once.startAll();
    thrice.startAll();
    for (const _ of upTo(40)) {
      once.step();
      thrice.step(() => 3);
      expect(thrice.weights()).toEqual(once.weights());
    }
  });

  it('v1.03 4.2.3: a late node gets the contributions of the others, and they get its contribution', () => {
    const run = new Lockstep(32);
    for (let id = 0; id < 31; id++) run.start(id);
    for (const _ of upTo(50)) run.step();
    expect(run.weights()).toEqual(upTo(32).map(() => 0));
    run.start(31);
    untilComplete(run, () => 1);
    expect(run.period).toBeLessThan(100);
  });

  it('an unreachable node gets all contributions after it is reachable again', () => {
    const run = new Lockstep(32);
    run.startAll();
    for (const _ of upTo(100)) run.step(({ to }) => (to === 7 ? 0 : 1));
    expect(run.weights()[7]).toBe(0);
    untilComplete(run, () => 1);
  });

  it('v1.03 6: all nodes fall silent with all contributions and flags, although messages are lost and duplicated', () => {
    for (const nodes of [2, 16, 33]) {
      const random = new RandomStream(nodes, 'loss');
      const run = new Lockstep(nodes);
      run.startAll();
      const copies = (): number => random.nextBelow(3);
      untilComplete(run, copies);
      for (let left = 2000; run.crossing.length > 0; left--) {
        expect(left).toBeGreaterThan(0);
        run.step(copies);
      }
      for (const _ of upTo(100)) run.step(copies);
      expect(run.crossing).toEqual([]);
    }
  });
});
