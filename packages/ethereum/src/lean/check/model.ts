import { addMember, emptySet, sizeOf } from '@tutti/core/horn';
import { isBounded, type LeanPlan, type LeanView, planOf } from '../plans.ts';
import { viewOfRound } from '../rounds.ts';
import { countNewVotes, joinVotes, ownsWidth, topLevel, windowOf } from '../rules.ts';
import {
  hasTurns,
  isHalving,
  type LeanProof,
  type LeanSizes,
  type LeanStrategy,
  makeProof,
  SubnetMasks,
} from '../world.ts';

/** Options of a model without time: two validators per subnet, one merge per aggregator and slot, then delivery. */
export interface LeanModelOptions {
  readonly rule: LeanStrategy;
  readonly subnets: number;
  /** Duty subnets of the aggregators; a subnet may have several. */
  readonly owners: readonly number[];
  /** Number of subnets in each leaf: the aggregator's own subnet, and the subnets after it. */
  readonly leafSubnets: number;
  /** Maximum number of silent aggregators. */
  readonly silent: number;
  /** Maximum number of merges delayed by a slot. */
  readonly idle: number;
  /** Maximum number of lost deliveries. */
  readonly losses: number;
  /** Maximum number of aggregators whose leaf has a vote from each other subnet. */
  readonly wide?: number;
  /** Number of slots in which a merge may begin; a later merge cannot end in time. Undefined for no limit. */
  readonly deadline?: number;
}

/** Fault in one slot; an object without fields means no fault. */
export interface LeanFault {
  /** Position whose merge is delayed by a slot. */
  readonly idle?: number;
  /** Lost delivery: the merge by one position does not reach another position. */
  readonly lost?: readonly [by: number, to: number];
}

/** State of a model at the beginning of a slot. */
export interface LeanCheckState {
  readonly slot: number;
  /** Number of slots since the first slot. */
  readonly elapsed: number;
  /** Proofs by position; a silent position has none. */
  readonly held: readonly (readonly LeanProof[])[];
  /** Proofs by position that arrived after the last acceptance, for leanSpec's rule. */
  readonly pending: readonly ReadonlySet<number>[];
  /** Slot in which a half was ready for its owners, by position and half; see `viewOfRound`. */
  readonly ready: ReadonlyMap<string, number>;
}

/** Action of one aggregator in a slot. */
export interface LeanAct {
  readonly position: number;
  readonly plan: LeanPlan | undefined;
}

/** A model without time, for given silent aggregators and wide leaves. */
export class LeanModel {
  readonly options: LeanModelOptions;
  readonly sizes: LeanSizes;
  readonly silent: readonly number[];
  readonly wide: readonly number[];
  readonly #masks: SubnetMasks;
  #made = 0;

  constructor(options: LeanModelOptions, silent: readonly number[], wide: readonly number[] = []) {
    const { subnets, owners } = options;
    this.options = options;
    this.silent = silent;
    this.wide = wide;
    this.sizes = {
      validators: 2 * subnets,
      subnets,
      duties: owners,
      branching: 2,
      proverChildren: 16,
      clientChildren: 2,
      supers: 1,
      minGain: 0,
    };
    this.#masks = new SubnetMasks(this.sizes);
  }

  /** Returns the first state, in which all leaves have been delivered to all positions. */
  first(slot: number): LeanCheckState {
    const { subnets, leafSubnets, owners } = this.options;
    const leaves = owners.flatMap((duty, by) => {
      if (this.silent.includes(by)) return [];
      const votes = emptySet(2 * subnets);
      for (let one = 0; one < leafSubnets; one++) {
        addMember(votes, (duty + one) % subnets);
        addMember(votes, subnets + ((duty + one) % subnets));
      }
      for (let subnet = 0; this.wide.includes(by) && subnet < subnets; subnet++) addMember(votes, subnet);
      return [this.#proof({ votes, by, children: [], half: undefined })];
    });
    const held = owners.map((_, position) => (this.silent.includes(position) ? [] : leaves));
    // Proofs take seconds, so they arrive after the pending pool was accepted.
    const pending = held.map((proofs) => new Set(this.#isSpec ? proofs.map(({ id }) => id) : []));
    return { slot, elapsed: 0, held, pending, ready: new Map() };
  }

  get #isSpec(): boolean {
    return this.options.rule === 'spec';
  }

  #proof(made: Pick<LeanProof, 'votes' | 'by' | 'children' | 'half'>): LeanProof {
    return makeProof(this.sizes, { ...made, id: this.#made++, bytes: 1, rawVotes: 0 });
  }

  /** Returns what each live aggregator would merge in the state's slot. @param ready changed in place. */
  acts(state: LeanCheckState, ready: Map<string, number>): LeanAct[] {
    return this.options.owners.flatMap((_, position) => {
      if (this.silent.includes(position)) return [];
      const plan = planOf(this.options.rule, this.#view(state, position, ready));
      return [{ position, plan: isBounded(this.options.rule) && this.isLate(state) ? undefined : plan }];
    });
  }

  /** Returns whether a merge that begins in the state's slot cannot end in time. */
  isLate({ elapsed }: LeanCheckState): boolean {
    return elapsed >= (this.options.deadline ?? Number.POSITIVE_INFINITY);
  }

  #view({ slot, elapsed, held, pending }: LeanCheckState, position: number, ready: Map<string, number>): LeanView {
    const { rule, owners } = this.options;
    const known = {
      sizes: this.sizes,
      masks: this.#masks,
      position,
      // Owners depend on the message's slot, which is the first slot. Windows depend on the current slot.
      slot: isHalving(rule) ? slot - elapsed : slot,
      proofs: held[position]!,
      fits: Math.min(owners.length - this.silent.length, this.sizes.proverChildren),
    };
    const view = viewOfRound(known, slot, ready, (level) => level * owners.length);
    if (!this.#isSpec) return view;
    return { ...view, isLeafTime: true, isPending: ({ id }) => pending[position]!.has(id) };
  }

  /** Returns the state after a slot. */
  step(state: LeanCheckState, fault: LeanFault): { readonly state: LeanCheckState; readonly acts: readonly LeanAct[] } {
    const ready = new Map(state.ready);
    const acts = this.acts(state, ready);
    const held = state.held.map((proofs, position) => [...this.#heldAfter(state, position, fault, proofs)]);
    for (const { position, plan } of acts) {
      if (plan === undefined || fault.idle === position) continue;
      const proof = this.#proof({ votes: plan.votes, by: position, children: plan.children, half: plan.half });
      held.forEach((proofs, to) => {
        const isLost = fault.lost !== undefined && fault.lost[0] === position && fault.lost[1] === to;
        if (!this.silent.includes(to) && !isLost) proofs.push(proof);
      });
    }
    // Proofs that arrive in time are accepted at the end of the slot.
    const pending = held.map(() => new Set<number>());
    return { state: { slot: state.slot + 1, elapsed: state.elapsed + 1, held, pending, ready }, acts };
  }

  /**
   * Returns the proofs that an aggregator still holds after a slot: all proofs, except with leanSpec's aggregate(),
   * which replaces the pending pool with the proofs of this round (leanSpec#1208).
   */
  #heldAfter({ pending }: LeanCheckState, position: number, { idle }: LeanFault, proofs: readonly LeanProof[]) {
    if (!this.#isSpec || idle === position) return proofs;
    return proofs.filter(({ id }) => !pending[position]!.has(id));
  }

  /** Returns the proof that leanSpec's aggregator drops in this slot, if any: one that is alone in the pending pool. */
  droppedBy({ held, pending }: LeanCheckState, { position, plan }: LeanAct): LeanProof | undefined {
    if (plan !== undefined) return undefined;
    return held[position]!.find(({ id }) => pending[position]!.has(id));
  }

  /** Number of slots without a merge after which no further merge is possible. */
  get period(): number {
    const { owners, subnets, rule } = this.options;
    const levels = topLevel(subnets, 2) + 1;
    return hasTurns(rule) ? levels * owners.length + owners.length + 1 : 2 * subnets;
  }

  /**
   * Number of slots after which the owners of all windows repeat: the least common multiple of the possible widths, which
   * are 1, all even numbers of subnets, and all subnets.
   */
  get cycle(): number {
    const { rule, subnets } = this.options;
    if (rule !== 'window-skip') return subnets;
    const isCycle = (slots: number) => {
      for (let width = 2; width < subnets; width += 2) if (slots % width !== 0) return false;
      return true;
    };
    let slots = subnets;
    while (!isCycle(slots)) slots += subnets;
    return slots;
  }

  /** Returns the number of votes in the proofs of all live aggregators, and the number in the best proof. */
  coverage({ held }: LeanCheckState): { readonly all: number; readonly best: number } {
    const union = emptySet(this.sizes.validators);
    let best = 0;
    for (const { votes, size } of held.flat()) {
      joinVotes(union, votes);
      best = Math.max(best, size);
    }
    return { all: sizeOf(union), best };
  }

  /**
   * Returns a key that describes the location and age of all proofs. Two states of runs with the same first slot and
   * with equal keys continue in the same way. All votes fit into one word, because a model has at most 16 validators.
   */
  keyOf({ slot, elapsed, held, pending, ready }: LeanCheckState): string {
    const turn = hasTurns(this.options.rule) ? slot : slot % this.cycle;
    const proofs = held.map((list, position) =>
      list
        .map(({ id, votes, half, by }) => {
          const isPending = pending[position]!.has(id) ? '?' : '';
          return `${votes[0]}/${half?.level ?? '-'}.${half?.index ?? '-'}/${by}${isPending}`;
        })
        .join(),
    );
    const left = this.options.deadline === undefined ? 0 : elapsed;
    return JSON.stringify([turn, left, proofs, [...ready].sort()]);
  }

  /** Returns the reason why a live aggregator made no merge in this slot, for the window strategies. */
  whyNot({ slot, held }: LeanCheckState, position: number): 'not an owner' | 'lonely' | 'nothing new' {
    const duty = this.options.owners[position]!;
    const window = windowOf(held[position]!, duty, this.sizes.subnets);
    if (this.options.rule === 'window-skip' && !ownsWidth(duty, window.width, slot)) return 'not an owner';
    const inside = held[position]!.filter(
      (proof) => countNewVotes(proof.votes, emptySet(this.sizes.validators), this.#masks.ofWindow(window)) > 0,
    );
    return inside.length < 2 ? 'lonely' : 'nothing new';
  }
}
