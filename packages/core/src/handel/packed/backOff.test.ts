import { describe, expect, it } from 'vitest';
import { StateBench, type StateOptions } from '../../../test/handel.ts';
import { RecordingPort } from '../../../test/recordingPort.ts';
import { upTo } from '../../../test/sizes.ts';
import { backOffRule } from '../config.ts';
import { forgetOuts } from './aggregation.ts';
import { askNext, isAtWork } from './backOff.ts';
import { silence } from './dissemination.ts';
import { PeerFact } from './peers.ts';
import { disseminateOn } from './periodic.ts';

/** The state of node 0 of 16. Its peers: 1 | 2, 3 | 4 to 7 | 8 to 15. */
class Bench extends StateBench {
  readonly port: RecordingPort;

  constructor(options: StateOptions = {}) {
    super(options);
    this.port = new RecordingPort(this.scheme);
  }

  /** Whom each of so many periods contacts on a level; undefined for nobody. */
  periods(level: number, count: number, hasOutput = true): (number | undefined)[] {
    return upTo(count).map(() => {
      disseminateOn(this.state, this.port, level, hasOutput);
      return this.#contacted();
    });
  }

  /** The same with the question at the end of each period, of a node that has its output or none. */
  asking(levels: readonly number[], count: number, hasOutput = true): (number | undefined)[] {
    return upTo(count).map(() => {
      for (const level of levels) disseminateOn(this.state, this.port, level, hasOutput);
      askNext(this.state, this.port, hasOutput);
      return this.#contacted();
    });
  }

  #contacted(): number | undefined {
    const sent = this.port.takeSent();
    expect(sent.length).toBeLessThanOrEqual(1);
    return sent[0]?.to;
  }
}

/** The periods, from 0 on, in which anybody was contacted. */
const contacted = (periods: readonly (number | undefined)[]): number[] =>
  periods.flatMap((to, at) => (to === undefined ? [] : [at]));

const gaps = (periods: readonly number[]): number[] => periods.slice(1).map((period, at) => period - periods[at]!);

describe('disseminateOn', () => {
  it('tells what is new 8 times, however large the level, and once where the node has the level complete', () => {
    const large = new Bench({ nodes: 128 });
    expect(contacted(large.periods(7, 64))).toEqual(upTo(8));
    expect(large.state.levels.isQuiet(7)).toBe(true);
    const bench = new Bench();
    bench.periods(4, 7);
    expect(bench.state.levels.isQuiet(4)).toBe(false);
    bench.periods(4, 1);
    bench.setIn(3, [4, 5, 6, 7]);
    bench.periods(3, 1);
    expect([3, 4].map((level) => bench.state.levels.isQuiet(level))).toEqual([true, true]);
    expect(contacted(bench.periods(3, 1000))).toEqual([]);
  });

  it('tells every listening peer once where the node has no output and lacks more than half of the level', () => {
    const having = (count: number) => {
      const bench = new Bench({ nodes: 128 });
      bench.setIn(
        7,
        upTo(count).map((at) => 64 + at),
      );
      return bench;
    };
    expect(contacted(having(31).periods(7, 100, false))).toEqual(upTo(64));
    expect(contacted(having(31).periods(7, 100, true))).toEqual(upTo(8));
    expect(contacted(having(32).periods(7, 100, false))).toEqual(upTo(8));
  });

  it('tells every listening peer once, and at least 16 times in all, where the node has caught a liar and has no output', () => {
    const caught = (nodes: number) => {
      const bench = new Bench({ nodes });
      bench.state.peers.add(1, PeerFact.blacklisted);
      return bench;
    };
    expect(contacted(caught(128).periods(7, 100, false))).toEqual(upTo(64));
    expect(contacted(caught(128).periods(7, 100, true))).toEqual(upTo(8));
    expect(contacted(caught(16).periods(2, 100, false))).toEqual(upTo(16));
  });

  it('tells again when Out_l is a new one, and so on all levels above', () => {
    const bench = new Bench();
    for (const level of [1, 2, 3]) bench.periods(level, 100);
    bench.setIn(1, [1]);
    forgetOuts(bench.state, 1);
    expect([1, 2, 3].map((level) => bench.state.levels.isQuiet(level))).toEqual([true, false, false]);
  });

  it('does nothing on an empty level', () => {
    const bench = new Bench({ nodes: 13, form: 'packed', id: 12 });
    expect(contacted(bench.periods(1, 100))).toEqual([]);
  });

  it('v1.03 3.5.1: contacts a peer every period, forever, where it is switched off', () => {
    const bench = new Bench({ config: { backOff: false } });
    bench.setIn(1, [1]);
    expect(contacted(bench.asking([1], 1000))).toHaveLength(1000);
    expect(bench.state.levels.isQuiet(1)).toBe(false);
  });
});

describe('askNext', () => {
  it('asks with an output only peers that it lacks, in the order of the vector, whether they listen or not', () => {
    const bench = new Bench();
    bench.setIn(4, [8, 9, 10, 12, 14, 15]);
    silence(bench.state, 4, 13);
    bench.periods(4, 8);
    expect(new Set(bench.asking([4], 200))).toEqual(new Set([undefined, 11, 13]));
  });

  it('asks without an output any peer', () => {
    const bench = new Bench();
    bench.setIn(4, [8, 9, 10, 12, 14, 15]);
    bench.periods(4, 8);
    expect(new Set(bench.asking([4], 1000, false))).toEqual(new Set([undefined, 8, 9, 10, 11, 12, 13, 14, 15]));
  });

  it('lets as many periods pass before a level first asks as it has levels below it, and itself', () => {
    for (const level of [1, 2, 3, 4]) {
      const bench = new Bench();
      bench.periods(level, 8);
      expect(contacted(bench.asking([level], 10))[0]).toBe(level - 1);
    }
  });

  it('asks one peer again after 8 periods, then at gaps that double, up to 32', () => {
    const bench = new Bench();
    bench.setIn(4, [8, 9, 10, 11, 12, 14, 15]);
    bench.periods(4, 8);
    expect(gaps(contacted(bench.asking([4], 400)))).toEqual([8, 8, 8, 16, ...upTo(11).map(() => 32)]);
    expect(backOffRule.longestGap).toBe(32);
  });

  it('asks on the quiet levels in turn, at gaps from 2 periods on, and as at first once it has learnt something', () => {
    const bench = new Bench({ nodes: 64 });
    const { tree } = bench.scheme;
    for (const level of [4, 5, 6]) bench.periods(level, 8);
    const asked = bench.asking([4, 5, 6], 300);
    const turns = asked.flatMap((to) => (to === undefined ? [] : [tree.levelBetween(0, to)]));
    expect(turns.slice(0, 6)).toEqual([4, 5, 6, 4, 5, 6]);
    expect(gaps(contacted(asked)).slice(0, 7)).toEqual([2, 4, 8, 16, 32, 32, 32]);
    bench.setIn(5, [17]);
    expect(gaps(contacted(bench.asking([4, 5, 6], 10)))).toEqual([2, 4]);
  });

  it('asks without an output, after three questions in vain, every other time where it lacks the most, at gaps that double half as fast', () => {
    const bench = new Bench({ nodes: 64 });
    const { tree } = bench.scheme;
    for (const level of [3, 4, 5]) bench.periods(level, 16, false);
    bench.setIn(
      5,
      upTo(15).map((at) => 16 + at),
    );
    const asked = bench.asking([3, 4, 5], 300, false);
    const levels = asked.flatMap((to) => (to === undefined ? [] : [tree.levelBetween(0, to)]));
    expect(levels.slice(0, 12)).toEqual([3, 4, 5, 4, 3, 4, 4, 4, 5, 4, 3, 4]);
    expect(gaps(contacted(asked)).slice(0, 9)).toEqual([2, 4, 8, 8, 16, 16, 32, 32, 32]);
  });

  it('asks nobody who lied, and nobody at all where only liars are left', () => {
    const bench = new Bench();
    bench.setIn(4, [8, 9, 10, 11, 12, 13]);
    bench.state.peers.add(14, PeerFact.blacklisted);
    bench.periods(4, 8);
    expect(new Set(bench.asking([4], 40))).toEqual(new Set([15, undefined]));
    bench.state.peers.add(15, PeerFact.blacklisted);
    expect(contacted(bench.asking([4], 200))).toEqual([]);
  });

  it('asks at once where nobody listens any more but something is lacking', () => {
    const bench = new Bench();
    for (const peer of [2, 3]) silence(bench.state, 2, peer);
    expect(contacted(bench.asking([2], 4))).toEqual([2]);
  });

  it('has no flag on a question: it is asked for want of something', () => {
    const bench = new Bench();
    bench.periods(1, 9);
    askNext(bench.state, bench.port, true);
    expect(bench.port.takeSent()).toMatchObject([{ to: 1, signers: [0], flags: 0 }]);
  });
});

describe('isAtWork', () => {
  it('holds while there is somebody to tell or something to ask for', () => {
    const bench = new Bench();
    const { state } = bench;
    expect(isAtWork(state, 2)).toBe(true);
    bench.periods(2, 8);
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
