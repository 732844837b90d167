import { expect, it } from 'vitest';
import { ForwardingPort, noContribution, type Port } from './protocol.ts';

/** Creates a port that only records calls with their arguments. */
function listing(calls: unknown[][], names: readonly string[]): Port {
  const entries = names.map((name, index) => [name, (...args: unknown[]) => calls.push([name, ...args]) && index]);
  return Object.fromEntries(entries) as unknown as Port;
}

const always = ['nowUs', 'send', 'setTimer', 'verify', 'output', 'refuse', 'trace'];

it('forwards every call with its arguments, and returns the answer', () => {
  const calls: unknown[][] = [];
  const port = new ForwardingPort(listing(calls, [...always, 'verifyBatch']));
  expect(port.nowUs()).toBe(0);
  port.send(1, 2, 3, noContribution, 4);
  port.setTimer(5, 6);
  expect(port.verify(7, 8, 9)).toBe(3);
  port.output(10);
  port.refuse(1, 2, 'level-empty');
  port.trace(1, 2, 3, 4);
  expect(port.verifyBatch([1, 2], [3, 4], [5, 6])).toBe(7);
  expect(calls).toEqual([
    ['nowUs'],
    ['send', 1, 2, 3, noContribution, 4],
    ['setTimer', 5, 6],
    ['verify', 7, 8, 9],
    ['output', 10],
    ['refuse', 1, 2, 'level-empty'],
    ['trace', 1, 2, 3, 4],
    ['verifyBatch', [1, 2], [3, 4], [5, 6]],
  ]);
});

it('proves only if the other port does', () => {
  const calls: unknown[][] = [];
  expect(new ForwardingPort(listing([], always)).prove).toBeUndefined();
  expect(new ForwardingPort(listing(calls, [...always, 'prove'])).prove(1, [2, 3], [4])).toBe(7);
  expect(calls).toEqual([['prove', 1, [2, 3], [4]]]);
});

it('verifies batches only if the other port does, also with a subclass that observes them', () => {
  class Watching extends ForwardingPort {
    override verifyBatch(
      contributions: readonly number[],
      levels: readonly number[],
      peers: readonly number[],
    ): number {
      return super.verifyBatch(contributions, levels, peers);
    }
  }
  expect(new ForwardingPort(listing([], always)).verifyBatch).toBeUndefined();
  expect(new Watching(listing([], always)).verifyBatch).toBeUndefined();
  expect(new Watching(listing([], [...always, 'verifyBatch'])).verifyBatch([1, 2], [3, 4], [5, 6])).toBe(7);
});
