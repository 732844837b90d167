import { hornSizes, slotClock } from '@tutti/core/horn';
import { requireObject } from '@tutti/core/settings';
import { type SlotScenario, type SlotSteps, slotSteps } from '@tutti/ethereum';
import { keysUs } from '@tutti/ethereum/settings';
import { defaultScenario, type Scenario } from '@tutti/simulation';
import { runRace } from './race.ts';

/** The result of Handel among the validators of one committee, in a slot's time and steps. */
export interface CommitteeRun {
  readonly scenario: Scenario;
  readonly digest: string;
  readonly live: number;
  /** Live honest nodes that reached the threshold. */
  readonly reached: number;
  /** From the start of the slot until the last of them reached it, ms; the moment of the votes if none did. */
  readonly doneMs: number;
  /** Means over the live honest nodes. */
  readonly bytesSent: number;
  readonly messagesSent: number;
  /**
   * Stages of a node: its vote is cast, it holds half of the threshold, it holds all of it. In place of subcommittees
   * there are {@link committeeCells}.
   */
  readonly steps: SlotSteps;
}

/**
 * Into how many groups of consecutive nodes a committee is divided for counting: as many as the post has subcommittees
 * in a committee.
 */
export const committeeCells = 64;

/**
 * Handel among the validators of one committee, each a node of its own, all standard machines as in a slot. One check
 * covers the slot's signatures and the keys of a level's contribution. Since levels double, the mean number of keys
 * over the levels of a committee is its size divided by its log.
 *
 * Eve's validators lie, whatever they do in the slot: Handel has no aggregators or collectors for her to be.
 *
 * @param maxNodes of the committee that take part.
 */
export function committeeScenario(slot: SlotScenario, maxNodes = Number.POSITIVE_INFINITY): Scenario {
  const { parameters, network, tor, dead, desyncMs, threshold, verifyMs, additionNs, keySums, seed, attacks } = slot;
  const nodes = Math.min(maxNodes, hornSizes(parameters).committee);
  const keys = nodes / Math.max(1, Math.log2(nodes));
  const share = attacks.reduce((sum, one) => sum + one.share, 0);
  return {
    ...defaultScenario,
    ...{ nodes, network, tor, dead, desyncMs, threshold, seed },
    verifyMs: verifyMs + keysUs(nodes, keys, keySums, additionNs) / 1000,
    cpu: { ...defaultScenario.cpu, spread: 1 },
    attacks: share === 0 ? [] : [{ name: 'invalid', share }],
  };
}

/** How {@link runCommittee} counts what it runs, and how much of it. */
export interface CommitteeOptions {
  /** The length of a step, µs. */
  readonly stepUs: number;
  readonly steps: number;
  readonly maxNodes?: number;
}

/**
 * Runs Handel among one committee, beginning with the votes. A committee's size is a power of two and at least 64
 * nodes.
 */
export function runCommittee(slot: SlotScenario, options: CommitteeOptions): CommitteeRun {
  requireObject('slot', slot, 'a scenario like defaultSlotScenario');
  requireObject('options', options);
  const { stepUs, steps, maxNodes } = options;
  const { attestUs } = slotClock(slot.system, slot.parameters);
  const { scenario, digest, live, reached, lastMs, bytesSent, messagesSent, marks, marksUs, alive } = runRace(
    committeeScenario(slot, maxNodes),
    undefined,
    (threshold) => [threshold / 2, threshold],
  );
  const markedUs = (mark: number) =>
    Int32Array.from(alive, (_, id) => {
      const us = marksUs[id * marks.length + mark]!;
      return us < 0 ? -1 : attestUs + us;
    });
  const staged = {
    subcommittee: alive.length / committeeCells,
    attack: Int8Array.from(alive, (honest) => (honest === 1 ? -1 : 0)),
    castUs: new Int32Array(alive.length).fill(attestUs),
    seenUs: markedUs(0),
    reachUs: markedUs(1),
  };
  return {
    ...{ scenario, digest, live, reached, bytesSent, messagesSent },
    doneMs: attestUs / 1000 + lastMs,
    steps: slotSteps(staged, stepUs, steps),
  };
}
