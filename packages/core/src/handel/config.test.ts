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

const tiny = 2 ** -20;
const whole = 2 ** 20;
const hour = 3_600_000;

it.each<[label: string, (value: number) => Partial<HandelConfig>, min: number, max: number, step: number]>([
  ['threshold', (threshold) => ({ threshold }), 1, 10, 1],
  ['disseminationPeriodMs', (disseminationPeriodMs) => ({ disseminationPeriodMs }), 0.001, hour, 0.0001],
  ['levelStartMs', (levelStartMs) => ({ levelStartMs }), 0, hour, 0.001],
  ['fastPathPeers', (fastPathPeers) => ({ fastPathPeers }), 0, whole, 1],
  ['window.max', (max) => ({ window: { ...paperWindow, initial: 1, max } }), 1, whole, 1],
  ['window.initial', (initial) => ({ window: { ...paperWindow, max: 128, initial } }), 1, 128, 1],
  ['window.max', (max) => ({ window: { ...relativeWindow, initial: tiny, max } }), tiny, 1, tiny / 2],
  ['window.initial', (initial) => ({ window: { ...relativeWindow, max: 0.5, initial } }), tiny, 0.5, tiny / 2],
  ['window.atLeast', (atLeast) => ({ window: { ...relativeWindow, atLeast } }), 1, whole, 1],
  ['window.expansion', (expansion) => ({ window: { ...relativeWindow, expansion } }), 1, 1024, 0.001],
  ['window.contraction', (contraction) => ({ window: { ...relativeWindow, contraction } }), 1, 1024, 0.001],
])('accepts both ends of the range of %s and nothing beyond them', (label, change, min, max, step) => {
  const isInteger = step === 1;
  for (const value of [min, max]) validateHandelConfig({ ...good, ...change(value) }, 10);
  for (const value of [min - step, max + step, Number.NaN, ...(isInteger ? [1.5] : [])])
    expect(() => validateHandelConfig({ ...good, ...change(value) }, 10)).toThrow(
      new RangeError(`${label}: expected ${isInteger ? 'an integer' : 'a number'} from ${min} to ${max}, got ${value}`),
    );
});

it.each([
  ['without', ['window', 'luck'], /^without: expected window or score or .*, got "luck"$/],
  ['window', undefined, 'window: expected an object'],
  ['window', { ...paperWindow, unit: 'rank' }, 'window.unit: expected ranks or share, got "rank"'],
  ['window', { ...paperWindow, atLeast: 1 }, 'window: expected no fields but unit'],
  ['patience', 1, 'config: expected no fields but'],
])('refuses an unknown value or field: %s %j', (field, value, message) => {
  expect(() => validateHandelConfig({ ...good, without: mechanisms, [field]: value }, 10)).toThrow(message);
});

it('switches off each named mechanism separately', () => {
  const none = Object.fromEntries(mechanisms.map((mechanism) => [mechanism, false]));
  expect(switchedOff(good)).toEqual(none);
  for (const mechanism of mechanisms)
    expect(switchedOff({ ...good, without: [mechanism] })).toEqual({ ...none, [mechanism]: true });
});

const window = windowRanks(paperWindow, 1024, 1024);

describe('nextWindowSize', () => {
  it('v1.03 3.6: doubles on success, up to 128', () => {
    const grown = [16];
    while (grown.length < 6) grown.push(nextWindowSize(grown.at(-1)!, true, window));
    expect(grown).toEqual([16, 32, 64, 128, 128, 128]);
  });

  it('v1.03 3.6: is a quarter after a failure, rounded down, never under 1', () => {
    const shrunk = [128, 32, 16, 8, 7, 5, 4, 3, 2, 1].map((size) => nextWindowSize(size, false, window));
    expect(shrunk).toEqual([32, 8, 4, 2, 1, 1, 1, 1, 1, 1]);
  });

  it('grows from 1 after a valid contribution with any expansion above 1', () => {
    const grown = [1, 1.01, 1.5, 2].map((expansion) => nextWindowSize(1, true, { ...window, expansion }));
    expect(grown).toEqual([1, 2, 2, 2]);
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
    const initials = { 1: 1, 8: 8, 64: 16, 256: 16, 1024: 64, 4096: 256 };
    for (const [nodes, initial] of Object.entries(initials))
      expect(windowRanks(relativeWindow, +nodes, +nodes)).toMatchObject({ initial, max: +nodes });
  });
});

it("v1.03 3.6: the defaults equal the paper's, except for the window, the back-off and this library's mechanisms", () => {
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
