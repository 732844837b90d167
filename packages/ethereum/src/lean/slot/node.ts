import { addMember, emptySet, hasMember, type MemberSet, removeMember, sizeOf } from '@tutti/core/horn';
import { ethereumGossipsub } from '../../horn/network/gossipsub.ts';
import { isBounded, type LeanPlan, planOf } from '../plans.ts';
import { joinVotes, topLevel } from '../rules.ts';
import { type LeanProof, type LeanSizes, positionsOfHalf } from '../world.ts';
import type { LeanAggregator } from './aggregator.ts';
import type { LeanRole } from './scenario.ts';
import { type LeanTiming, leafShareOf } from './timing.ts';

/**
 * Number of members of the sibling half to which plain halving levels announce a proof, starting with the mirror peer.
 */
const announcedPeers = 8;

/**
 * Returns the recipients of a proof under levels. In a tree and with rotating owners, the first owner of the half above
 * receives the proof itself. Have-bits go to the other members of that half (tree), or to all other aggregators
 * (rotating owners). Under plain halving levels, {@link announcedPeers} members of the sibling parts receive have-bits,
 * and no aggregator receives the proof unasked.
 *
 * @returns positions, and whether each receives the whole proof.
 */
function announcementsOf(
  { scenario: { strategy, slot }, sizes, masks }: LeanTiming,
  { half, by }: LeanProof,
): [position: number, isWhole: boolean][] {
  const { subnets, branching, duties } = sizes;
  if (half === undefined || half.level === topLevel(subnets, branching)) return [];
  const above = { level: half.level + 1, index: Math.floor(half.index / branching) };
  const members = positionsOfHalf(sizes, above);
  if (strategy === 'halving') {
    const own = new Set(positionsOfHalf(sizes, half));
    const others = members.filter((member) => !own.has(member));
    const start = others.length === 0 ? 0 : by % others.length;
    return [...others.slice(start), ...others.slice(0, start)].slice(0, announcedPeers).map((one) => [one, false]);
  }
  const isTree = strategy === 'tree';
  const first = isTree ? members[0] : members.find((one) => masks.rank(above, one, slot) === 0);
  return (isTree ? members : duties.map((_, position) => position))
    .filter((position) => position !== by)
    .map((position) => [position, position === first]);
}

const { overheadBytes } = ethereumGossipsub;

/** Sizes of messages about a proof, including the framing, bytes: a bit set for 4096 validators, and a request. */
export const smallBytes = { haveBits: 513 + overheadBytes, requests: 32 + overheadBytes };
/**
 * Message about a proof, without the proof itself: the sender announces that it has the proof (`haveBits`), or requests
 * the proof.
 */
export type SmallKind = keyof typeof smallBytes;

/** Time without an answer after which an aggregator forgets a proof that it has requested, µs. */
const answerUs = 800_000;
/** Delay after the last deadline with which late aggregators publish, so that they publish after the slot, µs. */
const lateUs = 200_000;
/** Delay per rank if several holders publish the same proof, µs. The delay lets one publication precede the next. */
const rankUs = 100_000;

/** The interface between an aggregator and its host: a clock, a prover, and gossip that verifies proofs. */
export interface LeanPort {
  nowUs(): number;
  /** Calls a function after a delay, µs. */
  after(delayUs: number, act: () => void): void;
  /** Publishes a proof on the strategy's topic for it. */
  publish(proof: LeanProof): void;
  /** Sends a proof, or a message about it, to one other aggregator. */
  send(to: number, proof: LeanProof, kind: 'proof' | SmallKind): void;
  /**
   * Begins a proof on the aggregator's prover, which must be free. The host calls `onProved` when the proof is ready.
   */
  prove(plan: LeanPlan, isSecond: boolean): void;
  /** Forges a proof for an adversary, at no cost: like the given proof, but with other validators. */
  forge(like: LeanProof, votes: MemberSet): LeanProof;
}

/** An aggregator's reactions to events. The aggregator's knowledge is in {@link LeanAggregator}. */
export class LeanNode {
  readonly #timing: LeanTiming;
  readonly #aggregator: LeanAggregator;
  readonly #port: LeanPort;
  #isProving = false;

  constructor(timing: LeanTiming, aggregator: LeanAggregator, port: LeanPort) {
    this.#timing = timing;
    this.#aggregator = aggregator;
    this.#port = port;
  }

  start(): void {
    const { role, raw, clockUs } = this.#aggregator;
    if (role === 'silent') return;
    const { earliestUs, hasLevels, scenario } = this.#timing;
    const { deadlinesMs, publishLeadMs, profile } = scenario;
    const early = Math.max(earliestUs + clockUs, raw.shareUs(leafShareOf(scenario) ?? scenario.leafShare));
    for (const atUs of [early, raw.lastUs, 1000 * profile.times.aggregateMs + clockUs]) {
      if (Number.isFinite(atUs)) this.#at(atUs, () => this.#look());
    }
    if (!hasLevels) return;
    for (const deadline of deadlinesMs) {
      this.#at(1000 * (deadline - publishLeadMs) + clockUs, () => this.#publishBest(false));
    }
  }

  /** Handles another aggregator's message about a proof. */
  onMessage(from: number, proof: LeanProof, kind: SmallKind): void {
    if (kind === 'haveBits') {
      this.#aggregator.hear(proof);
      this.#wakeSoon();
    } else if (this.#aggregator.role !== 'silent') this.#port.send(from, proof, 'proof');
  }

  /** Handles a valid proof that has arrived. */
  onProof(proof: LeanProof): void {
    this.#aggregator.hold(proof);
    this.#wakeSoon();
  }

  /** Handles a proof that the aggregator's prover has finished. */
  onProved(proof: LeanProof): void {
    this.#isProving = false;
    this.#keep(proof);
    if (this.#aggregator.role === 'overlapping') {
      const { validators } = this.#timing.sizes;
      for (const votes of overlapping(proof.votes, validators, 8)) this.#keep(this.#port.forge(proof, votes));
    }
    this.#wake();
  }

  #at(us: number, act: () => void): void {
    this.#port.after(Math.max(1, Math.ceil(us - this.#port.nowUs())), act);
  }

  /** Schedules the next search for a job, because something has changed. */
  #wakeSoon(): void {
    const { pollUs } = this.#timing;
    this.#wakeAt(Math.ceil((this.#port.nowUs() + 1) / pollUs) * pollUs);
  }

  #wakeAt(atUs: number): void {
    const aggregator = this.#aggregator;
    if (this.#isProving || aggregator.role === 'silent' || atUs >= aggregator.wakeUs) return;
    aggregator.wakeUs = atUs;
    this.#at(atUs, () => {
      if (aggregator.wakeUs === this.#port.nowUs()) this.#wake();
    });
  }

  #wake(): void {
    this.#aggregator.wakeUs = Number.POSITIVE_INFINITY;
    this.#look();
  }

  #look(): void {
    const { raws } = this.#aggregator;
    if (this.#isProving) return;
    for (const raw of raws) raw.advance(this.#port.nowUs());
    // The slot's own message comes first, because it has more voters.
    this.#lookAt(0);
    if (raws.length > 1 && !this.#isProving) this.#lookAt(1);
  }

  /** Begins the strategy's next proof of a message, if there is one. @param message 0 for the slot's own message. */
  #lookAt(message: 0 | 1): void {
    const timing = this.#timing;
    const nowUs = this.#port.nowUs();
    if (!timing.mayStart(this.#aggregator, nowUs, message)) return;
    const plan = planOf(timing.scenario.strategy, timing.view(this.#aggregator, nowUs, message));
    if (plan !== undefined) this.#begin(plan, message);
    // A turn may begin without any other event.
    else if (timing.hasLevels && nowUs < timing.deadlineUs) this.#wakeAt(nowUs + 50_000);
  }

  /** Begins a proof, or requests the children that are missing. */
  #begin(wanted: LeanPlan, message: 0 | 1): void {
    const aggregator = this.#aggregator;
    const timing = this.#timing;
    const nowUs = this.#port.nowUs();
    const { freeUs } = aggregator.prover;
    if (freeUs > nowUs) {
      this.#wakeAt(freeUs);
      return;
    }
    const missing = wanted.children.filter((child) => !aggregator.proofs.includes(child));
    if (missing.length > 0) {
      this.#ask(missing);
      return;
    }
    const plan = corrupted(wanted, aggregator.role, timing.sizes);
    if (plan === undefined) return;
    const endUs = nowUs + timing.jobUs(aggregator, sizeOf(plan.raw), plan.children.length);
    if (isBounded(timing.scenario.strategy) && endUs - aggregator.clockUs > timing.lastUseUs) return;
    aggregator.raws[message]!.drop(plan.votes);
    aggregator.begun[message]++;
    this.#isProving = true;
    this.#port.prove(plan, message === 1);
  }

  /** Requests proofs from their makers, and forgets proofs whose makers have not answered. */
  #ask(missing: readonly LeanProof[]): void {
    const { asked } = this.#aggregator;
    const nowUs = this.#port.nowUs();
    for (const proof of missing) {
      const askedUs = asked.get(proof);
      if (askedUs === undefined) {
        asked.set(proof, nowUs);
        this.#port.send(proof.by, proof, 'requests');
      } else if (nowUs - askedUs > answerUs) this.#aggregator.forget(proof);
    }
    this.#wakeAt(nowUs + answerUs + 1);
  }

  /** Stores a finished proof, and sends it where the strategy requires. */
  #keep(proof: LeanProof): void {
    const timing = this.#timing;
    const aggregator = this.#aggregator;
    const nowUs = this.#port.nowUs();
    aggregator.hold(proof);
    const isLate = aggregator.role === 'late';
    if (isLate || !timing.hasLevels) {
      const atUs = isLate ? timing.deadlineUs + lateUs : timing.publishUs(aggregator, nowUs);
      aggregator.due.set(proof, atUs);
      this.#publishAt(atUs, proof);
      return;
    }
    for (const [to, isWhole] of announcementsOf(timing, proof)) {
      this.#port.send(to, proof, isWhole ? 'proof' : 'haveBits');
    }
    const { subnets, branching } = timing.sizes;
    if (proof.half?.level === topLevel(subnets, branching)) this.#publishBest(proof.isSecond);
  }

  /** Publishes the best of the aggregator's own proofs, unless another known proof contains it. */
  #publishBest(isSecond: boolean): void {
    const aggregator = this.#aggregator;
    const best = aggregator.bestToPublish(isSecond);
    if (best === undefined) return;
    aggregator.published.add(best);
    const { scenario, masks } = this.#timing;
    // Under plain halving levels, all members of a half have the same proof.
    const rank =
      scenario.strategy === 'halving' && best.half !== undefined ? masks.rank(best.half, aggregator.position, 0) : 0;
    this.#publishAt(this.#port.nowUs() + rankUs * rank, best);
  }

  #publishAt(atUs: number, proof: LeanProof): void {
    if (atUs <= this.#port.nowUs()) this.#port.publish(proof);
    else this.#at(atUs, () => this.#port.publish(proof));
  }
}

/** Returns the proof that a Byzantine aggregator makes instead of a plan, or undefined if it makes none. */
function corrupted(plan: LeanPlan, role: LeanRole | undefined, sizes: LeanSizes): LeanPlan | undefined {
  if (role === 'omitting') return omitted(plan, sizes);
  if (role === 'wide' && plan.children.length === 0) return widened(plan, sizes);
  return plan;
}

/** Returns the plan without every other raw vote and without the last child. */
function omitted(plan: LeanPlan, sizes: LeanSizes): LeanPlan | undefined {
  const raw = emptySet(sizes.validators);
  let seen = 0;
  for (let validator = 0; validator < sizes.validators; validator++) {
    if (hasMember(plan.raw, validator) && seen++ % 2 === 0) addMember(raw, validator);
  }
  const children = plan.children.slice(0, -1);
  const votes = raw.slice();
  for (const child of children) joinVotes(votes, child.votes);
  if (children.length < 2 && sizeOf(raw) < 2) return undefined;
  return { ...plan, children, raw, votes };
}

/**
 * Returns the plan with an added vote from each other subnet. The proof is then an anchor that makes every window as
 * wide as possible.
 */
function widened(plan: LeanPlan, { validators, subnets }: LeanSizes): LeanPlan {
  const votes = plan.votes.slice();
  for (let validator = 0; validator < Math.min(subnets, validators); validator++) addMember(votes, validator);
  return { ...plan, votes, raw: votes };
}

/** Returns `count` sets, each of which lacks one vote of the given set. */
function overlapping(votes: MemberSet, validators: number, count: number): MemberSet[] {
  const sets: MemberSet[] = [];
  for (let validator = 0; validator < validators && sets.length < count; validator++) {
    if (!hasMember(votes, validator)) continue;
    const less = votes.slice();
    removeMember(less, validator);
    sets.push(less);
  }
  return sets;
}
