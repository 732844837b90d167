import { expect, it, vi } from 'vitest';
import { type Context, type ProgressForm, UsageError } from '../context.ts';
import { progressForm } from '../main.ts';
import { Counter, Progress } from './progress.ts';

function listen(progressForm: ProgressForm) {
  const written: string[] = [];
  const err = (text: string) => void written.push(text);
  const context: Context = { out: () => {}, err, progress: progressForm, signal: new AbortController().signal };
  let nowMs = 5000;
  const progress = new Progress(context, () => nowMs);
  const at = (ms: number) => {
    nowMs = 5000 + ms;
    return progress;
  };
  return { context, written, at };
}

it('a terminal has one line that is overwritten, at most every 100 ms, and removed at the end', () => {
  const { written, at } = listen('line');
  for (let ms = 0; ms < 200; ms++) at(ms).update(() => String(ms));
  at(200).done();
  expect(written).toEqual(['\r\x1b[2K0', '\r\x1b[2K100', '\r\x1b[2K']);
});

it('prints the remaining time at the current pace, measured from the time when the total was known', () => {
  const { written, at } = listen('line');
  at(0).update(() => 'waiting');
  at(60_000).update(() => '10 of 40', { done: 10, left: 30 });
  at(70_000).update(() => '20 of 40', { done: 20, left: 20 });
  expect(written.map((line) => line.slice(5))).toEqual(['waiting', '10 of 40', '20 of 40, about 20 s left']);
});

it('a log has a line with the expected time, and one for each tenth of the work', () => {
  const { written, at } = listen('log');
  for (let done = 0; done <= 541; done++)
    at(1000 * done).update(() => `running: ${done} of 541 runs`, { done, left: 541 - done });
  expect(written).toHaveLength(11);
  expect(written[0]).toBe('running: 2 of 541 runs, about 9 min left\n');
  expect(written[1]).toBe('running: 55 of 541 runs, about 8 min left\n');
  expect(written.at(-1)).toBe('running: 541 of 541 runs, about 0 s left\n');
});

it('a log has a line at increasing intervals if the total is unknown', () => {
  const { written, at } = listen('log');
  for (let s = 0; s <= 3600; s++) at(1000 * s).update(() => `${s} s`);
  expect(written.join('')).toBe('2 s\n4 s\n8 s\n16 s\n32 s\n64 s\n128 s\n256 s\n512 s\n1024 s\n2048 s\n');
});

it('counts items of about equal duration', () => {
  const { written, context } = listen('line');
  const clock = vi.spyOn(performance, 'now').mockReturnValue(5000);
  const counter = new Counter(context, 'simulating', 4, 'slots');
  clock.mockReturnValue(6000);
  counter.step();
  vi.restoreAllMocks();
  expect(written).toEqual(['\r\x1b[2Ksimulating: 0 of 4 slots', '\r\x1b[2Ksimulating: 1 of 4 slots, about 3 s left']);
});

it('progress is a line of a terminal, lines of a log, or the value of TUTTI_PROGRESS', () => {
  expect([progressForm(true, {}), progressForm(false, {})]).toEqual(['line', 'log']);
  expect(progressForm(true, { TUTTI_PROGRESS: '' })).toBe('line');
  for (const form of ['line', 'log', 'none']) expect(progressForm(true, { TUTTI_PROGRESS: form })).toBe(form);
  const line = 'TUTTI_PROGRESS: expected line, log or none, got "loud"';
  expect(() => progressForm(false, { TUTTI_PROGRESS: 'loud' })).toThrow(new UsageError(line));
});
