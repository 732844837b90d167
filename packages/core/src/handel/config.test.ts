import { expect, it } from 'vitest';
import { checkHandelConfig, defaultHandelConfig, type HandelConfig, paperWindow, relativeWindow } from './config.ts';

const good: HandelConfig = { ...defaultHandelConfig, threshold: 10 };

it('takes what the paper says, and the ends of every range', () => {
  checkHandelConfig(good, 10);
  checkHandelConfig({ ...good, threshold: 1, levelStartMs: 0, fastPathPeers: 0, disseminationPeriodMs: 0.001 }, 10);
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
    expect(() => checkHandelConfig({ ...good, ...change }, 10)).toThrow(new RangeError(message));
  }
});
