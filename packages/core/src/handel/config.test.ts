import { expect, it } from 'vitest';
import {
  defaultHandelConfig,
  type HandelConfig,
  mechanisms,
  paperWindow,
  relativeWindow,
  switchedOff,
  validateHandelConfig,
} from './config.ts';

const good: HandelConfig = { ...defaultHandelConfig, threshold: 10 };

it('takes what the paper says, and the ends of every range', () => {
  validateHandelConfig(good, 10);
  validateHandelConfig({ ...good, threshold: 1, levelStartMs: 0, fastPathPeers: 0, disseminationPeriodMs: 0.001 }, 10);
});

it('takes both ends of each range, and nothing beyond them', () => {
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

it('takes mechanisms that there are, and no others', () => {
  validateHandelConfig({ ...good, without: mechanisms }, 10);
  expect(() => validateHandelConfig({ ...good, without: ['window', 'luck' as never] }, 10)).toThrow(
    /^without: expected window or score or .*, got "luck"$/,
  );
});

it('switches off what an experiment names, each by itself', () => {
  const none = Object.fromEntries(mechanisms.map((mechanism) => [mechanism, false]));
  expect(switchedOff(good)).toEqual(none);
  for (const mechanism of mechanisms)
    expect(switchedOff({ ...good, without: [mechanism] })).toEqual({ ...none, [mechanism]: true });
});

it('says which parameter is wrong, what was expected and what came', () => {
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
