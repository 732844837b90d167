import fc from 'fast-check';
import { expect, it } from 'vitest';
import { chapterSeconds, evenPace, Playback, steppedPace, storyPace } from './playback.ts';

/** Returns a clock for a run that ends at `endUs` or, with `more`, may continue after it. */
function clockOf(endUs: number, more = false): Playback {
  const clock = new Playback(20, () => {});
  clock.reset(endUs, more);
  return clock;
}

it('the clock advances virtual time slower than real time, at its own pace, and not while paused', () => {
  const clock = clockOf(300_000);
  clock.advance(1000);
  expect(clock.timeUs).toBe(0);
  clock.play();
  clock.advance(1000);
  expect(clock.timeUs).toBe(50_000);
  clock.pace = evenPace(5);
  clock.advance(100);
  expect(clock.timeUs).toBe(70_000);
});

it('the clock stops at the end of a run, and starts again from there', () => {
  const clock = clockOf(10_000);
  clock.play();
  clock.advance(1000);
  expect([clock.timeUs, clock.playing]).toEqual([10_000, false]);
  clock.play();
  expect([clock.timeUs, clock.playing]).toEqual([0, true]);
});

it('the clock waits at the end of the received data, and continues with more data', () => {
  const clock = clockOf(10_000, true);
  clock.play();
  clock.advance(1000);
  expect([clock.timeUs, clock.playing]).toEqual([10_000, true]);
  clock.extend(30_000, false);
  clock.advance(200);
  expect([clock.timeUs, clock.playing]).toEqual([20_000, true]);
});

it('the clock seeks within the run only, and does nothing before there is a run', () => {
  const clock = clockOf(10_000);
  clock.seek(99_999);
  expect(clock.timeUs).toBe(10_000);
  clock.seek(-5);
  expect(clock.timeUs).toBe(0);
  const none = new Playback(20, () => {});
  none.play();
  expect(none.playing).toBe(false);
});

it('the pace of a story shows every chapter for at least four seconds and at most nine, with frames of any length', () => {
  const anyTimes = fc.uniqueArray(fc.integer({ min: 1, max: 20_000_000 }), { minLength: 1, maxLength: 12 });
  fc.assert(
    fc.property(anyTimes, fc.integer({ min: 5, max: 100 }), (times, frameMs) => {
      const chaptersUs = [0, ...times].sort((a, b) => a - b);
      const endUs = chaptersUs.pop()!;
      const pace = storyPace(chaptersUs, endUs, 20);
      const stoodMs = chaptersUs.map(() => 0);
      for (let at = 0, frames = 0; at < endUs && frames < 50_000; frames++) {
        stoodMs[chaptersUs.findLastIndex((us) => us <= at)]! += frameMs;
        at = pace.next(at, frameMs);
      }
      for (const stood of stoodMs) {
        expect(stood).toBeGreaterThanOrEqual(chapterSeconds.min * 1000 - 2 * frameMs);
        expect(stood).toBeLessThanOrEqual(chapterSeconds.max * 1000 + 2 * frameMs);
      }
    }),
    { numRuns: 30 },
  );
});

it('the pace of a story has its own speed if the end is unknown', () => {
  expect(storyPace([0, 100], undefined, 20).next(100, 1000)).toBe(50_100);
});

it('a stepped pace pauses, then moves to the next chapter, and to the end after the last', () => {
  const pace = steppedPace([0, 500, 900], 2000);
  const seen = new Set<number>();
  let at = 0;
  for (let frame = 0; frame < 121; frame++) {
    at = pace.next(at, 100);
    seen.add(at);
  }
  expect([...seen]).toEqual([0, 500, 900, 2000]);
});
