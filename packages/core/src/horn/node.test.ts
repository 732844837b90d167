import { describe, expect, it } from 'vitest';
import { contributionOf, signersOf } from '../../test/sets.ts';
import { CountingScheme } from '../contribution/countingScheme.ts';
import { addMember, emptySet } from '../memberSet.ts';
import { Tree } from '../overlay/tree.ts';
import { type Contribution, noContribution } from '../protocol.ts';
import { Duty } from './committees.ts';
import { HornNode, type HornNodeOptions } from './node.ts';
import { HornTopic, honestRole } from './rules.ts';

const clock = { attestUs: 4, aggregateUs: 8, collectUs: 12, endUs: 22 };
const [attest, aggregate, collect] = [1, 2, 3];

/** Test bench for node 0 of 16, in two committees of 8 (0 to 7 and 8 to 15) with two subcommittees each. */
class Bench {
  readonly scheme = new CountingScheme(new Tree(16));
  readonly timers: number[] = [];
  readonly published: { readonly topic: HornTopic; readonly signers: readonly number[] }[] = [];
  readonly node: HornNode;

  constructor(options: Partial<HornNodeOptions> = {}) {
    this.node = new HornNode({
      id: 0,
      scheme: this.scheme,
      subcommitteeOrder: 2,
      committeeOrder: 3,
      collects: true,
      casts: true,
      duties: 0,
      clock,
      own: this.scheme.individual(0),
      port: {
        setTimer: (delayUs) => this.timers.push(delayUs),
        publish: (topic, of) => this.published.push({ topic, signers: signersOf(this.scheme, of) }),
        collude: (block, members) => {
          const signers = [0, 1, 2, 3].filter((member) => ((members[0]! >>> member) & 1) === 1);
          return contributionOf(this.scheme, block, signers);
        },
      },
      ...options,
    });
  }

  hears(topic: HornTopic, of: Contribution, author: Contribution): unknown {
    return this.node.onMessage(topic, of, author);
  }

  votes(...signers: readonly number[]): void {
    for (const signer of signers) {
      const vote = this.scheme.individual(signer);
      expect(this.hears(HornTopic.subnet, vote, vote)).toBeUndefined();
    }
  }

  vote(signer: number): Contribution {
    return this.scheme.individual(signer);
  }

  /** Returns a signer's contribution over its subcommittee. */
  over(signer: number): Contribution {
    return contributionOf(this.scheme, this.vote(signer) >>> 2, [signer]);
  }

  /** Delivers an author's aggregate over the block of the given `order` that contains the author. */
  sets(topic: HornTopic, author: number, order: number, signers: readonly number[]): unknown {
    const block = this.scheme.individual(author) >>> order;
    return this.hears(topic, contributionOf(this.scheme, block, signers), this.scheme.individual(author));
  }
}

describe('HornNode (Horn: "Horn Protocol", "Collectors")', () => {
  it('starts once, and acts at the times of its roles, and only in its own roles', () => {
    const timers = (options: Partial<HornNodeOptions>): number[] => {
      const bench = new Bench(options);
      bench.node.start();
      expect(() => bench.node.start()).toThrow('start: expected one call, got a second call');
      return bench.timers;
    };
    const both = Duty.aggregator | Duty.collector;
    expect(timers({})).toEqual([4]);
    expect(timers({ duties: both })).toEqual([4, 8, 12]);
    expect(timers({ duties: both, collects: false })).toEqual([4, 8]);
    expect(timers({ duties: both, casts: false })).toEqual([8, 12]);
  });

  it('aggregates the votes received by then, each vote once', () => {
    const bench = new Bench({ duties: Duty.aggregator });
    bench.votes(0, 2, 2);
    bench.node.onTimer(aggregate!);
    bench.votes(3);
    expect(bench.published).toEqual([{ topic: HornTopic.committee, signers: [0, 2] }]);
  });

  it('publishes its aggregate on the global topic if there are no collectors', () => {
    const bench = new Bench({ duties: Duty.aggregator, collects: false });
    bench.votes(0);
    bench.node.onTimer(aggregate!);
    expect(bench.published).toEqual([{ topic: HornTopic.global, signers: [0] }]);
  });

  it('collects the heaviest aggregate of each subcommittee, the first at equal weight', () => {
    const bench = new Bench({ duties: Duty.collector });
    bench.sets(HornTopic.committee, 1, 2, [0, 1]);
    bench.sets(HornTopic.committee, 2, 2, [2, 3]);
    bench.sets(HornTopic.committee, 3, 2, [3]);
    bench.sets(HornTopic.committee, 6, 2, [5]);
    bench.sets(HornTopic.committee, 7, 2, [5, 6, 7]);
    bench.node.onTimer(collect!);
    expect(bench.published).toEqual([{ topic: HornTopic.global, signers: [0, 1, 5, 6, 7] }]);
  });

  it('retains only its votes and the best aggregates', () => {
    const bench = new Bench({ duties: Duty.aggregator | Duty.collector });
    bench.votes(0, 1);
    for (const signers of [[1], [1, 2], [0, 1, 2]]) {
      const of = contributionOf(bench.scheme, bench.scheme.individual(0) >>> 2, signers);
      bench.hears(HornTopic.committee, of, bench.scheme.individual(1));
      bench.scheme.release(of);
    }
    for (const timer of [attest!, aggregate!, collect!]) bench.node.onTimer(timer);
    expect(bench.published.map(({ signers }) => signers)).toEqual([[0], [0, 1], [0, 1, 2]]);
    expect(bench.scheme.held).toBe(2);
  });

  it('an adversary publishes the aggregate of its role, and ranks aggregates by their authors', () => {
    const chosen = emptySet(4);
    for (const member of [1, 3]) addMember(chosen, member);
    const role = { ...honestRole(clock), aggregate: () => chosen, rank: (author: number) => author };
    const bench = new Bench({ duties: Duty.aggregator | Duty.collector, role });
    bench.votes(0);
    bench.node.onTimer(aggregate!);
    bench.sets(HornTopic.committee, 3, 2, [3]);
    bench.sets(HornTopic.committee, 1, 2, [0, 1]);
    bench.node.onTimer(collect!);
    expect(bench.published.map(({ signers }) => signers)).toEqual([[1, 3], [3]]);
  });

  it('an adversary without a choice is silent', () => {
    const role = { ...honestRole(clock), aggregate: () => emptySet(4) };
    const bench = new Bench({ duties: Duty.aggregator, role });
    bench.votes(0);
    bench.node.onTimer(aggregate!);
    expect(bench.published).toEqual([]);
  });

  it.each<[what: string, refusal: string, tell: (bench: Bench) => unknown]>([
    ['a vote of another subcommittee', 'wrong-span', (bench) => bench.hears(1, bench.vote(4), bench.vote(4))],
    ['an aggregate in the place of a vote', 'wrong-span', (bench) => bench.sets(1, 1, 2, [1, 2])],
    ["a vote under another's name", 'not-individual', (bench) => bench.hears(1, bench.vote(1), bench.vote(2))],
    ['an aggregate of another committee', 'wrong-span', (bench) => bench.sets(2, 9, 2, [9])],
    ['an aggregate where collections are expected', 'wrong-span', (bench) => bench.sets(3, 9, 2, [9])],
    ['no contribution', 'empty-set', (bench) => bench.hears(1, noContribution, bench.vote(1))],
    ['an author from elsewhere', 'not-individual', (bench) => bench.hears(2, bench.over(1), bench.vote(5))],
    ['an aggregate without its author', 'not-individual', (bench) => bench.hears(2, bench.over(1), noContribution)],
    ['an author that is several', 'not-individual', (bench) => bench.hears(2, bench.over(1), bench.over(1))],
  ])('refuses %s', (_, refusal, receive) => {
    expect(receive(new Bench({ duties: Duty.aggregator | Duty.collector }))).toBe(refusal);
  });
});
