import type { Contribution, Port, ProtocolNode } from '@tutti/core';
import { addMember, emptySet, hasMember, type MemberSet, sizeOf } from '@tutti/core/horn';
import { isBounded, type LeanPlan, planOf } from '../plans.ts';
import { joinVotes, topLevel } from '../rules.ts';
import { type LeanContributions, type LeanProof, type LeanSizes, positionsOfHalf, type SubnetMasks } from '../world.ts';
import type { LeanAggregator } from './aggregator.ts';
import type { LeanRole, LeanScenario } from './scenario.ts';
import { type LeanTiming, leafShareOf } from './timing.ts';

/**
 * Number of members of the sibling half that plain halving levels notify of a proof: the mirror peer, and the following
 * ones.
 */
const announcedPeers = 8;

/**
 * Returns the recipients of a proof under levels. In the half above, the first owner receives the proof itself, and the
 * other members receive have-bits.
 *
 * @returns positions, and whether each receives the whole proof.
 */
function announcementsOf(
  { strategy, slot }: LeanScenario,
  sizes: LeanSizes,
  masks: SubnetMasks,
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

/** Content of a message about a proof that the message does not contain: the sender has the proof, or requests it. */
export const LeanFlag = { haveBits: 1, request: 2 } as const;

const Timer = { wake: 0, look: 1, best: 2 } as const;
/** First timer number that publishes a proof. A proof's timer number is this number plus the proof's handle. */
const publishTimer = 3;

/** Time without an answer after which an aggregator forgets a proof that it has requested, µs. */
const answerUs = 800_000;
/** Delay after the last deadline with which late aggregators publish, so that they publish after the slot, µs. */
const lateUs = 200_000;
/**
 * Delay per rank with which several holders publish the same proof, µs. One publication can thus arrive before the
 * next.
 */
const rankUs = 100_000;

/** The interface between an aggregator and its host: a clock, a prover, and gossip that verifies proofs. */
export interface LeanPort extends Pick<Port, 'nowUs' | 'setTimer'> {
  /** Publishes a proof on the strategy's topic for it. */
  publish(contribution: Contribution): void;
  /** Sends a proof, or a message about it, to one other aggregator; see {@link LeanFlag}. */
  send(to: number, contribution: Contribution, flags: number): void;
  readonly prove: NonNullable<Port['prove']>;
  /** Returns the time until which the prover is busy, for this node or another node on its machine, µs. */
  proverFreeUs(): number;
  /** Forges a proof for an adversary, at no cost: like the given proof, but with other validators. */
  forge(like: Contribution, votes: MemberSet): Contribution;
}

/** State shared by all aggregators of a slot. */
interface LeanWorld {
  readonly scenario: LeanScenario;
  readonly sizes: LeanSizes;
  readonly masks: SubnetMasks;
  readonly timing: LeanTiming;
  readonly contributions: LeanContributions;
}

/** An aggregator's reactions to events. The aggregator's knowledge is in {@link LeanAggregator}. */
export class LeanNode implements Pick<ProtocolNode, 'start' | 'onTimer' | 'onProved'> {
  readonly #world: LeanWorld;
  readonly #aggregator: LeanAggregator;
  readonly #port: LeanPort;
  #isProving = false;

  constructor(world: LeanWorld, aggregator: LeanAggregator, port: LeanPort) {
    this.#world = world;
    this.#aggregator = aggregator;
    this.#port = port;
  }

  start(): void {
    const { role, raw, clockUs } = this.#aggregator;
    if (role === 'silent') return;
    const { timing, scenario } = this.#world;
    const { deadlinesMs, publishLeadMs, profile } = scenario;
    const early = Math.max(timing.earliestUs + clockUs, raw.shareUs(leafShareOf(scenario) ?? scenario.leafShare));
    for (const atUs of [early, raw.lastUs, 1000 * profile.times.aggregateMs + clockUs]) {
      if (Number.isFinite(atUs)) this.#setTimer(atUs, Timer.look);
    }
    if (!timing.hasLevels) return;
    for (const deadline of deadlinesMs) this.#setTimer(1000 * (deadline - publishLeadMs) + clockUs, Timer.best);
  }

  /** Handles another aggregator's message about a proof. */
  onMessage(from: number, contribution: Contribution, flags: number): void {
    if (flags === LeanFlag.haveBits) {
      this.#aggregator.hear(this.#world.contributions.proof(contribution));
      this.#wakeSoon();
    } else if (this.#aggregator.role !== 'silent') this.#port.send(from, contribution, 0);
  }

  /** Handles a valid proof that has arrived. */
  onProof(contribution: Contribution): void {
    this.#aggregator.hold(this.#world.contributions.proof(contribution));
    this.#wakeSoon();
  }

  onTimer(timer: number): void {
    if (timer >= publishTimer) this.#port.publish(timer - publishTimer);
    else if (timer === Timer.best) this.#publishBest(false);
    else if (timer === Timer.look) this.#look();
    else if (this.#aggregator.wakeUs === this.#port.nowUs()) this.#wake();
  }

  onProved(_ticket: number, contribution: Contribution): void {
    const { contributions, sizes } = this.#world;
    this.#isProving = false;
    this.#keep(contribution);
    if (this.#aggregator.role === 'overlapping') {
      for (const votes of overlapping(contributions.proof(contribution).votes, sizes.validators, 8)) {
        this.#keep(this.#port.forge(contribution, votes));
      }
    }
    this.#wake();
  }

  #setTimer(atUs: number, timer: number): void {
    this.#port.setTimer(Math.max(1, Math.ceil(atUs - this.#port.nowUs())), timer);
  }

  /** Schedules the next search for a job, because something has changed. */
  #wakeSoon(): void {
    const { pollUs } = this.#world.timing;
    this.#wakeAt(Math.ceil((this.#port.nowUs() + 1) / pollUs) * pollUs);
  }

  #wakeAt(atUs: number): void {
    const aggregator = this.#aggregator;
    if (this.#isProving || aggregator.role === 'silent' || atUs >= aggregator.wakeUs) return;
    aggregator.wakeUs = atUs;
    this.#setTimer(atUs, Timer.wake);
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
    const { timing, scenario } = this.#world;
    const nowUs = this.#port.nowUs();
    if (!timing.mayStart(this.#aggregator, nowUs, message)) return;
    const plan = planOf(scenario.strategy, timing.view(this.#aggregator, nowUs, message));
    if (plan !== undefined) this.#begin(plan, message);
    // A turn may begin without any other event.
    else if (timing.hasLevels && nowUs < timing.deadlineUs) this.#wakeAt(nowUs + 50_000);
  }

  /** Begins a proof, or requests the children that are missing. */
  #begin(wanted: LeanPlan, message: 0 | 1): void {
    const aggregator = this.#aggregator;
    const { scenario, timing, sizes, contributions } = this.#world;
    const nowUs = this.#port.nowUs();
    const freeUs = this.#port.proverFreeUs();
    if (freeUs > nowUs) {
      this.#wakeAt(freeUs);
      return;
    }
    const missing = wanted.children.filter((child) => !aggregator.proofs.includes(child));
    if (missing.length > 0) {
      this.#ask(missing);
      return;
    }
    const plan = corrupted(wanted, aggregator.role, sizes);
    if (plan === undefined) return;
    const endUs = nowUs + timing.jobUs(aggregator, sizeOf(plan.raw), plan.children.length);
    if (isBounded(scenario.strategy) && endUs - aggregator.clockUs > timing.lastUseUs) return;
    aggregator.raws[message]!.drop(plan.votes);
    aggregator.begun[message]++;
    this.#isProving = true;
    const children = plan.children.map((child) => contributions.handle(child));
    this.#port.prove(plan.half?.level ?? 0, children, contributions.individuals(plan.raw, message === 1));
  }

  /** Requests proofs from their makers, and forgets proofs whose makers have not answered. */
  #ask(missing: readonly LeanProof[]): void {
    const { asked } = this.#aggregator;
    const nowUs = this.#port.nowUs();
    for (const proof of missing) {
      const askedUs = asked.get(proof);
      if (askedUs === undefined) {
        asked.set(proof, nowUs);
        this.#send(proof, proof.by, LeanFlag.request);
      } else if (nowUs - askedUs > answerUs) this.#aggregator.forget(proof);
    }
    this.#wakeAt(nowUs + answerUs + 1);
  }

  #send(proof: LeanProof, to: number, flags: number): void {
    this.#port.send(to, this.#world.contributions.handle(proof), flags);
  }

  /** Stores a finished proof, and sends it where the strategy requires. */
  #keep(contribution: Contribution): void {
    const { scenario, timing, sizes, masks, contributions } = this.#world;
    const aggregator = this.#aggregator;
    const proof = contributions.proof(contribution);
    const nowUs = this.#port.nowUs();
    aggregator.hold(proof);
    const isLate = aggregator.role === 'late';
    if (isLate || !timing.hasLevels) {
      const atUs = isLate ? timing.deadlineUs + lateUs : timing.publishUs(aggregator, nowUs);
      aggregator.due.set(proof, atUs);
      this.#publishAt(atUs, proof);
      return;
    }
    for (const [to, isWhole] of announcementsOf(scenario, sizes, masks, proof)) {
      this.#send(proof, to, isWhole ? 0 : LeanFlag.haveBits);
    }
    if (proof.half?.level === topLevel(sizes.subnets, sizes.branching)) this.#publishBest(proof.isSecond);
  }

  /** Publishes the best of the aggregator's own proofs, unless another known proof contains it. */
  #publishBest(isSecond: boolean): void {
    const aggregator = this.#aggregator;
    const best = aggregator.bestToPublish(isSecond);
    if (best === undefined) return;
    aggregator.published.add(best);
    const isShared = this.#world.scenario.strategy === 'halving' && best.half !== undefined;
    const rank = isShared ? this.#world.masks.rank(best.half!, aggregator.position, 0) : 0;
    this.#publishAt(this.#port.nowUs() + rankUs * rank, best);
  }

  #publishAt(atUs: number, proof: LeanProof): void {
    const contribution = this.#world.contributions.handle(proof);
    if (atUs <= this.#port.nowUs()) this.#port.publish(contribution);
    else this.#setTimer(atUs, publishTimer + contribution);
  }
}

/** Returns the proof that a Byzantine aggregator makes instead of a plan, or undefined if it stays silent. */
function corrupted(plan: LeanPlan, role: LeanRole | undefined, sizes: LeanSizes): LeanPlan | undefined {
  if (role === 'silent') return undefined;
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
  const children = plan.children.length > 0 ? plan.children.slice(0, -1) : plan.children;
  const votes = raw.slice();
  for (const child of children) joinVotes(votes, child.votes);
  if (sizeOf(votes) === 0 || (children.length < 2 && sizeOf(raw) < 2)) return undefined;
  return { ...plan, children, raw, votes };
}

/**
 * Returns the plan with a vote from each other subnet added. Such a proof is an anchor that makes every window as wide
 * as possible.
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
    less[validator >>> 5]! &= ~(1 << (validator & 31));
    sets.push(less);
  }
  return sets;
}
