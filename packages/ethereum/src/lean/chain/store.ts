import { hasMember, type MemberSet } from '@tutti/core/horn';
import { type Attestation, type BlockLimits, isJustifiable, LeanState } from './state.ts';

/** A block as a vote names it: its number, and the slot that the vote states for it. */
export interface Checkpoint {
  readonly block: number;
  readonly slot: number;
}

/** Content of a vote (leanSpec's `AttestationData`). */
export interface VoteData {
  readonly slot: number;
  readonly head: Checkpoint;
  readonly target: Checkpoint;
  readonly source: Checkpoint;
}

/** Votes of the same content that one proof covers. */
export interface VoteProof {
  readonly data: VoteData;
  readonly votes: MemberSet;
}

/** Options of a {@link LeanStore}. */
export interface LeanStoreOptions {
  readonly validators: number;
  readonly limits: BlockLimits & { readonly targetLookback: number };
  /** Block and state with which the store begins. Default: block 0 of slot 0, justified and finalised. */
  readonly anchor?: { readonly slot: number; readonly justified: number; readonly finalized: number };
  /**
   * Rank of a block's root. Among branches of equal weight, the branch with the larger root wins. Default: the block's
   * number.
   */
  readonly rankOf?: (block: number) => number;
}

/** Reason why a store rejects a block or a vote, as named in leanSpec (forks/lstar/errors.py). */
export type StoreRejection =
  | 'UNKNOWN_SOURCE_BLOCK'
  | 'UNKNOWN_TARGET_BLOCK'
  | 'UNKNOWN_HEAD_BLOCK'
  | 'SOURCE_AFTER_TARGET'
  | 'HEAD_OLDER_THAN_TARGET'
  | 'SOURCE_SLOT_MISMATCH'
  | 'TARGET_SLOT_MISMATCH'
  | 'HEAD_SLOT_MISMATCH'
  | 'SOURCE_NOT_ANCESTOR_OF_TARGET'
  | 'TARGET_NOT_ANCESTOR_OF_HEAD'
  | 'ATTESTATION_SLOT_BEFORE_HEAD'
  | 'ATTESTATION_TOO_FAR_IN_FUTURE'
  | 'UNKNOWN_PARENT_BLOCK'
  | 'DUPLICATE_ATTESTATION_DATA'
  | 'TOO_MANY_ATTESTATION_DATA';

interface Block extends Checkpoint {
  readonly parent: Block | undefined;
  /** The parent or a more distant ancestor, so that a walk to any ancestor takes logarithmic time. */
  readonly jump: Block | undefined;
  readonly depth: number;
  readonly children: Block[];
  readonly justified: number;
  readonly finalized: number;
  /**
   * State after the block, stored until {@link keptStates} more blocks have been added. A block that is the head at that
   * time keeps its state.
   */
  state: LeanState | undefined;
  /** Weight of the block in walk number `walk`. */
  weight: number;
  walk: number;
}

/** Proofs of votes, by their content. */
export type ProofPool = Map<string, { readonly data: VoteData; readonly proofs: readonly MemberSet[] }>;

/** INTERVALS_PER_SLOT of leanSpec: a slot has five intervals. */
export const intervalsPerSlot = 5;
/** Number of latest blocks whose states are stored. A block whose parent is older is rejected. */
const keptStates = 256;

/**
 * View of one node of leanSpec (forks/lstar/fork_choice.py, timeline.py, validator_duties.py; leanSpec@43246bd6): tree
 * of blocks, LMD-GHOST over votes in proofs, safe target, target of a vote, and the checks of a received vote.
 *
 * Intentional divergence: there are no signatures, so there are no raw votes and no votes of unknown validators. The
 * state after a block is stored for only 256 blocks.
 */
export class LeanStore {
  /** Proofs received since the last acceptance. Pending proofs have no weight, but affect the safe target. */
  pending: ProofPool = new Map();
  /** Proofs that have weight and from which blocks are built. */
  known: ProofPool = new Map();
  /** Number of intervals since genesis. */
  time: number;
  readonly #options: LeanStoreOptions;
  readonly #blocks = new Map<number, Block>();
  /** Latest vote of each validator in the known proofs. */
  readonly #latest: (VoteData | undefined)[] = [];
  #head: Block;
  #safe: Block;
  #justified: Block;
  #finalized: Block;
  /** Blocks whose states are stored, in order of arrival. */
  readonly #withState: Block[] = [];
  #walks = 0;

  constructor(options: LeanStoreOptions) {
    this.#options = options;
    const { validators, anchor = { slot: 0, justified: 0, finalized: 0 } } = options;
    const state = new LeanState(validators, anchor);
    const block = { block: 0, parent: undefined, jump: undefined, depth: 0, children: [], weight: 0, walk: 0 };
    this.#head = { ...block, ...anchor, state };
    this.#safe = this.#justified = this.#finalized = this.#head;
    this.#blocks.set(0, this.#head);
    this.time = anchor.slot * intervalsPerSlot;
  }

  get head(): Checkpoint {
    return this.#head;
  }

  get safe(): Checkpoint {
    return this.#safe;
  }

  get justified(): Checkpoint {
    return this.#justified;
  }

  get finalized(): Checkpoint {
    return this.#finalized;
  }

  /** State after the head. */
  get headState(): LeanState {
    return this.#head.state!;
  }

  /** Returns whether the head's chain contains a block. */
  isCanonical({ block, slot }: Checkpoint): boolean {
    return ancestorAt(this.#head, slot)?.block === block;
  }

  /** Advances the time to an interval, and performs leanSpec's actions on the way, except aggregation. */
  tick(untilInterval: number, hasProposal = false): void {
    while (this.time < untilInterval) {
      this.time++;
      const interval = this.time % intervalsPerSlot;
      if (interval === 0 && hasProposal && this.time === untilInterval) this.accept();
      else if (interval === 3) this.#safe = this.#ghost(this.#latestOf(this.pending), this.#supermajority);
      else if (interval === 4) this.accept();
    }
  }

  /** Gives the pending proofs weight, and recomputes the head. */
  accept(): void {
    for (const { data, proofs } of this.pending.values()) for (const votes of proofs) this.addKnown({ data, votes });
    this.pending = new Map();
    this.#updateHead();
  }

  /** Adds a proof with weight, as a node does with the proofs of a block. The head is not recomputed. */
  addKnown({ data, votes }: VoteProof): void {
    addProof(this.known, data, votes);
    this.#countLatest(this.#latest, data, votes);
  }

  /** Accepts a proof from the network, or returns the reason for rejecting it. */
  receive({ data, votes }: VoteProof): StoreRejection | undefined {
    const rejection = this.check(data);
    if (rejection === undefined) addProof(this.pending, data, votes);
    return rejection;
  }

  /** Checks a vote: its blocks are known, have the stated slots and lie on one chain, and it is not from the future. */
  check({ slot, head, target, source }: VoteData): StoreRejection | undefined {
    const [ofSource, ofTarget, ofHead] = [source, target, head].map(({ block }) => this.#blocks.get(block));
    if (ofSource === undefined) return 'UNKNOWN_SOURCE_BLOCK';
    if (ofTarget === undefined) return 'UNKNOWN_TARGET_BLOCK';
    if (ofHead === undefined) return 'UNKNOWN_HEAD_BLOCK';
    if (source.slot > target.slot) return 'SOURCE_AFTER_TARGET';
    if (head.slot < target.slot) return 'HEAD_OLDER_THAN_TARGET';
    if (ofSource.slot !== source.slot) return 'SOURCE_SLOT_MISMATCH';
    if (ofTarget.slot !== target.slot) return 'TARGET_SLOT_MISMATCH';
    if (ofHead.slot !== head.slot) return 'HEAD_SLOT_MISMATCH';
    if (ancestorAt(ofTarget, source.slot) !== ofSource) return 'SOURCE_NOT_ANCESTOR_OF_TARGET';
    if (ancestorAt(ofHead, target.slot) !== ofTarget) return 'TARGET_NOT_ANCESTOR_OF_HEAD';
    if (slot < head.slot) return 'ATTESTATION_SLOT_BEFORE_HEAD';
    // One interval of clock skew is tolerated.
    return slot > Math.floor((this.time + 1) / intervalsPerSlot) ? 'ATTESTATION_TOO_FAR_IN_FUTURE' : undefined;
  }

  /**
   * Adds a block, unless the store already has it, and recomputes the head, or returns the reason for rejecting the
   * block.
   */
  addBlock(block: number, slot: number, parentBlock: number, body: readonly VoteProof[]): StoreRejection | undefined {
    if (this.#blocks.has(block)) return undefined;
    const parent = this.#blocks.get(parentBlock);
    if (parent?.state === undefined) return 'UNKNOWN_PARENT_BLOCK';
    const keys = new Set(body.map(({ data }) => keyOf(data)));
    if (keys.size < body.length) return 'DUPLICATE_ATTESTATION_DATA';
    if (keys.size > this.#options.limits.blockMessages) return 'TOO_MANY_ATTESTATION_DATA';
    this.#insert(block, slot, parent, body);
    for (const { data } of body) if (!this.known.has(keyOf(data))) this.known.set(keyOf(data), { data, proofs: [] });
    this.#updateHead();
    return undefined;
  }

  #insert(block: number, slot: number, parent: Block, body: readonly VoteProof[]): void {
    const state = parent.state!.copy();
    state.apply(body.filter(({ data }) => isOnChain(data, parent)).map(attestationOf));
    const { justified, finalized } = state;
    // Skew-binary jumps: two jumps of the same length are merged into one of twice the length.
    const over = parent.jump;
    const isTwice = over?.jump !== undefined && parent.depth - over.depth === over.depth - over.jump.depth;
    const jump = isTwice ? over.jump : parent;
    const depth = parent.depth + 1;
    const added: Block = {
      block,
      slot,
      parent,
      jump,
      depth,
      children: [],
      justified,
      finalized,
      state,
      weight: 0,
      walk: 0,
    };
    this.#blocks.set(block, added);
    parent.children.push(added);
    const old = this.#withState.push(added) > keptStates ? this.#withState.shift()! : undefined;
    if (old !== undefined && old !== this.#head) old.state = undefined;
    if (justified > this.#justified.slot) this.#justified = ancestorAt(added, justified)!;
  }

  /**
   * Selects the messages of a block from proofs ({@link LeanState.select}). Only messages count whose head is known and
   * whose checkpoints lie on the parent's chain.
   *
   * @param messages messages, each with its proofs.
   * @returns the selected messages, in their order in the block.
   */
  select<T extends VoteProof>(parentBlock: number, messages: readonly (readonly T[])[]): T[][] {
    const parent = this.#blocks.get(parentBlock)!;
    const candidates = messages
      .filter(([one]) => isOnChain(one!.data, parent))
      .map((proofs) => proofs.map((proof) => ({ ...attestationOf(proof), proof })));
    return parent.state!.select(candidates, this.#options.limits).map((proofs) => proofs.map(({ proof }) => proof));
  }

  /** Drops known proofs that no block needs. The votes in dropped proofs retain their weight. */
  forget(isUseless: (data: VoteData, votes: MemberSet) => boolean): void {
    for (const [key, { data, proofs }] of this.known) {
      const left = proofs.filter((votes) => !isUseless(data, votes));
      if (left.length === 0) this.known.delete(key);
      else if (left.length < proofs.length) this.known.set(key, { data, proofs: left });
    }
  }

  /**
   * Target of a vote for the head. The target is at most `targetLookback` blocks back, but not below the safe target or
   * the finalised slot. From there, the target moves back to a slot that can be justified.
   */
  get target(): Checkpoint {
    const finalized = this.#finalized.slot;
    const floor = Math.max(this.#safe.slot, finalized);
    let target = this.#head;
    for (let back = 0; back < this.#options.limits.targetLookback && target.slot > floor; back++) {
      target = target.parent!;
    }
    while (target.slot > finalized && !isJustifiable(target.slot, finalized)) target = target.parent!;
    return target;
  }

  /** Source of a vote for the head: the justified block on the head's chain. */
  get source(): Checkpoint {
    return ancestorAt(this.#head, this.#head.justified) ?? this.#head;
  }

  get #supermajority(): number {
    return Math.ceil((2 * this.#options.validators) / 3);
  }

  #updateHead(): void {
    const before = this.#finalized.slot;
    this.#head = this.#ghost(this.#latest, 0);
    this.#finalized = ancestorAt(this.#head, this.#head.finalized) ?? this.#finalized;
    if (this.#finalized.slot <= before) return;
    for (const pool of [this.pending, this.known]) {
      for (const [key, { data }] of pool) if (this.isStale(data)) pool.delete(key);
    }
  }

  /** Returns whether a vote no longer has weight, because its head is not a descendant of the finalised block. */
  isStale({ head }: VoteData): boolean {
    const block = this.#blocks.get(head.block);
    if (block === undefined || head.slot <= this.#finalized.slot) return true;
    return ancestorAt(block, this.#finalized.slot) !== this.#finalized;
  }

  /** Returns each validator's vote with the highest slot, or the first one in case of a tie. */
  #latestOf(pool: ProofPool): (VoteData | undefined)[] {
    const latest: (VoteData | undefined)[] = [];
    for (const { data, proofs } of pool.values()) for (const votes of proofs) this.#countLatest(latest, data, votes);
    return latest;
  }

  /** Counts the latest votes of a proof. A vote for a head that is not beyond the finalised slot does not count. */
  #countLatest(latest: (VoteData | undefined)[], data: VoteData, votes: MemberSet): void {
    if (data.head.slot <= this.#finalized.slot) return;
    for (let validator = 0; validator < 32 * votes.length; validator++) {
      if (!hasMember(votes, validator)) continue;
      const before = latest[validator];
      if (before === undefined || before.slot < data.slot) latest[validator] = data;
    }
  }

  /**
   * Starts at the justified block and repeatedly moves to the heaviest child, as long as this child has at least
   * `minWeight` latest votes (LMD-GHOST).
   */
  #ghost(latest: readonly (VoteData | undefined)[], minWeight: number): Block {
    const { rankOf = (block: number) => block } = this.#options;
    const walk = ++this.#walks;
    const counts = new Map<number, number>();
    for (const vote of latest) {
      if (vote === undefined || vote.head.slot <= this.#finalized.slot) continue;
      counts.set(vote.head.block, (counts.get(vote.head.block) ?? 0) + 1);
    }
    for (const [head, count] of counts) {
      for (let at = this.#blocks.get(head); at !== undefined && at.slot > this.#justified.slot; at = at.parent) {
        at.weight = (at.walk === walk ? at.weight : 0) + count;
        at.walk = walk;
      }
    }
    const weightOf = (block: Block) => (block.walk === walk ? block.weight : 0);
    let at = this.#justified;
    for (;;) {
      let best: Block | undefined;
      for (const child of at.children) {
        const weight = weightOf(child);
        if (weight < minWeight) continue;
        const over = best === undefined ? 1 : weight - weightOf(best) || rankOf(child.block) - rankOf(best.block);
        if (over > 0) best = child;
      }
      if (best === undefined) return at;
      at = best;
    }
  }
}

/** Returns a text that is equal for votes with equal content. */
export function keyOf({ slot, head, target, source }: VoteData): string {
  return `${slot} ${[head, target, source].map(({ block, slot: of }) => `${block}:${of}`).join(' ')}`;
}

function addProof(pool: ProofPool, data: VoteData, votes: MemberSet): void {
  const key = keyOf(data);
  const proofs = pool.get(key)?.proofs ?? [];
  const isThere = proofs.some((one) => one.every((word, at) => word === votes[at]));
  if (!isThere) pool.set(key, { data, proofs: [...proofs, votes] });
}

function attestationOf({ data, votes }: VoteProof): Attestation {
  return { slot: data.slot, source: data.source.slot, target: data.target.slot, votes };
}

/** Returns whether a block's chain contains all three checkpoints. */
function isOnChain({ head, target, source }: VoteData, block: Block): boolean {
  return [head, target, source].every((one) => ancestorAt(block, one.slot)?.block === one.block);
}

/** Returns the block of a slot on a block's chain, including that block, or undefined if the slot has no block. */
function ancestorAt(block: Block, slot: number): Block | undefined {
  let at: Block | undefined = block;
  while (at !== undefined && at.slot > slot) at = at.jump !== undefined && at.jump.slot >= slot ? at.jump : at.parent;
  return at?.slot === slot ? at : undefined;
}
