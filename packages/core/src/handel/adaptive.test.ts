import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { NodeBench } from '../../test/nodeBench.ts';
import { defaultScenario, type Scenario } from '../simulation/scenario.ts';
import { simulate } from '../simulation/simulation.ts';
import { Delays, levelSpacingUs, periodUs } from './adaptive.ts';
import { defaultHandelConfig } from './config.ts';

const config = defaultHandelConfig;

/** What node 0 measured of peers that took so long, in that order. */
function measured(delaysUs: readonly number[]): Delays {
  const delays = new Delays(0);
  for (const [index, delayUs] of delaysUs.entries()) {
    delays.onContact(index + 1, 1000);
    delays.onHeard(index + 1, 1000 + delayUs);
  }
  return delays;
}

describe('Delays', () => {
  it('is the median of three peers and more', () => {
    expect(measured([]).medianUs()).toBeUndefined();
    expect(measured([1, 2]).medianUs()).toBeUndefined();
    expect(measured([30, 10, 20]).medianUs()).toBe(20);
    expect(measured([40, 30, 10, 20]).medianUs()).toBe(20);
  });

  it('counts the time from the first contact to the first message after it, once for each peer', () => {
    const delays = new Delays(16);
    for (const peer of [17, 18, 19]) {
      delays.onContact(peer, 100);
      delays.onContact(peer, 150);
      delays.onHeard(peer, 170);
      delays.onContact(peer, 200);
      delays.onHeard(peer, 900);
    }
    expect([delays.count, delays.medianUs()]).toEqual([3, 70]);
  });

  it('leaves out who spoke first, who never spoke, itself and who is on higher levels', () => {
    const delays = new Delays(16);
    delays.onHeard(17, 5);
    delays.onContact(17, 10);
    delays.onHeard(17, 20);
    delays.onContact(18, 10);
    for (const peer of [16, 0, 15, 32, 33]) {
      delays.onContact(peer, 10);
      delays.onHeard(peer, 20);
    }
    expect(delays.count).toBe(0);
  });

  it('lies between honest delays as long as liars are fewer than half of the measured, whatever they do', () => {
    const delayUs = fc.integer({ min: 0, max: 1e9 });
    fc.assert(
      fc.property(
        fc.array(delayUs, { minLength: 3, maxLength: 8 }),
        fc.array(delayUs, { maxLength: 7 }),
        (honest, lies) => {
          const few = lies.slice(0, honest.length - 1);
          const median = measured([...few, ...honest]).medianUs()!;
          expect(median).toBeGreaterThanOrEqual(Math.min(...honest));
          expect(median).toBeLessThanOrEqual(Math.max(...honest));
        },
      ),
    );
  });
});

describe('levelSpacingUs and periodUs', () => {
  it('are as configured where nothing was learnt', () => {
    expect([levelSpacingUs(config, undefined), periodUs(config, undefined)]).toEqual([50_000, 20_000]);
  });

  it('follow the delay, the period never below the configured one', () => {
    expect([25_000, 50_000, 100_000].map((delayUs) => levelSpacingUs(config, delayUs))).toEqual([
      25_000, 50_000, 100_000,
    ]);
    expect([25_000, 50_000, 100_000].map((delayUs) => periodUs(config, delayUs))).toEqual([20_000, 20_000, 40_000]);
  });

  it('stay in [1/4, 4] times and [1, 4] times the configured, however all peers lie', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 2 ** 52 }), { maxLength: 15 }), (lies) => {
        const delayUs = measured(lies).medianUs();
        expect(levelSpacingUs(config, delayUs)).toBeGreaterThanOrEqual(12_500);
        expect(levelSpacingUs(config, delayUs)).toBeLessThanOrEqual(200_000);
        expect(periodUs(config, delayUs)).toBeGreaterThanOrEqual(20_000);
        expect(periodUs(config, delayUs)).toBeLessThanOrEqual(80_000);
      }),
    );
    expect([0, 1e12].map((delayUs) => levelSpacingUs(config, delayUs))).toEqual([12_500, 200_000]);
  });

  it('leave level starts of 0 ms and their period alone', () => {
    const none = { ...config, levelStartMs: 0 };
    expect([levelSpacingUs(none, 70_000), periodUs(none, 70_000)]).toEqual([0, 20_000]);
  });
});

describe('a node', () => {
  /**
   * When node 0 of 16 first contacts each level, ms, where peers 1, 2 and 3 lie and speak a moment after they are
   * contacted, or late.
   */
  const starts = (lateUs: number): Map<number, number> => {
    const bench = new NodeBench({ config: { adaptive: true } });
    const first = new Map<number, number>();
    const contactedUs = new Map<number, number>();
    const look = (): void => {
      for (const { to, level } of bench.port.takeSent()) {
        if (!first.has(level)) first.set(level, bench.port.timeUs / 1000);
        if (!contactedUs.has(to)) contactedUs.set(to, bench.port.timeUs);
      }
    };
    bench.node.start();
    look();
    while (bench.port.timeUs < 700_000) {
      bench.timeout();
      for (const [liar, atUs] of contactedUs) {
        if (liar > 3 || bench.port.timeUs < atUs + lateUs) continue;
        bench.receive(liar, liar === 1 ? 1 : 2, [liar], { forged: true });
        contactedUs.set(liar, Number.POSITIVE_INFINITY);
      }
      look();
    }
    return first;
  };

  it('starts levels as configured until it has learnt', () => {
    expect([...starts(1e9)]).toEqual([
      [1, 0],
      [2, 50],
      [3, 100],
      [4, 150],
    ]);
  });

  it('starts level 4 between a quarter of and four times the configured spacing after level 3, whatever liars do', () => {
    for (const lateUs of [0, 5_000, 30_000, 45_000]) {
      const first = starts(lateUs);
      expect([first.get(2), first.get(3)]).toEqual([50, 100]);
      expect(first.get(4)! - first.get(3)!).toBeGreaterThanOrEqual(12.5);
      expect(first.get(4)! - first.get(3)!).toBeLessThanOrEqual(200);
    }
    expect(starts(0).get(4)).not.toBe(150);
  });

  it('needs timers for its starts', () => {
    expect(() => new NodeBench({ config: { adaptive: true, without: ['start-timers'] } })).toThrow(/start-timers/);
  });
});

describe('a run', () => {
  const base: Scenario = { ...defaultScenario, nodes: 128 };

  it.each(['aws', 'cities', 'constant:50'])(
    'on %s: all are done and no claim breaks, with nothing, dead nodes or liars in the way',
    (network) => {
      for (const change of [{}, { dead: 0.2 }, { attacks: [{ name: 'invalid', share: 0.3 }] }]) {
        const [fixed, adaptive] = [false, true].map((on) =>
          simulate({ ...base, ...change, network, adaptive: on }, { checkers: true }),
        );
        expect(adaptive!.reached).toBe(adaptive!.live);
        expect(adaptive!.timeToThresholdMs.mean).toBeLessThan(1.5 * fixed!.timeToThresholdMs.mean);
      }
    },
  );
});
