import { describe, expect, it } from 'vitest';
import { sizes, upTo } from '../../../test/sizes.ts';
import { type Branching, peerSet, Tree, type TreeForm } from '../../overlay/tree.ts';
import { noContribution } from '../../protocol.ts';
import { maxAsked, maxCredit, maxUseless, maxWait } from '../config.ts';
import { Levels } from './levels.ts';

function make(nodes: number, id: number, form?: TreeForm, branching?: Branching): Levels {
  return new Levels(new Tree(nodes, form, branching), id, 16);
}

/** Makes a level complete. */
function complete(levels: Levels, level: number): void {
  levels.setIn(level, 1, levels.size(level));
}

describe('Levels', () => {
  it('v1.03 3.4: begins with empty In_l, the whole window and the size of each peer set', () => {
    for (const nodes of sizes) {
      for (const id of [0, nodes - 1]) {
        const levels = make(nodes, id);
        for (let level = 1; level <= levels.count; level++) {
          const { start, end } = peerSet(id, level, nodes);
          expect(levels.size(level)).toBe(end - start);
          expect(levels.window(level)).toBe(16);
          expect([levels.in(level), levels.inWeight(level), levels.out(level)]).toEqual([
            noContribution,
            0,
            noContribution,
          ]);
          expect([levels.inComplete(level), levels.silencedCount(level)]).toEqual([false, 0]);
        }
        expect(levels.totalWeight()).toBe(1);
      }
    }
  });

  it('v1.03 3.4: has In_l complete when it contains all peers of the level, never on an empty level', () => {
    const levels = make(13, 12, 'packed');
    expect(upTo(4).map((index) => levels.size(index + 1))).toEqual([0, 0, 4, 8]);
    levels.setIn(3, 1, 3);
    expect(levels.inComplete(3)).toBe(false);
    levels.setIn(3, 1, 4);
    expect(levels.inComplete(3)).toBe(true);
    expect(levels.inComplete(1) || levels.inComplete(2)).toBe(false);
  });

  it('v1.03 3.4: has Out_l complete when all levels below are complete, in any order', () => {
    const levels = make(16, 0);
    const outs = (): boolean[] => upTo(5).map((index) => levels.outComplete(index + 1));
    expect(outs()).toEqual([true, false, false, false, false]);
    complete(levels, 2);
    levels.advanceFrontier();
    expect(outs()).toEqual([true, false, false, false, false]);
    complete(levels, 1);
    levels.advanceFrontier();
    expect(outs()).toEqual([true, true, true, false, false]);
    expect(levels.frontier).toBe(3);
    complete(levels, 3);
    complete(levels, 4);
    levels.advanceFrontier();
    expect(outs()).toEqual([true, true, true, true, true]);
    expect(levels.frontier).toBe(5);
    expect(levels.totalWeight()).toBe(16);
  });

  it('v1.03 6: has Out complete on a whole tier at once, when all levels of the tiers below are', () => {
    const levels = make(16, 0, 'spread', 4);
    const outs = (): string =>
      upTo(7)
        .map((index) => (levels.outComplete(index + 1) ? 1 : 0))
        .join('');
    expect(outs()).toBe('1110000');
    for (const level of [3, 1]) {
      complete(levels, level);
      levels.advanceFrontier();
      expect(outs()).toBe('1110000');
    }
    complete(levels, 2);
    levels.advanceFrontier();
    expect(outs()).toBe('1111110');
    for (const level of [4, 5, 6]) complete(levels, level);
    levels.advanceFrontier();
    expect(outs()).toBe('1111111');
  });

  it('skips empty levels: the last of 17 packed nodes has Out_5 complete from the start', () => {
    const levels = make(17, 16, 'packed');
    expect(levels.frontier).toBe(5);
    expect(levels.outComplete(5)).toBe(true);
    expect(levels.outComplete(6)).toBe(false);
  });

  it('skips empty levels between others', () => {
    // Node 8 of 11 in a packed tree. Its peers: 9 on level 1, 10 on level 2, none on level 3, 0 to 7 on level 4.
    const levels = make(11, 8, 'packed');
    expect(upTo(4).map((index) => levels.size(index + 1))).toEqual([1, 1, 0, 8]);
    complete(levels, 1);
    complete(levels, 2);
    levels.advanceFrontier();
    expect(levels.frontier).toBe(4);
  });

  it('has no levels for one node, and is complete', () => {
    const levels = make(1, 0);
    expect([levels.count, levels.frontier, levels.totalWeight()]).toEqual([0, 1, 1]);
  });

  it("iterates cyclically over the positions of each level's vector", () => {
    const levels = make(16, 0);
    expect(upTo(6).map(() => levels.takePlace(2, 2))).toEqual([0, 1, 0, 1, 0, 1]);
    expect(upTo(10).map(() => levels.takePlace(4, 8))).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 0, 1]);
    expect(upTo(2).map(() => levels.takePlace(1, 1))).toEqual([0, 0]);
  });

  it('stores the pending sends of a level next to its position, and a credit of messages up to maxCredit', () => {
    const levels = make(16, 0);
    levels.setOwes(4, true);
    expect(upTo(10).map(() => levels.takePlace(4, 8))).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 0, 1]);
    expect([levels.owes(3), levels.owes(4), levels.cursor(4)]).toEqual([false, true, 2]);
    levels.setCursor(4, 7);
    levels.setOwes(4, false);
    expect([levels.owes(4), levels.cursor(4)]).toEqual([false, 7]);
    levels.addCredit(maxCredit - 1);
    levels.addCredit(5);
    expect(levels.credit).toBe(maxCredit);
    levels.addCredit(-1);
    expect([levels.credit, levels.frontier, levels.lastAsker]).toEqual([maxCredit - 1, 1, -1]);
  });

  it('counts contacts per level until Out_l changes', () => {
    const levels = make(16, 0);
    expect(upTo(3).map(() => levels.countContact(2))).toEqual([1, 2, 3]);
    expect([levels.isQuiet(1), levels.countContact(1)]).toEqual([false, 1]);
    levels.fallQuiet(2, 0);
    expect([levels.isQuiet(1), levels.isQuiet(2)]).toEqual([false, true]);
    levels.endQuiet(2);
    expect([levels.isQuiet(2), levels.countContact(2), levels.quiet(2)]).toEqual([false, 1, 1]);
  });

  it('skips the given number of periods on a quiet level before it may ask', () => {
    const levels = make(16, 0);
    expect([levels.passPeriod(2), levels.mayAsk(2), levels.isAnyAsking()]).toEqual([false, false, false]);
    for (const periods of [0, 1, 3, 40]) {
      levels.fallQuiet(2, periods);
      let passed = 0;
      for (; !levels.mayAsk(2); passed++) {
        expect(levels.isAnyAsking()).toBe(false);
        expect(levels.passPeriod(2)).toBe(true);
      }
      expect([passed, levels.isQuiet(2), levels.isAnyAsking()]).toEqual([periods, true, true]);
      expect([levels.passPeriod(2), levels.mayAsk(2)]).toEqual([true, true]);
    }
  });

  it.each([1, 2, 4])('reports that an incomplete level asks, including the first and the last: %i', (level) => {
    const levels = make(16, 0);
    levels.fallQuiet(level, 0);
    expect(levels.isAnyAsking()).toBe(true);
    levels.setIn(level, 1, levels.size(level));
    expect(levels.isAnyAsking()).toBe(false);
  });

  it('counts questions, useless answers and the wait of a quiet level, each up to its maximum, independently', () => {
    const levels = make(16, 0);
    levels.fallQuiet(3, 5);
    for (const _ of upTo(maxAsked + 2)) levels.countQuestion(3);
    for (const _ of upTo(maxUseless + 2)) levels.countUseless(3);
    levels.setWait(3, maxWait);
    expect([levels.asked(3), levels.useless(3), levels.mayAsk(3)]).toEqual([maxAsked, maxUseless, false]);
    expect(upTo(maxWait).map(() => levels.passPeriod(3))).not.toContain(false);
    expect([levels.mayAsk(3), levels.passPeriod(3), levels.mayAsk(3)]).toEqual([true, true, true]);
    expect([levels.asked(3), levels.useless(3), levels.asked(4), levels.isQuiet(4)]).toEqual([
      maxAsked,
      maxUseless,
      0,
      false,
    ]);
  });

  it('counts turns, with parity beyond its maximum, and pauses between them, until the node learns something', () => {
    const levels = make(16, 0);
    expect([levels.questions, levels.askedLevel, levels.passPause()]).toEqual([0, 0, false]);
    for (const count of upTo(20)) {
      levels.countTurn(3, 63);
      expect(levels.questions).toBe(count < 15 ? count + 1 : 14 + ((count + 1) % 2));
    }
    expect(levels.askedLevel).toBe(3);
    expect(upTo(70).filter(() => levels.passPause()).length).toBe(63);
    levels.countTurn(4, 63);
    levels.endPause();
    expect([levels.questions, levels.askedLevel, levels.passPause()]).toEqual([0, 4, false]);
  });

  it('remembers the last peer that asked, also with id 0', () => {
    const levels = make(16, 3);
    expect(levels.lastAsker).toBe(-1);
    for (const peer of [0, 15]) {
      levels.lastAsker = peer;
      expect(levels.lastAsker).toBe(peer);
    }
    expect(levels.frontier).toBe(1);
  });

  it('stores a window and a count of silenced peers for each level', () => {
    const levels = make(128, 0);
    levels.setWindow(2, 64);
    levels.setSilenced(3, 4);
    levels.setSilenced(3, 7);
    levels.countSilenced(7);
    expect(upTo(7).map((index) => levels.window(index + 1))).toEqual([16, 64, 16, 16, 16, 16, 16]);
    expect(upTo(7).map((index) => levels.silencedCount(index + 1))).toEqual([0, 0, 2, 0, 0, 0, 1]);
    expect([4, 5, 6, 7].map((peer) => levels.isSilenced(3, peer))).toEqual([true, false, false, true]);
  });
});
