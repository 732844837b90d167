import { invert, RandomStream, shuffle } from '@tutti/core';
import { type MemberSet, sizeOf } from '@tutti/core/horn';
import type { NetworkModel } from '@tutti/simulation';
import { createNetwork } from '@tutti/simulation/engine';
import { clientPresets } from '../../horn/network/client.ts';
import { ethereumGossipsub } from '../../horn/network/gossipsub.ts';
import { bytesPerUs } from '../../horn/network/nodes.ts';
import { GossipRun } from '../../slots/network/gossipRun.ts';
import { Priority } from '../../slots/network/gossipState.ts';
import type { LeanPlan } from '../plans.ts';
import { proofBytes } from '../profile.ts';
import { countNewVotes } from '../rules.ts';
import { type LeanProof, type LeanSizes, makeProof, SubnetMasks } from '../world.ts';
import { LeanAggregator, type LeanJob, voteArrivals } from './aggregator.ts';
import { LeanNode, type LeanPort, type SmallKind, smallBytes } from './node.ts';
import { type LeanRole, type LeanScenario, leanRoles, placesOf, sizesOf, validateLeanScenario } from './scenario.ts';
import { LeanTiming } from './timing.ts';

/** A message on the engine. */
interface LeanMessage {
  readonly proof: LeanProof;
  readonly from: number;
  readonly kind: 'proof' | SmallKind;
  /** If true, the receiver forwards the message by the strategy's relays. */
  readonly isRelayed: boolean;
}

/** Gossip parameters of a Lean slot, in which queues are never full and messages wait for links until the slot ends. */
export const leanGossip = {
  ...ethereumGossipsub,
  dLazy: 0,
  overheadBytes: 0,
  forwardWaitMs: undefined,
  publishWaitMs: undefined,
};
/** Client of a Lean slot. The profile determines the verification times. */
export const leanClient = { ...clientPresets.singly, machine: 'epyc-native', cores: 1 } as const;
/** Costs of BLS signatures, which a Lean slot does not have. */
export const leanCosts = { batchUs: 0, setUs: 0, summedUs: 0 };
/** Time for which a receiver's link may be busy before senders wait, µs, like a limit on data in transit. */
const aheadUs = 100_000;

/**
 * A slot with one message, run with one strategy on the gossip engine. Aggregators prove; the engine simulates links,
 * topics and verification. The fields contain the full history.
 */
export class LeanSlotRun {
  readonly scenario: LeanScenario;
  readonly sizes: LeanSizes;
  readonly aggregators: readonly LeanAggregator[];
  /** Proofs in the order in which they were begun. */
  readonly proofs: LeanProof[] = [];
  readonly jobs: LeanJob[] = [];
  /** Proofs on the global topic, with their times of publication. */
  readonly published = new Map<LeanProof, number>();
  /** Proofs that each node has verified or made, with the times. */
  readonly verified: { readonly proof: LeanProof; readonly atUs: number }[][];
  /** Duration of each verification, µs. */
  readonly tookUs: number[] = [];
  readonly #nodes: readonly LeanNode[];
  readonly #timing: LeanTiming;
  readonly #gossip: GossipRun;
  readonly #globalTopic: number;
  readonly #aggregatorTopic: number;
  readonly #relays: Relays | undefined;
  /** Messages by number. */
  readonly #messages: LeanMessage[] = [];
  readonly #actions: (() => void)[] = [];
  /** Proofs that each node has verified or made. */
  readonly #known: Set<LeanProof>[];
  /** Bytes of small messages that each node has received, by kind. */
  readonly #small: Readonly<Record<SmallKind, Float64Array>>;
  /** Total duration of each node's verifications up to the last one, µs. */
  readonly #tookBeforeUs: Float64Array;
  /** Factor by which each node verifies more slowly while it is proving. */
  readonly #slowdown: Float64Array;

  constructor(scenario: LeanScenario) {
    validateLeanScenario(scenario);
    this.scenario = scenario;
    this.sizes = sizesOf(scenario);
    const { nodes, seed, aggregators, strategy } = scenario;
    const network = createNetwork(scenario.network, nodes, seed);
    this.#timing = new LeanTiming(scenario, this.sizes, new SubnetMasks(this.sizes));
    this.#slowdown = new Float64Array(nodes).fill(1);
    this.#gossip = new GossipRun(
      {
        nodes: linksOf(scenario, this.#slowdown),
        network,
        gossip: leanGossip,
        client: leanClient,
        costs: leanCosts,
        aheadUs,
      },
      seed,
    );
    const allNodes = Int32Array.from({ length: nodes }, (_, node) => node);
    this.#globalTopic = this.#gossip.addTopic(allNodes);
    this.#aggregatorTopic = this.#gossip.addTopic(allNodes.subarray(0, aggregators));
    if (strategy === 'grid') this.#relays = gridRelays(aggregators);
    if (strategy === 'direct') this.#relays = directRelays(this.sizes.supers);
    this.#gossip.onAct = (action) => this.#actions[action]!();
    this.#gossip.onVerified = (message, node) => this.#onVerified(this.#messages[message]!, node);
    this.#gossip.isKnown = (message, node) => this.#known[node]!.has(this.#messages[message]!.proof);
    this.verified = Array.from({ length: nodes }, () => []);
    this.#known = Array.from({ length: nodes }, () => new Set());
    this.#small = { haveBits: new Float64Array(nodes), requests: new Float64Array(nodes) };
    this.#tookBeforeUs = new Float64Array(nodes);
    this.aggregators = makeAggregators(scenario, network, this.sizes);
    this.#nodes = this.aggregators.map((one) => new LeanNode(this.#timing, one, this.#portOf(one)));
    for (const node of this.#nodes) node.start();
  }

  /** Bytes that have passed their receivers' links, by kind and node. */
  get received(): Readonly<Record<'proofs' | SmallKind, Float64Array>> {
    const { haveBits, requests } = this.#small;
    const proofs = this.#gossip.through().received.map((bytes, node) => bytes - haveBits[node]! - requests[node]!);
    return { proofs, haveBits, requests };
  }

  /** Runs the slot until a time, ms since it began. */
  run(untilMs: number): void {
    this.#gossip.run(1000 * untilMs);
  }

  #portOf(aggregator: LeanAggregator): LeanPort {
    return {
      nowUs: () => this.#gossip.nowUs,
      after: (delayUs, act) => this.#after(delayUs, act),
      publish: (proof) => this.#publish(proof),
      send: (to, proof, kind) => this.#send(proof, aggregator.position, to, kind, false),
      prove: (plan, isSecond) => this.#prove(aggregator, plan, isSecond),
      forge: (like, votes) => this.#forge(aggregator, like, votes),
    };
  }

  #after(delayUs: number, act: () => void): void {
    this.#gossip.at(this.#gossip.nowUs + delayUs, this.#actions.push(act) - 1);
  }

  #prove(aggregator: LeanAggregator, { votes, children, raw, half }: LeanPlan, isSecond: boolean): void {
    const { position, prover } = aggregator;
    const startUs = this.#gossip.nowUs;
    const rawVotes = sizeOf(raw);
    const proof = this.#add(aggregator, { votes, children, rawVotes, half, isSecond });
    const endUs = Math.ceil(startUs + this.#timing.jobUs(aggregator, rawVotes, children.length));
    prover.freeUs = endUs;
    this.jobs.push({ position, proof, startUs, endUs });
    this.#slowdown[position] = this.scenario.profile.verifier.whileProving;
    this.#after(endUs - startUs, () => {
      this.#slowdown[position] = 1;
      this.#keep(proof, position);
      this.#nodes[position]!.onProved(proof);
    });
  }

  #forge(aggregator: LeanAggregator, { children, half, isSecond }: LeanProof, votes: MemberSet): LeanProof {
    const proof = this.#add(aggregator, { votes, children, rawVotes: sizeOf(votes), half, isSecond });
    this.#keep(proof, aggregator.position);
    return proof;
  }

  #add(
    { position: by, role }: LeanAggregator,
    making: Pick<LeanProof, 'votes' | 'children' | 'rawVotes' | 'half' | 'isSecond'>,
  ): LeanProof {
    const bytes = proofBytes(this.scenario.profile.proof, making.rawVotes, making.children.length);
    const proof = makeProof(this.sizes, { ...making, id: this.proofs.length, bytes, by, isValid: role !== 'invalid' });
    this.proofs.push(proof);
    return proof;
  }

  /** Records that the node has made the proof or verified it successfully. */
  #keep(proof: LeanProof, node: number): void {
    this.#known[node]!.add(proof);
    this.verified[node]!.push({ proof, atUs: this.#gossip.nowUs });
  }

  #send(proof: LeanProof, from: number, to: number, kind: LeanMessage['kind'], isRelayed: boolean): void {
    const message =
      kind === 'proof'
        ? this.#messageOf(proof)
        : { ...this.#messageOf(proof), bytes: smallBytes[kind], keyUs: 0, isInvalid: false };
    this.#messages[this.#gossip.send(from, to, message, kind !== 'proof')] = { proof, from, kind, isRelayed };
  }

  #messageOf({ bytes, isValid }: LeanProof) {
    const keyUs = 1000 * this.scenario.profile.verifier.proofMs;
    return { bytes, sets: 0, keyUs, priority: Priority.global, isInvalid: !isValid };
  }

  /**
   * Publishes a proof as its strategy requires, unless the proof or, under levels, another proof with all its votes is
   * already published.
   */
  #publish(proof: LeanProof): void {
    const isLeaf = proof.children.length === 0;
    if (isLeaf && this.#relays !== undefined) this.#relay(this.#relays, proof, proof.by, proof.by);
    else if (isLeaf && this.scenario.strategy === 'gossip') this.#publishOn(this.#aggregatorTopic, proof);
    else if (!this.published.has(proof)) {
      const isThere = ({ proof: other }: { readonly proof: LeanProof }) =>
        other.isSecond === proof.isSecond && this.published.has(other) && countNewVotes(proof.votes, other.votes) === 0;
      if (this.#timing.hasLevels && this.verified[proof.by]!.some(isThere)) return;
      this.published.set(proof, this.#gossip.nowUs);
      this.#publishOn(this.#globalTopic, proof);
    }
  }

  #publishOn(topic: number, proof: LeanProof): void {
    const message = { ...this.#messageOf(proof), topic, together: 1 };
    const number = this.#gossip.publish(this.#gossip.nowUs, proof.by, message);
    this.#messages[number] = { proof, from: proof.by, kind: 'proof', isRelayed: false };
  }

  #relay(relays: Relays, proof: LeanProof, node: number, from: number): void {
    for (const to of relays(node, from, proof.by)) this.#send(proof, node, to, 'proof', true);
  }

  /** Handles a message that has arrived. If it contains a proof, the proof has been verified. */
  #onVerified({ proof, from, kind, isRelayed }: LeanMessage, node: number): void {
    if (kind !== 'proof') {
      this.#small[kind][node]! += smallBytes[kind];
      this.#nodes[node]!.onMessage(from, proof, kind);
      return;
    }
    if (this.#known[node]!.has(proof)) return;
    this.tookUs.push(this.#gossip.costs.busyUs[node]! - this.#tookBeforeUs[node]!);
    this.#tookBeforeUs[node] = this.#gossip.costs.busyUs[node]!;
    if (!proof.isValid) return;
    this.#keep(proof, node);
    this.#nodes[node]?.onProof(proof);
    if (isRelayed) this.#relay(this.#relays!, proof, node, from);
  }
}

/** Returns the links and loads of all nodes. @param slowdown factor on the duration of each node's verifications. */
export function linksOf(
  { nodes, aggregators, aggregatorMbps, upMbps, downMbps }: LeanScenario,
  slowdown: Float64Array,
) {
  const rates = (others: number) =>
    Float64Array.from({ length: nodes }, (_, node) => bytesPerUs(node < aggregators ? aggregatorMbps : others));
  return { up: rates(upMbps), down: rates(downMbps), load: new Float64Array(nodes).fill(1), slowdown };
}

/** Creates the aggregators, with their roles, provers, clocks and arrival times of votes. */
function makeAggregators(scenario: LeanScenario, network: NetworkModel, sizes: LeanSizes): LeanAggregator[] {
  const { aggregators, roles, seed, slowShare, slowTimes, clocksMs, perHost } = scenario;
  const order = placesOf(scenario, sizes);
  const roleOf: (LeanRole | undefined)[] = new Array(aggregators).fill(undefined);
  let share = 0;
  let next = 0;
  for (const role of leanRoles) {
    share += roles[role] ?? 0;
    for (const end = Math.round(share * aggregators); next < end; next++) roleOf[order[next]!] = role;
  }
  const slow = new Set([...shuffle(aggregators, seed, 'lean slow')].slice(0, Math.round(slowShare * aggregators)));
  const clocks = new RandomStream(seed, 'lean clocks');
  const placeOf = invert(shuffle(aggregators, seed, 'lean hosts'));
  const machines = Array.from({ length: Math.ceil(aggregators / perHost) }, () => ({ freeUs: 0 }));
  const raws = [voteArrivals(scenario, network, sizes.duties, () => true)];
  // A node that hosts validators that sign twice is itself an aggregator.
  if (roleOf.includes('equivocating')) {
    raws.push(voteArrivals(scenario, network, sizes.duties, (node) => roleOf[node] === 'equivocating'));
  }
  return roleOf.map(
    (role, position) =>
      new LeanAggregator({
        position,
        role,
        slowness: slow.has(position) ? slowTimes : 1,
        prover: machines[Math.floor(placeOf[position]! / perHost)]!,
        clockUs: Math.round(1000 * clocksMs * (2 * clocks.nextUnit() - 1)),
        raws: raws.map((of) => of[position]!),
      }),
  );
}

/**
 * Returns the members to which a member forwards a message.
 *
 * @param from the member from which the forwarding member received the message, or the forwarding member itself for its
 * own message.
 * @param by the publisher.
 */
type Relays = (node: number, from: number, by: number) => readonly number[];

/**
 * Returns the relays of BEAMSIM's grid: members are in rows of floor(sqrt n). The publisher sends along its row and its
 * column. A member that received the message along the row sends it down its column, and vice versa. Delivery takes two
 * hops, and at most two copies.
 */
function gridRelays(members: number): Relays {
  const width = Math.max(1, Math.floor(Math.sqrt(members)));
  const all = Array.from({ length: members }, (_, member) => member);
  const row = (node: number) => Math.floor(node / width);
  const column = (node: number) => node % width;
  const along = (node: number) => all.filter((one) => one !== node && row(one) === row(node));
  const down = (node: number) => all.filter((one) => one !== node && column(one) === column(node));
  return (node, from, by) => {
    if (node === by) return [...along(node), ...down(node)];
    if (from !== by) return [];
    return row(node) === row(by) ? down(node) : along(node);
  };
}

/**
 * Returns the relays of BEAMSIM's direct method: a proof goes to one global aggregator, which forwards it to all
 * others.
 */
function directRelays(globals: number): Relays {
  const all = Array.from({ length: globals }, (_, member) => member);
  return (node, from, by) => {
    if (node === by) return node < globals ? all.filter((one) => one !== node) : [by % globals];
    return from === by && by >= globals ? all.filter((one) => one !== node && one !== by) : [];
  };
}
