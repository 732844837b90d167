import { describe, expect, it } from 'vitest';
import { RecordingPort } from '../../test/recordingPort.ts';
import { contributionOf } from '../../test/sets.ts';
import { CountingScheme } from '../contribution/countingScheme.ts';
import { Tree } from '../overlay/tree.ts';
import { noContribution } from '../protocol.ts';
import type { ScreeningRefusal } from '../refusals.ts';
import { Duty } from './duties.ts';
import { HornNode, type HornNodeOptions } from './node.ts';
import { HornTopic } from './rules.ts';

const clock = { attestUs: 4, aggregateUs: 8, collectUs: 12, endUs: 22 };

/** Node 0 of 16: committees of 8, which are 0 to 7 and 8 to 15, of two subcommittees each. */
class Bench {
  readonly scheme = new CountingScheme(new Tree(16));
  readonly port = new RecordingPort(this.scheme);
  readonly node: HornNode;

  constructor(options: Partial<HornNodeOptions> = {}) {
    const none = new Int32Array(0);
    const neighbours = [none, Int32Array.of(1, 2, 3), Int32Array.of(4, 5), Int32Array.of(6, 9, 15)];
    this.node = new HornNode({
      id: 0,
      scheme: this.scheme,
      subcommitteeOrder: 2,
      committeeOrder: 3,
      collects: true,
      votes: true,
      duties: 0,
      clock,
      own: this.scheme.individual(0),
      neighbours,
      port: this.port,
      ...options,
    });
  }

  vote(signer: number, from = 1): void {
    this.node.onMessage(from, HornTopic.subnet, this.scheme.individual(signer), noContribution, 0);
  }

  /** What an author's aggregate says of the block of `order` that the author is in. */
  sets(topic: HornTopic, from: number, author: number, order: number, signers: readonly number[]): void {
    const block = this.scheme.individual(author) >>> order;
    this.node.onMessage(from, topic, contributionOf(this.scheme, block, signers), this.scheme.individual(author), 0);
  }

  /** Answers what is under way, until nothing is; all is valid unless `valid` says otherwise. */
  verifyAll(valid: (index: number) => boolean = () => true): void {
    for (; this.#answered < this.port.checks.length; this.#answered++) {
      this.node.onVerified(this.port.checks[this.#answered]!.ticket, valid(this.#answered));
    }
  }
  #answered = 0;

  sent(): unknown[] {
    return this.port.takeSent().map(({ to, level, signers }) => ({ to, level, signers }));
  }
}

describe('HornNode (Horn: "Horn Protocol", "Collectors")', () => {
  it('acts at the times of its roles, and only where it has them', () => {
    const timers = (options: Partial<HornNodeOptions>): number[] => {
      const bench = new Bench(options);
      bench.node.start();
      return bench.port.timers.map(({ delayUs }) => delayUs);
    };
    const both = Duty.aggregator | Duty.collector;
    expect(timers({})).toEqual([4]);
    expect(timers({ duties: both })).toEqual([4, 8, 12]);
    expect(timers({ duties: both, collects: false })).toEqual([4, 8]);
    expect(timers({ duties: both, votes: false })).toEqual([]);
  });

  it('votes on its subnet', () => {
    const bench = new Bench();
    bench.node.onTimer(1);
    expect(bench.sent()).toEqual([1, 2, 3].map((to) => ({ to, level: HornTopic.subnet, signers: [0] })));
  });

  it('forwards what it has verified to all neighbours but the one that it came from, once', () => {
    const bench = new Bench();
    bench.vote(3, 1);
    bench.vote(3, 2);
    expect(bench.sent()).toEqual([]);
    bench.verifyAll();
    bench.vote(3, 3);
    bench.verifyAll();
    expect(bench.port.checks).toHaveLength(1);
    expect(bench.sent()).toEqual([2, 3].map((to) => ({ to, level: HornTopic.subnet, signers: [3] })));
  });

  it('verifies one message at a time, in order of arrival, and forwards none that is invalid', () => {
    const bench = new Bench();
    for (const signer of [3, 1, 2]) bench.vote(signer);
    expect(bench.port.checks).toHaveLength(1);
    bench.verifyAll((index) => index !== 1);
    expect(bench.port.checks.map(({ signers }) => signers)).toEqual([[3], [1], [2]]);
    expect(new Set(bench.sent().map((one) => JSON.stringify(one)))).toEqual(
      new Set([3, 2].flatMap((by) => [2, 3].map((to) => JSON.stringify({ to, level: 1, signers: [by] })))),
    );
  });

  it('aggregates the votes that it has verified by then, its own among them', () => {
    const bench = new Bench({ duties: Duty.aggregator });
    bench.node.onTimer(1);
    bench.vote(2);
    bench.verifyAll();
    bench.vote(3);
    bench.port.takeSent();
    bench.node.onTimer(2);
    expect(bench.sent()).toEqual([4, 5].map((to) => ({ to, level: HornTopic.committee, signers: [0, 2] })));
  });

  it('sends its aggregate to the global topic where nobody collects', () => {
    const bench = new Bench({ duties: Duty.aggregator, collects: false });
    bench.node.onTimer(1);
    bench.port.takeSent();
    bench.node.onTimer(2);
    expect(bench.sent()).toEqual([6, 9, 15].map((to) => ({ to, level: HornTopic.global, signers: [0] })));
    expect(bench.port.outputs).toEqual([[0]]);
  });

  it('collects the heaviest aggregate of each subcommittee, the first among equals', () => {
    const bench = new Bench({ duties: Duty.collector });
    bench.sets(HornTopic.committee, 4, 1, 2, [0, 1]);
    bench.sets(HornTopic.committee, 4, 2, 2, [2, 3]);
    bench.sets(HornTopic.committee, 4, 3, 2, [3]);
    bench.sets(HornTopic.committee, 5, 6, 2, [5]);
    bench.sets(HornTopic.committee, 5, 7, 2, [5, 6, 7]);
    bench.verifyAll();
    bench.port.takeSent();
    bench.node.onTimer(3);
    expect(bench.sent()).toEqual([6, 9, 15].map((to) => ({ to, level: HornTopic.global, signers: [0, 1, 5, 6, 7] })));
  });

  it('collects nothing out of nothing', () => {
    const bench = new Bench({ duties: Duty.collector });
    bench.node.onTimer(3);
    expect(bench.sent()).toEqual([]);
  });

  it('gives out what it has verified on the global topic', () => {
    const bench = new Bench();
    bench.sets(HornTopic.global, 9, 12, 3, [8, 12, 15]);
    expect(bench.port.outputs).toEqual([]);
    bench.verifyAll();
    expect(bench.port.outputs).toEqual([[8, 12, 15]]);
  });

  it.each<[what: string, refusal: ScreeningRefusal, tell: (bench: Bench) => void]>([
    ['a sender that is no neighbour', 'sender-not-in-peer-set', (bench) => bench.vote(3, 7)],
    ['a vote of another subcommittee', 'wrong-span', (bench) => bench.vote(4)],
    ['an aggregate in the place of a vote', 'wrong-span', (bench) => bench.sets(1, 1, 1, 2, [1, 2])],
    ['an aggregate of another committee', 'wrong-span', (bench) => bench.sets(2, 4, 9, 2, [9])],
    ['an aggregate where collections are expected', 'wrong-span', (bench) => bench.sets(3, 9, 9, 2, [9])],
    [
      'a topic that it is not on',
      'level-out-of-range',
      ({ node, scheme }) => node.onMessage(1, 4, scheme.individual(1), noContribution, 0),
    ],
    ['no contribution', 'empty-set', ({ node }) => node.onMessage(1, 1, noContribution, noContribution, 0)],
    [
      'flags that mean nothing',
      'unknown-flags',
      ({ node, scheme }) => node.onMessage(1, 1, scheme.individual(1), noContribution, 1),
    ],
    [
      'an author from elsewhere',
      'not-individual',
      ({ node, scheme }) =>
        node.onMessage(4, 2, contributionOf(scheme, scheme.individual(1) >>> 2, [1]), scheme.individual(5), 0),
    ],
    [
      'an aggregate without its author',
      'not-individual',
      ({ node, scheme }) =>
        node.onMessage(4, 2, contributionOf(scheme, scheme.individual(1) >>> 2, [1]), noContribution, 0),
    ],
  ])('refuses %s', (_, refusal, tell) => {
    const bench = new Bench();
    tell(bench);
    expect(bench.port.refusals).toMatchObject([{ code: refusal }]);
    expect(bench.port.checks).toEqual([]);
  });
});
