import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isWhole } from '../../../tests/sampled.ts';
import { Tree, type TreeForm } from '../src/overlay/tree.ts';
import type { VerificationPriorities } from '../src/overlay/verificationPriority.ts';
import { shuffle } from '../src/random.ts';
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

/**
 * Returns f/N (f-1)/(N-1) ... (f-d+1)/(N-d+1): the probability that an attacker has all of the first d places (v1.0
 * section 4.3).
 */
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
          for (const rank of ranks) {
            expect(Number.isInteger(rank) && rank >= 0 && rank < priorities.span).toBe(true);
          }
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
              const peers = upTo(tree.size(block)).map((index) => tree.start(block) + index);
              expect(vector.toSorted((a, b) => a - b)).toEqual(peers);
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
      for (let receiver = 0; receiver < 100; receiver++) {
        expect(one.rank(receiver, 42)).toBe(other.rank(receiver, 42));
        expect(one.rank(receiver, 42)).toBe(one.rank(receiver, 42));
      }
    });

    it('differs by seed and by receiver', () => {
      const row = (seed: number, receiver: number): string => {
        const priorities = make(64, seed);
        return upTo(64)
          .map((sender) => priorities.rank(receiver, sender))
          .join();
      };
      expect(new Set(upTo(50).map((seed) => row(seed, 3))).size).toBe(50);
      expect(new Set(upTo(64).map((receiver) => row(1, receiver))).size).toBe(64);
    });

    it('takes the largest registry', () => {
      const priorities = make(2 ** 20, 1);
      expect(priorities.rank(2 ** 20 - 1, 2 ** 20 - 2)).toBeLessThan(priorities.span);
      expect(priorities.contact(0, 2 ** 20 + 1, 0)).toBe(1);
    });

    // The tolerance is three standard deviations. The seeds are fixed, so the result is deterministic.
    const seeds = isWhole ? 6000 : 2000;
    const close = (count: number, odds: number): void => {
      const deviation = Math.sqrt(odds * (1 - odds) * seeds);
      expect(Math.abs(count - odds * seeds)).toBeLessThan(3 * deviation);
    };

    for (const [nodes, attackers, places] of [
      [20, 8, 2],
      [20, 10, 4],
      [32, 16, 3],
      [13, 6, 3],
    ] as const) {
      it(`v1.0 4.3: with the shuffle, ${attackers} attackers of ${nodes} fill the first ${places} places as often as chance`, () => {
        let filled = 0;
        for (let seed = 0; seed < seeds; seed++) {
          const priorities = make(nodes, seed);
          const position = shuffle(nodes, seed);
          const receiver = seed % nodes;
          const first = upTo(nodes)
            .sort((a, b) => priorities.rank(receiver, a) - priorities.rank(receiver, b))
            .slice(0, places);
          if (first.every((sender) => position[sender]! < attackers)) filled++;
        }
        close(filled, oddsOfAllAttackers(nodes, attackers, places));
      });
    }

    it('v1.0 4.3: positions chosen before the seed is known are worth no more', () => {
      const [nodes, attackers, places] = [16, 8, 3];
      let filled = 0;
      for (let seed = 0; seed < seeds; seed++) {
        const priorities = make(nodes, seed);
        const first = upTo(nodes)
          .sort((a, b) => priorities.rank(0, a) - priorities.rank(0, b))
          .slice(0, places);
        if (first.every((sender) => sender % 2 === 1)) filled++;
      }
      close(filled, oddsOfAllAttackers(nodes, attackers, places));
    });

    it("v1.0 4.3: the first d peers that a node contacts are all an attacker's as often as chance", () => {
      const [nodes, attackers, places] = [32, 14, 3];
      let filled = 0;
      for (let seed = 0; seed < seeds; seed++) {
        const priorities = make(nodes, seed);
        const position = shuffle(nodes, seed);
        const peers = new Tree(nodes).peerBlock(seed % nodes, 5);
        const first = prioritisationVector(priorities, seed % nodes, peers).slice(0, places);
        if (first.every((peer) => position[peer]! < attackers)) filled++;
      }
      close(filled, oddsOfAllAttackers(nodes, attackers, places));
    });

    it('v1.0 4.3: with d = 7 and f/N < 1/2 there is an honest node in the first places 99 times in 100', () => {
      const [nodes, attackers] = [101, 50];
      let honest = 0;
      for (let seed = 0; seed < 2000; seed++) {
        const priorities = make(nodes, seed);
        const position = shuffle(nodes, seed);
        const first = upTo(nodes)
          .sort((a, b) => priorities.rank(7, a) - priorities.rank(7, b))
          .slice(0, 7);
        if (first.some((sender) => position[sender]! >= attackers)) honest++;
      }
      expect(honest).toBeGreaterThanOrEqual(1980);
    });
  });
}
