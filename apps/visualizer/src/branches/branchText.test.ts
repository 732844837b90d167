import { defaultScenario, type Fault, type RecordedWorld, type RunResult } from '@tutti/simulation';
import { describe, expect, it } from 'vitest';
import { switches } from '../rules/editedRules.ts';
import {
  branchWords,
  breakWords,
  faultWords,
  type RunOutcome,
  regionNodes,
  unbrokenWords,
  whoWords,
} from './branchText.ts';

/** World with nodes 0, 2 and 4 in Oslo, where 4 is dead, and 1, 3 and 5 in Rome. */
const world: RecordedWorld = {
  nodes: 6,
  levels: 3,
  threshold: 5,
  alive: Uint8Array.of(1, 1, 1, 1, 0, 1),
  startUs: new Int32Array(6),
  region: Uint8Array.of(0, 1, 0, 1, 0, 1),
  regionNames: ['Oslo', 'Rome'],
  cpuFactor: new Float32Array(6).fill(1),
};

it('each switch turns off exactly its mechanism, and detects that it is off', () => {
  for (const one of switches) {
    expect(one.isOff(defaultScenario)).toBe(false);
    const off = one.off(defaultScenario);
    expect(switches.filter(({ isOff }) => isOff(off))).toEqual([one]);
  }
  expect(switches.map(({ id, words, section }) => `${id}: ${words}, ${section}`)).toMatchInlineSnapshot(`
    [
      "window: the window, v1.03 3.3, 3.6",
      "score: the score, v1.03 3.3",
      "rank-growth: growing ranks, v1.0 3.6",
      "blacklist: the blacklist, v1.03 3.5.3",
      "individual-contributions: individual contributions, v1.03 3.5",
      "bounded-queue: the bounded queue, v1.03 3.5.2",
      "level-flag: the “level complete” flag, v1.03 6",
      "fast-path: the fast path, v1.03 3.5.1",
      "level-starts: delayed level starts, v1.03 3.5.1",
    ]
  `);
});

it('each switch states in a separate sentence the loss without its mechanism', () => {
  const sentences = switches.map(({ lost }) => lost);
  for (const sentence of sentences) expect(sentence).toMatch(/^[A-Z]\w* .+\.$/);
  expect(new Set(sentences).size).toBe(switches.length);
});

describe('whoWords', () => {
  it('names a node, a region for all its honest live nodes, or the number of nodes', () => {
    expect(whoWords([3], world)).toBe('node 3');
    expect(whoWords([0, 2], world)).toBe('Oslo');
    expect(whoWords([0, 2, 4], world)).toBe('Oslo');
    expect(whoWords([1, 3], world)).toBe('2 nodes');
    expect(whoWords([0, 1, 2], world)).toBe('3 nodes');
    const single = { ...world, region: new Uint8Array(6), regionNames: ['everywhere'] };
    expect(whoWords([0, 1, 2, 3, 5], single)).toBe('5 nodes');
  });

  it('regionNodes are the ids of a region', () => expect(regionNodes(world, 1)).toEqual([1, 3, 5]));
});

describe('faultWords', () => {
  it.each<[Fault, string]>([
    [{ kind: 'crash', nodes: [3], atMs: 150.4 }, 'node 3 stopped at 150 ms'],
    [{ kind: 'partition', nodes: [0, 2], atMs: 300, forMs: 20_000 }, 'Oslo cut off from 300 ms for 20,000 ms'],
    [{ kind: 'slow-nodes', nodes: { share: 0.25 }, factor: 8 }, '25 % of the nodes 8 times slower'],
    [{ kind: 'corruption', from: [1, 5], share: 1, of: 'signature', atMs: 5 }, '2 nodes: invalid signatures from 5 ms'],
    [{ kind: 'corruption', from: [1], share: 1, of: 'bits' }, 'node 1: corrupted messages'],
    [{ kind: 'loss', share: 0.5 }, 'loss of all nodes'],
  ])('%j', (fault, words) => expect(faultWords(fault, world)).toBe(words));
});

describe('branchWords', () => {
  it('names the faults and the mechanisms that are off on each side', () => {
    const ground = { ...defaultScenario, fastPath: 0 };
    expect(branchWords(ground, ground, world)).toBe('original run');
    const branch = {
      ...ground,
      levelStartMs: 0,
      without: ['score' as const],
      faults: [{ kind: 'crash', nodes: [3], atMs: 150 } as const],
    };
    expect(branchWords(branch, ground, world)).toBe(
      'node 3 stopped at 150 ms; without the score and delayed level starts',
    );
  });
});

const faultyWorld = {
  alive: new Uint8Array(8),
  regionNames: ['here'],
  region: new Uint8Array(8),
} as unknown as RecordedWorld;
const before: RunOutcome = {
  ...{ digest: '', live: 8, reached: 8, lastMs: 300, lastNode: 2, checked: 10, checkedInvalid: 0 },
  broken: undefined,
};
const text = (fault: Fault, after: Partial<RunOutcome>) =>
  breakWords({ ...defaultScenario, nodes: 8, faults: [fault] }, faultyWorld, before, { ...before, ...after });

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
    breakWords(
      { ...defaultScenario, faults: [pause] },
      faultyWorld,
      { ...before, reached: of },
      { ...before, reached },
    );
  expect(after(6, 6)).toMatch(/\. 2 of 8 honest nodes never finished, as without the fault\.$/);
  expect(after(5, 7)).toMatch(/\. 3 of 8 honest nodes never finished; without the fault, 1 never finished\.$/);
  expect(breakWords({ ...defaultScenario, faults: [pause] }, faultyWorld, undefined, before)).toBe('');
  expect(breakWords(defaultScenario, faultyWorld, before, before)).toBe('');
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
