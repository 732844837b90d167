import { defaultScenario, type Fault, type RecordedWorld, type RunResult } from '@tutti/simulation';
import { expect, it } from 'vitest';
import { switches } from '../rules/editedRules.ts';
import { branchWords, breakWords, faultWords, type RunOutcome, unbrokenWords, whoWords } from './branchText.ts';

/** World with nodes 0, 2 and 4 in Oslo and nodes 1, 3 and 5 in Rome; node 4 is dead. */
const world: RecordedWorld = {
  nodes: 6,
  levels: 3,
  threshold: 5,
  role: Uint8Array.of(1, 1, 1, 1, 0, 1),
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
});

it.each<[number[], string]>([
  [[3], 'node 3'],
  [[0, 2], 'Oslo'],
  [[0, 2, 4], 'Oslo'],
  [[1, 3], '2 nodes'],
  [[0, 1, 2], '3 nodes'],
])('nodes %j are named %s: a node, a region for all its honest live nodes, or the number', (ids, words) => {
  expect(whoWords(ids, world)).toBe(words);
});

it('the only region of a network is no name for nodes', () => {
  const single = { ...world, region: new Uint8Array(6), regionNames: ['everywhere'] };
  expect(whoWords([0, 1, 2, 3, 5], single)).toBe('5 nodes');
});

it.each<[Fault, string]>([
  [{ kind: 'crash', nodes: [3], atMs: 150.4 }, 'node 3 stopped at 150 ms'],
  [{ kind: 'partition', nodes: [0, 2], atMs: 300, forMs: 20_000 }, 'Oslo cut off from 300 ms for 20,000 ms'],
  [{ kind: 'slow-nodes', nodes: { share: 0.25 }, factor: 8 }, '25 % of the nodes 8 times slower'],
  [{ kind: 'corruption', from: [1, 5], share: 1, of: 'signature', atMs: 5 }, '2 nodes: invalid signatures from 5 ms'],
  [{ kind: 'corruption', from: [1], share: 1, of: 'bits' }, 'node 1: corrupted messages'],
  [{ kind: 'loss', share: 0.5 }, 'loss of all nodes'],
])('the fault %j is named %s', (fault, words) => expect(faultWords(fault, world)).toBe(words));

it('a branch is named by its faults and by the mechanisms that are off only in it', () => {
  const ground = { ...defaultScenario, fastPath: 0 };
  expect(branchWords(ground, ground, world)).toBe('original run');
  const faults = [{ kind: 'crash', nodes: [3], atMs: 150 } as const];
  expect(branchWords({ ...ground, levelStartMs: 0, without: ['score'], faults }, ground, world)).toBe(
    'node 3 stopped at 150 ms; without the score and delayed level starts',
  );
});

const before: RunOutcome = {
  ...{ digest: '', live: 8, reached: 8, lastMs: 300, lastNode: 2, checked: 10, checkedInvalid: 0 },
  broken: undefined,
};
const text = (fault: Fault, after: Partial<RunOutcome>) =>
  breakWords({ ...defaultScenario, nodes: 8, faults: [fault] }, world, before, { ...before, ...after });

const pause: Fault = { kind: 'pause', nodes: [1, 2], atMs: 10, forMs: 200 };
const crash: Fault = { kind: 'crash', nodes: [1], atMs: 10 };
const corruption: Fault = { kind: 'corruption', share: 0.1 };

it.each<[Fault, Partial<RunOutcome>, RegExp]>([
  [pause, { lastMs: 450 }, /after 450 ms instead of 300: 150 ms later\. The last node, node 2, is one of the affected/],
  [pause, {}, /In both runs, the last node finished after 300 ms\. Nodes resend their messages/],
  [pause, { lastMs: 450, lastNode: 7 }, /The last node, node 7, is not one of the affected nodes\.$/],
  [crash, { lastMs: 250 }, /250 ms instead of 300: 50 ms earlier\. Stopped nodes are no longer counted/],
  [crash, { lastMs: 350 }, /50 ms later\. Nodes work on all levels in parallel/],
  [corruption, { checked: 12.5 }, /then ignores that sender\. .* makes 2\.5 more checks on average\.$/],
  [corruption, { checked: 8 }, /2 fewer checks on average\.$/],
  [pause, { reached: 6 }, /\. 2 of 8 honest nodes never finished\.$/],
])('the effect of %j with %j is stated with its amount and its cause', (fault, after, words) => {
  expect(text(fault, after)).toMatch(words);
});

it('nodes that never finish are compared with the run before the fault; without both runs there is no text', () => {
  const scenario = { ...defaultScenario, faults: [pause] };
  const after = (reached: number, of: number) =>
    breakWords(scenario, world, { ...before, reached: of }, { ...before, reached });
  expect(after(6, 6)).toMatch(/\. 2 of 8 honest nodes never finished, as without the fault\.$/);
  expect(after(6, 0)).toMatch(/\. 2 of 8 honest nodes never finished; without the fault, 8 nodes never finished\.$/);
  expect(after(8, 0)).toMatch(/\. All honest nodes finished; without the fault, 8 nodes never finished\.$/);
  expect(after(5, 7)).toMatch(/\. 3 of 8 honest nodes never finished; without the fault, 1 node never finished\.$/);
  expect(breakWords(scenario, world, undefined, before)).toBe('');
  expect(breakWords(defaultScenario, world, before, before)).toBe('');
});

it('a run without faults is described by its end, compared with the run without attackers', () => {
  const result = { live: 64, reached: 64, timeToThresholdMs: { min: 200, mean: 250, max: 308.4 } } as RunResult;
  const attacks = [{ name: 'invalid', share: 0.33 }] as const;
  const alone = { timeToThresholdMs: { min: 200, mean: 230, max: 260 } };
  expect(unbrokenWords(defaultScenario, result)).toMatch(/^No fault yet: all 64 nodes finish after 308 ms\. Choose/);
  expect(unbrokenWords(defaultScenario, { ...result, reached: 60 })).toContain('60 of 64 nodes have finished');
  expect(unbrokenWords({ ...defaultScenario, attacks }, { ...result, live: 43, reached: 43 }, alone)).toContain(
    'the 43 honest nodes finish after 308 ms (260 ms without attackers). Choose',
  );
});
