import { type Contribution, CountingScheme, noContribution, Tree } from '@tutti/core';
import { describe, expect, it } from 'vitest';
import { contributionOf, signersOf } from '../../../core/test/sets.ts';
import { upTo } from '../../../core/test/sizes.ts';
import type { Fault } from '../scenario/faultPlan.ts';
import { LinkFaults } from './linkFaults.ts';
import { InjectedCounts } from './nodeFaults.ts';

/** A carried message: its additional delay and its aggregate. */
interface Carried {
  readonly extraUs: number;
  readonly signers: readonly number[];
  readonly valid: boolean;
}

class Bench {
  readonly scheme = new CountingScheme(new Tree(16));
  readonly counts = new InjectedCounts();
  readonly carried: Carried[] = [];
  readonly refused: string[] = [];
  readonly #links: LinkFaults;
  #nowUs = 0;

  constructor(faults: Fault[], { authenticated = true, seed = 1 } = {}) {
    const nowUs = () => this.#nowUs;
    this.#links = new LinkFaults({
      faults,
      nodes: 16,
      seed,
      scheme: this.scheme,
      authenticated,
      counts: this.counts,
      carrier: {
        get nowUs() {
          return nowUs();
        },
        carry: ({ aggregate }, extraUs) => {
          const signers = signersOf(this.scheme, aggregate);
          this.carried.push({ extraUs, signers, valid: this.scheme.verify(aggregate) });
          return 0;
        },
        countRefusal: (code) => this.refused.push(code),
      },
    });
  }

  /** Sends an aggregate of level 4 with an individual contribution; the default is from node 0 to node 15. */
  send({ atMs = 0, from = 0, to = 15, of = [0, 1, 5] } = {}): void {
    this.#nowUs = atMs * 1000;
    const block = this.scheme.tree.peerBlock(to, 4);
    const aggregate: Contribution = contributionOf(this.scheme, block, of);
    const individual = of.length > 1 ? this.scheme.individual(from) : noContribution;
    this.#links.send({ from, to, level: 4, aggregate, individual, flags: 0 });
    this.scheme.release(aggregate);
  }

  extras(): number[] {
    return this.carried.map(({ extraUs }) => extraUs);
  }
}

const lost = -1;

describe('network faults', () => {
  it('leave messages before and after them, and on other links, unchanged', () => {
    const bench = new Bench([{ kind: 'loss', share: 1, atMs: 10, forMs: 5, from: [1, 2], to: [9] }]);
    for (const [atMs, from, to] of [
      [9.999, 1, 9],
      [10, 1, 9],
      [14.999, 2, 9],
      [15, 1, 9],
      [12, 3, 9],
      [12, 1, 10],
    ] as const)
      bench.send({ atMs, from, to });
    bench.send({ atMs: 12, from: 9, to: 1, of: [9] });
    expect(bench.extras()).toEqual([0, lost, lost, 0, 0, 0, 0]);
    expect(bench.counts.toRecord()).toEqual({ loss: 2 });
  });

  it('last from beginning to end if the plan has no times', () => {
    const bench = new Bench([{ kind: 'slow-links', byMs: 2.5 }]);
    bench.send();
    bench.send({ atMs: 2_000_000 });
    expect(bench.extras()).toEqual([2500, 2500]);
  });

  it('a partition blocks messages between its sides in both directions, and none within them', () => {
    const bench = new Bench([{ kind: 'partition', nodes: [0, 8], atMs: 0, forMs: 10 }]);
    for (const [atMs, from, to] of [
      [0, 0, 15],
      [0, 15, 0],
      [0, 0, 8],
      [0, 1, 15],
      [10, 0, 15],
    ] as const)
      bench.send({ atMs, from, to, of: [from] });
    expect(bench.extras()).toEqual([lost, lost, 0, 0, 0]);
    expect(bench.counts.toRecord()).toEqual({ partition: 2 });
  });

  it('lose the configured share', () => {
    const bench = new Bench([{ kind: 'loss', share: 0.3 }]);
    for (const _ of upTo(2000)) bench.send();
    const share = bench.extras().filter((extra) => extra === lost).length / 2000;
    expect(share).toBeGreaterThan(0.26);
    expect(share).toBeLessThan(0.34);
  });

  it('duplicate a message with a copy that leaves later, up to the configured time', () => {
    const bench = new Bench([{ kind: 'duplication', share: 1, withinMs: 4 }]);
    for (const _ of upTo(200)) bench.send();
    const [originals, copies] = [0, 1].map((part) => bench.extras().filter((_, index) => index % 2 === part)) as [
      number[],
      number[],
    ];
    expect([new Set(originals), copies.length]).toEqual([new Set([0]), 200]);
    expect(Math.max(...copies)).toBeLessThanOrEqual(4000);
    expect([Math.max(...copies) > 3500, Math.min(...copies) < 500]).toEqual([true, true]);
    const atOnce = new Bench([{ kind: 'duplication', share: 1 }]);
    atOnce.send();
    expect(atOnce.extras()).toEqual([0, 0]);
  });

  it('delay a message for a separate time, so that later ones overtake it', () => {
    const bench = new Bench([{ kind: 'reordering', share: 0.5, byMs: 100 }]);
    for (const atMs of upTo(200)) bench.send({ atMs });
    const held = bench.extras();
    expect(Math.max(...held)).toBeLessThanOrEqual(100_000);
    const arrivals = held.map((extra, atMs) => atMs * 1000 + extra);
    expect(arrivals.some((arrival, at) => at > 0 && arrival < arrivals[at - 1]!)).toBe(true);
    expect(held.filter((extra) => extra === 0).length).toBeGreaterThan(70);
    expect(bench.counts.toRecord().reordering).toBe(held.filter((extra) => extra > 0).length);
  });

  it('combine, and a lost message is neither delayed nor duplicated', () => {
    const bench = new Bench([
      { kind: 'slow-links', byMs: 1 },
      { kind: 'slow-links', byMs: 2 },
      { kind: 'duplication', share: 1 },
      { kind: 'loss', share: 1, atMs: 10 },
    ]);
    bench.send();
    bench.send({ atMs: 10 });
    expect(bench.extras()).toEqual([3000, 3000, lost]);
    expect(bench.counts.toRecord()).toEqual({ duplication: 1, loss: 1, 'slow-links': 1 });
  });

  it('are equal for one seed and differ for another; one fault changes no draw of another kind', () => {
    const loss: Fault = { kind: 'loss', share: 0.5 };
    const extras = (faults: Fault[], seed = 1): number[] => {
      const bench = new Bench(faults, { seed });
      for (const _ of upTo(64)) bench.send();
      return bench.extras();
    };
    expect(extras([loss])).toEqual(extras([loss]));
    expect(extras([loss])).not.toEqual(extras([loss], 2));
    expect(extras([{ kind: 'reordering', share: 1, byMs: 0.001, to: [1] }, loss])).toEqual(extras([loss]));
  });
});

describe('corruption', () => {
  it('v1.03 2.3: is dropped and counted if channels are authenticated', () => {
    for (const of of ['signature', 'bits'] as const) {
      const bench = new Bench([{ kind: 'corruption', share: 1, of }]);
      bench.send();
      expect(bench.extras()).toEqual([lost]);
      expect(bench.refused).toEqual(['forged']);
      expect(bench.counts.toRecord()).toEqual({ corruption: 1 });
    }
  });

  it('arrives with an invalid signature if they are not', () => {
    const bench = new Bench([{ kind: 'corruption', share: 1, of: 'signature' }], { authenticated: false });
    bench.send();
    bench.send({ of: upTo(8) });
    expect(bench.carried).toMatchObject([
      { extraUs: 0, signers: [0, 1, 5], valid: false },
      { extraUs: 0, signers: upTo(8), valid: false },
    ]);
    expect(bench.scheme.held).toBe(0);
  });

  it('of bits is decoded or refused, and no set verifies that was never signed', () => {
    const bench = new Bench([{ kind: 'corruption', share: 1 }], { authenticated: false });
    for (const index of upTo(3000)) bench.send(index % 3 === 0 ? { of: upTo(8) } : index % 3 === 1 ? { of: [0] } : {});
    const arrived = bench.carried.filter(({ extraUs }) => extraUs !== lost);
    expect(arrived.length + bench.refused.length).toBe(3000);
    expect(arrived.length).toBeGreaterThan(500);
    const sent = [upTo(8), [0], [0, 1, 5]].map(String);
    for (const { signers, valid } of arrived) if (valid) expect(sent).toContain(String(signers));
    expect(arrived.some(({ signers }) => !sent.includes(String(signers)))).toBe(true);
    const decoding = ['truncated', 'trailing-bytes', 'unknown-version', 'unknown-flags', 'level-out-of-range'];
    expect(new Set(bench.refused)).toEqual(new Set([...decoding, 'unknown-set-form', 'empty-set']));
    expect(bench.scheme.held).toBe(0);
  });
});
