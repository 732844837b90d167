import { describe, expect, it } from 'vitest';
import { rankedById } from '../../../test/priorities.ts';
import { contributionOf } from '../../../test/sets.ts';
import { shownNode } from '../../../test/shownNode.ts';
import { CountingScheme } from '../../contribution/countingScheme.ts';
import { Tree } from '../../overlay/tree.ts';
import { isUseful, WindowChecker } from './window.ts';

/** Level 9 of node 0 has the peers 256 to 511, ranked by their ids. */
const level = 9;
const scheme = new CountingScheme(new Tree(512));
const block = scheme.tree.peerBlock(0, level);
const of = (...ids: number[]) => contributionOf(scheme, block, ids);
const make = () => new WindowChecker(scheme, rankedById(512));
const queue = (...senders: number[]) =>
  shownNode({ level, queued: senders.map((sender) => ({ sender, individual: scheme.individual(sender) })) });

describe('WindowChecker', () => {
  it('v1.03 3.3: lets the best ranked go first, and what is in the window of 16 after it', () => {
    const node = queue(260, 300);
    for (const sender of [256, 260, 276]) expect(make().broken(node, level, sender)).toBeUndefined();
    expect(make().broken(node, level, 277)).toBe(
      'level 9: expected a sender at most 16 ranks after 260, who is queued, got 277, 17 after',
    );
  });

  it('v1.03 3.6: widens the window with each valid contribution, up to 128', () => {
    const checker = make();
    for (const [sender, window] of [
      [511, 32],
      [510, 64],
      [509, 128],
      [508, 128],
    ] as const) {
      checker.count(level, sender, true);
      expect(checker.broken(queue(260), level, 260 + window)).toBeUndefined();
      expect(checker.broken(queue(260), level, 261 + window)).toContain(`at most ${window} ranks after 260`);
    }
  });

  it('v1.03 3.6: narrows it to a quarter with each failure, until the best ranked or the next goes first', () => {
    const checker = make();
    for (const window of [4, 1, 1]) {
      checker.count(level, 511, false);
      expect(checker.broken(queue(260), level, 260 + window)).toBeUndefined();
      expect(checker.broken(queue(260), level, 261 + window)).toContain(`at most ${window} ranks after 260`);
    }
  });

  it('has a window for each level', () => {
    const checker = make();
    checker.count(8, 128, false);
    expect(checker.broken(queue(260), level, 276)).toBeUndefined();
  });

  it('v1.0 3.6: ranks a sender by the whole span later for each contribution of its that was verified', () => {
    const checker = make();
    checker.count(level, 260, true);
    expect(checker.broken(queue(260), level, 500)).toBeUndefined();
    expect(checker.broken(queue(500), level, 260)).toContain('after 500');
  });

  it('v1.03 3.3: does not count what cannot improve In_l', () => {
    const queued = [{ sender: 260, aggregate: of(256, 257), individual: scheme.individual(260) }];
    const holds = shownNode({ level, queued, in: of(256, 257, 260), inWeight: 3 });
    expect(make().broken(holds, level, 500)).toBeUndefined();
    const lacks = shownNode({ level, queued, in: of(256, 257, 258), inWeight: 3 });
    expect(make().broken(lacks, level, 500)).toContain('after 260');
  });
});

describe('isUseful', () => {
  it('v1.03 3.3: counts the verified individual contributions that an aggregate lacks', () => {
    const node = (verified: readonly number[]) =>
      shownNode({ level, in: of(256, 257, 258), inWeight: 3, verified: verified.map((sender) => ({ sender })) });
    expect(isUseful(scheme, node([]), level, of(258, 259, 260))).toBe(false);
    expect(isUseful(scheme, node([258]), level, of(258, 259, 260))).toBe(false);
    expect(isUseful(scheme, node([256]), level, of(258, 259, 260))).toBe(true);
    expect(isUseful(scheme, node([]), level, of(300))).toBe(true);
    expect(isUseful(scheme, node([]), level, 0)).toBe(false);
  });
});
