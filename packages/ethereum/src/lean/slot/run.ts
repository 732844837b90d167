import { type Contribution, noContribution, RandomStream, shuffle } from '@tutti/core';
import type { NetworkModel } from '@tutti/simulation';
import { createNetwork, EventQueue } from '@tutti/simulation/engine';
import { proofBytes, verifyProofMs } from '../costs.ts';
import { countNewVotes, countVotes, type VoteSet } from '../rules/voteSet.ts';
import { type LeanProof, type LeanSizes, SubnetMasks } from '../world.ts';
import { LeanAggregator, type LeanJob } from './aggregator.ts';
import { LeanContributions } from './contributions.ts';
import { LeanLinks, type LeanMessage } from './links.ts';
import { LeanFlag, LeanNode, type LeanPort } from './node.ts';
import { type LeanRole, type LeanScenario, leanRoles, placesOf, sizesOf, validateLeanScenario } from './scenario.ts';
import { LeanTiming } from './timing.ts';
import { directTopic, globalTopic, gridTopic, type LeanTopic, meshTopic } from './topics.ts';
import { Verifiers } from './verifiers.ts';
import { voteArrivals } from './votes.ts';

const Kind = { free: 0, deliver: 1, verified: 2, proved: 3, timer: 4 } as const;

/** Bytes of a bit set for 4096 validators with its identifier, and of a request. */
const smallBytes = { haveBits: 513 + 130, requests: 32 + 130 };
/** What comes is wanted by nobody who has it for so long: IDONTWANT takes a way. */
const toldUs = 50_000;

/**
 * A slot of one message, run on one rival: the machine that aggregators run on, each with links, a verifier and a
 * prover, which they ask for through core's port. Everything that happened is left in its fields.
 */
export class LeanSlotRun {
  readonly scenario: LeanScenario;
  readonly sizes: LeanSizes;
  readonly aggregators: readonly LeanAggregator[];
  readonly jobs: LeanJob[] = [];
  /** Proofs on the global topic, and when they were published. */
  readonly published = new Map<LeanProof, number>();
  readonly links: LeanLinks;
  readonly verifiers: Verifiers;
  readonly #contributions: LeanContributions;
  readonly #nodes: readonly LeanNode[];
  /** By position, what its prover works on for it. */
  readonly #working: (LeanJob | undefined)[];
  readonly #queue = new EventQueue();
  readonly #network: NetworkModel;
  readonly #timing: LeanTiming;
  readonly #topics: Readonly<Record<string, LeanTopic>>;
  readonly #messages: LeanMessage[] = [];
  /** The message that a node is being told. */
  #told = 0;

  constructor(scenario: LeanScenario) {
    validateLeanScenario(scenario);
    this.scenario = scenario;
    this.sizes = sizesOf(scenario);
    const { nodes, seed, aggregators, aggregatorMbps, upMbps, downMbps } = scenario;
    this.#network = createNetwork(scenario.network, nodes, seed);
    this.#contributions = new LeanContributions(this.sizes);
    const masks = new SubnetMasks(this.sizes);
    this.#timing = new LeanTiming(scenario, this.sizes, masks);
    this.#topics = {
      [globalTopic]: meshTopic(nodes, seed, globalTopic),
      gossip: meshTopic(aggregators, seed, 'aggregators'),
      grid: gridTopic(aggregators),
      direct: directTopic(this.sizes.supers),
    };
    this.verifiers = new Verifiers(nodes);
    this.links = new LeanLinks(
      nodes,
      (node) => (node < aggregators ? [aggregatorMbps, aggregatorMbps] : [upMbps, downMbps]),
      this.#clock(),
    );
    this.aggregators = makeAggregators(scenario, this.#network, this.sizes);
    const world = { scenario, sizes: this.sizes, masks, timing: this.#timing, contributions: this.#contributions };
    this.#nodes = this.aggregators.map((one) => new LeanNode(world, one, this.#portOf(one)));
    this.#working = this.aggregators.map(() => undefined);
  }

  get proofs(): readonly LeanProof[] {
    return this.#contributions.proofs;
  }

  get verified(): Verifiers['verified'] {
    return this.verifiers.verified;
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
        kind === 'proofs' && topic !== undefined && this.verifiers.hadCome(proof, to, queue.timeUs - toldUs),
    };
  }

  #portOf(aggregator: LeanAggregator): LeanPort {
    const { position, prover } = aggregator;
    const queue = this.#queue;
    return {
      nowUs: () => queue.timeUs,
      send: (to, _level, aggregate, _individual, flags) => this.#send(position, to, aggregate, flags),
      setTimer: (delayUs, timer) => queue.push(queue.timeUs + delayUs, Kind.timer, position, timer, 0),
      verify: () => this.#verify(this.#told),
      prove: (level, children, individuals) => this.#prove(aggregator, level, children, individuals),
      proverFreeUs: () => prover.freeUs,
      output: (contribution) => this.#publish(this.#contributions.proof(contribution)),
      forge: (like, votes) => this.#forge(aggregator, this.#contributions.proof(like), votes),
    };
  }

  /** Runs until a time. */
  run(untilMs: number): void {
    const queue = this.#queue;
    for (const node of this.#nodes) node.start();
    while (queue.next() && queue.timeUs <= 1000 * untilMs) this.#handle(queue.head, queue.b, queue.c);
  }

  #handle(kind: number, b: number, c: number): void {
    if (kind === Kind.free) this.links.freed(b);
    else if (kind === Kind.deliver) this.#deliver(b);
    else if (kind === Kind.verified) this.#onVerified(b);
    else if (kind === Kind.proved) this.#onProved(b);
    else this.#nodes[b]!.onTimer(c);
  }

  #prove(
    aggregator: LeanAggregator,
    level: number,
    children: readonly Contribution[],
    individuals: readonly Contribution[],
  ): number {
    const { position, prover } = aggregator;
    const startUs = this.#queue.timeUs;
    const index = Math.floor(this.sizes.duties[position]! / this.sizes.branching ** level);
    const proof = this.#add(aggregator, {
      votes: this.#contributions.union([...children, ...individuals]),
      children: children.map((child) => this.#contributions.proof(child)),
      rawVotes: individuals.length,
      half: this.#timing.hasLevels ? { level, index } : undefined,
      isSecond: this.#contributions.isSecond(children[0] ?? individuals[0]!),
    });
    const endUs = Math.ceil(startUs + this.#timing.jobUs(aggregator, individuals.length, children.length));
    prover.freeUs = endUs;
    const job = { position, proof, startUs, endUs };
    this.#working[position] = job;
    this.#queue.push(endUs, Kind.proved, this.jobs.push(job) - 1, 0, 0);
    return this.jobs.length - 1;
  }

  #forge(aggregator: LeanAggregator, { children, half, isSecond }: LeanProof, votes: VoteSet): Contribution {
    const proof = this.#add(aggregator, { votes, children, rawVotes: countVotes(votes), half, isSecond });
    this.verifiers.keep(proof, aggregator.position, this.#queue.timeUs);
    return this.#contributions.handle(proof);
  }

  #add(
    { position: by, role }: LeanAggregator,
    making: Pick<LeanProof, 'votes' | 'children' | 'rawVotes' | 'half' | 'isSecond'>,
  ): LeanProof {
    this.verifiers.add();
    const bytes = proofBytes(this.scenario.profile.proof, making.rawVotes, making.children.length);
    return this.#contributions.add({ ...making, bytes, by, isValid: role !== 'invalid' });
  }

  #onProved(ticket: number): void {
    const { position, proof } = this.jobs[ticket]!;
    this.#working[position] = undefined;
    this.verifiers.keep(proof, position, this.#queue.timeUs);
    this.#nodes[position]!.onProved(ticket, this.#contributions.handle(proof));
  }

  #send(from: number, to: number, contribution: Contribution, flags: number): void {
    const proof = this.#contributions.proof(contribution);
    if (flags === 0) this.#sendProof(proof, from, to, undefined);
    else {
      const kind = flags === LeanFlag.request ? 'requests' : 'haveBits';
      this.links.send({ kind, proof, from, to, bytes: smallBytes[kind], topic: undefined });
    }
  }

  #sendProof(proof: LeanProof, from: number, to: number, topic: string | undefined): void {
    this.links.send({ kind: 'proofs', proof, from, to, bytes: proof.bytes, topic });
  }

  /** On the global topic, unless it was there before; BEAMSIM's rivals have another one for leaves. */
  #publish(proof: LeanProof): void {
    const { rival } = this.scenario;
    if (proof.children.length === 0 && ['gossip', 'grid', 'direct'].includes(rival)) {
      this.#spread(proof, proof.by, proof.by, rival);
      return;
    }
    if (this.published.has(proof)) return;
    const isThere = ({ proof: other }: { readonly proof: LeanProof }) =>
      other.isSecond === proof.isSecond && this.published.has(other) && countNewVotes(proof.votes, other.votes) === 0;
    if (this.#timing.hasLevels && this.verified[proof.by]!.some(isThere)) return;
    this.published.set(proof, this.#queue.timeUs);
    this.#spread(proof, proof.by, proof.by, globalTopic);
  }

  #spread(proof: LeanProof, node: number, from: number, topic: string): void {
    for (const to of this.#topics[topic]!.next(node, from, proof.by)) this.#sendProof(proof, node, to, topic);
  }

  #deliver(at: number): void {
    const { kind, proof, from, to } = this.#messages[at]!;
    if (kind === 'proofs' && this.verifiers.hadCome(proof, to, this.#queue.timeUs)) return;
    const node = this.#nodes[to];
    if (node === undefined) {
      this.#verify(at);
      return;
    }
    this.#told = at;
    const flags = { proofs: 0, haveBits: LeanFlag.haveBits, requests: LeanFlag.request }[kind];
    node.onMessage(from, proof.half?.level ?? 0, this.#contributions.handle(proof), noContribution, flags);
  }

  /** @returns the ticket: the message that brought it. */
  #verify(at: number): number {
    const { proof, to } = this.#messages[at]!;
    const tookUs = 1000 * verifyProofMs(this.scenario.profile.verifier, this.#working[to] !== undefined);
    this.#queue.push(this.verifiers.receive(proof, to, this.#queue.timeUs, tookUs), Kind.verified, at, 0, 0);
    return at;
  }

  #onVerified(at: number): void {
    const { proof, from, to, topic } = this.#messages[at]!;
    if (proof.isValid) this.verifiers.keep(proof, to, this.#queue.timeUs);
    this.#nodes[to]?.onVerified(at, proof.isValid);
    if (proof.isValid && topic !== undefined) this.#spread(proof, to, from, topic);
  }
}

/** Who is honest, whose prover or clock is not right, and when votes come to them. */
function makeAggregators(scenario: LeanScenario, network: NetworkModel, sizes: LeanSizes): LeanAggregator[] {
  const { aggregators, roles, seed, slowShare, slowTimes, clocksMs, perHost } = scenario;
  const order = placesOf(scenario, sizes);
  const roleOf: (LeanRole | undefined)[] = new Array(aggregators).fill(undefined);
  let next = 0;
  for (const role of leanRoles) {
    for (let left = Math.round((roles[role] ?? 0) * aggregators); left > 0; left--) roleOf[order[next++]!] = role;
  }
  const slow = new Set([...shuffle(aggregators, seed, 'lean slow')].slice(0, Math.round(slowShare * aggregators)));
  const clocks = new RandomStream(seed, 'lean clocks');
  const hosts = shuffle(aggregators, seed, 'lean hosts');
  const machines = Array.from({ length: Math.ceil(aggregators / perHost) }, () => ({ freeUs: 0 }));
  const provers = Array.from(hosts, (_, at) => machines[Math.floor(at / perHost)]!);
  const raws = [voteArrivals(scenario, network, sizes.duties, () => true)];
  // Who hosts validators that sign twice is an aggregator itself.
  if (roleOf.includes('equivocating')) {
    raws.push(voteArrivals(scenario, network, sizes.duties, (node) => roleOf[node] === 'equivocating'));
  }
  return roleOf.map(
    (role, position) =>
      new LeanAggregator({
        position,
        role,
        slowness: slow.has(position) ? slowTimes : 1,
        prover: provers[hosts.indexOf(position)]!,
        clockUs: Math.round(1000 * clocksMs * (2 * clocks.nextUnit() - 1)),
        raws: raws.map((of) => of[position]!),
      }),
  );
}
