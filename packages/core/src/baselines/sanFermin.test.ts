import { describe, expect, it } from 'vitest';
import { BaselineBench, type BenchSetting, type Delivery } from '../../test/baselineBench.ts';
import { upTo } from '../../test/sizes.ts';
import { CountingScheme } from '../contribution/countingScheme.ts';
import { Tree } from '../overlay/tree.ts';
import { MessageFlag, noContribution, TraceKind } from '../protocol.ts';
import { SanFerminNode, type SanFerminOptions } from './sanFermin.ts';

/** Test bench for node 0 of 16. The peers of node 0 on levels 1 to 4 are 1 | 2, 3 | 4 to 7 | 8 to 15. */
class SanFerminBench extends BaselineBench<SanFerminNode> {
  readonly #id: number;

  constructor({ nodes = 16, id = 0, threshold = nodes, ...settings }: BenchSetting<SanFerminOptions> = {}) {
    super(
      nodes,
      (scheme, port) =>
        new SanFerminNode({
          ...{ candidates: 1, replyTimeoutMs: 300 },
          ...{ id, scheme, threshold, ...settings, own: scheme.individual(id), port },
        }),
    );
    this.#id = id;
  }

  ask(from: number, level: number, signers: readonly number[], options: Delivery = {}): void {
    this.receive(from, level, this.scheme.tree.peerBlock(this.#id, level), signers, options);
  }

  answer(from: number, level: number, signers: readonly number[], options: Delivery = {}): void {
    this.ask(from, level, signers, { ...options, flags: MessageFlag.answer });
  }

  /** Delivers and verifies the answer of node 0's partner on a level, with all contributions of the level. */
  swap(level: number): void {
    const partner = 2 ** (level - 1);
    this.answer(partner, level, upTo(2 * partner).slice(partner));
    this.verifyAll();
  }

  sent(): string[] {
    return this.port
      .takeSent()
      .map(({ to, level, signers, flags }) => `${flags === 0 ? 'asks' : 'answers'} ${to} on ${level}: ${signers}`);
  }
}

function started(options: ConstructorParameters<typeof SanFerminBench>[0] = {}): SanFerminBench {
  const bench = new SanFerminBench(options);
  bench.node.start();
  return bench;
}

describe('v1.03 8.1: a node of San Fermín without failures', () => {
  it('swaps with the partner of its own index, level by level from the longest common prefix down', () => {
    const bench = started({ threshold: 4 });
    expect(bench.sent()).toEqual(['asks 1 on 1: 0']);
    bench.swap(1);
    expect(bench.sent()).toEqual(['asks 2 on 2: 0,1']);
    bench.swap(2);
    expect(bench.sent()).toEqual(['asks 4 on 3: 0,1,2,3']);
    bench.swap(3);
    expect(bench.sent()).toEqual(['asks 8 on 4: 0,1,2,3,4,5,6,7']);
    bench.swap(4);
    expect(bench.sent()).toEqual([]);
    expect(bench.port.outputs).toEqual([upTo(4), upTo(8), upTo(16)]);
  });

  it('answers a request, and uses the contribution in the request as its answer', () => {
    const bench = started();
    bench.sent();
    bench.ask(1, 1, [1]);
    expect(bench.sent()).toEqual(['answers 1 on 1: 0']);
    expect(bench.verifyAll()).toEqual([[1]]);
    expect(bench.sent()).toEqual(['asks 2 on 2: 0,1']);
  });

  it('answers a request for a finished level with the contribution of this level, and ignores the contribution in the request', () => {
    const bench = started();
    bench.swap(1);
    bench.sent();
    bench.ask(1, 1, [1]);
    expect(bench.sent()).toEqual(['answers 1 on 1: 0']);
    expect(bench.port.checks).toEqual([]);
  });

  it('stores the first contribution for a later level, and answers all requests when it reaches the level', () => {
    const bench = started();
    bench.sent();
    bench.ask(3, 2, [2, 3]);
    bench.ask(2, 2, [2]);
    bench.ask(3, 2, [2, 3]);
    expect(bench.sent()).toEqual([]);
    bench.answer(1, 1, [1]);
    expect(bench.verifyAll()).toEqual([[1], [2, 3]]);
    expect(bench.sent()).toEqual(['answers 3 on 2: 0,1', 'answers 2 on 2: 0,1', 'asks 4 on 3: 0,1,2,3']);
  });

  it('sends several requests at a time if configured', () => {
    const bench = started({ nodes: 32, id: 5, candidates: 50 });
    for (const level of [1, 2, 3, 4, 5]) {
      const block = bench.scheme.tree.peerBlock(5, level);
      const start = bench.scheme.tree.start(block);
      const peers = upTo(2 ** (level - 1)).map((index) => start + index);
      const asked = bench.port.takeSent().map(({ to }) => to);
      expect(asked[0]).toBe(5 ^ (1 << (level - 1)));
      expect(asked.toSorted((a, b) => a - b)).toEqual(peers);
      bench.answer(peers[0]!, level, peers);
      bench.verifyAll();
    }
    expect(bench.port.outputs).toEqual([upTo(32)]);
  });

  it('skips an empty level: the last of 17 nodes begins on level 2', () => {
    for (const exhausted of ['leave', 'wait'] as const) {
      const bench = started({ nodes: 17, id: 16, exhausted });
      expect(bench.sent()).toEqual(['asks 15 on 2: 16']);
    }
  });
});

describe('v1.03 8.1: a node of San Fermín whose partners are late or silent', () => {
  it('continues with the next candidates after the timeout', () => {
    const bench = started({ candidates: 3, replyTimeoutMs: 150 });
    for (const level of [1, 2, 3]) bench.swap(level);
    // Timers that were set on earlier levels have no effect.
    bench.sent();
    for (const _ of upTo(3)) bench.tick();
    expect(bench.sent()).toEqual([]);
    bench.tick();
    expect(bench.sent()).toEqual([11, 12, 13].map((to) => `asks ${to} on 4: 0,1,2,3,4,5,6,7`));
    bench.tick();
    expect(bench.sent().length).toBe(2);
  });

  it('leaves a level with exhausted candidates and loses its contributions', () => {
    const bench = started({ threshold: 15 });
    bench.tick();
    expect(bench.sent()).toEqual(['asks 1 on 1: 0', 'asks 2 on 2: 0']);
    bench.answer(1, 1, [1]);
    expect(bench.port.checks, 'data that comes after the time-out is ignored').toEqual([]);
    bench.swap(2);
    expect(bench.sent()).toEqual(['asks 4 on 3: 0,2,3']);
  });

  it('waits on a level with exhausted candidates if configured, and accepts later contributions', () => {
    const bench = started({ threshold: 4, exhausted: 'wait' });
    bench.tick();
    expect(bench.sent()).toEqual(['asks 1 on 1: 0']);
    expect(bench.port.timers, 'with everybody asked, nothing is left to do but to wait').toEqual([]);
    bench.ask(1, 1, [1], { forged: true });
    bench.verifyAll();
    expect(bench.sent(), 'what is invalid changes nothing').toEqual(['answers 1 on 1: 0']);
    bench.swap(1);
    expect(bench.sent()).toEqual(['asks 2 on 2: 0,1']);
    bench.swap(2);
    expect(bench.port.outputs).toEqual([upTo(4)]);
  });

  it('falls silent at the end, without an output if too many contributions are lost', () => {
    const bench = started();
    while (bench.port.timers.length > 0) bench.tick();
    expect(bench.sent().length).toBe(15);
    expect(bench.port.timeUs).toBe(15 * 300_000);
    expect([bench.port.outputs, bench.port.checks]).toEqual([[], []]);
    bench.ask(9, 4, [9]);
    expect(bench.sent(), 'but still answers').toEqual(['answers 9 on 4: 0']);
  });
});

describe('v1.03 8.1: a node of San Fermín under attack', () => {
  it('does not aggregate an invalid contribution, waits for another one, and does not blacklist the sender', () => {
    const bench = started();
    bench.answer(1, 1, [1], { forged: true });
    bench.verifyAll();
    expect(bench.sent()).toEqual(['asks 1 on 1: 0']);
    expect(bench.port.traces.some(({ kind }) => kind === TraceKind.blacklisted)).toBe(false);
    bench.answer(1, 1, [1], { forged: true });
    bench.answer(1, 1, [1]);
    expect(bench.verifyAll()).toEqual([[1], [1]]);
    expect(bench.sent()).toEqual(['asks 2 on 2: 0,1']);
  });

  it('requests the contribution itself if the stored one is invalid', () => {
    const bench = started();
    bench.ask(3, 2, [2, 3], { forged: true });
    bench.swap(1);
    expect(bench.sent()).toEqual(['asks 1 on 1: 0', 'answers 3 on 2: 0,1', 'asks 2 on 2: 0,1']);
  });

  it('an adversary that contacts a high level early excludes the honest nodes of its subtree', () => {
    const bench = started();
    bench.ask(15, 4, [15]);
    for (const level of [1, 2, 3, 4]) bench.swap(level);
    expect(bench.port.outputs).toEqual([]);
    expect(bench.port.checks).toEqual([]);
  });

  it('refuses messages that no honest peer sends, and stores one contribution per level', () => {
    const bench = started();
    const { tree } = bench.scheme;
    bench.expectRefused([
      [16, 1, tree.leaf(1), noContribution, 0, 'sender-out-of-range'],
      [1, 0, tree.leaf(1), noContribution, 0, 'level-out-of-range'],
      [1, 5, tree.leaf(1), noContribution, 0, 'level-out-of-range'],
      [2, 1, tree.leaf(2), noContribution, 0, 'sender-not-in-peer-set'],
      [1, 1, tree.leaf(1), noContribution, MessageFlag.levelReceived, 'unknown-flags'],
      [1, 1, noContribution, noContribution, 0, 'empty-set'],
      [2, 2, tree.leaf(2), noContribution, 0, 'wrong-span'],
      [2, 2, 1, noContribution, 0, 'wrong-span'],
    ]);
    const { held } = bench.scheme;
    for (let from = 8; from < 16; from++) for (const _ of upTo(9)) bench.ask(from, 4, [from], { forged: true });
    expect(bench.scheme.held).toBe(held + 1);
  });
});

it('a node of San Fermín refuses a wrong id, threshold, setting or tree, and starts once', () => {
  const refused = [
    { id: 16 },
    { threshold: 0 },
    { candidates: 0 },
    { replyTimeoutMs: 0 },
    { exhausted: 'stay' as 'wait' },
  ];
  for (const options of refused) expect(() => new SanFerminBench(options)).toThrow(RangeError);
  const { node, port } = started();
  expect(() => node.start()).toThrow('start: expected one call, got a second call');
  const scheme = new CountingScheme(new Tree(16, 'spread', 4));
  const parts = { id: 0, scheme, threshold: 16, candidates: 1, replyTimeoutMs: 300, own: scheme.individual(0), port };
  expect(() => new SanFerminNode(parts)).toThrow('scheme.tree.branching: expected 2, got 4');
});
