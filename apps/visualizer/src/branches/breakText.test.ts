import { defaultScenario, type Fault, type RecordedWorld, type RunResult } from '@tutti/simulation';
import { expect, it } from 'vitest';
import { breakWords, unbrokenWords } from './breakText.ts';

const world = {
  alive: new Uint8Array(8),
  regionNames: ['here'],
  region: new Uint8Array(8),
} as unknown as RecordedWorld;
const before = { lastMs: 300, lastNode: 2, checked: 10, messagesSent: 100, reached: 8, live: 8 };
const text = (fault: Fault, after: Partial<typeof before>) =>
  breakWords({ ...defaultScenario, nodes: 8, faults: [fault] }, world, before, { ...before, ...after });

const pause: Fault = { kind: 'pause', nodes: [1, 2], atMs: 10, forMs: 200 };

it('states by how much the last node was later or earlier, and the cause', () => {
  expect(text(pause, { lastMs: 450 })).toMatch(
    /\. The last node finished after 450 ms instead of 300: 150 ms later\. The last node, node 2, is one of the affected nodes\.$/,
  );
  expect(text(pause, {})).toMatch(/finished at the same time, after 300 ms\. Nodes send messages again/);
  expect(text(pause, { lastMs: 450, lastNode: 7 })).toMatch(
    /The last node, node 7, is not one of the affected nodes\.$/,
  );
  const crash: Fault = { kind: 'crash', nodes: [1], atMs: 10 };
  expect(text(crash, { lastMs: 250 })).toMatch(/250 ms instead of 300: 50 ms earlier\. Stopped nodes no longer count/);
  expect(text(crash, { lastMs: 350 })).toMatch(/50 ms later\. Nodes work on all levels in parallel/);
  const corruption: Fault = { kind: 'corruption', share: 0.1 };
  expect(text(corruption, { checked: 12.5 })).toMatch(/then ignores that sender: 2\.5 more checks per node\.$/);
  expect(text(corruption, { checked: 8 })).toMatch(/2 fewer checks per node\.$/);
});

it('states how many nodes never finished, and is empty before the end', () => {
  expect(text(pause, { reached: 6 })).toMatch(/\. 2 of 8 honest nodes never finished\.$/);
  const after = (reached: number, of: number) =>
    breakWords({ ...defaultScenario, faults: [pause] }, world, { ...before, reached: of }, { ...before, reached });
  expect(after(6, 6)).toMatch(/\. 2 of 8 honest nodes never finished, as without the fault\.$/);
  expect(after(5, 7)).toMatch(/\. 3 of 8 honest nodes never finished; without the fault, 1 never finished\.$/);
  expect(breakWords({ ...defaultScenario, faults: [pause] }, world, undefined, before)).toBe('');
  expect(breakWords(defaultScenario, world, before, before)).toBe('');
});

it('states the results of a run before any fault', () => {
  const result = { live: 64, reached: 64, timeToThresholdMs: { min: 200, mean: 250, max: 308.4 } } as RunResult;
  expect(unbrokenWords(defaultScenario, result)).toBe(
    'No fault yet: all 64 nodes finish after 308 ms. Choose a fault to see which nodes are delayed.',
  );
  const attacks = [{ name: 'invalid', share: 0.33 }] as const;
  expect(unbrokenWords({ ...defaultScenario, attacks }, { ...result, live: 43, reached: 43 })).toContain(
    'the 43 honest nodes finish after 308 ms. Choose',
  );
  const alone = { timeToThresholdMs: { min: 200, mean: 230, max: 260 } };
  expect(unbrokenWords({ ...defaultScenario, attacks }, { ...result, live: 43, reached: 43 }, alone)).toContain(
    'finish after 308 ms (260 ms without attackers). Choose',
  );
  expect(unbrokenWords(defaultScenario, { ...result, reached: 60 })).toContain('60 of 64 nodes have finished');
});
