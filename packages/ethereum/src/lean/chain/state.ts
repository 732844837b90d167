import { emptySet, type MemberSet, sizeOf } from '@tutti/core/horn';
import { joinVotes } from '../rules.ts';

/** A vote of validators for a target, from a source. Slots stand for blocks of the block's own chain. */
export interface Attestation {
  readonly slot: number;
  readonly source: number;
  readonly target: number;
  readonly votes: MemberSet;
}

/** Limits of a block. */
export interface BlockLimits {
  /** Maximum number of distinct messages in a block. */
  readonly blockMessages: number;
  /** Maximum number of distinct messages of one slot in a block. */
  readonly messagesPerSlot: number;
}

/**
 * Justification and finality on one chain, as in leanSpec: `process_attestations` (forks/lstar/state_transition.py) and
 * the selection in `build_block` (forks/lstar/block_production.py), leanSpec@43246bd6.
 *
 * An instance is the state of one chain. {@link LeanStore} has one for each block, and passes only votes of that
 * block's chain.
 */
export class LeanState {
  readonly #validators: number;
  /** Justified slots after the finalised slot, in order of justification. */
  #justifiedSlots = new Set<number>();
  /** Validators that have voted for each target, until the target is justified or finalised. */
  #voted = new Map<number, MemberSet>();
  /** Latest justified slot. */
  justified: number;
  /** Latest finalised slot. */
  finalized: number;

  constructor(validators: number, { justified, finalized } = { justified: 0, finalized: 0 }) {
    this.#validators = validators;
    this.justified = justified;
    this.finalized = finalized;
  }

  /** Justified slots after the finalised slot, ascending. */
  get justifiedSlots(): number[] {
    return [...this.#justifiedSlots].sort((a, b) => a - b);
  }

  /** Targets with votes that are not justified yet, ascending, with their votes. */
  get pending(): ReadonlyMap<number, MemberSet> {
    return new Map([...this.#voted].sort(([a], [b]) => a - b));
  }

  /** Returns the counted votes for a target, or undefined if there are none. */
  votesFor(target: number): MemberSet | undefined {
    return this.#voted.get(target);
  }

  isJustified(slot: number): boolean {
    return slot <= this.finalized || this.#justifiedSlots.has(slot);
  }

  /** Applies the votes of a block, in the block's order. @returns the votes that count. */
  apply<T extends Attestation>(attestations: readonly T[]): T[] {
    return attestations.filter((one) => this.#take(one));
  }

  #take({ source, target, votes }: Attestation): boolean {
    if (!this.isJustified(source) || this.isJustified(target)) return false;
    if (target <= source || !isJustifiable(target, this.finalized)) return false;
    // The set is copied, because other states share it.
    const all = this.#voted.get(target)?.slice() ?? emptySet(this.#validators);
    joinVotes(all, votes);
    this.#voted.set(target, all);
    if (3 * sizeOf(all) < 2 * this.#validators) return true;
    this.justified = Math.max(this.justified, target);
    this.#justifiedSlots.add(target);
    this.#voted.delete(target);
    // The source of these votes need not be the latest justified slot.
    if (source > this.finalized && finalizes(source, target, this.finalized)) this.#finalize(source);
    return true;
  }

  #finalize(slot: number): void {
    this.finalized = slot;
    for (const one of this.#justifiedSlots) if (one <= slot) this.#justifiedSlots.delete(one);
    for (const target of this.#voted.keys()) if (target <= slot) this.#voted.delete(target);
  }

  /**
   * Selects the messages of a block, in order of target slot. If the selection justifies or finalises a slot, the
   * function selects again, because other sources become eligible.
   *
   * @param messages messages, each with its proofs. For equal slot and target, the first message is preferred.
   * @returns the selected messages, in the order of the block.
   */
  select<T extends Attestation>(messages: readonly (readonly T[])[], limits: BlockLimits): (readonly T[])[] {
    const ordered = [...messages].sort(([a], [b]) => a!.target - b!.target || a!.slot - b!.slot);
    const chosen: (readonly T[])[] = [];
    let state: LeanState = this;
    for (;;) {
      const before = chosen.length;
      for (const message of ordered) {
        if (chosen.length >= limits.blockMessages) break;
        const { slot, source, target } = message[0]!;
        const ofSlot = chosen.filter(([one]) => one!.slot === slot).length;
        if (chosen.includes(message) || ofSlot >= limits.messagesPerSlot) continue;
        if (source !== state.justified || !state.isJustified(source)) continue;
        // The vote of genesis for itself justifies nothing, but the vote is selected as in leanSpec.
        const isOfGenesis = source === 0 && target === 0;
        if (!isOfGenesis && state.isJustified(target)) continue;
        chosen.push(message);
      }
      if (chosen.length === before) break;
      const after = this.copy();
      after.apply(chosen.flat());
      if (after.justified === state.justified && after.finalized === state.finalized) break;
      state = after;
    }
    return chosen;
  }

  /**
   * Returns the size of the state after a block of that slot in leanSpec's SSZ encoding, bytes. The state has a root
   * per slot, two keys and an index per validator, a bit per slot since the finalised slot, and a root and all
   * validators' bits per pending target.
   */
  bytesAt(slot: number): number {
    const bits = (count: number) => Math.floor(count / 8) + 1;
    const pending = this.#voted.size;
    return (
      228 +
      112 * this.#validators +
      32 * (slot + pending) +
      bits(Math.max(0, slot - 1 - this.finalized)) +
      bits(pending * this.#validators)
    );
  }

  copy(): LeanState {
    const copy = new LeanState(this.#validators, this);
    copy.#justifiedSlots = new Set(this.#justifiedSlots);
    copy.#voted = new Map(this.#voted);
    return copy;
  }
}

/**
 * Returns whether a slot at this distance from the finalised slot can be justified: a distance of at most 5, a square,
 * or x(x+1). The rule is 3SF-mini as in leanSpec (forks/lstar/state_transition.py, slot.py).
 */
export function isJustifiable(slot: number, finalized: number): boolean {
  const distance = slot - finalized;
  if (distance < 0) return false;
  if (distance <= 5) return true;
  const root = Math.floor(Math.sqrt(distance));
  return root * root === distance || root * (root + 1) === distance;
}

/** Returns whether justifying a target finalises its source: no slot strictly between them can be justified. */
function finalizes(source: number, target: number, finalized: number): boolean {
  for (let slot = source + 1; slot < target; slot++) if (isJustifiable(slot, finalized)) return false;
  return true;
}
