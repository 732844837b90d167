import { shuffle } from '@tutti/core';
import { countNewVotes, countVotes, topLevel, type VoteSet } from '@tutti/core/lean';
import { EventQueue } from '../../engine/eventQueue.ts';
import { createNetwork } from '../../engine/network/network.ts';
import type { NetworkModel } from '../../engine/network/networkModel.ts';
import { proofBytes, verifyProofMs } from '../costs.ts';
import { type LeanPlan, planOf } from '../plans.ts';
import { type LeanProof, type LeanSizes, makeProof, SubnetMasks } from '../world.ts';
import { LeanAggregator, type LeanJob } from './aggregator.ts';
import { LeanLinks, type LeanMessage } from './links.ts';
import { corrupted, overlapping } from './made.ts';
import { checkLeanScenario, type LeanRole, type LeanScenario, leanRoles, sizesOf } from './scenario.ts';
import { LeanTiming } from './timing.ts';
import { toldOf } from './told.ts';
import { directTopic, globalTopic, gridTopic, type LeanTopic, meshTopic } from './topics.ts';
import { voteArrivals } from './votes.ts';

const Kind = { free: 0, deliver: 1, verified: 2, proved: 3, wake: 4, publish: 5, best: 6 } as const;

/** Bytes of a bit set for 4096 validators with its identifier, and of a request. */
const smallBytes = { haveBits: 513 + 130, requests: 32 + 130 };
/** A peer that has not answered a request for so long is not asked again. */
const answerUs = 800_000;
/** Later than the slot: what late aggregators wait for beyond the last deadline. */
const lateUs = 200_000;

/** A slot of one message, played on one rival. Everything that happened is left in its fields. */
export class LeanSlotRun {
  readonly scenario: LeanScenario;
  readonly sizes: LeanSizes;
  readonly aggregators: readonly LeanAggregator[];
  readonly jobs: LeanJob[] = [];
  readonly proofs: LeanProof[] = [];
  /** By node: proofs that it has verified, and when. */
  readonly verified: { readonly proof: LeanProof; readonly atUs: number }[][];
  /** Proofs on the global topic, and when they were published. */
  readonly published = new Map<LeanProof, number>();
  /** When the makers of proofs mean to publish them, which may be after the slot. */
  readonly due = new Map<LeanProof, number>();
  readonly links: LeanLinks;
  readonly verifyUs: Float64Array;
  /** Copies of proofs that came for nothing. */
  duplicates = 0;
  readonly #queue = new EventQueue();
  readonly #network: NetworkModel;
  readonly #masks: SubnetMasks;
  readonly #timing: LeanTiming;
  readonly #topics: Readonly<Record<string, LeanTopic>>;
  readonly #messages: LeanMessage[] = [];
  /** By proof and node: 1 has come, 2 is verified; and when it came. */
  readonly #states: Uint8Array[] = [];
  readonly #cameUs: Float64Array[] = [];
  readonly #verifierFreeUs: Float64Array;

  constructor(scenario: LeanScenario) {
    checkLeanScenario(scenario);
    this.scenario = scenario;
    this.sizes = sizesOf(scenario);
    const { nodes, seed, aggregators, aggregatorMbps, upMbps, downMbps } = scenario;
    this.#network = createNetwork(scenario.network, nodes, seed);
    this.#masks = new SubnetMasks(this.sizes);
    this.#timing = new LeanTiming(scenario, this.sizes, this.#masks);
    this.#topics = {
      [globalTopic]: meshTopic(nodes, seed, globalTopic),
      gossip: meshTopic(aggregators, seed, 'aggregators'),
      grid: gridTopic(aggregators),
      direct: directTopic(this.sizes.supers),
    };
    this.verified = Array.from({ length: nodes }, () => []);
    this.verifyUs = new Float64Array(nodes);
    this.#verifierFreeUs = new Float64Array(nodes);
    this.links = new LeanLinks(
      nodes,
      (node) => (node < aggregators ? [aggregatorMbps, aggregatorMbps] : [upMbps, downMbps]),
      this.#clock(),
    );
    this.aggregators = makeAggregators(scenario, this.#network, this.sizes);
  }

  #clock(): ConstructorParameters<typeof LeanLinks>[2] {
    const queue = this.#queue;
    return {
      get nowUs() {
        return queue.timeUs;
      },
      whenFree: (atUs, node) => queue.push(atUs, Kind.free, node, 0, 0),
      deliver: (atUs, message) => queue.push(atUs, Kind.deliver, this.#messages.push(message) - 1, 0, 0),
      oneWayUs: (from, to) => this.#network.oneWayUs(from, to),
      isUnwanted: ({ kind, proof, to, topic }) =>
        kind === 'proofs' &&
        topic !== undefined &&
        this.#states[proof.id]![to]! > 0 &&
        this.#cameUs[proof.id]![to]! + 50_000 <= queue.timeUs,
    };
  }

  /** Plays until a time. */
  run(untilMs: number): void {
    const queue = this.#queue;
    const { deadlinesMs, publishLeadMs, profile } = this.scenario;
    for (const aggregator of this.aggregators) {
      if (aggregator.role === 'silent') continue;
      const early = Math.max(1000 * profile.times.earlyMs, aggregator.raw.shareUs(this.#timing.leafShare));
      for (const atUs of [early, aggregator.raw.lastUs, 1000 * profile.times.aggregateMs]) {
        if (Number.isFinite(atUs)) queue.push(Math.ceil(atUs), Kind.wake, aggregator.position, 1, 0);
      }
      if (!this.#timing.hasLevels) continue;
      for (const deadline of deadlinesMs) {
        const atUs = Math.max(0, 1000 * (deadline - publishLeadMs));
        queue.push(atUs, Kind.best, aggregator.position, 0, 0);
      }
    }
    while (queue.next() && queue.timeUs <= 1000 * untilMs) this.#handle(queue.head, queue.b, queue.c);
  }

  #handle(kind: number, b: number, c: number): void {
    if (kind === Kind.free) this.links.freed(b);
    else if (kind === Kind.deliver) this.#deliver(this.#messages[b]!);
    else if (kind === Kind.verified) this.#onVerified(this.#messages[b]!);
    else if (kind === Kind.proved) this.#onProved(this.aggregators[b]!);
    else if (kind === Kind.wake) this.#onWake(this.aggregators[b]!, c === 1);
    else if (kind === Kind.publish) this.#publish(this.proofs[b]!);
    else this.#publishBest(this.aggregators[b]!);
  }

  get nowUs(): number {
    return this.#queue.timeUs;
  }

  /** Looks for a job soon: when something has changed. */
  #wakeSoon(aggregator: LeanAggregator): void {
    const { pollUs } = this.#timing;
    const atUs = Math.ceil((this.nowUs + 1) / pollUs) * pollUs;
    this.#wakeAt(aggregator, atUs);
  }

  #wakeAt(aggregator: LeanAggregator, atUs: number): void {
    if (aggregator.job !== undefined || aggregator.role === 'silent' || atUs >= aggregator.wakeUs) return;
    aggregator.wakeUs = atUs;
    this.#queue.push(atUs, Kind.wake, aggregator.position, 0, 0);
  }

  #onWake(aggregator: LeanAggregator, isFixed: boolean): void {
    if (!isFixed) {
      if (aggregator.wakeUs !== this.nowUs) return;
      aggregator.wakeUs = Number.POSITIVE_INFINITY;
    }
    if (aggregator.job !== undefined) return;
    aggregator.raw.advance(this.nowUs);
    if (!this.#timing.mayStart(aggregator, this.nowUs)) return;
    const plan = planOf(this.scenario.rival, this.#timing.view(aggregator, this.nowUs));
    if (plan !== undefined) this.#begin(aggregator, plan);
    else if (this.#timing.hasLevels && this.nowUs < this.#timing.deadlineUs) {
      // A turn may come without anything else happening.
      this.#wakeAt(aggregator, Math.ceil(this.nowUs + 50_000));
    }
  }

  #begin(aggregator: LeanAggregator, wanted: LeanPlan): void {
    const missing = wanted.children.filter((child) => !aggregator.proofs.includes(child));
    if (missing.length > 0) {
      this.#ask(aggregator, missing);
      return;
    }
    const plan = corrupted(wanted, aggregator.role, this.sizes);
    if (plan === undefined) return;
    const tookUs = aggregator.slowness * this.#timing.proveUs(countVotes(plan.raw), plan.children.length);
    const endUs = Math.ceil(this.nowUs + tookUs);
    // What cannot end in time is not begun: clients have no such bound.
    if (!this.#timing.isClient && this.scenario.rival !== 'spec' && endUs > this.#timing.lastUseUs) return;
    aggregator.raw.drop(plan.votes);
    const proof = this.#addProof(aggregator, plan, plan.votes);
    aggregator.begun++;
    aggregator.job = { position: aggregator.position, proof, startUs: this.nowUs, endUs };
    this.jobs.push(aggregator.job);
    this.#queue.push(endUs, Kind.proved, aggregator.position, 0, 0);
  }

  #addProof({ position, role }: LeanAggregator, { children, raw, half }: LeanPlan, votes: VoteSet): LeanProof {
    const rawVotes = countVotes(raw);
    const proof = makeProof(this.sizes, {
      id: this.proofs.length,
      votes,
      bytes: proofBytes(this.scenario.profile.proof, rawVotes, children.length),
      by: position,
      children,
      rawVotes,
      half,
      isValid: role !== 'invalid',
    });
    this.proofs.push(proof);
    this.#states.push(new Uint8Array(this.scenario.nodes));
    this.#cameUs.push(new Float64Array(this.scenario.nodes).fill(-1));
    return proof;
  }

  #ask(aggregator: LeanAggregator, missing: readonly LeanProof[]): void {
    for (const proof of missing) {
      const askedUs = aggregator.asked.get(proof);
      if (askedUs === undefined) {
        aggregator.asked.set(proof, this.nowUs);
        this.#sendSmall('requests', aggregator.position, proof.by, proof);
      } else if (this.nowUs - askedUs > answerUs) aggregator.forget(proof);
    }
    this.#wakeAt(aggregator, Math.ceil(this.nowUs + answerUs + 1));
  }

  #sendSmall(kind: 'haveBits' | 'requests', from: number, to: number, proof: LeanProof): void {
    this.links.send({ kind, proof, from, to, bytes: smallBytes[kind], topic: undefined });
  }

  #onProved(aggregator: LeanAggregator): void {
    const { proof } = aggregator.job!;
    aggregator.job = undefined;
    this.#keep(aggregator, proof);
    if (aggregator.role === 'overlapping') {
      for (const votes of overlapping(proof.votes, this.sizes.validators, 8)) {
        const { children, half } = proof;
        this.#keep(aggregator, this.#addProof(aggregator, { children, raw: votes, votes, half }, votes));
      }
    }
    this.#wakeAt(aggregator, this.nowUs);
  }

  /** Its maker has a proof, and it goes where the rival sends it. */
  #keep(aggregator: LeanAggregator, proof: LeanProof): void {
    const { position } = aggregator;
    this.#states[proof.id]![position] = 2;
    this.verified[position]!.push({ proof, atUs: this.nowUs });
    aggregator.hold(proof);
    const { rival } = this.scenario;
    const atUs = aggregator.role === 'late' ? this.#timing.deadlineUs + lateUs : this.#timing.publishUs(this.nowUs);
    const isLeaf = proof.children.length === 0;
    if (aggregator.role === 'late' || !this.#timing.hasLevels) {
      this.due.set(proof, atUs);
      if (!isLeaf || !['gossip', 'grid', 'direct'].includes(rival))
        this.#queue.push(atUs, Kind.publish, proof.id, 0, 0);
      else this.#spread(proof, position, position, rival);
      return;
    }
    for (const [to, isWhole] of toldOf(this.scenario, this.sizes, this.#masks, proof)) {
      if (isWhole) this.#sendProof(proof, position, to, undefined);
      else this.#sendSmall('haveBits', position, to, proof);
    }
    const { half } = proof;
    if (half !== undefined && half.level === topLevel(this.sizes.subnets, this.sizes.branching)) {
      this.#publishBest(aggregator);
    }
  }

  #sendProof(proof: LeanProof, from: number, to: number, topic: string | undefined): void {
    this.links.send({ kind: 'proofs', proof, from, to, bytes: proof.bytes, topic });
  }

  /** The best of its own proofs, unless another is known that has all of it. */
  #publishBest(aggregator: LeanAggregator): void {
    const own = aggregator.proofs.filter(({ by }) => by === aggregator.position);
    const best = own.reduce<LeanProof | undefined>((a, b) => (a === undefined || b.size > a.size ? b : a), undefined);
    if (best === undefined || aggregator.published.has(best) || aggregator.role === 'late') return;
    const others = [...aggregator.proofs, ...aggregator.announced];
    const isBehind = others.some(
      (other) => other !== best && other.by !== aggregator.position && countNewVotes(best.votes, other.votes) === 0,
    );
    if (isBehind) return;
    aggregator.published.add(best);
    const rank =
      this.scenario.rival === 'handel' && best.half ? this.#masks.rank(best.half, aggregator.position, 0) : 0;
    // Where many have the same, all but one wait for it to come.
    this.#queue.push(this.nowUs + 100_000 * rank, Kind.publish, best.id, 0, 0);
  }

  #publish(proof: LeanProof): void {
    if (this.published.has(proof)) return;
    const isThere = this.verified[proof.by]!.some(
      (one) => this.published.has(one.proof) && countNewVotes(proof.votes, one.proof.votes) === 0,
    );
    if (this.#timing.hasLevels && isThere) return;
    this.published.set(proof, this.nowUs);
    this.#spread(proof, proof.by, proof.by, globalTopic);
  }

  #spread(proof: LeanProof, node: number, from: number, topic: string): void {
    for (const to of this.#topics[topic]!.next(node, from, proof.by)) this.#sendProof(proof, node, to, topic);
  }

  #deliver(message: LeanMessage): void {
    const { kind, proof, from, to } = message;
    const aggregator = this.aggregators[to];
    if (kind === 'haveBits') {
      aggregator!.hear(proof);
      this.#wakeSoon(aggregator!);
    } else if (kind === 'requests') {
      if (aggregator!.role !== 'silent') this.#sendProof(proof, to, from, undefined);
    } else this.#receive(message);
  }

  #receive(message: LeanMessage): void {
    const { proof, to } = message;
    const states = this.#states[proof.id]!;
    if (states[to]! > 0) {
      this.duplicates++;
      // What came between two nodes before may still have to be passed on.
      return;
    }
    states[to] = 1;
    this.#cameUs[proof.id]![to] = this.nowUs;
    const isProving = this.aggregators[to]?.job !== undefined;
    const tookUs = 1000 * verifyProofMs(this.scenario.profile.verifier, isProving);
    const doneUs = Math.max(this.nowUs, this.#verifierFreeUs[to]!) + tookUs;
    this.#verifierFreeUs[to] = doneUs;
    this.verifyUs[to]! += tookUs;
    this.#queue.push(Math.ceil(doneUs), Kind.verified, this.#messages.push(message) - 1, 0, 0);
  }

  #onVerified({ proof, from, to, topic }: LeanMessage): void {
    if (!proof.isValid) return;
    this.#states[proof.id]![to] = 2;
    this.verified[to]!.push({ proof, atUs: this.nowUs });
    const aggregator = this.aggregators[to];
    if (aggregator !== undefined) {
      aggregator.hold(proof);
      this.#wakeSoon(aggregator);
    }
    if (topic !== undefined) this.#spread(proof, to, from, topic);
  }
}

/** Who is honest, who is slow, and when their votes come. */
function makeAggregators(scenario: LeanScenario, network: NetworkModel, sizes: LeanSizes): LeanAggregator[] {
  const { aggregators, roles, seed, slowShare, slowTimes } = scenario;
  const order = shuffle(aggregators, seed, 'lean roles');
  const roleOf: (LeanRole | undefined)[] = new Array(aggregators).fill(undefined);
  let next = 0;
  for (const role of leanRoles) {
    for (let left = Math.round((roles[role] ?? 0) * aggregators); left > 0; left--) roleOf[order[next++]!] = role;
  }
  const slow = new Set([...shuffle(aggregators, seed, 'lean slow')].slice(0, Math.round(slowShare * aggregators)));
  const raws = voteArrivals(scenario, network, sizes.duties);
  return raws.map((raw, at) => new LeanAggregator(at, roleOf[at], slow.has(at) ? slowTimes : 1, raw));
}
