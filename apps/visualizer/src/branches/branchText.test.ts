import { defaultScenario, type Fault, type RecordedWorld } from '@tutti/simulation';
import { describe, expect, it } from 'vitest';
import { branchWords, faultWords, regionNodes, switches, whoWords } from './branchText.ts';

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
