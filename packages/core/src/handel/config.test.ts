import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  defaultHandelConfig,
  type HandelConfig,
  mechanisms,
  nextWindowSize,
  paperWindow,
  relativeWindow,
  switchedOff,
  validateHandelConfig,
  windowRanks,
} from './config.ts';

const good: HandelConfig = { ...defaultHandelConfig, threshold: 10 };

it('accepts the values of the paper and the ends of every range', () => {
  validateHandelConfig(good, 10);
  validateHandelConfig({ ...good, threshold: 1, levelStartMs: 0, fastPathPeers: 0, disseminationPeriodMs: 0.001 }, 10);
});

it('accepts both ends of each range and nothing beyond them', () => {
  const tiny = 2 ** -20;
  const whole = 2 ** 20;
  const ranges: [(value: number) => Partial<HandelConfig>, least: number, most: number, step: number][] = [
    [(threshold) => ({ threshold }), 1, 10, 1],
    [(disseminationPeriodMs) => ({ disseminationPeriodMs }), 0.001, 3_600_000, 0.0001],
    [(levelStartMs) => ({ levelStartMs }), 0, 3_600_000, 0.001],
    [(fastPathPeers) => ({ fastPathPeers }), 0, whole, 1],
    [(max) => ({ window: { ...paperWindow, initial: 1, max } }), 1, whole, 1],
    [(initial) => ({ window: { ...paperWindow, max: 128, initial } }), 1, 128, 1],
    [(max) => ({ window: { ...relativeWindow, initial: tiny, max } }), tiny, 1, tiny / 2],
    [(initial) => ({ window: { ...relativeWindow, max: 0.5, initial } }), tiny, 0.5, tiny / 2],
    [(atLeast) => ({ window: { ...relativeWindow, atLeast } }), 1, whole, 1],
    [(expansion) => ({ window: { ...relativeWindow, expansion } }), 1, 1024, 0.001],
    [(contraction) => ({ window: { ...relativeWindow, contraction } }), 1, 1024, 0.001],
  ];
  for (const [change, least, most, step] of ranges) {
    for (const value of [least, most]) validateHandelConfig({ ...good, ...change(value) }, 10);
    for (const value of [least - step, most + step])
      expect(() => validateHandelConfig({ ...good, ...change(value) }, 10), JSON.stringify(change(value))).toThrow(
        RangeError,
      );
  }
});

it('accepts the known mechanisms and no others', () => {
  validateHandelConfig({ ...good, without: mechanisms }, 10);
  expect(() => validateHandelConfig({ ...good, without: ['window', 'luck' as never] }, 10)).toThrow(
    /^without: expected window or score or .*, got "luck"$/,
  );
});

it('switches off each named mechanism separately', () => {
  const none = Object.fromEntries(mechanisms.map((mechanism) => [mechanism, false]));
  expect(switchedOff(good)).toEqual(none);
  for (const mechanism of mechanisms)
    expect(switchedOff({ ...good, without: [mechanism] })).toEqual({ ...none, [mechanism]: true });
});

it('names the wrong parameter, the expected value and the received value', () => {
  const wrong: [Partial<HandelConfig>, string][] = [
    [{ threshold: 0 }, 'threshold: expected an integer from 1 to 10, got 0'],
    [{ threshold: 11 }, 'threshold: expected an integer from 1 to 10, got 11'],
    [{ threshold: 5.5 }, 'threshold: expected an integer from 1 to 10, got 5.5'],
    [{ disseminationPeriodMs: 0 }, 'disseminationPeriodMs: expected a number from 0.001 to 3600000, got 0'],
    [{ disseminationPeriodMs: Number.NaN }, 'disseminationPeriodMs: expected a number from 0.001 to 3600000, got NaN'],
    [{ levelStartMs: -1 }, 'levelStartMs: expected a number from 0 to 3600000, got -1'],
    [{ fastPathPeers: 1.5 }, 'fastPathPeers: expected an integer from 0 to 1048576, got 1.5'],
    [{ window: { ...paperWindow, max: 0 } }, 'window.max: expected an integer from 1 to 1048576, got 0'],
    [{ window: { ...relativeWindow, max: 1.5 } }, `window.max: expected a number from ${2 ** -20} to 1, got 1.5`],
    [{ window: { ...relativeWindow, initial: 0 } }, `window.initial: expected a number from ${2 ** -20} to 1, got 0`],
    [{ window: { ...relativeWindow, atLeast: 0 } }, 'window.atLeast: expected an integer from 1 to 1048576, got 0'],
    [{ window: { ...paperWindow, initial: 129 } }, 'window.initial: expected an integer from 1 to 128, got 129'],
    [{ window: { ...good.window, expansion: 0.5 } }, 'window.expansion: expected a number from 1 to 1024, got 0.5'],
    [{ window: { ...good.window, contraction: 0 } }, 'window.contraction: expected a number from 1 to 1024, got 0'],
  ];
  for (const [change, message] of wrong) {
    expect(() => validateHandelConfig({ ...good, ...change }, 10)).toThrow(new RangeError(message));
  }
});

const window = windowRanks(paperWindow, 1024, 1024);

describe('nextWindowSize', () => {
  it('v1.03 3.6: doubles on success, up to 128', () => {
    const grown = [16];
    while (grown.length < 6) grown.push(nextWindowSize(grown.at(-1)!, true, window));
    expect(grown).toEqual([16, 32, 64, 128, 128, 128]);
  });

  it('v1.03 3.6: is a quarter after a failure, rounded down, never under 1', () => {
    expect([128, 32, 16, 8, 7, 5, 4, 3, 2, 1].map((size) => nextWindowSize(size, false, window))).toEqual([
      32, 8, 4, 2, 1, 1, 1, 1, 1, 1,
    ]);
  });

  it('v1.03 3.6: is 1 again after at most four failures, from any size', () => {
    for (let size = 1; size <= 128; size++) {
      let left = size;
      for (let failure = 0; failure < 4; failure++) left = nextWindowSize(left, false, window);
      expect(left).toBe(1);
    }
  });

  it('is an integer from 1 to the maximum after any history, for any parameters', () => {
    const anyWindow = fc.record({
      initial: fc.constant(1),
      max: fc.integer({ min: 1, max: 1000 }),
      expansion: fc.double({ min: 1, max: 1024, noNaN: true }),
      contraction: fc.double({ min: 1, max: 1024, noNaN: true }),
    });
    fc.assert(
      fc.property(anyWindow, fc.array(fc.boolean(), { maxLength: 40 }), (config, history) => {
        let size = 1;
        for (const valid of history) {
          const next = nextWindowSize(size, valid, config);
          expect(Number.isInteger(next) && next >= 1 && next <= config.max).toBe(true);
          expect(valid ? next >= size : next <= size).toBe(true);
          size = next;
        }
      }),
    );
  });
});

describe('windowRanks', () => {
  it('v1.03 3.6: has 16 and 128 ranks of [0, N) for the paper', () => {
    expect(windowRanks(paperWindow, 1024, 1024)).toEqual({ initial: 16, max: 128, expansion: 2, contraction: 4 });
    expect(windowRanks(paperWindow, 4, 4)).toMatchObject({ initial: 16, max: 128 });
  });

  it('v1.03 3.3: covers as many peers if ranks have a wider range than [0, N)', () => {
    expect(windowRanks(paperWindow, 1025, 2048)).toMatchObject({ initial: 32, max: 256 });
    expect(windowRanks(relativeWindow, 100, 128)).toMatchObject({ initial: 20, max: 128 });
  });

  it('is a share of the ranks if relative, and initially at least 16 of [0, N), if there are as many', () => {
    const limits = (nodes: number) => {
      const { initial, max } = windowRanks(relativeWindow, nodes, nodes);
      return [initial, max];
    };
    expect([1, 8, 64, 256, 1024, 4096].map(limits)).toEqual([
      [1, 1],
      [8, 8],
      [16, 64],
      [16, 256],
      [64, 1024],
      [256, 4096],
    ]);
  });

  it('is 1 again after at most one failure per factor of four of N, if relative', () => {
    for (const nodes of [16, 256, 1024, 4096, 65_536]) {
      const limits = windowRanks(relativeWindow, nodes, nodes);
      let left = limits.max;
      for (let failure = 0; failure < Math.log2(nodes) / 2; failure++) left = nextWindowSize(left, false, limits);
      expect(left, String(nodes)).toBe(1);
    }
  });
});

it("v1.03 3.6: the defaults equal the paper's, except for the window and the back-off", () => {
  expect(defaultHandelConfig).toEqual({
    disseminationPeriodMs: 20,
    backOff: true,
    batch: 1,
    without: [],
    levelStartMs: 50,
    fastPathPeers: 10,
    window: relativeWindow,
  });
});
