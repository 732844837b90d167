import { describe, expect, it } from 'vitest';
import { StateBench, type StateOptions } from '../../../test/handel.ts';
import { RecordingPort } from '../../../test/recordingPort.ts';
import { upTo } from '../../../test/sizes.ts';
import { forgetOuts } from './aggregation.ts';
import { isAtWork } from './backOff.ts';
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

  #contacted(): number | undefined {
    const sent = this.port.takeSent();
    expect(sent.length).toBeLessThanOrEqual(1);
    return sent[0]?.to;
  }
}

/** The periods, from 0 on, in which anybody was contacted. */
const contacted = (periods: readonly (number | undefined)[]): number[] =>
  periods.flatMap((to, at) => (to === undefined ? [] : [at]));

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
    expect(contacted(bench.periods(1, 1000))).toHaveLength(1000);
    expect(bench.state.levels.isQuiet(1)).toBe(false);
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
