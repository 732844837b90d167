import { CountingScheme, noContribution, Tree } from '@tutti/core';
import { Duty, HornTopic } from '@tutti/core/internal/horn';
import { describe, expect, it } from 'vitest';
import { RecordingPort } from '../../../core/test/recordingPort.ts';
import { contributionOf, signersOf } from '../../../core/test/sets.ts';
import { hornAttackNamed } from './attacks.ts';
import { EveNode } from './eveNode.ts';
import { EveStrategy } from './eveStrategy.ts';

const clock = { attestUs: 4, aggregateUs: 8, collectUs: 12, endUs: 22 };
const timer = { attest: 1, aggregate: 12, collect: 13 };

/** Node 0 of 16, Eve's as node 1 is: committees of 8 of two subcommittees each. */
class Bench {
  readonly scheme = new CountingScheme(new Tree(16));
  readonly port = new RecordingPort(this.scheme);
  readonly node: EveNode;
  #answered = 0;

  constructor(attack: string, casts: boolean, collects = true) {
    this.node = new EveNode({
      id: 0,
      scheme: this.scheme,
      subcommitteeOrder: 2,
      committeeOrder: 3,
      collects,
      votes: true,
      casts,
      duties: Duty.aggregator | Duty.collector,
      clock,
      own: this.scheme.individual(0),
      neighbours: [new Int32Array(0), Int32Array.of(1, 2), Int32Array.of(4), Int32Array.of(6, 9)],
      port: this.port,
      role: new EveStrategy({
        attack: hornAttackNamed(attack)!,
        member: 0,
        members: 4,
        hers: Int32Array.of(0b0011),
        order: Int32Array.of(0, 1, 2, 3),
        clock,
        collects,
        isHers: (author) => author < 2,
      }),
      vote: (place) => this.scheme.individual(place),
    });
  }

  vote(signer: number): void {
    this.node.onMessage(1, HornTopic.subnet, this.scheme.individual(signer), noContribution, 0);
    this.#verify();
  }

  aggregate(author: number, signers: readonly number[]): void {
    const block = this.scheme.individual(author) >>> 2;
    const individual = this.scheme.individual(author);
    this.node.onMessage(4, HornTopic.committee, contributionOf(this.scheme, block, signers), individual, 0);
    this.#verify();
  }

  #verify(): void {
    for (; this.#answered < this.port.checks.length; this.#answered++) {
      this.node.onVerified(this.port.checks[this.#answered]!.ticket, true);
    }
  }

  /** What it says itself on a topic at a time of its own. */
  says(which: number): unknown[] {
    this.port.takeSent();
    this.node.onTimer(which);
    return this.port.takeSent().map(({ to, level, signers, individual }) => {
      expect(signersOf(this.scheme, individual)).toEqual([0]);
      return { to, level, signers };
    });
  }
}

describe("EveNode, one of Eve's validators", () => {
  it('relays what it verifies, whatever it does otherwise', () => {
    const bench = new Bench('silent', false);
    bench.vote(3);
    expect(bench.port.takeSent()).toMatchObject([{ to: 2, level: HornTopic.subnet, signers: [3] }]);
    expect(bench.says(timer.aggregate)).toEqual([]);
    expect(bench.says(timer.collect)).toEqual([]);
  });

  it('acts when the attack wants it to, and casts a vote only then', () => {
    const timers = (attack: string, casts: boolean): number[] => {
      const { node, port } = new Bench(attack, casts);
      node.start();
      return port.timers.map(({ delayUs }) => delayUs);
    };
    expect(timers('silent', false)).toEqual([8, 12]);
    expect(timers('worthless', true)).toEqual([4, 8, 12]);
    expect(timers('late', true)).toEqual([4, 12, 22]);
  });

  it('griefing: its aggregate has her votes, and one honest one less than she replaces', () => {
    const bench = new Bench('griefing', false);
    bench.vote(2);
    bench.vote(3);
    expect(bench.says(timer.aggregate)).toEqual([{ to: 4, level: HornTopic.committee, signers: [0, 1, 3] }]);
    const strawman = new Bench('griefing', false, false);
    strawman.vote(2);
    expect(strawman.says(timer.aggregate)).toEqual(
      [6, 9].map((to) => ({ to, level: HornTopic.global, signers: [0, 1] })),
    );
  });

  it('griefing: its collection has her aggregates where there are any, and the heaviest of the others', () => {
    const bench = new Bench('griefing', false);
    bench.aggregate(2, [2, 3]);
    bench.aggregate(1, [1]);
    bench.aggregate(3, [0, 2, 3]);
    bench.aggregate(4, [4]);
    bench.aggregate(5, [4, 5]);
    expect(bench.says(timer.collect)).toEqual(
      [6, 9].map((to) => ({ to, level: HornTopic.global, signers: [1, 4, 5] })),
    );
  });

  it('worthless: one vote each; late: all that it has verified', () => {
    for (const [attack, aggregate, collection] of [
      ['worthless', [0], [0]],
      ['late', [0, 2], [0, 2, 5]],
    ] as const) {
      const bench = new Bench(attack, true);
      bench.vote(2);
      bench.aggregate(5, [5]);
      expect(bench.says(timer.aggregate)).toMatchObject([{ signers: aggregate }]);
      expect(bench.says(timer.collect)).toMatchObject([{ signers: collection }, { signers: collection }]);
    }
  });

  it('lets what it has said itself pass by when it comes back', () => {
    const bench = new Bench('worthless', true);
    bench.says(timer.aggregate);
    bench.aggregate(0, [0]);
    expect(bench.port.checks).toEqual([]);
  });
});
