import { defaultScenario, simulate } from '@tutti/core/simulation';
import { expect, it } from 'vitest';
import { expectedEvents, timeLeft } from './timeLeft.ts';

it('expects about as many events as a run of the default scenario comes to', () => {
  const { events } = simulate({ ...defaultScenario, nodes: 1024 });
  expect(events / expectedEvents(1024)).toBeGreaterThan(0.9);
  expect(events / expectedEvents(1024)).toBeLessThan(1.1);
});

it('says how much is left by how long the events so far took', () => {
  let nowMs = 1000;
  const left = timeLeft({ ...defaultScenario, nodes: 4096 }, () => nowMs);
  nowMs = 11_000;
  expect(left(expectedEvents(4096) / 2)).toBe(', about 10 s left');
  expect(left(expectedEvents(4096) / 101)).toBe(', about 17 min left');
  expect(left(expectedEvents(4096) * 2)).toBe(', about 1 s left');
});

it('says nothing of a scenario whose events it does not know', () => {
  expect(timeLeft({ ...defaultScenario, dead: 0.2 })(1000)).toBe('');
});
