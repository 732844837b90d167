import { PassThrough } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { clockRounds, commandedRounds, type DueRound, type RefusedCommand } from './roundSource.ts';

async function all<T extends DueRound | RefusedCommand>(rounds: AsyncIterable<T>): Promise<T[]> {
  const due: T[] = [];
  for await (const round of rounds) due.push(round);
  return due;
}

const never = new AbortController().signal;

describe('clockRounds', () => {
  it('starts the given number of rounds, each at its multiple of the interval and none twice', async () => {
    const due = await all(clockRounds(20, 4, never));
    for (const { number, startMs } of due) expect(startMs).toBe(number * 20);
    const numbers = due.map(({ number }) => number);
    expect(numbers).toEqual([...new Set(numbers)].sort((a, b) => a - b));
    expect(numbers).toHaveLength(4);
  });

  it('ends on request, with the next round at any distance', async () => {
    const stop = new AbortController();
    const rounds = clockRounds(86_400_000 * 365, Number.POSITIVE_INFINITY, stop.signal);
    const next = rounds.next().then((first) => (first.done ? first : rounds.next()));
    stop.abort();
    expect((await next).done).toBe(true);
  });
});

describe('commandedRounds', () => {
  const roundsOf = (text: string) => all(commandedRounds(new PassThrough().end(text), never));

  it('starts a round for each line with its number', async () => {
    const rounds = await roundsOf('7\n\n 8 \r\n900');
    expect(rounds).toEqual([7, 8, 900].map((number) => ({ number, startMs: undefined })));
  });

  it('uses the beacon after the number', async () => {
    const beacon = new Uint8Array(16).fill(0xab);
    expect(await roundsOf(`7 ${'AB'.repeat(16)}\n8\t${'cd'.repeat(97)}`)).toEqual([
      { number: 7, startMs: undefined, beacon },
      { number: 8, startMs: undefined, beacon: new Uint8Array(97).fill(0xcd) },
    ]);
  });

  const noBeacons = [`7 ${'a'.repeat(30)}`, `7 ${'a'.repeat(33)}`, `7 ${'g'.repeat(32)}`, `7 ${'ab'.repeat(16)} 8`];
  it.each([...noBeacons, 'x', '-1', '1.5', '1e3', '9'.repeat(16)])('refuses %j, and continues', async (line) => {
    const refusal = /^standard input: expected a round's number, 0 to 9+, with a beacon .* got "[^\n]+"$/;
    expect(await roundsOf(`1\n${line}\n2`)).toEqual([
      { number: 1, startMs: undefined },
      { refused: expect.stringMatching(refusal) },
      { number: 2, startMs: undefined },
    ]);
  });

  it('ends on request', async () => {
    const stop = new AbortController();
    const rounds = all(commandedRounds(new PassThrough(), stop.signal));
    stop.abort();
    expect(await rounds).toEqual([]);
  });
});
