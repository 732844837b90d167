import { type Contribution, CountingScheme, type Port, type ProtocolNode, Tree } from '@tutti/core';
import { expected } from '@tutti/core/internal';
import { Duty, HornNode, type HornNodeOptions, HornTopic } from '@tutti/core/internal/horn';
import { EventQueue } from '../engine/eventQueue.ts';
import { createNetwork } from '../engine/network/network.ts';
import type { NetworkModel } from '../engine/network/networkModel.ts';
import { verificationUs } from '../horn/costs/verification.ts';
import { EveNode } from '../horn/eveNode.ts';
import type { SlotEngine } from './engine.ts';
import { Reach, wordsOf } from './reach.ts';
import { SlotLog } from './slotLog.ts';
import type { SlotScenario } from './slotScenario.ts';
import { rolesOf, type SlotWorld } from './slotWorld.ts';
import { meshTopics } from './topics.ts';

const eventKind = { start: 0, message: 1, timer: 2, verified: 3 } as const;
const idBits = 20;
const idMask = (1 << idBits) - 1;

/**
 * A slot in which every message is played singly, between nodes that keep the contract of every protocol: a {@link
 * HornNode} for each live validator, with an {@link EveNode} around Eve's. The statistical model is measured against
 * it. It is meant for some ten thousand validators at most.
 *
 * It shares the event queue, which decides the order, with `Simulation`, and not the few lines that take events from
 * it: these differ in when a run ends and in who looks at an event first. One loop for both, with three hooks, was
 * tried: it took no fewer lines, and gained no speed (1.03 times the CPU of a simulation of 2,048 nodes, the median of
 * 25 pairs of runs on a busy machine, with quartiles 0.97 and 1.15).
 */
export class MessageSlot implements SlotEngine {
  readonly world: SlotWorld;
  readonly log: SlotLog;
  readonly #scenario: SlotScenario;
  readonly #queue = new EventQueue();
  readonly #scheme: CountingScheme;
  readonly #network: NetworkModel;
  readonly #nodes: (ProtocolNode | undefined)[];
  /** Votes that each node knows of from the global topic, and when it had the threshold. */
  readonly #reach: readonly Reach[];
  readonly #reachedUs: Int32Array;
  /** The topic of what each node last asked to have verified, and its author. */
  readonly #asked: Int32Array;
  readonly #askedAuthor: Int32Array;
  /** The set that an author sent to the global topic. */
  readonly #globalSet: Int32Array;
  /** When an author published on a topic, `[4 place + topic]`. */
  readonly #sentUs: Int32Array;
  #tickets = 0;
  /** Whether the node that handles the event acts of its own accord, and not on what it has verified. */
  #isOwn = false;
  #isOver = false;

  /**
   * @throws RangeError unless committees and subcommittees have powers of two of members, as blocks of the scheme have.
   */
  constructor(scenario: SlotScenario, world: SlotWorld) {
    const { order, present, subcommittee, committee, duties, clock, collects, casts, voters } = world;
    for (const [label, members] of Object.entries({ subcommittee, committee })) {
      if (!Number.isInteger(Math.log2(members))) {
        throw new RangeError(expected(label, 'a power of two of members where messages are played singly', members));
      }
    }
    this.world = world;
    this.log = new SlotLog(world);
    this.#scenario = scenario;
    const { seed, degree, network, tor } = scenario;
    const scheme = new CountingScheme(new Tree(order.length, 'packed'));
    this.#scheme = scheme;
    this.#network = createNetwork(network, order.length, seed, tor);
    const sets = this.log.globalSets(world);
    const neighbours = meshTopics(world, degree, seed);
    const counted = wordsOf(sets, world.alive.subarray(0, voters));
    this.#reach = Array.from(order, () => new Reach(sets, counted));
    this.#reachedUs = new Int32Array(order.length).fill(-1);
    this.#asked = new Int32Array(order.length);
    this.#askedAuthor = new Int32Array(order.length);
    this.#globalSet = new Int32Array(order.length).fill(-1);
    this.#sentUs = new Int32Array(4 * order.length).fill(-1);
    const roles = rolesOf(scenario, world);
    this.#nodes = Array.from(order, (_, id) => {
      if (present[id] === 0) return undefined;
      this.#queue.push(world.lateUs[id]!, (eventKind.start << idBits) | id, 0, 0, 0);
      const options: HornNodeOptions = {
        id,
        scheme,
        subcommitteeOrder: Math.log2(subcommittee),
        committeeOrder: Math.log2(committee),
        collects,
        votes: id < voters,
        duties: duties[id]!,
        clock,
        own: scheme.individual(id),
        neighbours: neighbours[id]!,
        port: this.#port(id),
      };
      if (!roles.isEve(id)) return new HornNode(options);
      const vote = (place: number): Contribution => scheme.individual(place);
      return new EveNode({ ...options, role: roles.of(id), casts: casts[id] === 1, vote });
    });
    this.log.watched = world.live;
  }

  get progress(): number {
    return this.#isOver ? 1 : Math.min(0.99, this.#queue.timeUs / this.world.clock.endUs);
  }

  advance(maxSteps: number): boolean {
    const queue = this.#queue;
    for (let left = maxSteps; left > 0; left--) {
      if (!queue.next()) {
        if (!this.#isOver) this.#end();
        this.#isOver = true;
        return false;
      }
      this.#handle(queue.head & idMask, queue.head >>> idBits, queue.b, queue.c, queue.d);
    }
    return true;
  }

  #end(): void {
    const { log, world } = this;
    this.#reachedUs.forEach((us, place) => {
      if (us !== -1 && world.alive[place] === 1) log.reachedUs.push(us);
    });
    for (const tally of log.topics) tally.checked = tally.delay.count;
  }

  #handle(id: number, kind: number, b: number, c: number, d: number): void {
    const node = this.#nodes[id]!;
    const { digest } = this.log;
    digest.add(this.#queue.timeUs, (kind << idBits) | id);
    this.#isOwn = kind !== eventKind.verified;
    if (kind === eventKind.message) {
      const topic = b >>> idBits;
      digest.add(b, this.#scheme.weight(c));
      this.log.topics[topic]!.pace.add(this.#queue.timeUs);
      node.onMessage(b & idMask, topic, c, d, 0);
      this.#scheme.release(c);
    } else if (kind === eventKind.verified) {
      digest.add(b, c);
      this.#tally(id);
      node.onVerified(b, c === 1);
    } else if (kind === eventKind.timer) {
      node.onTimer(b);
    } else {
      node.start();
    }
  }

  /** A node has verified what it asked about. */
  #tally(id: number): void {
    const { castUs, seenUs } = this.log;
    const topic = this.#asked[id]!;
    const author = this.#askedAuthor[id]!;
    const nowUs = this.#queue.timeUs;
    const publishedUs = topic === HornTopic.subnet ? castUs[author]! : this.#sentUs[author * 4 + topic]!;
    this.log.topics[topic]!.delay.add(nowUs - publishedUs);
    if (topic !== HornTopic.subnet || !this.#aggregates(id)) return;
    if (seenUs[author] === -1) seenUs[author] = nowUs;
  }

  /** Whether somebody is an honest aggregator. */
  #aggregates(id: number): boolean {
    return this.world.alive[id] === 1 && (this.world.duties[id]! & Duty.aggregator) !== 0;
  }

  #port(id: number): Port {
    return {
      nowUs: () => this.#queue.timeUs,
      send: (to, topic, aggregate, individual) => this.#send(id, to, topic, aggregate, individual),
      setTimer: (delayUs, timer) => {
        this.#queue.push(this.#queue.timeUs + delayUs, (eventKind.timer << idBits) | id, timer, 0, 0);
      },
      verify: (contribution, topic, author) => {
        this.#asked[id] = topic;
        this.#askedAuthor[id] = author;
        return this.#verify(id, contribution);
      },
      output: (contribution) => this.#output(id, contribution),
      refuse: (topic) => {
        throw new RangeError(expected('message', 'a form that its topic wants', topic));
      },
      trace: () => {},
    };
  }

  #send(from: number, to: number, topic: number, aggregate: Contribution, individual: Contribution): void {
    const { order } = this.world;
    const nowUs = this.#queue.timeUs;
    if (this.#isOwn) this.#onPublished(from, topic, aggregate);
    this.log.topics[topic]!.copies++;
    this.#scheme.retain(aggregate);
    const arrivalUs = nowUs + this.#network.oneWayUs(order[from]!, order[to]!);
    this.#queue.push(arrivalUs, (eventKind.message << idBits) | to, (topic << idBits) | from, aggregate, individual);
  }

  /** A node publishes on a topic, rather than forwarding; called once for each neighbour. */
  #onPublished(author: number, topic: number, aggregate: Contribution): void {
    const at = author * 4 + topic;
    if (this.#sentUs[at] !== -1) return;
    const { log, world } = this;
    const nowUs = this.#queue.timeUs;
    this.#sentUs[at] = nowUs;
    log.topics[topic]!.published++;
    if (topic === HornTopic.subnet) {
      log.castUs[author] = nowUs;
      if (this.#aggregates(author)) log.seenUs[author] = nowUs;
      return;
    }
    const sets = topic === HornTopic.global ? log.globalSets(world) : log.aggregates;
    const set = sets.add(author, nowUs, this.#scheme.weight(aggregate), this.#scheme.setWords(aggregate));
    if (topic === HornTopic.global) this.#globalSet[author] = set;
  }

  #verify(id: number, contribution: Contribution): number {
    const members = this.#scheme.tree.size(this.#scheme.block(contribution));
    const costUs = verificationUs(members, this.#scheme.weight(contribution), this.#scenario);
    const isValid = this.#scheme.verify(contribution) ? 1 : 0;
    this.#queue.push(this.#queue.timeUs + costUs, (eventKind.verified << idBits) | id, ++this.#tickets, isValid, 0);
    return this.#tickets;
  }

  /** A full node has something from the global topic: of its own making, or verified. */
  #output(id: number, contribution: Contribution): void {
    const { log, world } = this;
    const nowUs = this.#queue.timeUs;
    if (this.#isOwn) this.#onPublished(id, HornTopic.global, contribution);
    const set = this.#globalSet[this.#isOwn ? id : this.#askedAuthor[id]!]!;
    const isProposer = id === world.proposer;
    const reach = this.#reach[id]!;
    reach.add(
      set,
      isProposer
        ? (vote) => {
            log.reachUs[vote] = nowUs;
          }
        : undefined,
    );
    if (isProposer) log.arrivals.push({ set, atUs: nowUs });
    if (this.#reachedUs[id] === -1 && reach.votes >= world.threshold) this.#reachedUs[id] = nowUs;
  }
}
