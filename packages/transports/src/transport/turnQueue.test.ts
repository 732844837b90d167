import { expect, it } from 'vitest';
import { inLaterTurn, TurnQueue } from './turnQueue.ts';

it('delivers a packet that was added during a delivery in a later turn, even if the queue drops packets', async () => {
  for (const [bound, totals] of [
    [16, [1, 3, 7]],
    [2, [1, 2, 3]],
  ] as const) {
    let delivered = 0;
    const queue = new TurnQueue<number>(bound, (packet) => {
      delivered++;
      for (let copy = 0; copy < 2; copy++) queue.push(packet);
    });
    queue.push(1);
    for (const total of totals) {
      await new Promise<void>((turn) => inLaterTurn(turn));
      expect(delivered).toBe(total);
    }
    queue.clear();
  }
});

it('delivers nothing after it is cleared during a delivery', async () => {
  const delivered: number[] = [];
  const queue = new TurnQueue<number>(4, (packet) => {
    delivered.push(packet);
    queue.clear();
  });
  for (const packet of [1, 2]) queue.push(packet);
  await new Promise<void>((turn) => inLaterTurn(turn));
  expect(delivered).toEqual([1]);
});
