import { describe, expect, it } from 'vitest';
import { StateBench, type StateOptions } from '../../../test/handel.ts';
import { prioritisationVector } from '../../../test/priorities.ts';
import { RecordingPort } from '../../../test/recordingPort.ts';
import { sizes, upTo } from '../../../test/sizes.ts';
import { peerSet } from '../../overlay/tree.ts';
import { IndependentPriorities, ShiftedPriorities } from '../../overlay/verificationPriority.ts';
import { MessageFlag, noContribution } from '../../protocol.ts';
import { forgetOuts } from './aggregation.ts';
import { contactNext, isActive, isSilenced, listenAgain, silence } from './dissemination.ts';

class Bench extends StateBench {
  readonly port: RecordingPort;

  constructor(options: StateOptions = {}) {
    super(options);
    this.port = new RecordingPort(this.scheme);
  }

  contact(level: number, count: number): number[] {
    contactNext(this.state, this.port, level, count);
    return this.port.takeSent().map(({ to }) => to);
  }

  silence(level: number, peer: number): void {
    silence(this.state, level, peer);
  }
}

describe('isActive', () => {
  it('v1.03 3.6: a level l starts (l-1) x 50 ms after the node', () => {
    const { state } = new Bench();
    for (let level = 2; level <= 4; level++) {
      expect(isActive(state, level, (level - 1) * 50_000 - 1)).toBe(false);
      expect(isActive(state, level, (level - 1) * 50_000)).toBe(true);
    }
  });

  it('v1.03 3.5.1: or when Out_l is complete, level 1 from the start', () => {
    const bench = new Bench();
    expect(isActive(bench.state, 1, 0)).toBe(true);
    bench.setIn(1, [1]);
    bench.state.levels.advanceFrontier();
    expect(isActive(bench.state, 2, 0)).toBe(true);
    expect(isActive(bench.state, 3, 0)).toBe(false);
  });

  it('uses the configured step, and activates all levels at once with step 0', () => {
    expect(isActive(new Bench({ config: { levelStartMs: 0 } }).state, 4, 0)).toBe(true);
    const { state } = new Bench({ config: { levelStartMs: 0.5 } });
    expect([isActive(state, 4, 1499), isActive(state, 4, 1500)]).toEqual([false, true]);
  });
});

describe('contactNext', () => {
  it('v1.03 3.3: contacts one peer after the other in the order of the prioritisation vector, cyclically', () => {
    for (const nodes of sizes.filter((size) => size > 1)) {
      for (const priorities of [new ShiftedPriorities(nodes, 3), new IndependentPriorities(nodes, 3)]) {
        for (const id of [0, nodes - 1]) {
          const bench = new Bench({ nodes, id, priorities });
          for (let level = 1; level <= bench.state.levels.count; level++) {
            const { tree } = bench.scheme;
            const peers = tree.peerBlock(id, level);
            const vector = prioritisationVector(priorities, id, peers);
            const twice = upTo(2 * tree.size(peers)).flatMap(() => bench.contact(level, 1));
            expect(twice).toEqual([...vector, ...vector]);
          }
        }
      }
    }
  });

  it('v1.03 3.5.1: contacts several peers at once without a duplicate, and all of a smaller level', () => {
    for (const nodes of sizes.filter((size) => size > 1)) {
      const bench = new Bench({ nodes, priorities: new ShiftedPriorities(nodes, 8) });
      for (let level = 1; level <= bench.state.levels.count; level++) {
        const { start, end } = peerSet(0, level, nodes);
        for (const _ of upTo(3)) {
          const contacted = bench.contact(level, 10);
          expect(contacted.length).toBe(Math.min(10, end - start));
          expect(new Set(contacted).size).toBe(contacted.length);
          expect(contacted.every((peer) => peer >= start && peer < end)).toBe(true);
        }
      }
    }
  });

  it('continues behind the peers that the fast path contacted', () => {
    const bench = new Bench({ nodes: 64 });
    expect(bench.contact(6, 10)).toEqual([32, 33, 34, 35, 36, 37, 38, 39, 40, 41]);
    expect(bench.contact(6, 1)).toEqual([42]);
  });

  it('v1.03 3.5: sends Out_l and In_0, once if they are equal', () => {
    const bench = new Bench();
    contactNext(bench.state, bench.port, 1, 1);
    contactNext(bench.state, bench.port, 2, 1);
    bench.setIn(1, [1]);
    forgetOuts(bench.state, 1);
    contactNext(bench.state, bench.port, 2, 1);
    contactNext(bench.state, bench.port, 3, 1);
    expect(bench.port.takeSent()).toMatchObject([
      { to: 1, level: 1, signers: [0], individual: noContribution },
      { to: 2, level: 2, signers: [0], individual: noContribution },
      { to: 3, level: 2, signers: [0, 1], individual: bench.individual(0) },
      { to: 4, level: 3, signers: [0, 1], individual: bench.individual(0) },
    ]);
  });

  it('v1.03 6: sets the flag if it has the level complete', () => {
    const bench = new Bench();
    bench.setIn(2, [2]);
    contactNext(bench.state, bench.port, 2, 1);
    bench.setIn(2, [2, 3]);
    contactNext(bench.state, bench.port, 2, 1);
    contactNext(bench.state, bench.port, 3, 1);
    expect(bench.port.takeSent().map(({ flags }) => flags)).toEqual([0, MessageFlag.levelReceived, 0]);
  });

  it('v1.03 6: does not contact a peer that reported the level complete', () => {
    const bench = new Bench();
    for (const peer of [8, 10, 15]) bench.silence(4, peer);
    expect(upTo(10).flatMap(() => bench.contact(4, 1))).toEqual([9, 11, 12, 13, 14, 9, 11, 12, 13, 14]);
    expect(bench.contact(4, 10).sort((a, b) => a - b)).toEqual([9, 11, 12, 13, 14]);
  });

  it('contacts no peer if none listens, nor on an empty level', () => {
    const bench = new Bench({ nodes: 13, form: 'packed', id: 12 });
    expect(bench.contact(1, 10)).toEqual([]);
    for (const peer of [8, 9, 10]) bench.silence(3, peer);
    expect(bench.contact(3, 10)).toEqual([11]);
    bench.silence(3, 11);
    expect(bench.contact(3, 10)).toEqual([]);
  });

  it('contacts no peer with a fast path of 0', () => {
    const bench = new Bench();
    expect(bench.contact(4, 0)).toEqual([]);
    expect(bench.contact(4, 1)).toEqual([8]);
  });
});

describe('silencing', () => {
  it('v1.03 6: silences a peer once, on levels of up to 32 peers and on larger ones', () => {
    for (const level of [1, 4, 6, 7]) {
      const { state } = new StateBench({ nodes: 128, id: 0 });
      const first = 2 ** (level - 1);
      const peers = upTo(first).map((index) => first + index);
      const silenced = peers.filter((peer) => peer % 3 === 1);
      for (const peer of [...silenced, ...silenced]) silence(state, level, peer);
      expect(peers.filter((peer) => isSilenced(state, level, peer))).toEqual(silenced);
      expect(state.levels.silencedCount(level)).toBe(silenced.length);
    }
  });

  it('is reversible and counted', () => {
    for (const level of [4, 7]) {
      const { state } = new StateBench({ nodes: 128, id: 0 });
      const first = 2 ** (level - 1);
      for (const peer of [first, first + 1]) silence(state, level, peer);
      for (const _ of [1, 2]) listenAgain(state, level, first);
      expect([first, first + 1].map((peer) => isSilenced(state, level, peer))).toEqual([false, true]);
      expect(state.levels.silencedCount(level)).toBe(1);
      silence(state, level, first);
      expect(state.levels.silencedCount(level)).toBe(2);
    }
  });
});
