import { describe, expect, it } from 'vitest';
import { StateBench, type StateOptions } from '../../test/handel.ts';
import { RecordingPort } from '../../test/recordingPort.ts';
import { upTo } from '../../test/sizes.ts';
import { forgetOuts } from './aggregation.ts';
import { disseminate, isAtWork, longestGap } from './backOff.ts';
import { PeerFact } from './peers.ts';
import { silence } from './silence.ts';

/** The state of node 0 of 16. Its peers: 1 | 2, 3 | 4 to 7 | 8 to 15. */
class Bench extends StateBench {
  readonly port: RecordingPort;

  constructor(options: StateOptions = {}) {
    super(options);
    this.port = new RecordingPort(this.scheme);
  }

  /** Whom each of so many periods contacts on a level; undefined for nobody. */
  periods(level: number, count: number, hasOutput = false): (number | undefined)[] {
    return upTo(count).map(() => {
      disseminate(this.state, this.port, level, hasOutput);
      const sent = this.port.takeSent();
      expect(sent.length).toBeLessThanOrEqual(1);
      return sent[0]?.to;
    });
  }
}

/** The periods, from 0 on, in which anybody was contacted. */
const contacted = (periods: readonly (number | undefined)[]): number[] =>
  periods.flatMap((to, at) => (to === undefined ? [] : [at]));

const gaps = (periods: readonly number[]): number[] => periods.slice(1).map((period, at) => period - periods[at]!);

describe('disseminate', () => {
  it('tells every listening peer once, and at least 16 times in all, while the node has no output', () => {
    const large = new Bench({ nodes: 128 });
    expect(contacted(large.periods(7, 64))).toEqual(upTo(64));
    expect(large.state.levels.isQuiet(7)).toBe(true);
    const small = new Bench();
    small.periods(2, 15);
    expect(small.state.levels.isQuiet(2)).toBe(false);
    small.periods(2, 1);
    expect(small.state.levels.isQuiet(2)).toBe(true);
  });

  it('tells what is new 8 times where the node has its output, and once where it has the level complete', () => {
    const bench = new Bench();
    bench.periods(4, 7, true);
    expect(bench.state.levels.isQuiet(4)).toBe(false);
    bench.periods(4, 1, true);
    bench.setIn(3, [4, 5, 6, 7]);
    bench.periods(3, 1);
    expect([3, 4].map((level) => bench.state.levels.isQuiet(level))).toEqual([true, true]);
    expect(contacted(bench.periods(3, 1000))).toEqual([]);
  });

  it('asks then only peers that it lacks, in the order of the prioritisation vector, whether they listen or not', () => {
    const bench = new Bench();
    bench.setIn(4, [8, 9, 10, 12, 14, 15]);
    silence(bench.state, 4, 13);
    bench.periods(4, 8, true);
    expect(bench.periods(4, 12).filter((to) => to !== undefined)).toEqual([11, 13]);
  });

  it('lets as many periods pass before it first asks as its level has below it, and itself', () => {
    for (const level of [1, 2, 3, 4]) {
      const bench = new Bench();
      bench.periods(level, 8, true);
      expect(contacted(bench.periods(level, 10))[0]).toBe(level);
    }
  });

  it('asks one peer again after 8 periods, then at gaps that double, up to 64', () => {
    const bench = new Bench();
    bench.setIn(4, [8, 9, 10, 11, 12, 14, 15]);
    bench.periods(4, 8, true);
    expect(gaps(contacted(bench.periods(4, 400)))).toEqual([8, 16, 32, 64, 64, 64, 64, 64]);
    expect(longestGap).toBe(64);
  });

  it('asks each of many in the first round in as many periods as they are, then at gaps that double', () => {
    const bench = new Bench({ nodes: 64 });
    bench.periods(6, 8, true);
    bench.periods(6, 6);
    const asked = bench.periods(6, 32);
    expect(new Set(asked).size).toBe(32);
    const later = gaps(contacted(bench.periods(6, 20_000)));
    expect(new Set(later.slice(1))).toEqual(new Set([2, 4, 8, 16, 32, 64]));
    expect(later.at(-1)).toBe(longestGap);
  });

  it('asks nobody who lied, and nobody at all where only liars are left', () => {
    const bench = new Bench();
    bench.setIn(4, [8, 9, 10, 11, 12, 13]);
    bench.state.peers.add(14, PeerFact.blacklisted);
    bench.periods(4, 8, true);
    expect(new Set(bench.periods(4, 40))).toEqual(new Set([15, undefined]));
    bench.state.peers.add(15, PeerFact.blacklisted);
    expect(contacted(bench.periods(4, 200))).toEqual([]);
  });

  it('tells again when Out_l is a new one, and so on all levels above', () => {
    const bench = new Bench();
    for (const level of [1, 2, 3]) bench.periods(level, 100, true);
    bench.setIn(1, [1]);
    forgetOuts(bench.state, 1);
    expect([1, 2, 3].map((level) => bench.state.levels.isQuiet(level))).toEqual([true, false, false]);
  });

  it('asks at once where nobody listens any more but something is lacking', () => {
    const bench = new Bench();
    for (const peer of [2, 3]) silence(bench.state, 2, peer);
    expect(contacted(bench.periods(2, 4))).toEqual([3]);
  });

  it('has no flag on a question: it is asked for want of something', () => {
    const bench = new Bench();
    bench.periods(1, 9, true);
    disseminate(bench.state, bench.port, 1, true);
    expect(bench.port.takeSent()).toMatchObject([{ to: 1, signers: [0], flags: 0 }]);
  });

  it('does nothing on an empty level', () => {
    const bench = new Bench({ nodes: 13, form: 'packed', id: 12 });
    expect(contacted(bench.periods(1, 100))).toEqual([]);
  });

  it('v1.03 3.5.1: contacts a peer every period, forever, where it is switched off', () => {
    const bench = new Bench({ config: { backOff: false } });
    bench.setIn(1, [1]);
    expect(contacted(bench.periods(1, 1000, true))).toHaveLength(1000);
    expect(bench.state.levels.isQuiet(1)).toBe(false);
  });
});

describe('isAtWork', () => {
  it('holds while there is somebody to tell or something to ask for', () => {
    const bench = new Bench();
    const { state } = bench;
    expect(isAtWork(state, 2)).toBe(true);
    bench.periods(2, 8, true);
    expect(isAtWork(state, 2)).toBe(true);
    bench.setIn(2, [2, 3]);
    expect(isAtWork(state, 2)).toBe(false);
    state.levels.endQuiet(2);
    expect(isAtWork(state, 2)).toBe(true);
    for (const peer of [2, 3]) silence(state, 2, peer);
    expect(isAtWork(state, 2)).toBe(false);
  });

  it('never holds on an empty level', () => {
    const { state } = new Bench({ nodes: 13, form: 'packed', id: 12 });
    expect([1, 2, 3].map((level) => isAtWork(state, level))).toEqual([false, false, true]);
  });

  it('v1.03 6: holds until all have said that they have the level, where it is switched off', () => {
    const { state } = new Bench({ config: { backOff: false } });
    silence(state, 2, 2);
    expect(isAtWork(state, 2)).toBe(true);
    silence(state, 2, 3);
    expect(isAtWork(state, 2)).toBe(false);
  });
});
