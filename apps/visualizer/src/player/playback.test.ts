import { describe, expect, it } from 'vitest';
import { evenPace } from './pace.ts';
import { Playback } from './playback.ts';

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
