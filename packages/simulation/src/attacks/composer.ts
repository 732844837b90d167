import { type Contribution, noContribution, type Port, type ProtocolNode } from '@tutti/core';
import { type Slab, stakeWeightOf } from '@tutti/core/packed';
import type { AttackSetting, Coalition } from './attack.ts';
import { type Composition, type Moment, type Part, partsOn, type Schedule } from './composition.ts';
import { Forgeries } from './forgery.ts';
import { listInts, type RankedLists } from './rankedLists.ts';
import { levelOf, ShadowMemory, ShadowState, senderOf } from './shadowState.ts';

/** A node that does nothing. */
export const silence: ProtocolNode = { start() {}, onMessage() {}, onTimer() {}, onVerified() {} };

/**
 * Creates a coalition of the strongest kind (v1.03 section 4.1). The coalition's members send nothing themselves. Each
 * honest node gets the contributions that a {@link Composition} prescribes for each of its levels, at the prescribed
 * moment.
 */
export function composedCoalition(setting: AttackSetting, composition: Composition): Coalition {
  const shadows: ShadowState[] = [];
  const ports: Port[] = [];
  const composers: Composer[] = [];
  const prepared = new PreparedComposition(setting, composition);
  return {
    join: () => silence,
    watch(port, id) {
      shadows[id] ??= new ShadowState(setting, id, prepared.memory);
      ports[id] = shadows[id].watch(port);
      composers[id]?.onVictimForgot();
      return ports[id];
    },
    around(victim, id) {
      composers[id] = new Composer(prepared, shadows[id]!, ports[id]!, victim);
      return composers[id];
    },
  };
}

/** A part of the composition, with its level. */
interface Assignment extends Part {
  readonly level: number;
}

/**
 * Ranks of the contributions of honest senders that wait at one victim. All victims share this object to save memory,
 * so its values are valid only until another victim is examined.
 */
class WaitingRanks {
  /** Best rank by level; infinite for a level without a waiting contribution of an honest sender. */
  readonly best: number[] = [];
  /** Best place over all levels; infinite if no honest sender's contribution waits. */
  bestPlace = Number.POSITIVE_INFINITY;
}

/** A coalition's composition, prepared once for all victims. */
class PreparedComposition {
  readonly setting: AttackSetting;
  readonly forgeries: Forgeries;
  readonly memory = new ShadowMemory();
  /** Assignments, from level 1 up. */
  readonly assignments: readonly Assignment[];
  /** Per level: the index of its first assignment. The entry at L + 1 is the number of assignments. */
  readonly firstOn: readonly number[];
  /** Whether an assignment depends on the waiting contributions of honest senders. */
  readonly observesWaiting: boolean;
  /** Whether victims choose within a window of ranks. */
  readonly hasWindow: boolean;
  /** Whether victims blacklist the sender of an invalid contribution. */
  readonly hasBlacklist: boolean;
  readonly waiting = new WaitingRanks();
  readonly #members = new Map<number, readonly number[]>();

  constructor(setting: AttackSetting, composition: Composition) {
    this.setting = setting;
    this.forgeries = new Forgeries(setting);
    const { levels } = setting.scheme.tree;
    const onLevels = Array.from({ length: levels + 1 }, (_, level) =>
      level === 0 ? [] : partsOn(composition, level, levels).map((part) => ({ ...part, level })),
    );
    this.assignments = onLevels.flat();
    this.firstOn = Array.from({ length: levels + 2 }, (_, level) => onLevels.slice(0, level).flat().length);
    this.observesWaiting = this.assignments.some(({ when }) => typeof when === 'string');
    this.hasWindow = !setting.without.includes('window');
    this.hasBlacklist = !setting.without.includes('blacklist');
  }

  /** Returns the coalition's ids within a block, ascending. */
  membersIn(block: number): readonly number[] {
    let members = this.#members.get(block);
    if (members === undefined) {
      const { tree } = this.setting.scheme;
      members = this.setting.members.filter((id) => tree.contains(block, id));
      this.#members.set(block, members);
    }
    return members;
  }
}

/**
 * Columns of a victim's line for an assignment: the list of members with a contribution to send; the list of members
 * whose contribution waits at the victim; the number of contributions sent; and the value of
 * {@link ShadowState.improvements} plus 1 at which In_l lacked no member.
 */
const column = { ready: 0, delivered: listInts, deliveries: 2 * listInts, noLenderIn: 2 * listInts + 1 } as const;
const columns = 2 * listInts + 2;

/**
 * A node in front of a victim. The composer delivers the composition's contributions just before the victim chooses its
 * next verification.
 */
class Composer implements ProtocolNode {
  readonly #prepared: PreparedComposition;
  readonly #shadow: ShadowState;
  readonly #port: Port;
  readonly #victim: ProtocolNode;
  readonly #slab: Slab;
  readonly #lists: RankedLists;
  /** Address of this victim's lines in the slab. */
  readonly #lines: number;
  /** Levels on which a member has a contribution to send, as bits. */
  #readyLevels = 0;
  #startUs: number | undefined;

  constructor(prepared: PreparedComposition, shadow: ShadowState, port: Port, victim: ProtocolNode) {
    const { slab, lists } = prepared.memory;
    this.#prepared = prepared;
    this.#shadow = shadow;
    this.#port = port;
    this.#victim = victim;
    this.#slab = slab;
    this.#lists = lists;
    this.#lines = slab.reserve(prepared.assignments.length * columns);
    for (let level = 1; level <= shadow.levels; level++) this.#assign(level);
  }

  start(): void {
    this.#startUs = this.#port.nowUs();
    this.#sendDue();
    this.#victim.start();
    this.#shadow.settle();
  }

  onMessage(from: number, level: number, aggregate: Contribution, individual: Contribution, flags: number): void {
    if (this.#prepared.observesWaiting) this.#shadow.onMessage(from, level, aggregate);
    if (!this.#shadow.isChecking) this.#sendDue();
    this.#victim.onMessage(from, level, aggregate, individual, flags);
    this.#settle();
  }

  onTimer(timer: number): void {
    if (!this.#shadow.isChecking) this.#sendDue();
    this.#victim.onTimer(timer);
    this.#settle();
  }

  onVerified(ticket: number, valid: boolean): void {
    this.#onVerdicts(ticket, [valid]);
    this.#victim.onVerified(ticket, valid);
    this.#settle();
  }

  onBatchVerified(ticket: number, verdicts: readonly boolean[]): void {
    this.#onVerdicts(ticket, verdicts);
    this.#victim.onBatchVerified!(ticket, verdicts);
    this.#settle();
  }

  /** Sorts the delivered contributions by the senders' initial ranks after the victim has lost its state. */
  onVictimForgot(): void {
    const lists = this.#lists;
    for (let assignment = 0; assignment < this.#prepared.assignments.length; assignment++) {
      const delivered = this.#line(assignment) + column.delivered;
      const waiting = Array.from({ length: lists.length(delivered) }, (_, index) => ({
        sender: lists.sender(delivered, index),
        weight: lists.weight(delivered, index),
      }));
      lists.clear(delivered);
      for (const { sender, weight } of waiting) lists.insert(delivered, this.#shadow.rank(sender), sender, weight);
    }
  }

  /** Gives each assignment of the level the best-ranked members left by earlier assignments. */
  #assign(level: number): void {
    const { firstOn, assignments } = this.#prepared;
    const [first, end] = [firstOn[level]!, firstOn[level + 1]!];
    if (first === end) return;
    const members = this.#prepared.membersIn(this.#shadow.block(level));
    const ranked = members.map((sender) => ({ sender, rank: this.#shadow.rank(sender) }));
    ranked.sort((a, b) => a.rank - b.rank);
    let assigned = 0;
    for (let assignment = first; assignment < end; assignment++) {
      const until = Math.min(ranked.length, assigned + (assignments[assignment]!.count ?? ranked.length));
      for (; assigned < until; assigned++)
        this.#makeReady(assignment, ranked[assigned]!.sender, ranked[assigned]!.rank);
    }
  }

  #onVerdicts(ticket: number, verdicts: readonly boolean[]): void {
    const shadow = this.#shadow;
    // The victim ignores verdicts that it requested before it lost its state.
    if (shadow.awaits(ticket)) {
      const { checked } = shadow;
      for (let place = 0; place < checked.length; place++) {
        this.#onVerdict(levelOf(checked[place]!), senderOf(checked[place]!), verdicts[place]!);
      }
      shadow.endCheck();
    }
    if (!shadow.isChecking) this.#sendDue();
  }

  #onVerdict(level: number, sender: number, valid: boolean): void {
    const shadow = this.#shadow;
    const { setting, firstOn, hasBlacklist } = this.#prepared;
    const assignment = setting.isByzantine(sender)
      ? this.#takeDelivered(level, shadow.rank(sender))
      : firstOn[level + 1]!;
    shadow.onVerdict(level, sender, valid);
    // A member that sent a valid contribution may send again, with its current rank. A member that sent an invalid
    // contribution is blacklisted.
    if (assignment < firstOn[level + 1]! && (valid || !hasBlacklist))
      this.#makeReady(assignment, sender, shadow.rank(sender));
  }

  /**
   * Records that the victim verified the waiting contribution with the given rank. @returns the contribution's
   * assignment; the index after the level's last assignment if no assignment has such a contribution.
   */
  #takeDelivered(level: number, rank: number): number {
    const end = this.#prepared.firstOn[level + 1]!;
    for (let assignment = this.#prepared.firstOn[level]!; assignment < end; assignment++) {
      const delivered = this.#line(assignment) + column.delivered;
      const index = this.#lists.indexOf(delivered, rank);
      if (index < 0) continue;
      this.#lists.removeAt(delivered, index);
      return assignment;
    }
    return end;
  }

  #makeReady(assignment: number, sender: number, rank: number): void {
    this.#lists.insert(this.#line(assignment) + column.ready, rank, sender, 0);
    this.#readyLevels |= 1 << this.#prepared.assignments[assignment]!.level;
  }

  #settle(): void {
    if (this.#startUs !== undefined) this.#shadow.settle();
  }

  #sendDue(): void {
    if (this.#startUs === undefined || this.#readyLevels === 0) return;
    const { firstOn } = this.#prepared;
    const sinceStartMs = (this.#port.nowUs() - this.#startUs) / 1000;
    let hasBestRanks = false;
    for (let level = 1; level <= this.#shadow.levels; level++) {
      if (((this.#readyLevels >>> level) & 1) === 0) continue;
      let left = 0;
      for (let assignment = firstOn[level]!; assignment < firstOn[level + 1]!; assignment++) {
        const ready = this.#line(assignment) + column.ready;
        if (this.#lists.length(ready) === 0) continue;
        const { when } = this.#prepared.assignments[assignment]!;
        if (typeof when !== 'string') {
          if (sinceStartMs >= when.fromMs) this.#deliverAllDue(assignment, when, sinceStartMs);
        } else {
          if (when !== 'always' && !hasBestRanks) {
            this.#findBestRanks();
            hasBestRanks = true;
          }
          this.#keepOneWaiting(assignment, when);
        }
        left += this.#lists.length(ready);
      }
      if (left === 0) this.#readyLevels &= ~(1 << level);
    }
  }

  #deliverAllDue(assignment: number, { fromMs, everyMs }: Schedule, sinceStartMs: number): void {
    const due = everyMs === 0 ? Number.POSITIVE_INFINITY : (sinceStartMs - fromMs) / everyMs;
    while (this.#get(assignment, column.deliveries) <= due && this.#deliver(assignment, 0));
  }

  /** Determines the best rank of the honest senders' waiting contributions on each level. */
  #findBestRanks(): void {
    const { waiting } = this.#prepared;
    const shadow = this.#shadow;
    waiting.bestPlace = Number.POSITIVE_INFINITY;
    for (let level = 1; level <= shadow.levels; level++) {
      const best = shadow.bestRank(level);
      waiting.best[level] = best;
      // Infinity times the size of an empty level would be NaN.
      if (best < Number.POSITIVE_INFINITY) waiting.bestPlace = Math.min(waiting.bestPlace, this.#place(level, best));
    }
  }

  /** Returns the expected number of the level's peers that rank before the given rank; comparable between levels. */
  #place(level: number, rank: number): number {
    return (rank * this.#shadow.size(level)) / this.#prepared.setting.priorities.span;
  }

  /**
   * Delivers the contribution of the last ready sender that is still in front, unless a contribution of the assignment
   * already waits. Senders with better ranks remain available for later.
   */
  #keepOneWaiting(assignment: number, when: Moment): void {
    const { waiting, assignments } = this.#prepared;
    if (when !== 'always' && waiting.bestPlace === Number.POSITIVE_INFINITY) return;
    const { level } = assignments[assignment]!;
    const best = when === 'always' ? this.#shadow.bestRank(level) : waiting.best[level]!;
    if (this.#hasOneWaiting(assignment, when, best)) return;
    const ready = this.#line(assignment) + column.ready;
    let count = 0;
    for (let limit = this.#lists.length(ready); count < limit; ) {
      const middle = (count + limit) >>> 1;
      if (this.#isInFront(level, when, this.#lists.rank(ready, middle), best)) count = middle + 1;
      else limit = middle;
    }
    if (count > 0) this.#deliver(assignment, count - 1);
    else if (when === 'always') this.#deliver(assignment, 0);
  }

  #hasOneWaiting(assignment: number, when: Moment, best: number): boolean {
    const lists = this.#lists;
    const { level } = this.#prepared.assignments[assignment]!;
    const delivered = this.#line(assignment) + column.delivered;
    const count = lists.length(delivered);
    for (let index = 0; index < count; index++) {
      if (when !== 'always' && !this.#isInFront(level, when, lists.rank(delivered, index), best)) return false;
      if (this.#shadow.isOfUse(level, lists.sender(delivered, index), lists.weight(delivered, index))) return true;
    }
    return false;
  }

  /** @param best best rank of the honest senders' waiting contributions on the level. */
  #isInFront(level: number, when: Moment, rank: number, best: number): boolean {
    // Without a window, a victim ignores ranks, and the greatest claim comes first.
    if (!this.#prepared.hasWindow) return true;
    return rank <= best && (when !== 'ahead' || this.#place(level, rank) <= this.#prepared.waiting.bestPlace);
  }

  /**
   * Delivers a contribution of the ready sender at the given index. @returns false if no ready sender or no
   * contribution is left at this index.
   */
  #deliver(assignment: number, index: number): boolean {
    const lists = this.#lists;
    const { level, what } = this.#prepared.assignments[assignment]!;
    const ready = this.#line(assignment) + column.ready;
    if (index >= lists.length(ready)) return false;
    const sender = lists.sender(ready, index);
    const contribution = this.#offer(assignment, sender);
    // In_l may later lack a signer that it contains now, so a borrowed contribution may be used again. A sender's own
    // contribution is sent once.
    if (contribution === noContribution && what === 'borrowed') return false;
    lists.removeAt(ready, index);
    if (contribution === noContribution) return index < lists.length(ready);
    this.#set(assignment, column.deliveries, this.#get(assignment, column.deliveries) + 1);
    // Insert the contribution with the sender's current rank. The rank at which the sender became ready is outdated if
    // the victim has lost its state in the meantime.
    const rank = this.#shadow.rank(sender);
    lists.insert(
      this.#line(assignment) + column.delivered,
      rank,
      sender,
      stakeWeightOf(this.#prepared.setting.scheme, contribution),
    );
    this.#victim.onMessage(sender, level, contribution, noContribution, 0);
    return true;
  }

  /** Returns the contribution to send, lent; noContribution if the sender has no contribution left. */
  #offer(assignment: number, sender: number): Contribution {
    const { assignments, forgeries } = this.#prepared;
    const { level, what } = assignments[assignment]!;
    const shadow = this.#shadow;
    const block = shadow.block(level);
    if (what === 'invalid' || (what === 'mixed' && shadow.isTrusted(level))) return forgeries.full(block);
    const lender = what === 'borrowed' ? this.#lender(assignment, level, sender) : sender;
    if (lender === undefined || !shadow.isOfUse(level, lender, 1)) return noContribution;
    return forgeries.alone(block, lender);
  }

  /**
   * Returns a member whose contribution In_l lacks: the borrower, or else the next such member in the cyclic order of
   * ids; undefined if there is none.
   */
  #lender(assignment: number, level: number, borrower: number): number | undefined {
    const shadow = this.#shadow;
    const inNow = shadow.improvements(level) + 1;
    if (this.#get(assignment, column.noLenderIn) === inNow) return undefined;
    const members = this.#prepared.membersIn(shadow.block(level));
    const from = members.indexOf(borrower);
    for (let step = 0; step < members.length; step++) {
      const member = members[(from + step) % members.length]!;
      if (shadow.isOfUse(level, member, 1)) return member;
    }
    this.#set(assignment, column.noLenderIn, inNow);
    return undefined;
  }

  #line(assignment: number): number {
    return this.#lines + assignment * columns;
  }

  #get(assignment: number, which: number): number {
    return this.#slab.ints[this.#line(assignment) + which]!;
  }

  #set(assignment: number, which: number, value: number): void {
    this.#slab.ints[this.#line(assignment) + which] = value;
  }
}
