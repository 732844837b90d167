import { expect, it, onTestFinished, vi } from 'vitest';
import { withTimers } from './clock.ts';

it('a callback is called once, and not before the clock shows its time, if timers expire early', () => {
  vi.useFakeTimers({ now: 0 });
  onTestFinished(() => void vi.useRealTimers());
  const slow = { nowUs: () => Date.now() * 900 };
  const called: number[] = [];
  withTimers(slow).at(10_000, () => called.push(slow.nowUs()));
  vi.advanceTimersByTime(30);
  expect(called).toEqual([10_800]);
});

it('a callback due in 30 days, beyond the longest timer of the event loop, is not called early', () => {
  vi.useFakeTimers({ now: 0 });
  onTestFinished(() => void vi.useRealTimers());
  const clock = withTimers({ nowUs: () => Date.now() * 1000 });
  const days = (count: number) => count * 86_400_000;
  const [act, cancelled] = [vi.fn(), vi.fn()];
  clock.at(days(30) * 1000, act);
  const cancel = clock.at(days(30) * 1000, cancelled);
  vi.advanceTimersByTime(days(30) - 1);
  expect(act).not.toHaveBeenCalled();
  cancel();
  vi.advanceTimersByTime(1);
  expect(act).toHaveBeenCalledOnce();
  vi.advanceTimersByTime(days(30));
  expect([act.mock.calls.length, cancelled.mock.calls.length]).toEqual([1, 0]);
});
