import { defaultScenario, simulate } from '@tutti/core/simulation';
import { expect, it } from 'vitest';
import { expectedEvents, workLeft } from './expectedEvents.ts';

it('expects about as many events as a run of the default scenario comes to', () => {
  const scenario = { ...defaultScenario, nodes: 1024 };
  const { events } = simulate(scenario);
  expect(events / expectedEvents(scenario)!).toBeGreaterThan(0.9);
  expect(events / expectedEvents(scenario)!).toBeLessThan(1.1);
});

it('does not know how many another scenario comes to', () => {
  expect(expectedEvents({ ...defaultScenario, dead: 0.2 })).toBeUndefined();
});

it('has something left of a run that comes to more than was expected', () => {
  expect(workLeft(30, 100)).toEqual({ done: 30, left: 70 });
  expect(workLeft(130, 100)).toEqual({ done: 130, left: 1 });
  expect(workLeft(30, undefined)).toBeUndefined();
});
