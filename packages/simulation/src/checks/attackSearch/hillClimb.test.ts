import { RandomStream } from '@tutti/core';
import { expect, it } from 'vitest';
import { type Hill, HillClimb } from './hillClimb.ts';

const hill: Hill<number, number> = {
  from: [3],
  classes: 2,
  classOf: (one) => one % 2,
  nameOf: String,
  draw: (random) => random.nextBelow(1000),
  changed: (one, random) => one + 2 * (random.nextBelow(5) - 2),
  order: (a, b) => b - a,
};

it('begins with the given plans, and keeps and extends the worst of each class', () => {
  const climb = new HillClimb(hill, new RandomStream(1, 'climb'));
  expect(climb.propose(1)).toEqual([3]);
  climb.learn([3]);
  for (let generation = 0; generation < 60; generation++) climb.learn(climb.propose(8));
  expect(climb.tried).toBe(481);
  for (const [at, worst] of climb.worst.entries()) {
    expect(worst).toHaveLength(5);
    expect(worst).toEqual([...worst].sort((a, b) => b - a));
    for (const one of worst) expect(Math.abs(one % 2)).toBe(at);
    // Random draws alone would reach less than 1,000.
    expect(worst[0]).toBeGreaterThan(1000);
  }
});

it('ends if there is no new plan', () => {
  const few = { ...hill, draw: (random: RandomStream) => random.nextBelow(4), changed: (one: number) => one };
  expect([...new HillClimb(few, new RandomStream(1, 'few')).propose(10)].sort()).toEqual([0, 1, 2, 3]);
});
