import { type Contribution, NONE, type ProtocolNode } from '../protocol.ts';
import type { AttackSetting, Coalition } from './attack.ts';
import { Onlooker } from './onlooker.ts';
import { silence } from './silent.ts';

/** What a Byzantine sender puts in front of honest ones on a level of a victim, retained once for the interposer; NONE for nothing any more. */
export type Offer = (victim: Onlooker, level: number, sender: number) => Contribution;

/**
 * A coalition of the strongest kind (v1.03 section 4.1): its members keep to themselves, except that whenever a victim is about to verify what an
 * honest node sent, one of them has something in front of it.
 */
export function interposingCoalition(setting: AttackSetting, offer: Offer): Coalition {
  const onlookers: Onlooker[] = [];
  return {
    join: () => silence,
    watch(port, id) {
      onlookers[id] ??= new Onlooker(setting, id);
      return onlookers[id].watch(port);
    },
    around: (victim, id) => new Interposer(setting, onlookers[id]!, victim, offer),
  };
}

/** A Byzantine sender that has something to give to the victim, by its rank there. */
interface Ready {
  readonly sender: number;
  readonly rank: number;
}

/**
 * Stands before a victim. Just before it chooses what to verify next, on every level the last ranked Byzantine peer that still outranks the
 * honest senders who wait there hands it a contribution, those further ahead being saved for later.
 */
class Interposer implements ProtocolNode {
  readonly #setting: AttackSetting;
  readonly #onlooker: Onlooker;
  readonly #victim: ProtocolNode;
  readonly #offer: Offer;
  /** Per level, in ascending order of rank. */
  readonly #ready: Ready[][] = [];
  /** Per level: senders whose contribution waits at the victim, with its weight. */
  readonly #handed: Map<number, number>[] = [];
  #hasStarted = false;

  constructor(setting: AttackSetting, onlooker: Onlooker, victim: ProtocolNode, offer: Offer) {
    this.#setting = setting;
    this.#onlooker = onlooker;
    this.#victim = victim;
    this.#offer = offer;
    const { tree } = setting.scheme;
    for (let level = 0; level <= onlooker.levels; level++) {
      const peers = setting.members.filter((id) => tree.contains(onlooker.block(level), id));
      const ready = peers.map((sender) => ({ sender, rank: onlooker.rank(sender) }));
      this.#ready[level] = ready.sort((a, b) => a.rank - b.rank);
      this.#handed[level] = new Map();
    }
  }

  start(): void {
    this.#hasStarted = true;
    this.#interpose();
    this.#victim.start();
    this.#onlooker.settle();
  }

  onMessage(from: number, level: number, aggregate: Contribution, individual: Contribution, flags: number): void {
    this.#onlooker.onMessage(from, level, aggregate);
    if (this.#hasStarted && this.#onlooker.checkedSender === -1) this.#interpose();
    this.#victim.onMessage(from, level, aggregate, individual, flags);
    this.#settle();
  }

  onTimer(timer: number): void {
    this.#victim.onTimer(timer);
  }

  onVerified(ticket: number, valid: boolean): void {
    const { checkedLevel, checkedSender } = this.#onlooker;
    if (checkedSender !== -1) this.#onlooker.onVerified(valid);
    // Whoever gave something valid may give again, at the rank that it has now; an invalid one is blacklisted for.
    if (this.#handed[checkedLevel]!.delete(checkedSender) && (valid || this.#setting.without.includes('blacklist'))) {
      this.#makeReady(checkedLevel, { sender: checkedSender, rank: this.#onlooker.rank(checkedSender) });
    }
    this.#interpose();
    this.#victim.onVerified(ticket, valid);
    this.#settle();
  }

  #settle(): void {
    if (this.#hasStarted) this.#onlooker.settle();
  }

  #interpose(): void {
    const onlooker = this.#onlooker;
    const best: number[] = [];
    let bestPlace = Number.POSITIVE_INFINITY;
    for (let level = 1; level <= onlooker.levels; level++) {
      best[level] = onlooker.bestRank(level);
      bestPlace = Math.min(bestPlace, this.#place(level, best[level]!));
    }
    if (bestPlace === Number.POSITIVE_INFINITY) return;
    // With the window on, a victim under attack goes by rank on a level, and by place between levels.
    const goesByRank = !this.#setting.without.includes('window');
    for (let level = 1; level <= onlooker.levels; level++) {
      this.#hand(level, ({ rank }) => !goesByRank || (rank <= best[level]! && this.#place(level, rank) <= bestPlace));
    }
  }

  #place(level: number, rank: number): number {
    return Math.floor((rank * this.#onlooker.size(level)) / this.#setting.priorities.span);
  }

  /** Hands over what the last of the ready senders in front has, unless something of ours is in front already. */
  #hand(level: number, isInFront: (ready: Ready) => boolean): void {
    for (const [sender, weight] of this.#handed[level]!) {
      const isWaiting = this.#onlooker.isOfUse(level, sender, weight);
      if (isWaiting && isInFront({ sender, rank: this.#onlooker.rank(sender) })) return;
    }
    const ready = this.#ready[level]!;
    let count = 0;
    for (let limit = ready.length; count < limit; ) {
      const middle = (count + limit) >>> 1;
      if (isInFront(ready[middle]!)) count = middle + 1;
      else limit = middle;
    }
    if (count === 0) return;
    const [{ sender }] = ready.splice(count - 1, 1) as [Ready];
    const { scheme } = this.#setting;
    const contribution = this.#offer(this.#onlooker, level, sender);
    if (contribution === NONE) return;
    this.#handed[level]!.set(sender, scheme.weight(contribution));
    this.#victim.onMessage(sender, level, contribution, NONE, 0);
    scheme.release(contribution);
  }

  #makeReady(level: number, one: Ready): void {
    const ready = this.#ready[level]!;
    const after = ready.findIndex(({ rank }) => rank > one.rank);
    ready.splice(after === -1 ? ready.length : after, 0, one);
  }
}
