import { expect, it } from 'vitest';
import type { Context } from '../context.ts';
import { Progress } from './progress.ts';

function listen(isTerminal: boolean): { context: Context; written: string[] } {
  const written: string[] = [];
  const context = {
    out: () => {},
    err: (text: string) => {
      written.push(text);
    },
    isTerminal,
    signal: new AbortController().signal,
  };
  return { context, written };
}

it('a terminal has one line, drawn over, and in the end taken away', () => {
  const { context, written } = listen(true);
  const progress = new Progress(context);
  progress.update(() => 'half way');
  progress.done();
  expect(written).toEqual(['\r\x1b[2Khalf way', '\r\x1b[2K']);
});

it('a terminal is not drawn faster than anybody reads', () => {
  const { context, written } = listen(true);
  const progress = new Progress(context);
  for (let i = 0; i < 1000; i++) progress.update(() => String(i));
  expect(written.length).toBeLessThan(1000);
  expect(written[0]).toBe('\r\x1b[2K0');
});

it('a log gets nothing of what is over at once', () => {
  const { context, written } = listen(false);
  const progress = new Progress(context);
  progress.update(() => 'half way');
  progress.done();
  expect(written).toEqual([]);
});
