import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isWhole } from '../../../tests/sampled.ts';
import { Tree, type TreeForm } from '../src/overlay/tree.ts';
import type { VerificationPriorities } from '../src/overlay/verificationPriority.ts';
import { shuffle } from '../src/random.ts';
import { idsOfBlock } from './sets.ts';
import { anySize, upTo } from './sizes.ts';

/** Creates priorities with VP_i(j) = j that contact peers from the lowest id up, so that tests can predict ranks. */
export function rankedById(nodes: number, form?: TreeForm): VerificationPriorities {
  const tree = new Tree(nodes, form);
  return {
    span: nodes,
    rank: (_receiver, sender) => sender,
    places: (block) => tree.size(block),
    contact: (_sender, block, place) => tree.start(block) + place,
  };
}

/** Returns the prioritisation vector of a sender over a block. */
export function prioritisationVector(priorities: VerificationPriorities, sender: number, block: number): number[] {
  return upTo(priorities.places(block))
    .map((place) => priorities.contact(sender, block, place))
    .filter((peer) => peer !== -1);
}

/** Returns f/N (f-1)/(N-1) ..., the odds that an attacker has all of the first d places (v1.0 section 4.3). */
function oddsOfAllAttackers(nodes: number, attackers: number, places: number): number {
  return upTo(places).reduce((odds, place) => (odds * (attackers - place)) / (nodes - place), 1);
}

/** Defines the tests that every implementation of verification priorities must pass. */
export function describePriorities(name: string, make: (nodes: number, seed: number) => VerificationPriorities): void {
  describe(`${name} keeps the contract of verification priorities`, () => {
    it("v1.03 3.3: ranks a receiver's senders by integers in [0, span), no two alike", () => {
      fc.assert(
        fc.property(anySize, fc.nat(), fc.nat(), (nodes, seed, any) => {
          const priorities = make(nodes, seed);
          const receiver = any % nodes;
          const ranks = upTo(nodes).map((sender) => priorities.rank(receiver, sender));
          expect(new Set(ranks).size).toBe(nodes);
          for (const rank of ranks) expect(Number.isInteger(rank) && rank >= 0 && rank < priorities.span).toBe(true);
        }),
      );
    });

    it("v1.03 3.3: contacts each of a level's peers exactly once, those that rank the sender best first", () => {
      fc.assert(
        fc.property(anySize, fc.nat(), fc.nat(), (nodes, seed, any) => {
          const priorities = make(nodes, seed);
          const tree = new Tree(nodes);
          // Several senders use the same object, each for its own vector.
          for (const sender of new Set([any % nodes, (any + 1) % nodes, (any >>> 9) % nodes])) {
            for (let level = 1; level <= tree.levels; level++) {
              const block = tree.peerBlock(sender, level);
              if (tree.size(block) === 0) continue;
              expect(priorities.places(block)).toBeGreaterThanOrEqual(tree.size(block));
              const vector = prioritisationVector(priorities, sender, block);
              expect(vector.toSorted((a, b) => a - b)).toEqual(idsOfBlock(tree, block));
              const ranked = vector.map((peer) => ({ peer, rank: priorities.rank(peer, sender) }));
              expect(ranked).toEqual(ranked.toSorted((a, b) => a.rank - b.rank || a.peer - b.peer));
            }
          }
        }),
      );
    });

    it('answers the same however often and in whatever order it is asked', () => {
      const [one, other] = [make(100, 9), make(100, 9)];
      const block = new Tree(100).peerBlock(1, 7);
      const forward = upTo(36).map((place) => one.contact(1, block, place % one.places(block)));
      const backward = upTo(36)
        .reverse()
        .map((place) => other.contact(1, block, place % other.places(block)))
        .reverse();
      expect(forward).toEqual(backward);
      for (const receiver of upTo(100))
        expect([one.rank(receiver, 42), one.rank(receiver, 42)]).toEqual(new Array(2).fill(other.rank(receiver, 42)));
    });

    it('differs by seed and by receiver', () => {
      const row = (seed: number, receiver: number): string => {
        const priorities = make(64, seed);
        return String(upTo(64).map((sender) => priorities.rank(receiver, sender)));
      };
      expect(new Set(upTo(50).map((seed) => row(seed, 3))).size).toBe(50);
      expect(new Set(upTo(64).map((receiver) => row(1, receiver))).size).toBe(64);
    });

    it('takes the largest registry', () => {
      const priorities = make(2 ** 20, 1);
      expect(priorities.rank(2 ** 20 - 1, 2 ** 20 - 2)).toBeLessThan(priorities.span);
      expect(priorities.contact(0, 2 ** 20 + 1, 0)).toBe(1);
    });

    const seeds = isWhole ? 6000 : 2000;

    /** Returns the number of seeds, from 0, for which an event happens. The result is deterministic. */
    const countSeeds = (
      nodes: number,
      happens: (priorities: VerificationPriorities, seed: number) => boolean,
      count = seeds,
    ) => upTo(count).filter((seed) => happens(make(nodes, seed), seed)).length;
    /** Returns the senders in the first places of a receiver's ranks. */
    const firstRanked = (priorities: VerificationPriorities, nodes: number, receiver: number, places: number) =>
      upTo(nodes)
        .sort((a, b) => priorities.rank(receiver, a) - priorities.rank(receiver, b))
        .slice(0, places);
    /** The tolerance is three standard deviations. */
    const expectClose = (count: number, odds: number): void =>
      expect(Math.abs(count - odds * seeds)).toBeLessThan(3 * Math.sqrt(odds * (1 - odds) * seeds));

    it.each([
      [20, 8, 2],
      [20, 10, 4],
      [32, 16, 3],
      [13, 6, 3],
    ])('v1.0 4.3: shuffled, of %i nodes %i attackers fill %i places as often as chance', (nodes, attackers, places) => {
      const filled = countSeeds(nodes, (priorities, seed) => {
        const position = shuffle(nodes, seed);
        const first = firstRanked(priorities, nodes, seed % nodes, places);
        return first.every((sender) => position[sender]! < attackers);
      });
      expectClose(filled, oddsOfAllAttackers(nodes, attackers, places));
    });

    it('v1.0 4.3: positions chosen before the seed is known are worth no more', () => {
      const filled = countSeeds(16, (priorities) =>
        firstRanked(priorities, 16, 0, 3).every((sender) => sender % 2 === 1),
      );
      expectClose(filled, oddsOfAllAttackers(16, 8, 3));
    });

    it("v1.0 4.3: the first d peers that a node contacts are all an attacker's as often as chance", () => {
      const [nodes, attackers, places] = [32, 14, 3];
      const filled = countSeeds(nodes, (priorities, seed) => {
        const position = shuffle(nodes, seed);
        const peers = new Tree(nodes).peerBlock(seed % nodes, 5);
        const first = prioritisationVector(priorities, seed % nodes, peers).slice(0, places);
        return first.every((peer) => position[peer]! < attackers);
      });
      expectClose(filled, oddsOfAllAttackers(nodes, attackers, places));
    });

    it('v1.0 4.3: with d = 7 and f/N < 1/2 there is an honest node in the first places 99 times in 100', () => {
      const isHonestFirst = (priorities: VerificationPriorities, seed: number) => {
        const position = shuffle(101, seed);
        return firstRanked(priorities, 101, 7, 7).some((sender) => position[sender]! >= 50);
      };
      expect(countSeeds(101, isHonestFirst, 2000)).toBeGreaterThanOrEqual(1980);
    });
  });
}
