import { describe, expect, it } from 'vitest';
import { StateBench, type StateOptions } from '../../../test/handel.ts';
import { RecordingPort } from '../../../test/recordingPort.ts';
import { upTo } from '../../../test/sizes.ts';
import { MessageFlag } from '../../protocol.ts';
import { backOffRule } from '../config.ts';
import { answerImprovement, askInTurn, countUseless, isAtWork, noteAsker, reply, startOver } from './backOff.ts';
import { disseminateOn } from './dissemination.ts';
import { silence } from './messages.ts';
import { PeerFact } from './peers.ts';

/** State of node 0 of 16. Peers of node 0 on levels 1 to 4: 1 | 2, 3 | 4 to 7 | 8 to 15. */
class Bench extends StateBench {
  readonly port: RecordingPort;

  constructor(options: StateOptions = {}) {
    super(options);
    this.port = new RecordingPort(this.scheme);
  }

  /** Returns the peer that a level contacts in each of `count` periods, or undefined if the level contacts no peer. */
  periods(level: number, count: number, hasOutput = true, sinceStartUs = longAfter): (number | undefined)[] {
    return upTo(count).map(() => {
      disseminateOn(this.state, this.port, level, sinceStartUs, hasOutput);
      const sent = this.port.takeSent();
      expect(sent.length).toBeLessThanOrEqual(1);
      return sent[0]?.to;
    });
  }

  quietLevels(): number[] {
    return [1, 2, 3, 4].filter((level) => this.state.levels.isQuiet(level));
  }

  /** Makes the given levels quiet, with no periods left to wait. */
  quiet(...levels: number[]): this {
    for (const level of levels) this.state.levels.fallQuiet(level, 0);
    return this;
  }

  /** Returns the messages that a node with an output sends at the end of each of `count` periods. */
  turns(count: number): { readonly to: number; readonly flags: number }[][] {
    return upTo(count).map(() => {
      this.state.levels.addCredit(2);
      askInTurn(this.state, this.port);
      return this.port.takeSent().map(({ to, flags }) => ({ to, flags }));
    });
  }
}

/** Time since a node's start, microseconds, that is long enough not to limit any wait. */
const longAfter = 1e9;

const contacted = (periods: readonly (number | undefined)[]): number[] =>
  periods.flatMap((to, at) => (to === undefined ? [] : [at]));

const gaps = (periods: readonly number[]): number[] => periods.slice(1).map((period, at) => period - periods[at]!);

describe('disseminateOn', () => {
  it('sends new contributions 8 times on a level of any size, and once if the node has the level complete', () => {
    const large = new Bench({ nodes: 128 });
    expect(contacted(large.periods(7, 64))).toEqual(upTo(8));
    expect(large.state.levels.isQuiet(7)).toBe(true);
    const bench = new Bench();
    bench.setIn(3, [4, 5, 6, 7]);
    bench.periods(4, 7);
    bench.periods(3, 1);
    expect(bench.quietLevels()).toEqual([3]);
    bench.periods(4, 1);
    expect(bench.quietLevels()).toEqual([3, 4]);
    expect(contacted(bench.periods(3, 1000))).toEqual([]);
  });

  it('sends once to every listening peer if the node has no output and lacks more than half of the level', () => {
    const having = (count: number) => {
      const bench = new Bench({ nodes: 128 });
      bench.setIn(7, upTo(64 + count).slice(64));
      return bench;
    };
    expect(contacted(having(31).periods(7, 64 + 6, false))).toEqual(upTo(64));
    expect(contacted(having(31).periods(7, 100, true))).toEqual(upTo(8));
    expect(contacted(having(32).periods(7, 8 + 6, false))).toEqual(upTo(8));
  });

  it('sends once to every listening peer, at least 16 times in total, if the node has blacklisted a peer and has no output', () => {
    const caught = (nodes: number) => {
      const bench = new Bench({ nodes });
      bench.state.peers.add(1, PeerFact.blacklisted);
      return bench;
    };
    expect(contacted(caught(128).periods(7, 64 + 6, false))).toEqual(upTo(64));
    expect(contacted(caught(128).periods(7, 100, true))).toEqual(upTo(8));
    expect(contacted(caught(16).periods(2, 16 + 1, false))).toEqual(upTo(16));
  });

  it('v1.03 3.5.1: contacts a peer in every period, forever, if back-off is switched off', () => {
    const bench = new Bench({ config: { backOff: false } });
    bench.setIn(1, [1]);
    expect(contacted(bench.periods(1, 1000))).toHaveLength(1000);
  });
});

describe('a quiet level of a node without an output', () => {
  it.each([
    [1, 0, 2, [4]],
    [7, 0, 2, [4]],
    [8, 0, 1, [4]],
    [63, 0, 1, [4]],
    [64, 0, 2, [4]],
    [7, 3, 10, [4]],
    [30, 3, 1, [4]],
    [10, 4, 20, [4]],
    [10, 4, 26, [3, 4]],
    [9, 8, 60, [2, 3, 4]],
  ])('after %i questions with %i useless answers, waits %i periods if %j are quiet', (asked, useless, wait, quiet) => {
    // The wait is 1 period, doubled 12 u (u / (a + 3))^2 + (a - u) / 64 times and interpolated between whole
    // doublings. It is at least 2 periods after each of the first 7 questions, and at most 20 periods per quiet
    // level.
    const bench = new Bench().quiet(...quiet);
    for (const _ of upTo(asked - 1)) bench.state.levels.countQuestion(4);
    for (const _ of upTo(useless)) countUseless(bench.state, 4);
    expect(gaps(contacted(bench.periods(4, 200, false)))[0]).toBe(wait);
  });
});

it('a quiet level doubles its wait after 3 unanswered questions per missing contribution, if that exceeds 64', () => {
  const waitAfter = (asked: number) => {
    const bench = new Bench({ nodes: 128 }).quiet(7);
    for (const _ of upTo(asked - 1)) bench.state.levels.countQuestion(7);
    return gaps(contacted(bench.periods(7, 200, false)))[0];
  };
  expect([191, 192].map(waitAfter)).toEqual([1, 2]);
});

describe('a node with an output', () => {
  const sends = (turns: readonly { readonly to: number }[][]) => turns.map((sent) => sent.map(({ to }) => to));
  const times = (turns: readonly unknown[][]) => turns.flatMap((sent, at) => (sent.length === 0 ? [] : [at]));

  it('asks in turn, at pauses that double from 2 periods up to longestPause, and as at first after it learns something', () => {
    const bench = new Bench({ nodes: 64 }).quiet(4, 5, 6);
    const turns = bench.turns(200);
    const { tree } = bench.scheme;
    const levels = sends(turns).flatMap((sent) => sent.map((to) => tree.levelBetween(0, to)));
    expect(levels.slice(0, 6)).toEqual([4, 5, 6, 4, 5, 6]);
    expect(gaps(times(turns))).toEqual([2, 4, 8, 16, ...upTo(5).map(() => backOffRule.longestPause)]);
    startOver(bench.state, true);
    expect(gaps(times(bench.turns(7)))).toEqual([2, 4]);
  });

  it('v1.03 3.5.1: neither asks, nor sends, nor answers if back-off is switched off', () => {
    const bench = new Bench({ config: { backOff: false } }).quiet(4);
    noteAsker(bench.state, 3, 5, true);
    answerImprovement(bench.state, bench.port, 3, 5);
    expect([bench.port.takeSent(), bench.turns(10).flat(), bench.state.levels.lastAsker]).toEqual([[], [], -1]);
  });
});

describe('the credit of quiet levels', () => {
  it('allows as many answers as quiet levels skip periods, and no more', () => {
    const bench = new Bench().quiet(3, 4);
    const { state, port } = bench;
    bench.setIn(3, [4, 5, 6, 7]);
    for (const _ of upTo(5)) expect([bench.periods(3, 1), bench.periods(4, 1)]).toEqual([[undefined], [undefined]]);
    for (const _ of upTo(30)) reply(state, port, 4, 9);
    expect(port.takeSent().map(({ to, flags }) => ({ to, flags }))).toEqual(
      upTo(10).map(() => ({ to: 9, flags: MessageFlag.answer })),
    );
    expect(state.levels.credit).toBe(0);
  });

  it('without credit, an asked level contacts one peer at the end of the period, as without back-off, for any number of questions', () => {
    const bench = new Bench().quiet(3);
    bench.setIn(3, [4, 5, 6, 7]);
    for (const _ of upTo(9)) reply(bench.state, bench.port, 3, 5);
    expect(bench.port.takeSent()).toEqual([]);
    expect(isAtWork(bench.state, 3)).toBe(true);
    expect(contacted(bench.periods(3, 5))).toEqual([0]);
    expect(isAtWork(bench.state, 3)).toBe(false);
  });
});

it('v1.03 6: isAtWork is true until all peers have reported the level complete, if back-off is switched off', () => {
  const { state } = new Bench({ config: { backOff: false } });
  silence(state, 2, 2);
  expect(isAtWork(state, 2)).toBe(true);
  silence(state, 2, 3);
  expect(isAtWork(state, 2)).toBe(false);
});
