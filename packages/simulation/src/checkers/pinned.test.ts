import { CountingScheme, mechanisms, noContribution, paperWindow, Tree, windowRanks } from '@tutti/core';
import { expect, it } from 'vitest';
import { type Draw, digestOf, drawn, outcomeOf } from '../../../../tests/digests.ts';
import { rankedById } from '../../../core/test/priorities.ts';
import { contributionOf, forgeryOf, idsOfBlock } from '../../../core/test/sets.ts';
import { type ShownEntry, type ShownLevel, shownNode } from '../../../core/test/shownNode.ts';
import { drawAttacks, drawFault, drawRun } from '../../test/drawnRuns.ts';
import { createSimulation } from '../run/simulation.ts';
import { defaultScenario } from '../scenario/scenario.ts';
import { createWorld } from '../world/world.ts';
import { Checkers } from './checkers.ts';

/** Whether a run keeps its claims; else which it breaks, where and when. */
function verdict(scenario: ReturnType<typeof drawRun>, until: 'fairness' | 'threshold'): unknown {
  const simulation = createSimulation(scenario, { checkers: true, until, giveUpAfterMs: 1500 });
  return outcomeOf(() => {
    while (simulation.advance(1 << 16));
    return simulation.events;
  });
}

it.each(mechanisms)('without %s the first claim that breaks is the one it was, and where and when', (mechanism) => {
  const pins = drawn(6, (draw, seed) => {
    const run = drawRun(draw, seed, { nodes: draw.integer(8, 30), without: [mechanism] });
    return verdict(draw.chance(0.7) ? drawAttacks(draw, run) : run, draw.one(['fairness', 'threshold']));
  });
  expect(pins).toMatchSnapshot();
});

it('runs with all mechanisms keep their claims, attacked and with faults', () => {
  const pins = drawn(16, (draw, seed) => {
    const run = drawRun(draw, seed, { without: [] });
    const faults = draw.list(draw.integer(0, 2), () => drawFault(draw, run.nodes));
    return verdict({ ...(draw.chance(0.5) ? drawAttacks(draw, run) : run), faults }, 'threshold');
  });
  expect(
    pins.every((events) => typeof events === 'number'),
    `${pins}`,
  ).toBe(true);
  expect(digestOf(pins)).toMatchInlineSnapshot(`"207b9ddf35bb"`);
});

/** Checkers, and node 0, which keeps most of its promises and none for sure. */
class BrokenNode {
  readonly #draw: Draw;
  readonly #scheme = new CountingScheme(new Tree(64), undefined);
  readonly #held = new Map<number, Set<number>>();
  readonly checkers: Checkers;

  constructor(draw: Draw) {
    this.#draw = draw;
    const scenario = { ...defaultScenario, nodes: 64, seed: draw.integer(1, 99), dead: draw.one([0, 0, 0.05]) };
    const ranks = rankedById(64);
    const drawnWorld = createWorld({ ...scenario, attacks: [{ name: 'silent', share: 0.05 }] }, ranks);
    const world = { ...drawnWorld, threshold: draw.integer(20, 40) };
    const limits = windowRanks(paperWindow, 64, 64);
    const options = draw.one([{}, { growsRanks: false }]);
    this.checkers = new Checkers(this.#scheme, world, ranks, limits, () => 2500, options);
  }

  /** Does one thing. */
  step(): void {
    const { checkers } = this;
    const draw = this.#draw;
    draw.one([
      () => checkers.afterEvent(this.#shown()),
      () => this.#verify([draw.one([5, 6])]),
      () =>
        this.#verify(
          draw.one([
            [5, 6],
            [6, 5],
            [6, 6],
          ]),
        ),
      () => checkers.onBatchVerified(0, [draw.chance(0.5), draw.chance(0.5)]),
      () => checkers.onOutput(0, this.#set(1, 0.7)),
      () => {
        const to = draw.integer(0, 63);
        for (let left = draw.integer(0, 40); left > 0; left--) checkers.onMessage(draw.integer(0, 63), to);
      },
      () => (draw.chance(0.3) ? checkers.afterRun() : checkers.forget(draw.integer(0, 9))),
    ])();
  }

  #verify(levels: number[]): void {
    const draw = this.#draw;
    const senders = levels.map((level) => draw.one(this.#peers(level)));
    const contributions = levels.map((level, place) =>
      draw.chance(0.6) ? this.#scheme.individual(senders[place]!) : this.#set(this.#block(level), 0.1),
    );
    const node = draw.chance(0.9) ? this.#shown() : undefined;
    const verdicts = levels.map(() => draw.chance(0.6));
    if (levels.length > 1) this.checkers.onVerifyBatch(0, node, levels, senders, contributions, verdicts);
    else this.checkers.onVerify(0, node, levels[0]!, senders[0]!, contributions[0]!, verdicts[0]!);
    if (draw.chance(0.9)) this.checkers.onBatchVerified(0, verdicts);
  }

  #shown(): ReturnType<typeof shownNode> {
    return shownNode(...[5, 6].map((level) => this.#level(level)));
  }

  #level(level: number): ShownLevel {
    const draw = this.#draw;
    const block = this.#block(level);
    const held = this.#held.get(level) ?? new Set();
    this.#held.set(level, held);
    if (draw.chance(0.3)) held.add(draw.one(this.#peers(level)));
    if (draw.chance(0.03)) held.clear();
    const lies = draw.chance(0.02) ? 1 : 0;
    const over = draw.chance(0.98) ? block : 1;
    return {
      level,
      in: contributionOf(this.#scheme, over, held),
      inWeight: held.size + lies,
      queued: draw.list(draw.integer(0, 3), () => this.#entry(level)),
      dormant: draw.list(draw.integer(0, 1), () => this.#entry(level)),
      verified: draw.list(draw.integer(0, 1), () => this.#entry(level)),
      keptInts: draw.one([48, 48, 48, 48 + 28 * 63, 48 + 28 * 63, draw.chance(0.1) ? 48 + 28 * 63 + 1 : 0]),
    };
  }

  #entry(level: number): ShownEntry {
    const draw = this.#draw;
    const sender = draw.chance(0.98) ? draw.one(this.#peers(level)) : draw.integer(0, 63);
    const aggregate = draw.chance(0.5) ? this.#set(this.#block(level), 0.2) : noContribution;
    return { sender, aggregate, individual: draw.chance(0.4) ? this.#scheme.individual(sender) : noContribution };
  }

  #set(block: number, share: number) {
    const ids = this.#draw.some(idsOfBlock(this.#scheme.tree, block), share);
    return (this.#draw.chance(0.95) ? contributionOf : forgeryOf)(this.#scheme, block, ids);
  }

  #block(level: number): number {
    return this.#scheme.tree.peerBlock(0, level);
  }

  #peers(level: number): number[] {
    return idsOfBlock(this.#scheme.tree, this.#block(level));
  }
}

it('what a broken node does is told in the words it was', () => {
  const told = drawn(200, (draw) => {
    const node = new BrokenNode(draw);
    const broken = draw.list(20, () => outcomeOf(() => node.step())).filter((one) => one !== undefined);
    return [node.checkers.checks, ...broken];
  });
  const kinds = new Set(told.flat().map((one) => `${one}`.replaceAll(/[\d.]+/g, 'n')));
  expect([kinds.size, digestOf(told)]).toMatchInlineSnapshot(`
    [
      19,
      "3bdf90ff4d5a",
    ]
  `);
});
