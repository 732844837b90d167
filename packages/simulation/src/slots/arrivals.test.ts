import { expect, it } from 'vitest';
import { Arrivals } from './arrivals.ts';

it('verifies in order of arrival, each after the one before, and is idle in between', () => {
  const arrivals = new Arrivals(4);
  arrivals.add(500, 3);
  arrivals.add(100, 1);
  arrivals.add(100, 0);
  arrivals.add(120, 2);
  const done: number[][] = [];
  arrivals.verify(
    (message) => 10 + message,
    (message, atUs) => done.push([message, atUs]),
  );
  expect(done).toEqual([
    [0, 110],
    [1, 121],
    [2, 133],
    [3, 513],
  ]);
});

it('holds as many as come, and none after it was cleared', () => {
  const arrivals = new Arrivals(5000);
  for (let message = 4999; message >= 0; message--) arrivals.add(message, message);
  const order: number[] = [];
  arrivals.verify(
    () => 1,
    (message) => order.push(message),
  );
  expect(order).toEqual(Array.from({ length: 5000 }, (_, message) => message));
  arrivals.clear();
  arrivals.verify(
    () => 1,
    () => expect.fail('nothing is there'),
  );
});

it('begins when it is free, and says when it was done with what had come by a time', () => {
  const arrivals = new Arrivals(4);
  for (const [atUs, message] of [
    [10, 0],
    [12, 1],
    [30, 2],
  ] as const) {
    arrivals.add(atUs, message);
  }
  const done: number[] = [];
  const note = (_: number, atUs: number): void => void done.push(atUs);
  expect(arrivals.verify(() => 5, note, 20, 12)).toBe(30);
  expect(done).toEqual([25, 30, 35]);
  expect(arrivals.verify(() => 5, note, 20)).toBe(20);
});
