import { describe, expect, it } from 'vitest';
import { doneAt, marksPassed, never, type RaceLane } from './raceFile.ts';

const lane: RaceLane = {
  protocol: 'handel',
  digest: '',
  perNode: 2,
  marks: Uint16Array.of(10, 20, 5, 30, never, never),
  alive: Uint8Array.of(1, 1, 0),
};

describe('marksPassed', () => {
  it('counts the marks that a node has passed', () => {
    expect([0, 10, 19, 20].map((at) => marksPassed(lane, 0, at))).toEqual([0, 1, 1, 2]);
  });
});

describe('doneAt', () => {
  it('counts the nodes at the threshold, and never a dead one', () => {
    expect([19, 20, 30, never].map((at) => doneAt(lane, at))).toEqual([0, 1, 2, 2]);
  });

  it('counts no Byzantine node', () => {
    expect(doneAt({ ...lane, alive: Uint8Array.of(1, 2, 0) }, 30)).toBe(1);
  });
});
