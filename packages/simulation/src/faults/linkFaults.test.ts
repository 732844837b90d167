import { CountingScheme, noContribution, Tree } from '@tutti/core';
import { describe, expect, it } from 'vitest';
import { contributionOf, signersOf } from '../../../core/test/sets.ts';
import { upTo } from '../../../core/test/sizes.ts';
import type { Fault } from '../scenario/faultPlan.ts';
import { LinkFaults } from './linkFaults.ts';
import { InjectedCounts } from './nodeFaults.ts';

class Bench {
  readonly scheme = new CountingScheme(new Tree(16));
  readonly counts = new InjectedCounts();
  /** Carried messages, each with its additional delay and its aggregate. */
  readonly carried: { readonly extraUs: number; readonly signers: readonly number[]; readonly valid: boolean }[] = [];
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
    const aggregate = contributionOf(this.scheme, this.scheme.tree.peerBlock(to, 4), of);
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
  it.each<[what: string, faults: Fault[], sent: Parameters<Bench['send']>[0][], extras: number[], counts: object]>([
    [
      'leave messages before and after them, and on other links, unchanged',
      [{ kind: 'loss', share: 1, atMs: 10, forMs: 5, from: [1, 2], to: [9] }],
      [
        ...[9.999, 10].map((atMs) => ({ atMs, from: 1, to: 9 })),
        { atMs: 14.999, from: 2, to: 9 },
        { atMs: 15, from: 1, to: 9 },
        { atMs: 12, from: 3, to: 9 },
        { atMs: 12, from: 1, to: 10 },
        { atMs: 12, from: 9, to: 1, of: [9] },
      ],
      [0, lost, lost, 0, 0, 0, 0],
      { loss: 2 },
    ],
    [
      'last from beginning to end if the plan has no times',
      [{ kind: 'slow-links', byMs: 2.5 }],
      [{}, { atMs: 2_000_000 }],
      [2500, 2500],
      { 'slow-links': 2 },
    ],
    [
      'a partition blocks messages between its sides in both directions, and none within them',
      [{ kind: 'partition', nodes: [0, 8], atMs: 0, forMs: 10 }],
      [{ of: [0] }, { from: 15, to: 0, of: [15] }, { to: 8, of: [0] }, { from: 1, of: [1] }, { atMs: 10, of: [0] }],
      [lost, lost, 0, 0, 0],
      { partition: 2 },
    ],
    [
      'combine, and a lost message is neither delayed nor duplicated',
      [
        { kind: 'slow-links', byMs: 1 },
        { kind: 'slow-links', byMs: 2 },
        { kind: 'duplication', share: 1 },
        { kind: 'loss', share: 1, atMs: 10 },
      ],
      [{}, { atMs: 10 }],
      [3000, 3000, lost],
      { duplication: 1, loss: 1, 'slow-links': 1 },
    ],
    [
      'duplicate a message at once if the plan has no time for the copy',
      [{ kind: 'duplication', share: 1 }],
      [{}],
      [0, 0],
      { duplication: 1 },
    ],
  ])('%s', (_what, faults, sent, extras, counts) => {
    const bench = new Bench(faults);
    for (const message of sent) bench.send(message);
    expect(bench.extras()).toEqual(extras);
    expect(bench.counts.toRecord()).toEqual(counts);
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
    const [originals, copies] = [0, 1].map((part) => bench.extras().filter((_, index) => index % 2 === part));
    expect([new Set(originals), copies!.length]).toEqual([new Set([0]), 200]);
    expect(Math.max(...copies!)).toBeLessThanOrEqual(4000);
    expect([Math.max(...copies!) > 3500, Math.min(...copies!) < 500]).toEqual([true, true]);
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
      expect([bench.extras(), bench.refused]).toEqual([[lost], ['forged']]);
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
