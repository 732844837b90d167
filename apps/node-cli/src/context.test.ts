import { expect, it } from 'vitest';
import { inScope } from './context.ts';

/** Opens up to three values and records the closing of each; the task fails after `failsAfter` values. */
async function run(failsAfter: number, failsToClose?: string) {
  const closed: string[] = [];
  const names = ['transport', 'log', 'server'];
  const outcome = await inScope(async (scope) => {
    for (const [index, name] of names.entries()) {
      if (index === failsAfter) throw new Error(`step ${index}`);
      scope.own(name, (value) => {
        closed.push(value);
        if (value === failsToClose) throw new Error(`close of ${value}`);
      });
    }
    return 'done';
  }).catch((error: Error) => error.message);
  return { outcome, closed };
}

it.each([
  [0, 'step 0', []],
  [1, 'step 1', ['transport']],
  [2, 'step 2', ['log', 'transport']],
  [3, 'done', ['server', 'log', 'transport']],
])('a task that ends after %i resources closes them in reverse order', async (step, outcome, closed) => {
  expect(await run(step)).toEqual({ outcome, closed });
});

it('a failed close does not prevent other closes, and hides no failure of the task', async () => {
  const closed = ['server', 'log', 'transport'];
  expect(await run(3, 'log')).toEqual({ outcome: 'close of log', closed });
  expect(await run(2, 'log')).toEqual({ outcome: 'step 2', closed: ['log', 'transport'] });
});

it('resources that have another owner are not closed', async () => {
  const closed: string[] = [];
  await inScope(async (scope) => {
    for (const name of ['a', 'b']) scope.own(name, (value) => closed.push(value));
    scope.handOver('b');
    scope.handOver('never owned');
  });
  expect(closed).toEqual(['a']);
});
