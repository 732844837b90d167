import { CountingScheme, MessageFlag, noContribution, TraceKind, Tree } from '@tutti/core';
import { defaultScenario } from '@tutti/simulation';
import { describe, expect, it } from 'vitest';
import { RecordingPort } from '../../../core/test/recordingPort.ts';
import { contributionOf, signersOf } from '../../../core/test/sets.ts';
import { goReferenceBytes, type LabScenario, simulateLab } from './labScenario.ts';
import { QuirkMemory, type ReferenceQuirk, referenceQuirks } from './quirkMemory.ts';
import { QuirkyNode } from './quirkyNode.ts';

/** Node 0 of 16 with a deviation, between a port that records calls and a node that does nothing by itself. */
class Bench {
  readonly scheme = new CountingScheme(new Tree(16));
  readonly port = new RecordingPort(this.scheme);
  readonly quirky: QuirkyNode;
  readonly answers: boolean[] = [];
  readonly flags: number[] = [];
  onMessage = (): void => {};
  onTimer = (): void => {};
  onVerified = (): void => {};

  constructor(...kept: ReferenceQuirk[]) {
    this.quirky = new QuirkyNode(0, this.port, new QuirkMemory(this.scheme, kept, 3));
    this.quirky.around({
      start: () => {},
      onMessage: (_from, _level, _aggregate, _individual, flags) => {
        this.flags.push(flags);
        this.onMessage();
      },
      onTimer: () => this.onTimer(),
      onVerified: (_ticket, valid) => {
        this.answers.push(valid);
        this.onVerified();
      },
    });
    this.quirky.start();
  }

  of(level: number, ...signers: number[]): number {
    return contributionOf(this.scheme, this.scheme.tree.peerBlock(0, level), signers);
  }

  /** Sends node 0's contribution at a level, with this number of signers from node 0's own half. */
  send(level: number, weight: number): void {
    const { tree } = this.scheme;
    const peers = tree.peerBlock(0, level);
    const out = contributionOf(this.scheme, peers ^ 1, [...Array(weight).keys()]);
    this.quirky.send(tree.start(peers), level, out, noContribution, 0);
  }

  receive(from: number, level: number, ...signers: number[]): void {
    this.quirky.onMessage(from, level, this.of(level, ...signers), this.scheme.individual(from), 0);
  }

  answer(): void {
    this.quirky.onVerified(this.port.checks.at(-1)!.ticket, true);
  }

  get checked(): (readonly number[])[] {
    return this.port.checks.map(({ contribution }) => signersOf(this.scheme, contribution));
  }
}

it('idle-checks verifies each individual contribution of an incomplete level once, when idle', () => {
  const bench = new Bench('idle-checks');
  bench.receive(8, 4, 8, 9);
  bench.receive(8, 4, 8, 9, 10);
  bench.receive(9, 4, 9);
  expect(bench.checked).toEqual([[8]]);
  bench.answer();
  expect(bench.checked).toEqual([[8], [9]]);
  bench.answer();
  expect(bench.checked.length).toBe(2);
  expect(bench.answers, 'the node asked for none of them').toEqual([]);
});

it.each(['idle-checks', 'stale-choice'] as const)('%s verifies nothing of a message that the node refuses', (quirk) => {
  const bench = new Bench(quirk);
  bench.onMessage = () => bench.quirky.refuse(31, 9, 'level-out-of-range');
  bench.quirky.onMessage(9, 31, bench.of(4, 9), noContribution, 0);
  bench.quirky.verify(bench.of(4, 8), 4, 8);
  bench.answer();
  expect(bench.checked).toEqual([[8]]);
  expect(bench.answers).toEqual([true]);
});

it("idle-checks delays the node's own request until the current check ends, and then runs it first", () => {
  const bench = new Bench('idle-checks');
  bench.receive(8, 4, 8);
  bench.receive(9, 4, 9);
  bench.quirky.verify(bench.of(4, 10, 11), 4, 10);
  expect(bench.checked).toEqual([[8]]);
  bench.answer();
  expect(bench.checked).toEqual([[8], [10, 11]]);
  bench.answer();
  expect(bench.answers).toEqual([true]);
  expect(bench.checked.at(-1)).toEqual([9]);
});

it('stale-choice verifies the best contribution from before the last merge', () => {
  const bench = new Bench('stale-choice');
  bench.receive(8, 4, 8, 9, 10);
  bench.receive(9, 4, 8, 9);
  bench.quirky.verify(bench.of(4, 8, 9, 10), 4, 8);
  bench.onVerified = () => bench.quirky.trace(TraceKind.levelImproved, 4, 8, bench.of(4, 8, 9, 10));
  bench.answer();
  expect(bench.answers).toEqual([true]);
  expect(bench.port.checks.length, 'one aggregate is checked without need').toBe(2);
  bench.answer();
  expect(bench.port.checks.length).toBe(2);
});

it('start-burst: the first message of a timer on a level goes to as many peers as the fast path', () => {
  const bench = new Bench('start-burst');
  bench.onTimer = () => {
    bench.send(2, 1);
    bench.send(4, 1);
  };
  bench.quirky.onTimer(0);
  const to = (level: number) => bench.port.sent.filter((sent) => sent.level === level).map((sent) => sent.to);
  expect(to(2)).toEqual([2, 3]);
  expect(new Set(to(4)).size).toBe(3);
  expect(to(4).every((peer) => peer >= 8 && peer < 16)).toBe(true);
  bench.port.takeSent();
  bench.quirky.onTimer(0);
  expect(bench.port.sent.length, 'once a level').toBe(2);
});

it('one-round: sends as often as the level has peers, and again after Out_l has grown', () => {
  const bench = new Bench('one-round');
  for (let time = 0; time < 9; time++) bench.send(3, 1);
  expect(bench.port.takeSent().length).toBe(4);
  bench.send(2, 1);
  expect(bench.port.takeSent().length).toBe(1);
  for (let time = 0; time < 9; time++) bench.send(3, 2);
  expect(bench.port.takeSent().length).toBe(4);
});

it('no-level-flag: the node is not notified that a level is complete', () => {
  const flags = [new Bench(), new Bench('no-level-flag')].map((bench) => {
    bench.quirky.onMessage(8, 4, bench.of(4, 8), noContribution, MessageFlag.levelReceived);
    return bench.flags;
  });
  expect(flags).toEqual([[MessageFlag.levelReceived], [0]]);
});

describe('in a run', () => {
  const base: LabScenario = { ...defaultScenario, nodes: 150, desyncMs: 100, periodMs: 10 };

  it('each quirk changes the run, every claim holds, and all nodes reach the threshold', () => {
    const digests = [[], ...referenceQuirks.map((quirk) => [quirk]), [...referenceQuirks]].map((kept) => {
      const result = simulateLab({ ...base, goReference: { quirks: kept } }, { checkers: true });
      expect(result.reached, kept.join()).toBe(result.live);
      return result.digest;
    });
    expect(new Set(digests).size).toBe(referenceQuirks.length + 2);
  });

  it('idle checks and stale choices cost checks; one round saves messages, and a burst costs some', () => {
    const run = (...quirks: ReferenceQuirk[]) => simulateLab({ ...base, goReference: { quirks } }).untilThreshold;
    const { checked, messagesSent } = run();
    expect(run('idle-checks').checked.mean).toBeGreaterThan(1.05 * checked.mean);
    expect(run('stale-choice').checked.mean).toBeGreaterThan(1.1 * checked.mean);
    expect(run('one-round').messagesSent.mean).toBeLessThan(0.9 * messagesSent.mean);
    expect(run('start-burst').messagesSent.mean).toBeGreaterThan(1.02 * messagesSent.mean);
  });

  it('without quirks, only the lengths of messages differ from a run of this project’s nodes', () => {
    const [own, reference] = [simulateLab(base), simulateLab({ ...base, goReference: { quirks: [] } })];
    expect(reference.digest).toBe(own.digest);
    expect(reference.bytesSent.mean).toBeGreaterThan(own.bytesSent.mean);
  });

  it.each([
    [{ protocol: 'gossip' }, 'protocol with quirks of the Go reference: expected handel, got "gossip"'],
    [{ batch: 2 }, 'batch with quirks of the Go reference: expected 1, got 2'],
    [{ goReference: { quirks: ['smoking'] } }, 'goReference.quirks: expected idle-checks or'],
  ])('refuses %j', (change, message) => {
    const scenario = { ...base, goReference: { quirks: ['one-round'] }, ...change } as LabScenario;
    expect(() => simulateLab(scenario)).toThrow(message);
  });
});

it("is within four bytes of the output of Go's gob encoder for the reference's packets", () => {
  const tree = new Tree(4096);
  const scheme = new CountingScheme(tree);
  // Lengths by encoding/gob for origin 3000, with and without the individual signature; the shortest are exact.
  for (const [level, both, alone, tolerance] of [
    [1, 235, 168, 0],
    [7, 235, 168, 0],
    [8, 243, 176, 0],
    [9, 259, 192, 4],
    [10, 292, 226, 4],
    [12, 486, 420, 4],
  ] as const) {
    // Node 0's contribution on a level is over the sibling block of the level's peers.
    const out = contributionOf(scheme, tree.peerBlock(0, level) ^ 1, [0]);
    expect(Math.abs(goReferenceBytes(scheme, out, true) - both)).toBeLessThanOrEqual(tolerance);
    expect(Math.abs(goReferenceBytes(scheme, out, false) - alone)).toBeLessThanOrEqual(tolerance);
  }
});
