import { heldPaths, pathTime } from '@tutti/pixel';
import { expect, it } from 'vitest';
import { conditionOf, drawnNodes, heldNodes, timeNodes } from './timeLayout.ts';

const numbers = timeNodes.map(({ number }) => number);

it('Pixel, section 4: nodes are numbered in pre-order, so that descendants follow a node', () => {
  for (const { number, last, parent } of timeNodes) {
    const below = timeNodes.filter((other) => other.number > number && other.number <= last);
    for (const other of below) expect(other.parent).toBeGreaterThanOrEqual(number);
    if (parent !== undefined) expect(parent).toBeLessThan(number);
  }
  expect(timeNodes.filter(({ parent }) => parent === undefined)).toHaveLength(1);
});

it('the sub-keys of a key cover each future period once, and no past period', () => {
  for (const now of numbers) {
    const covered = heldNodes(now).flatMap((held) =>
      numbers.filter((n) => n >= held && n <= timeNodes[held - 1]!.last),
    );
    expect(covered.toSorted((a, b) => a - b)).toEqual(numbers.filter((n) => n >= now));
  }
});

it('the displayed tree is the top of the real tree: the real key of a node has the same sub-keys', () => {
  for (const { number, period } of timeNodes) {
    const real = heldPaths(period).map((path) => pathTime(path));
    expect(heldNodes(number).map((held) => timeNodes[held - 1]!.period)).toEqual(real);
  }
});

it('each node has one state: past, current, held or derivable', () => {
  const late = Array.from({ length: drawnNodes - 9 }, () => 'to-come');
  const conditions = ['gone', 'gone', 'gone', 'now', 'held', 'held', 'to-come', 'to-come', 'held', ...late];
  expect(numbers.map((number) => conditionOf(number, 4))).toEqual(conditions);
});
