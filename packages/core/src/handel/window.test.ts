import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { defaultHandelConfig, paperWindow, relativeWindow } from './config.ts';
import { nextWindowSize, windowRanks } from './window.ts';

const window = windowRanks(paperWindow, 1024, 1024);

describe('nextWindowSize', () => {
  it('v1.03 3.6: doubles on success, up to 128', () => {
    const grown = [16];
    while (grown.length < 6) grown.push(nextWindowSize(grown.at(-1)!, true, window));
    expect(grown).toEqual([16, 32, 64, 128, 128, 128]);
  });

  it('v1.03 3.6: is a quarter on failure, rounded down, never under 1', () => {
    expect([128, 32, 16, 8, 7, 5, 4, 3, 2, 1].map((size) => nextWindowSize(size, false, window))).toEqual([
      32, 8, 4, 2, 1, 1, 1, 1, 1, 1,
    ]);
  });

  it('v1.03 3.6: is back at 1 after at most four failures, from anywhere', () => {
    for (let size = 1; size <= 128; size++) {
      let left = size;
      for (let failure = 0; failure < 4; failure++) left = nextWindowSize(left, false, window);
      expect(left).toBe(1);
    }
  });

  it('stays an integer from 1 to the maximum through any history, for any parameters', () => {
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
  it("v1.03 3.6: the paper's is 16 and 128 ranks of [0, N)", () => {
    expect(windowRanks(paperWindow, 1024, 1024)).toEqual({ initial: 16, max: 128, expansion: 2, contraction: 4 });
    expect(windowRanks(paperWindow, 4, 4)).toMatchObject({ initial: 16, max: 128 });
  });

  it('v1.03 3.3: covers as many peers where ranks lie in a span wider than [0, N)', () => {
    expect(windowRanks(paperWindow, 1025, 2048)).toMatchObject({ initial: 32, max: 256 });
    expect(windowRanks(relativeWindow, 100, 128)).toMatchObject({ initial: 20, max: 128 });
  });

  it('a relative one is a share of the ranks, and at first at least 16 of [0, N), where there are that many', () => {
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

  it('a relative one is back at 1 after at most one failure for every factor of four of N', () => {
    for (const nodes of [16, 256, 1024, 4096, 65_536]) {
      const limits = windowRanks(relativeWindow, nodes, nodes);
      let left = limits.max;
      for (let failure = 0; failure < Math.log2(nodes) / 2; failure++) left = nextWindowSize(left, false, limits);
      expect(left, String(nodes)).toBe(1);
    }
  });
});

it("v1.03 3.6: the defaults are the paper's, but for the window and the back-off", () => {
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
