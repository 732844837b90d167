import { type Contribution, noContribution, type Port, type ProtocolNode } from '../protocol.ts';
import type { AttackSetting, Coalition } from './attack.ts';
import { type Composition, type Moment, type Part, partsOn } from './composition.ts';
import { alone, forgeFull } from './forgery.ts';
import { ShadowState } from './shadowState.ts';
import { silence } from './silent.ts';

/**
 * A coalition of the strongest kind (v1.03 section 4.1): its members send nothing of their own accord; each honest node
 * is handed what a {@link Composition} prescribes for each of its levels, at the prescribed moment.
 */
export function composedCoalition(setting: AttackSetting, composition: Composition): Coalition {
  const shadows: ShadowState[] = [];
  const ports: Port[] = [];
  return {
    join: () => silence,
    watch(port, id) {
      shadows[id] ??= new ShadowState(setting, id);
      ports[id] = shadows[id].watch(port);
      return ports[id];
    },
    around: (victim, id) => new Composer(setting, shadows[id]!, ports[id]!, victim, composition),
  };
}

/** A Byzantine sender that has something to give to the victim, by its rank there. */
interface Ready {
  readonly sender: number;
  readonly rank: number;
}

/** A part at work on a level of the victim. */
interface Playing {
  readonly level: number;
  readonly part: Part;
  /** The members that have something to give, in ascending order of rank. */
  readonly ready: Ready[];
  /** Senders whose contribution waits at the victim, with its weight. */
  readonly handed: Map<number, number>;
  /** How many have been handed in all. */
  given: number;
}

/** Stands before a victim and hands it what the composition says, just before it chooses what to verify next. */
class Composer implements ProtocolNode {
  readonly #setting: AttackSetting;
  readonly #shadow: ShadowState;
  readonly #port: Port;
  readonly #victim: ProtocolNode;
  readonly #playing: Playing[] = [];
  /** Per level: the best rank among the honest senders who wait, as of now; and the best place of all levels. */
  readonly #best: number[] = [];
  #bestPlace = 0;
  #startUs: number | undefined;

  constructor(setting: AttackSetting, shadow: ShadowState, port: Port, victim: ProtocolNode, composition: Composition) {
    this.#setting = setting;
    this.#shadow = shadow;
    this.#port = port;
    this.#victim = victim;
    const { tree } = setting.scheme;
    for (let level = 1; level <= shadow.levels; level++) {
      const peers = setting.members.filter((id) => tree.contains(shadow.block(level), id));
      const ready = peers.map((sender) => ({ sender, rank: shadow.rank(sender) }));
      ready.sort((a, b) => a.rank - b.rank);
      for (const part of partsOn(composition, level, shadow.levels)) {
        const members = ready.splice(0, part.count ?? ready.length);
        if (members.length > 0) this.#playing.push({ level, part, ready: members, handed: new Map(), given: 0 });
      }
    }
  }

  start(): void {
    this.#startUs = this.#port.nowUs();
    this.#play();
    this.#victim.start();
    this.#shadow.settle();
  }

  onMessage(from: number, level: number, aggregate: Contribution, individual: Contribution, flags: number): void {
    this.#shadow.onMessage(from, level, aggregate);
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

  #onVerdicts(verdicts: readonly boolean[]): void {
    for (const [place, { level, sender }] of this.#shadow.onVerified(verdicts).entries()) {
      for (const playing of this.#playing) {
        if (playing.level !== level || !playing.handed.delete(sender)) continue;
        // Whoever gave something valid may give again, at the rank that it has now; an invalid one is blacklisted for.
        if (verdicts[place] || this.#setting.without.includes('blacklist'))
          makeReady(playing.ready, sender, this.#shadow);
      }
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
    const { level, ready, handed } = playing;
    if (when !== 'always' && this.#bestPlace === Number.POSITIVE_INFINITY) return;
    const best = when === 'always' ? this.#shadow.bestRank(level) : this.#best[level]!;
    // Without a window a victim ignores ranks, and whatever promises most comes first.
    const goesByRank = !this.#setting.without.includes('window');
    const isInFront = (rank: number): boolean =>
      !goesByRank || (rank <= best && (when !== 'ahead' || this.#place(level, rank) <= this.#bestPlace));
    for (const [sender, weight] of handed) {
      const isWaiting = this.#shadow.isOfUse(level, sender, weight);
      if (isWaiting && (when === 'always' || isInFront(this.#shadow.rank(sender)))) return;
    }
    let count = 0;
    for (let limit = ready.length; count < limit; ) {
      const middle = (count + limit) >>> 1;
      if (isInFront(ready[middle]!.rank)) count = middle + 1;
      else limit = middle;
    }
    if (count > 0) this.#hand(playing, count - 1);
    else if (when === 'always') this.#hand(playing, 0);
  }

  /** Has the ready sender at that index give something. @returns whether it had anything. */
  #hand(playing: Playing, index: number): boolean {
    const { level, part, ready, handed } = playing;
    const one = ready[index];
    if (one === undefined) return false;
    const { scheme } = this.#setting;
    const contribution = this.#offer(part, level, one.sender);
    // What In_l contains now it may lack again, so that another's can be had later; one's own is given once.
    if (contribution === noContribution && part.what === 'borrowed') return false;
    ready.splice(index, 1);
    if (contribution === noContribution) return ready.length > index;
    playing.given++;
    handed.set(one.sender, scheme.weight(contribution));
    this.#victim.onMessage(one.sender, level, contribution, noContribution, 0);
    scheme.release(contribution);
    return true;
  }

  /** Retained once for the caller; noContribution where the sender has nothing any more. */
  #offer({ what }: Part, level: number, sender: number): Contribution {
    const shadow = this.#shadow;
    const block = shadow.block(level);
    if (what === 'invalid' || (what === 'mixed' && shadow.isTrusted(level))) return forgeFull(this.#setting, block);
    const lender = what === 'borrowed' ? this.#lender(level, sender) : sender;
    if (lender === undefined || !shadow.isOfUse(level, lender, 1)) return noContribution;
    return alone(this.#setting, block, lender);
  }

  /** A member whose contribution In_l lacks. */
  #lender(level: number, borrower: number): number | undefined {
    const { members, scheme } = this.#setting;
    const from = members.indexOf(borrower);
    for (let step = 0; step < members.length; step++) {
      const member = members[(from + step) % members.length]!;
      if (scheme.tree.contains(this.#shadow.block(level), member) && this.#shadow.isOfUse(level, member, 1)) {
        return member;
      }
    }
    return undefined;
  }
}

function makeReady(ready: Ready[], sender: number, shadow: ShadowState): void {
  const rank = shadow.rank(sender);
  const after = ready.findIndex((other) => other.rank > rank);
  ready.splice(after === -1 ? ready.length : after, 0, { sender, rank });
}
