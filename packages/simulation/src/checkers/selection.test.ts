import { CountingScheme, HandelNode, type HandelRules, paperWindow, Tree, windowRanks } from '@tutti/core';
import { describe, expect, it } from 'vitest';
import { rankedById } from '../../../core/test/priorities.ts';
import { contributionOf } from '../../../core/test/sets.ts';
import { shownNode } from '../../../core/test/shownNode.ts';
import { upTo } from '../../../core/test/sizes.ts';
import { simulate } from '../run/simulation.ts';
import { defaultScenario, type Scenario } from '../scenario/scenario.ts';
import { configOf } from '../world/honest.ts';
import { SelectionChecker } from './selection.ts';

/** Level 9 of node 0 has the peers 256 to 511, ranked by their ids. */
const level = 9;
const scheme = new CountingScheme(new Tree(512));
const block = scheme.tree.peerBlock(0, level);
const of = (...ids: number[]) => contributionOf(scheme, block, ids);
/** Checks node 0's choice of a sender's individual contribution; returns the violated claim, if any. */
const check = (
  checker: SelectionChecker,
  node: ReturnType<typeof shownNode>,
  sender: number,
  contribution = scheme.individual(sender),
) => checker.broken(node.inspector, level, sender, contribution);
const make = () => new SelectionChecker(scheme, rankedById(512), windowRanks(paperWindow, 512, 512), true);
const queue = (...senders: number[]) =>
  shownNode({ level, queued: senders.map((sender) => ({ sender, individual: scheme.individual(sender) })) });

describe('SelectionChecker', () => {
  it('v1.03 3.3: accepts the best ranked entry and those within 16 ranks after it', () => {
    const node = queue(260, 300);
    for (const sender of [256, 260, 275]) expect(check(make(), node, sender)).toBeUndefined();
    expect(check(make(), node, 276)).toEqual({
      claim: 'window',
      what: 'expected a sender less than 16 ranks after queued sender 260, got sender 276, 16 ranks after it',
    });
  });

  it.each([
    ['widens the window with each valid contribution, up to 128', true, [32, 64, 128, 128]],
    ['narrows the window to a quarter after each failure, down to one rank (v1.0 3.8)', false, [4, 1, 1]],
  ])('v1.03 3.6: %s', (_what, valid, windows) => {
    const checker = make();
    for (const [index, window] of windows.entries()) {
      checker.count(level, 511 - index, valid);
      expect(check(checker, queue(260), 259 + window)).toBeUndefined();
      const what = `less than ${window} ranks after queued sender 260`;
      expect(check(checker, queue(260), 260 + window)?.what).toContain(what);
    }
  });

  it('v1.0 3.6: lowers the rank of a sender by the whole span for each of its verified contributions', () => {
    const checker = make();
    checker.count(level, 260, true);
    expect(check(checker, queue(260), 500)).toBeUndefined();
    expect(check(checker, queue(500), 260)?.what).toContain('after queued sender 500');
  });

  it('v1.03 3.3: ignores contributions that cannot improve In_l', () => {
    const queued = [{ sender: 260, aggregate: of(256, 257), individual: scheme.individual(260) }];
    const holds = shownNode({ level, queued, in: of(256, 257, 260), inWeight: 3 });
    expect(check(make(), holds, 500)).toBeUndefined();
    const lacks = shownNode({ level, queued, in: of(256, 257, 258), inWeight: 3 });
    expect(check(make(), lacks, 500)).toMatchObject({ claim: 'window' });
  });

  it('v1.03 3.3: expects the heaviest entry in the window first', () => {
    const queued = [
      { sender: 260, individual: scheme.individual(260) },
      { sender: 270, aggregate: of(270, 271, 272) },
      { sender: 290, aggregate: of(290, 291, 292, 293) },
    ];
    const node = shownNode({ level, queued, in: of(256), inWeight: 1 });
    expect(check(make(), node, 261)).toEqual({
      claim: 'score',
      what: 'expected sender 270 first, which makes the weight of In_l 4, got sender 261, which makes it 2',
    });
    expect(check(make(), node, 261, of(261, 262, 263)), 'and 290 is beyond it').toBeUndefined();
  });

  describe('after the window has grown', () => {
    const individual = (sender: number) => ({ sender, individual: scheme.individual(sender) });
    const heavierBeyond = { level, queued: [individual(260), { sender: 290, aggregate: of(290, 291) }] };
    const grown = () => {
      const checker = make();
      for (const sender of [511, 510]) checker.count(level, sender, true);
      return checker;
    };

    it('v1.03 3.6: expects the heaviest entry of the whole window first', () => {
      expect(check(make(), shownNode(heavierBeyond), 260)).toBeUndefined();
      expect(check(grown(), shownNode(heavierBeyond), 260)).toEqual({
        claim: 'score',
        what: 'expected sender 290 first, which makes the weight of In_l 2, got sender 260, which makes it 1',
      });
    });

    it('uses at most its initial size while another level is under attack', () => {
      const checker = grown();
      checker.count(8, 129, false);
      expect(check(checker, shownNode(heavierBeyond, { level: 8, queued: [individual(128)] }), 260)).toBeUndefined();
    });
  });

  it('v1.03 3.5.3: expects only verifications that make In_l heavier, with the verified individual contributions that it lacks', () => {
    const node = (verified: readonly number[]) =>
      shownNode({ level, in: of(256, 257, 258), inWeight: 3, verified: verified.map((sender) => ({ sender })) });
    const overlapping = of(258, 259, 260);
    for (const verified of [[], [258]])
      expect(check(make(), node(verified), 260, overlapping)).toMatchObject({ claim: 'pruning' });
    expect(check(make(), node([256]), 260, overlapping)).toBeUndefined();
    expect(check(make(), node([]), 300)).toBeUndefined();
  });
});

describe('a node with a custom rule', () => {
  const slow: Scenario = { ...defaultScenario, nodes: 32, dead: 0.2, verifyMs: 30, seed: 3 };
  /** Returns a shown node that has a selection rule of a variant. */
  const withOwnSelection = ({ inspector }: HandelNode) =>
    ({ id: 0, inspector: { ...inspector, rules: { select: () => undefined } } }) as unknown as HandelNode;
  const lightestFirst: HandelRules['select'] = (node) =>
    upTo(node.levels)
      .flatMap((index) => [...node.queued(index + 1)])
      .toSorted((a, b) => a.score - b.score)[0];
  const equalScores: HandelRules['score'] = (node, of, aggregate) =>
    node.score(of, aggregate) > node.inWeight(of) ? node.inWeight(of) + 1 : 0;

  it.each<readonly [what: string, rules: HandelRules, window: Scenario['window']]>([
    ['selection rule', { select: lightestFirst }, 'relative'],
    ['score', { score: equalScores }, 'relative'],
    ['window', { window: () => 1 }, 'paper'],
  ])('is checked with its own %s', (_what, rules, window) => {
    const scenario = { ...slow, window };
    const own = simulate(scenario, {
      checkers: true,
      until: 'fairness',
      nodes: ({ scheme: ofRun, priorities, threshold }) => {
        const config = configOf(scenario, threshold);
        return (id, own, port) => new HandelNode({ id, config, scheme: ofRun, priorities, rules, own, port });
      },
    });
    expect(own.digest).not.toBe(simulate(scenario, { until: 'fairness' }).digest);
  });

  it('breaks the claims on order if the checker does not get the rule', () => {
    const checker = make();
    const node = queue(260, 300);
    expect(check(checker, node, 300)).toMatchObject({ claim: 'window' });
    expect(check(checker, withOwnSelection(node), 300)).toBeUndefined();
  });

  it('v1.03 3.5.3: still breaks the claim on pruning after a useless verification', () => {
    const node = shownNode({ level, in: of(260, 261), inWeight: 2 });
    expect(check(make(), withOwnSelection(node), 260)).toMatchObject({ claim: 'pruning' });
  });
});
