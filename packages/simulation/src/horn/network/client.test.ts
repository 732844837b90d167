import { expect, it } from 'vitest';
import { type ClientParameters, checkClient } from './client.ts';
import { defaultNetworkScenario } from './scenario.ts';

it.each([
  ['cores', 1, 256],
  ['batch', 1, 1024],
  ['batchWaitMs', 0, 10_000],
  ['voteQueue', 1, 2 ** 20],
  ['aggregateQueue', 1, 2 ** 20],
] satisfies readonly (readonly [keyof ClientParameters, number, number])[])(
  '%s is from %d to %d',
  (name, least, most) => {
    const withValue = (value: number) => () => checkClient({ ...defaultNetworkScenario.client, [name]: value });
    for (const value of [least, most]) expect(withValue(value)).not.toThrow();
    for (const value of [least - 1, most + 1]) expect(withValue(value)).toThrow(RangeError);
  },
);
