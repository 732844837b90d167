import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { chapterSeconds, evenPace, Playback, steppedPace, storyPace } from './playback.ts';

function playback(endUs: number, more = false): Playback {
  const made = new Playback(20, () => {});
  made.reset(endUs, more);
  return made;
}

describe('Playback', () => {
  it('advances virtual time slower than real time', () => {
    const play = playback(300_000);
    play.play();
    play.advance(1000);
    expect(play.timeUs).toBe(50_000);
    play.pace = evenPace(5);
    play.advance(100);
    expect(play.timeUs).toBe(70_000);
  });

  it('does not advance while paused', () => {
    const play = playback(300_000);
    play.advance(1000);
    expect(play.timeUs).toBe(0);
  });

  it('stops at the end of a run, and starts again from there', () => {
    const play = playback(10_000);
    play.play();
    play.advance(1000);
    expect([play.timeUs, play.playing]).toEqual([10_000, false]);
    play.play();
    expect([play.timeUs, play.playing]).toEqual([0, true]);
  });

  it('waits at the end of the received data, and continues with more data', () => {
    const play = playback(10_000, true);
    play.play();
    play.advance(1000);
    expect([play.timeUs, play.playing]).toEqual([10_000, true]);
    play.extend(30_000, false);
    play.advance(200);
    expect([play.timeUs, play.playing]).toEqual([20_000, true]);
    play.advance(1000);
    expect([play.timeUs, play.playing]).toEqual([30_000, false]);
  });

  it('seeks within the run only', () => {
    const play = playback(10_000);
    play.seek(-5);
    expect(play.timeUs).toBe(0);
    play.seek(99_999);
    expect(play.timeUs).toBe(10_000);
  });

  it('does nothing before there is a run', () => {
    const play = new Playback(20, () => {});
    play.play();
    expect(play.playing).toBe(false);
  });
});

/** Chapters at random times, the first at 0, and an end after the last one. */
const anyStory = fc
  .uniqueArray(fc.integer({ min: 1, max: 20_000_000 }), { minLength: 1, maxLength: 12 })
  .map((times) => times.toSorted((a, b) => a - b))
  .map((times) => ({ chaptersUs: [0, ...times.slice(0, -1)], endUs: times.at(-1)! }));

describe('evenPace', () => {
  it('is slower by the given factor', () => {
    expect(evenPace(20).next(1000, 100)).toBe(6000);
  });
});

describe('storyPace', () => {
  it('shows every chapter for at least four seconds and at most nine, with frames of any length', () => {
    fc.assert(
      fc.property(anyStory, fc.integer({ min: 5, max: 100 }), ({ chaptersUs, endUs }, frameMs) => {
        const pace = storyPace(chaptersUs, endUs, 20);
        const stoodMs = chaptersUs.map(() => 0);
        for (let at = 0, frames = 0; at < endUs && frames < 50_000; frames++) {
          stoodMs[chaptersUs.findLastIndex((us) => us <= at)]! += frameMs;
          at = pace.next(at, frameMs);
        }
        for (const stood of stoodMs) {
          expect(stood).toBeGreaterThanOrEqual(chapterSeconds.least * 1000 - 2 * frameMs);
          expect(stood).toBeLessThanOrEqual(chapterSeconds.most * 1000 + 2 * frameMs);
        }
      }),
      { numRuns: 30 },
    );
  });

  it('has its own speed if the end is unknown', () => {
    expect(storyPace([0, 100], undefined, 20).next(100, 1000)).toBe(50_100);
  });
});

describe('steppedPace', () => {
  it('pauses, then moves to the next chapter, and to the end after the last', () => {
    const pace = steppedPace([0, 500, 900], 2000);
    const seen: number[] = [];
    for (let at = 0, frame = 0; frame < 121; frame++) {
      at = pace.next(at, 100);
      if (at !== seen.at(-1)) seen.push(at);
    }
    expect(seen).toEqual([0, 500, 900, 2000]);
  });
});
