import { describe, expect, it } from 'vitest';
import { StateBench, type StateOptions } from '../../../test/handel.ts';
import { RecordingPort } from '../../../test/recordingPort.ts';
import { upTo } from '../../../test/sizes.ts';
import { disseminate, isAnyAtWork, sendFast } from './backOff.ts';

/** State of node 0 of 16. Its peers on levels 1 to 4: 1 | 2, 3 | 4 to 7 | 8 to 15. */
class Bench extends StateBench {
  readonly port: RecordingPort;

  constructor(options: StateOptions = {}) {
    super(options);
    this.port = new RecordingPort(this.scheme);
  }

  /** Returns the levels on which a period at that time after the node's start contacts a peer. */
  period(sinceStartMs: number): number[] {
    disseminate(this.state, this.port, sinceStartMs * 1000, true);
    return this.port.takeSent().map(({ level }) => level);
  }
}

describe('disseminate', () => {
  it('v1.03 3.5.1: contacts one peer on each active level', () => {
    const bench = new Bench();
    expect(bench.period(0)).toEqual([1]);
    expect(bench.period(100)).toEqual([1, 2, 3]);
    bench.setIn(1, [1]);
    bench.setIn(2, [2, 3]);
    bench.setIn(3, [4, 5, 6, 7]);
    bench.state.levels.advanceFrontier();
    expect(bench.period(0)).toContain(4);
  });

  it('v1.03 3.5.1: continues forever if back-off is switched off', () => {
    const bench = new Bench({ config: { backOff: false } });
    for (const _ of upTo(200)) expect(bench.period(200)).toEqual([1, 2, 3, 4]);
  });

  it('asks at most one peer per period when levels are quiet', () => {
    const bench = new Bench();
    for (const _ of upTo(8)) bench.period(200);
    const asked = upTo(100).map(() => bench.period(200).length);
    expect(Math.max(...asked)).toBe(1);
    expect(asked).toContain(0);
  });
});

describe('isAnyAtWork', () => {
  it('is false when all contributions are in and every level has been reported complete', () => {
    const bench = new Bench();
    for (const level of upTo(4)) {
      const block = bench.scheme.tree.peerBlock(0, level + 1);
      bench.setIn(
        level + 1,
        upTo(bench.scheme.tree.size(block)).map((at) => bench.scheme.tree.start(block) + at),
      );
    }
    bench.state.levels.advanceFrontier();
    expect(isAnyAtWork(bench.state)).toBe(true);
    bench.period(200);
    expect(isAnyAtWork(bench.state)).toBe(false);
  });
});

describe('sendFast', () => {
  it('v1.03 3.5.1: sends a complete Out_l to a few peers of each newly complete level', () => {
    const bench = new Bench({ config: { fastPathPeers: 3 } });
    const sent = (first: number) => {
      sendFast(bench.state, bench.port, first);
      return bench.port.takeSent().map(({ to, level }) => [level, to]);
    };
    expect(sent(1)).toEqual([[1, 1]]);
    bench.setIn(1, [1]);
    bench.setIn(2, [2, 3]);
    bench.state.levels.advanceFrontier();
    expect(sent(2).map(([level]) => level)).toEqual([2, 2, 3, 3, 3]);
  });
});
