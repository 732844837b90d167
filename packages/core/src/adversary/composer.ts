import { type Contribution, noContribution, type Port, type ProtocolNode } from '../protocol.ts';
import type { AttackSetting, Coalition } from './attack.ts';
import { type Composition, type Moment, type Part, partsOn } from './composition.ts';
import { Forgeries } from './forgery.ts';
import { insert, type Ranked, removeAt } from './ranked.ts';
import { ShadowState } from './shadowState.ts';
import { silence } from './silent.ts';

/**
 * A coalition of the strongest kind (v1.03 section 4.1): its members send nothing of their own accord; each honest node
 * is handed what a {@link Composition} prescribes for each of its levels, at the prescribed moment.
 */
export function composedCoalition(setting: AttackSetting, composition: Composition): Coalition {
  const shadows: ShadowState[] = [];
  const ports: Port[] = [];
  const composers: Composer[] = [];
  const members = new MembersByBlock(setting);
  const forgeries = new Forgeries(setting);
  return {
    join: () => silence,
    watch(port, id) {
      shadows[id] ??= new ShadowState(setting, id);
      ports[id] = shadows[id].watch(port);
      composers[id]?.onVictimForgot();
      return ports[id];
    },
    around(victim, id) {
      composers[id] = new Composer(setting, members, forgeries, shadows[id]!, ports[id]!, victim, composition);
      return composers[id];
    },
  };
}

/** The coalition's ids within a block, ascending: asked for at every victim, and for most of them the same. */
class MembersByBlock {
  readonly #setting: AttackSetting;
  readonly #known = new Map<number, readonly number[]>();

  constructor(setting: AttackSetting) {
    this.#setting = setting;
  }

  in(block: number): readonly number[] {
    let members = this.#known.get(block);
    if (members === undefined) {
      const { tree } = this.#setting.scheme;
      members = this.#setting.members.filter((id) => tree.contains(block, id));
      this.#known.set(block, members);
    }
    return members;
  }
}

/** A part at work on a level of the victim. */
interface Playing {
  readonly level: number;
  readonly part: Part;
  /** The members that have something to give, in ascending order of rank. */
  readonly ready: Member[];
  /** Those whose contribution waits at the victim, likewise. */
  readonly handed: Member[];
  /** How many have been handed in all. */
  given: number;
  /** What {@link ShadowState.improvements} was when In_l lacked no member; -1 before. */
  noLenderIn: number;
}

/** A Byzantine sender, by the rank that it has with the victim. */
interface Member extends Ranked {
  rank: number;
  /** The weight of what it has handed over. */
  weight: number;
}

/** Stands before a victim and hands it what the composition says, just before it chooses what to verify next. */
class Composer implements ProtocolNode {
  readonly #setting: AttackSetting;
  readonly #members: MembersByBlock;
  readonly #forgeries: Forgeries;
  readonly #shadow: ShadowState;
  readonly #port: Port;
  readonly #victim: ProtocolNode;
  readonly #playing: Playing[] = [];
  /** By sender: the part in which it has something waiting. */
  readonly #handedIn = new Map<number, Playing>();
  /** What the victim does. */
  readonly #goesByRank: boolean;
  readonly #blacklists: boolean;
  /** Whether a part goes by what honest senders have waiting. */
  readonly #looksOn: boolean;
  /** Per level: the best rank among the honest senders who wait, as of now; and the best place of all levels. */
  readonly #best: number[] = [];
  #bestPlace = 0;
  #startUs: number | undefined;

  constructor(
    setting: AttackSetting,
    members: MembersByBlock,
    forgeries: Forgeries,
    shadow: ShadowState,
    port: Port,
    victim: ProtocolNode,
    composition: Composition,
  ) {
    this.#setting = setting;
    this.#members = members;
    this.#forgeries = forgeries;
    this.#shadow = shadow;
    this.#port = port;
    this.#victim = victim;
    for (let level = 1; level <= shadow.levels; level++) {
      const parts = partsOn(composition, level, shadow.levels);
      if (parts.length === 0) continue;
      const ready = members.in(shadow.block(level)).map((sender) => ({ sender, rank: shadow.rank(sender), weight: 0 }));
      ready.sort((a, b) => a.rank - b.rank);
      for (const part of parts) {
        const playing = ready.splice(0, part.count ?? ready.length);
        if (playing.length > 0)
          this.#playing.push({ level, part, ready: playing, handed: [], given: 0, noLenderIn: -1 });
      }
    }
    this.#goesByRank = !setting.without.includes('window');
    this.#blacklists = !setting.without.includes('blacklist');
    this.#looksOn = this.#playing.some(({ part }) => typeof part.when === 'string');
  }

  start(): void {
    this.#startUs = this.#port.nowUs();
    this.#play();
    this.#victim.start();
    this.#shadow.settle();
  }

  onMessage(from: number, level: number, aggregate: Contribution, individual: Contribution, flags: number): void {
    if (this.#looksOn) this.#shadow.onMessage(from, level, aggregate);
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

  /** The victim begins anew, and so do ranks with it. */
  onVictimForgot(): void {
    for (const { handed } of this.#playing) {
      for (const member of handed) member.rank = this.#shadow.rank(member.sender);
      handed.sort((a, b) => a.rank - b.rank);
    }
  }

  #onVerdicts(verdicts: readonly boolean[]): void {
    const checked = this.#shadow.onVerified(verdicts);
    for (let place = 0; place < checked.length; place++) {
      const { level, sender } = checked[place]!;
      const playing = this.#handedIn.get(sender);
      if (playing === undefined || playing.level !== level) continue;
      const member = this.#takeBack(playing, sender);
      // Whoever gave something valid may give again, at the rank that it has now; an invalid one is blacklisted for.
      if (!verdicts[place] && this.#blacklists) continue;
      member.rank = this.#shadow.rank(sender);
      insert(playing.ready, member);
    }
    this.#play();
  }

  #settle(): void {
    if (this.#startUs !== undefined) this.#shadow.settle();
  }

  #play(): void {
    if (this.#startUs === undefined) return;
    const sinceStartMs = (this.#port.nowUs() - this.#startUs) / 1000;
    let looked = false;
    for (const playing of this.#playing) {
      if (playing.ready.length === 0) continue;
      const { when } = playing.part;
      if (typeof when !== 'string') {
        if (sinceStartMs < when.fromMs) continue;
        const due = when.everyMs === 0 ? Number.POSITIVE_INFINITY : (sinceStartMs - when.fromMs) / when.everyMs;
        while (playing.given <= due && this.#hand(playing, 0));
      } else {
        if (when !== 'always' && !looked) this.#look();
        looked ||= when !== 'always';
        this.#keepOneWaiting(playing, when);
      }
    }
  }

  /** Sees what honest senders have waiting on each level. */
  #look(): void {
    const shadow = this.#shadow;
    this.#bestPlace = Number.POSITIVE_INFINITY;
    for (let level = 1; level <= shadow.levels; level++) {
      this.#best[level] = shadow.bestRank(level);
      this.#bestPlace = Math.min(this.#bestPlace, this.#place(level, this.#best[level]!));
    }
  }

  #place(level: number, rank: number): number {
    return (rank * this.#shadow.size(level)) / this.#setting.priorities.span;
  }

  /**
   * Hands over what the last of the ready senders in front has, those further ahead being saved for later, unless
   * something waits already.
   */
  #keepOneWaiting(playing: Playing, when: Moment): void {
    const { level, ready } = playing;
    if (when !== 'always' && this.#bestPlace === Number.POSITIVE_INFINITY) return;
    const best = when === 'always' ? this.#shadow.bestRank(level) : this.#best[level]!;
    if (this.#hasOneWaiting(playing, when, best)) return;
    let count = 0;
    for (let limit = ready.length; count < limit; ) {
      const middle = (count + limit) >>> 1;
      if (this.#isInFront(level, when, ready[middle]!.rank, best)) count = middle + 1;
      else limit = middle;
    }
    if (count > 0) this.#hand(playing, count - 1);
    else if (when === 'always') this.#hand(playing, 0);
  }

  #hasOneWaiting({ level, handed }: Playing, when: Moment, best: number): boolean {
    for (let at = 0; at < handed.length; at++) {
      const { sender, rank, weight } = handed[at]!;
      if (when !== 'always' && !this.#isInFront(level, when, rank, best)) return false;
      if (this.#shadow.isOfUse(level, sender, weight)) return true;
    }
    return false;
  }

  /** @param best the best rank of what honest senders have waiting on the level. */
  #isInFront(level: number, when: Moment, rank: number, best: number): boolean {
    // Without a window a victim ignores ranks, and whatever promises most comes first.
    if (!this.#goesByRank) return true;
    return rank <= best && (when !== 'ahead' || this.#place(level, rank) <= this.#bestPlace);
  }

  /** Has the ready sender at that index give something. @returns whether it had anything. */
  #hand(playing: Playing, index: number): boolean {
    const { level, part, ready, handed } = playing;
    const member = ready[index];
    if (member === undefined) return false;
    const { sender } = member;
    const { scheme } = this.#setting;
    const contribution = this.#offer(playing, sender);
    // What In_l contains now it may lack again, so that another's can be had later; one's own is given once.
    if (contribution === noContribution && part.what === 'borrowed') return false;
    removeAt(ready, index);
    if (contribution === noContribution) return ready.length > index;
    playing.given++;
    member.weight = scheme.weight(contribution);
    insert(handed, member);
    this.#handedIn.set(sender, playing);
    this.#victim.onMessage(sender, level, contribution, noContribution, 0);
    return true;
  }

  /** What the member had waiting has been verified. */
  #takeBack({ handed }: Playing, sender: number): Member {
    const index = handed.findIndex((member) => member.sender === sender);
    const member = handed[index]!;
    removeAt(handed, index);
    this.#handedIn.delete(sender);
    return member;
  }

  /** Lent; noContribution where the sender has nothing any more. */
  #offer(playing: Playing, sender: number): Contribution {
    const shadow = this.#shadow;
    const { level, part } = playing;
    const block = shadow.block(level);
    if (part.what === 'invalid' || (part.what === 'mixed' && shadow.isTrusted(level))) {
      return this.#forgeries.full(block);
    }
    const lender = part.what === 'borrowed' ? this.#lender(playing, sender) : sender;
    if (lender === undefined || !shadow.isOfUse(level, lender, 1)) return noContribution;
    return this.#forgeries.alone(block, lender);
  }

  /** A member whose contribution In_l lacks: the first one from the borrower on, in the order of ids. */
  #lender(playing: Playing, borrower: number): number | undefined {
    const shadow = this.#shadow;
    const { level } = playing;
    if (playing.noLenderIn === shadow.improvements(level)) return undefined;
    const members = this.#members.in(shadow.block(level));
    const from = members.indexOf(borrower);
    for (let step = 0; step < members.length; step++) {
      const member = members[(from + step) % members.length]!;
      if (shadow.isOfUse(level, member, 1)) return member;
    }
    playing.noLenderIn = shadow.improvements(level);
    return undefined;
  }
}
