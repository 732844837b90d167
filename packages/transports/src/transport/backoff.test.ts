import { expect, it } from 'vitest';
import { Backoff } from './backoff.ts';

it('doubles the pause after each failure up to five seconds, and has no pause after a success', () => {
  const backoff = new Backoff();
  const waitsMs = Array.from({ length: 8 }, () => {
    backoff.onFailure(1000);
    let waitMs = 0;
    while (backoff.waiting(1000 + waitMs)) waitMs += 100;
    return waitMs;
  });
  expect(waitsMs).toEqual([100, 200, 400, 800, 1600, 3200, 5000, 5000]);
  expect(backoff.failing).toBe(true);
  backoff.onSuccess();
  expect([backoff.waiting(0), backoff.failing]).toEqual([false, false]);
  backoff.onFailure(0);
  expect([backoff.waiting(99), backoff.waiting(100)]).toEqual([true, false]);
});
