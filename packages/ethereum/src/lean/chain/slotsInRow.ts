import { countNewVotes, emptyVotes, joinVotes, type VoteSet } from '../rules.ts';
import { thereOf } from '../slot/result.ts';
import { LeanSlotRun } from '../slot/run.ts';
import type { LeanScenario } from '../slot/scenario.ts';
import { type LeanChainResult, runLeanChain } from './chain.ts';
import type { MessageVotes, ProofSource } from './prover.ts';
import { steadyChain } from './stories.ts';

/** Number of recent slots that are stored. Proofs of older slots are in a block, or useless. */
const keptSlots = 64;

/**
 * Proofs of a chain's votes from fully simulated slots: the proofs that the next proposer has verified, with their
 * times.
 */
class ProofsOfSlots implements ProofSource {
  readonly skipped = { busy: 0, empty: 0 };
  readonly backlog = 0;
  readonly freeMs = 0;
  readonly truncated = 0;
  readonly expired = 0;
  proved: { readonly group: MessageVotes; readonly atMs: number }[] = [];
  made = 0;
  busyMs = 0;
  readonly wastedMs = 0;
  readonly #scenario: LeanScenario;
  #slot = -1;
  #there: readonly { readonly votes: VoteSet; readonly atMs: number }[] = [];

  constructor(scenario: LeanScenario) {
    this.#scenario = scenario;
  }

  queue(group: MessageVotes): void {
    if (group.slot !== this.#slot) this.#run(group.slot);
    for (const { votes, atMs } of this.#there) {
      const own = votes.map((word, at) => word & group.votes[at]!);
      this.proved.push({ group: { ...group, votes: own }, atMs });
    }
  }

  advance(): void {
    this.proved = this.proved.filter(({ group }) => group.slot > this.#slot - keptSlots);
  }

  #run(slot: number): void {
    const { slotMs } = this.#scenario.profile.times;
    const run = new LeanSlotRun({ ...this.#scenario, slot });
    run.run(2 * slotMs);
    const union = emptyVotes(run.sizes.validators);
    const adding = thereOf(run).filter(({ proof }) => {
      const isNew = countNewVotes(proof.votes, union) > 0;
      joinVotes(union, proof.votes);
      return isNew;
    });
    this.#slot = slot;
    this.#there = adding.map(({ proof, atUs }) => ({ votes: proof.votes, atMs: slot * slotMs + atUs / 1000 }));
    this.made += run.jobs.length;
    this.busyMs += run.jobs.reduce((sum, { startUs, endUs }) => sum + (endUs - startUs) / 1000, 0);
  }
}

/**
 * Fully simulates consecutive slots, with Byzantine aggregators at the same positions in each slot. A block contains
 * every proof that its proposer has verified. If a slot's votes are split over two messages, its proofs are split in
 * the same way.
 */
export function runSlotsInRow(scenario: LeanScenario, slots: number): LeanChainResult {
  const { profile, seed } = scenario;
  const options = { ...steadyChain, profile, slots, seed, validators: profile.validators, bringMs: 0 };
  return runLeanChain(options, [new ProofsOfSlots(scenario)]);
}
