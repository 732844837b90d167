import { type Contribution, noContribution, type Port, type ProtocolNode } from '@tutti/core';
import { type Slab, stakeWeightOf } from '@tutti/core/packed';
import type { Attack, AttackSetting, Coalition } from './attack.ts';
import { type Composition, type Moment, type Part, partsOn, type Schedule } from './composition.ts';
import { Forgeries } from './forgery.ts';
import { listInts, type RankedLists } from './rankedLists.ts';
import { levelOf, ShadowMemory, ShadowState, senderOf } from './shadowState.ts';

/** Refrains from participating (v1.03 section 4.1 (1)). */
export const silent: Attack = {
  name: 'silent',
  section: 'v1.03 4.1 (1)',
  aim: 'Keeps its contribution to itself, so that levels stay incomplete and whoever contacts it waits in vain.',
  against: ['handel', 'complete-graph', 'san-fermin', 'gossip'],
  form: () => ({ join: () => silence }),
};

/** A node that does nothing. */
export const silence: ProtocolNode = { start() {}, onMessage() {}, onTimer() {}, onVerified() {} };

/**
 * A coalition of the strongest kind (v1.03 section 4.1): its members send nothing of their own accord; each honest node
 * is handed what a {@link Composition} prescribes for each of its levels, at the prescribed moment.
 */
export function composedCoalition(setting: AttackSetting, composition: Composition): Coalition {
  const shadows: ShadowState[] = [];
  const ports: Port[] = [];
  const composers: Composer[] = [];
  const plan = new Plan(setting, composition);
  return {
    join: () => silence,
    watch(port, id) {
      shadows[id] ??= new ShadowState(setting, id, plan.memory);
      ports[id] = shadows[id].watch(port);
      composers[id]?.onVictimForgot();
      return ports[id];
    },
    around(victim, id) {
      composers[id] = new Composer(plan, shadows[id]!, ports[id]!, victim);
      return composers[id];
    },
  };
}

/** A part on its level. */
interface Assignment extends Part {
  readonly level: number;
}

/** What holds for every victim of a coalition. */
class Plan {
  readonly setting: AttackSetting;
  readonly forgeries: Forgeries;
  readonly memory = new ShadowMemory();
  /** From level 1 up. */
  readonly assignments: readonly Assignment[];
  /** Per level: the index of its first assignment; as many as there are for L + 1. */
  readonly firstOn: readonly number[];
  /** Whether one goes by what honest senders have waiting. */
  readonly looksOn: boolean;
  /** Whether victims do. */
  readonly goesByRank: boolean;
  readonly blacklists: boolean;
  /**
   * Of the victim that is looked at: per level, the best rank among the honest senders who wait; and the best place of
   * all levels.
   */
  readonly best: number[] = [];
  bestPlace = 0;
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
    this.looksOn = this.assignments.some(({ when }) => typeof when === 'string');
    this.goesByRank = !setting.without.includes('window');
    this.blacklists = !setting.without.includes('blacklist');
  }

  /** The coalition's ids within a block, ascending. */
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
 * Columns of a victim's line for an assignment: the list of the members that have something to give; the list of those
 * whose contribution waits at the victim; how many have been handed in all; and what {@link ShadowState.improvements}
 * was when In_l lacked no member, with 1 added.
 */
const column = { ready: 0, handed: listInts, given: 2 * listInts, noLenderIn: 2 * listInts + 1 } as const;
const columns = 2 * listInts + 2;

/** Stands before a victim and hands it what the composition says, just before it chooses what to verify next. */
class Composer implements ProtocolNode {
  readonly #plan: Plan;
  readonly #shadow: ShadowState;
  readonly #port: Port;
  readonly #victim: ProtocolNode;
  readonly #slab: Slab;
  readonly #lists: RankedLists;
  /** Where its lines lie. */
  readonly #lines: number;
  /** A bit for each level on which a member has something to give. */
  #readyLevels = 0;
  #startUs: number | undefined;

  constructor(plan: Plan, shadow: ShadowState, port: Port, victim: ProtocolNode) {
    const { slab, lists } = plan.memory;
    this.#plan = plan;
    this.#shadow = shadow;
    this.#port = port;
    this.#victim = victim;
    this.#slab = slab;
    this.#lists = lists;
    this.#lines = slab.reserve(plan.assignments.length * columns);
    for (let level = 1; level <= shadow.levels; level++) this.#deal(level);
  }

  start(): void {
    this.#startUs = this.#port.nowUs();
    this.#play();
    this.#victim.start();
    this.#shadow.settle();
  }

  onMessage(from: number, level: number, aggregate: Contribution, individual: Contribution, flags: number): void {
    if (this.#plan.looksOn) this.#shadow.onMessage(from, level, aggregate);
    if (!this.#shadow.isChecking) this.#play();
    this.#victim.onMessage(from, level, aggregate, individual, flags);
    this.#settle();
  }

  onTimer(timer: number): void {
    if (!this.#shadow.isChecking) this.#play();
    this.#victim.onTimer(timer);
    this.#settle();
  }

  onVerified(ticket: number, valid: boolean): void {
    this.#onVerdicts([valid]);
    this.#victim.onVerified(ticket, valid);
    this.#settle();
  }

  onBatchVerified(ticket: number, verdicts: readonly boolean[]): void {
    this.#onVerdicts(verdicts);
    this.#victim.onBatchVerified!(ticket, verdicts);
    this.#settle();
  }

  /** The victim begins anew, and ranks with it. */
  onVictimForgot(): void {
    const lists = this.#lists;
    for (let one = 0; one < this.#plan.assignments.length; one++) {
      const handed = this.#line(one) + column.handed;
      const waiting = Array.from({ length: lists.length(handed) }, (_, index) => ({
        sender: lists.sender(handed, index),
        weight: lists.weight(handed, index),
      }));
      lists.clear(handed);
      for (const { sender, weight } of waiting) lists.insert(handed, this.#shadow.rank(sender), sender, weight);
    }
  }

  /** Each assignment of the level gets the best ranked members that the earlier ones leave. */
  #deal(level: number): void {
    const { firstOn, assignments } = this.#plan;
    const [first, end] = [firstOn[level]!, firstOn[level + 1]!];
    if (first === end) return;
    const members = this.#plan.membersIn(this.#shadow.block(level));
    const ranked = members.map((sender) => ({ sender, rank: this.#shadow.rank(sender) }));
    ranked.sort((a, b) => a.rank - b.rank);
    let dealt = 0;
    for (let one = first; one < end; one++) {
      const until = Math.min(ranked.length, dealt + (assignments[one]!.count ?? ranked.length));
      for (; dealt < until; dealt++) this.#makeReady(one, ranked[dealt]!.sender, ranked[dealt]!.rank);
    }
  }

  #onVerdicts(verdicts: readonly boolean[]): void {
    const { checked } = this.#shadow;
    for (let place = 0; place < checked.length; place++) {
      this.#onVerdict(levelOf(checked[place]!), senderOf(checked[place]!), verdicts[place]!);
    }
    this.#shadow.endCheck();
    this.#play();
  }

  #onVerdict(level: number, sender: number, valid: boolean): void {
    const shadow = this.#shadow;
    const { setting, firstOn, blacklists } = this.#plan;
    const one = setting.isByzantine(sender) ? this.#takeBack(level, shadow.rank(sender)) : firstOn[level + 1]!;
    shadow.onVerdict(level, sender, valid);
    // Whoever gave something valid may give again, at the rank that it has now; an invalid one is blacklisted for.
    if (one < firstOn[level + 1]! && (valid || !blacklists)) this.#makeReady(one, sender, shadow.rank(sender));
  }

  /**
   * What the member of that rank had waiting has been verified. @returns the assignment in which it had; the one after
   * the level's for none.
   */
  #takeBack(level: number, rank: number): number {
    const end = this.#plan.firstOn[level + 1]!;
    for (let one = this.#plan.firstOn[level]!; one < end; one++) {
      const handed = this.#line(one) + column.handed;
      const index = this.#lists.indexOf(handed, rank);
      if (index < 0) continue;
      this.#lists.removeAt(handed, index);
      return one;
    }
    return end;
  }

  #makeReady(one: number, sender: number, rank: number): void {
    this.#lists.insert(this.#line(one) + column.ready, rank, sender, 0);
    this.#readyLevels |= 1 << this.#plan.assignments[one]!.level;
  }

  #settle(): void {
    if (this.#startUs !== undefined) this.#shadow.settle();
  }

  #play(): void {
    if (this.#startUs === undefined || this.#readyLevels === 0) return;
    const { firstOn } = this.#plan;
    const sinceStartMs = (this.#port.nowUs() - this.#startUs) / 1000;
    let hasLooked = false;
    for (let level = 1; level <= this.#shadow.levels; level++) {
      if (((this.#readyLevels >>> level) & 1) === 0) continue;
      let left = 0;
      for (let one = firstOn[level]!; one < firstOn[level + 1]!; one++) {
        const ready = this.#line(one) + column.ready;
        if (this.#lists.length(ready) === 0) continue;
        const { when } = this.#plan.assignments[one]!;
        if (typeof when !== 'string') {
          if (sinceStartMs >= when.fromMs) this.#handAllDue(one, when, sinceStartMs);
        } else {
          if (when !== 'always' && !hasLooked) {
            this.#look();
            hasLooked = true;
          }
          this.#keepOneWaiting(one, when);
        }
        left += this.#lists.length(ready);
      }
      if (left === 0) this.#readyLevels &= ~(1 << level);
    }
  }

  #handAllDue(one: number, { fromMs, everyMs }: Schedule, sinceStartMs: number): void {
    const due = everyMs === 0 ? Number.POSITIVE_INFINITY : (sinceStartMs - fromMs) / everyMs;
    while (this.#get(one, column.given) <= due && this.#hand(one, 0));
  }

  /** Sees what honest senders have waiting on each level. */
  #look(): void {
    const plan = this.#plan;
    const shadow = this.#shadow;
    plan.bestPlace = Number.POSITIVE_INFINITY;
    for (let level = 1; level <= shadow.levels; level++) {
      const best = shadow.bestRank(level);
      plan.best[level] = best;
      // Where nobody waits there is no place; nor is there on an empty level, whose size is 0.
      if (best < Number.POSITIVE_INFINITY) plan.bestPlace = Math.min(plan.bestPlace, this.#place(level, best));
    }
  }

  #place(level: number, rank: number): number {
    return (rank * this.#shadow.size(level)) / this.#plan.setting.priorities.span;
  }

  /**
   * Hands over what the last of the ready senders in front has, those further ahead being saved for later, unless
   * something waits already.
   */
  #keepOneWaiting(one: number, when: Moment): void {
    const { best: bests, bestPlace, assignments } = this.#plan;
    if (when !== 'always' && bestPlace === Number.POSITIVE_INFINITY) return;
    const { level } = assignments[one]!;
    const best = when === 'always' ? this.#shadow.bestRank(level) : bests[level]!;
    if (this.#hasOneWaiting(one, when, best)) return;
    const ready = this.#line(one) + column.ready;
    let count = 0;
    for (let limit = this.#lists.length(ready); count < limit; ) {
      const middle = (count + limit) >>> 1;
      if (this.#isInFront(level, when, this.#lists.rank(ready, middle), best)) count = middle + 1;
      else limit = middle;
    }
    if (count > 0) this.#hand(one, count - 1);
    else if (when === 'always') this.#hand(one, 0);
  }

  #hasOneWaiting(one: number, when: Moment, best: number): boolean {
    const lists = this.#lists;
    const { level } = this.#plan.assignments[one]!;
    const handed = this.#line(one) + column.handed;
    const count = lists.length(handed);
    for (let index = 0; index < count; index++) {
      if (when !== 'always' && !this.#isInFront(level, when, lists.rank(handed, index), best)) return false;
      if (this.#shadow.isOfUse(level, lists.sender(handed, index), lists.weight(handed, index))) return true;
    }
    return false;
  }

  /** @param best the best rank of what honest senders have waiting on the level. */
  #isInFront(level: number, when: Moment, rank: number, best: number): boolean {
    // Without a window a victim ignores ranks, and whatever promises most comes first.
    if (!this.#plan.goesByRank) return true;
    return rank <= best && (when !== 'ahead' || this.#place(level, rank) <= this.#plan.bestPlace);
  }

  /** Has the ready sender at that index give something. @returns whether it had anything. */
  #hand(one: number, index: number): boolean {
    const lists = this.#lists;
    const { level, what } = this.#plan.assignments[one]!;
    const ready = this.#line(one) + column.ready;
    if (index >= lists.length(ready)) return false;
    const sender = lists.sender(ready, index);
    const contribution = this.#offer(one, sender);
    // What In_l contains now it may lack again, so that another's can be had later; one's own is given once.
    if (contribution === noContribution && what === 'borrowed') return false;
    lists.removeAt(ready, index);
    if (contribution === noContribution) return index < lists.length(ready);
    this.#set(one, column.given, this.#get(one, column.given) + 1);
    // Not the rank that it was ready with, which is older where the victim has forgotten since.
    const rank = this.#shadow.rank(sender);
    lists.insert(this.#line(one) + column.handed, rank, sender, stakeWeightOf(this.#plan.setting.scheme, contribution));
    this.#victim.onMessage(sender, level, contribution, noContribution, 0);
    return true;
  }

  /** Lent; noContribution where the sender has nothing any more. */
  #offer(one: number, sender: number): Contribution {
    const { assignments, forgeries } = this.#plan;
    const { level, what } = assignments[one]!;
    const shadow = this.#shadow;
    const block = shadow.block(level);
    if (what === 'invalid' || (what === 'mixed' && shadow.isTrusted(level))) return forgeries.full(block);
    const lender = what === 'borrowed' ? this.#lender(one, level, sender) : sender;
    if (lender === undefined || !shadow.isOfUse(level, lender, 1)) return noContribution;
    return forgeries.alone(block, lender);
  }

  /** A member whose contribution In_l lacks: the first one from the borrower on, in the order of ids. */
  #lender(one: number, level: number, borrower: number): number | undefined {
    const shadow = this.#shadow;
    const inNow = shadow.improvements(level) + 1;
    if (this.#get(one, column.noLenderIn) === inNow) return undefined;
    const members = this.#plan.membersIn(shadow.block(level));
    const from = members.indexOf(borrower);
    for (let step = 0; step < members.length; step++) {
      const member = members[(from + step) % members.length]!;
      if (shadow.isOfUse(level, member, 1)) return member;
    }
    this.#set(one, column.noLenderIn, inNow);
    return undefined;
  }

  #line(one: number): number {
    return this.#lines + one * columns;
  }

  #get(one: number, which: number): number {
    return this.#slab.ints[this.#line(one) + which]!;
  }

  #set(one: number, which: number, value: number): void {
    this.#slab.ints[this.#line(one) + which] = value;
  }
}
