import { expect, it } from 'vitest';
import { ForwardingPort, noContribution, type Port } from './protocol.ts';

function listing(calls: unknown[][], names: readonly string[]): Port {
  const entries = names.map((name, index) => [name, (...args: unknown[]) => calls.push([name, ...args]) && index]);
  return Object.fromEntries(entries) as unknown as Port;
}

const always = ['nowUs', 'send', 'setTimer', 'verify', 'output', 'refuse', 'trace'];

it('forwards every call with its arguments, and returns the answer', () => {
  const expected: [keyof ForwardingPort, ...unknown[]][] = [
    ['nowUs'],
    ['send', 1, 2, 3, noContribution, 4],
    ['setTimer', 5, 6],
    ['verify', 7, 8, 9],
    ['output', 10],
    ['refuse', 1, 2, 'level-empty'],
    ['trace', 1, 2, 3, 4],
    ['verifyBatch', [1, 2], [3, 4], [5, 6]],
  ];
  const calls: unknown[][] = [];
  const port = new ForwardingPort(listing(calls, [...always, 'verifyBatch']));
  const answers = expected.map(([name, ...args]) => Reflect.apply(port[name] as () => unknown, port, args));
  expect(calls).toEqual(expected);
  expect([answers[0], answers[3], answers[7]]).toEqual([0, 3, 7]);
});

it('verifies batches only if the other port does, also with a subclass that observes them', () => {
  class Watching extends ForwardingPort {
    override verifyBatch(contributions: readonly number[], levels: readonly number[], peers: readonly number[]) {
      return super.verifyBatch(contributions, levels, peers);
    }
  }
  expect(new ForwardingPort(listing([], always)).verifyBatch).toBeUndefined();
  expect(new Watching(listing([], always)).verifyBatch).toBeUndefined();
  expect(new Watching(listing([], [...always, 'verifyBatch'])).verifyBatch([1, 2], [3, 4], [5, 6])).toBe(7);
});
