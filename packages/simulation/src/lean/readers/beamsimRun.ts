import { RandomStream } from '@tutti/core';
import { EventQueue } from '../../engine/eventQueue.ts';
import { createNetwork } from '../../engine/network/network.ts';
import type { NetworkModel } from '../../engine/network/networkModel.ts';
import { bytesPerUs } from '../../horn/network/linkClasses.ts';
import { gridTopic, type LeanTopic } from '../slot/topics.ts';

/**
 * BEAMSIM's own run (qdrvm/beamsim@c3c34fc3, main.cpp): all sign at once, votes go over meshes or a grid of each group,
 * local aggregators prove once at a threshold, and the run ends when the first global one has merged enough. Local proofs
 * are announced to one global aggregator each, which asks for them and pushes them to the others. Votes of so many groups
 * as are asked for are run; the other groups take their times.
 */
export interface BeamsimSettings {
  readonly topology: 'gossip' | 'grid';
  readonly groups: number;
  readonly ofGroup: number;
  readonly localOfGroup: number;
  readonly globals: number;
  readonly meshN: number;
  readonly threshold1: number;
  readonly threshold2: number;
  readonly signMs: number;
  readonly voteBytes: number;
  readonly proofBytes: number;
  readonly votesPerSecond: number;
  readonly proofsPerSecond: number;
  readonly voteVerifyMs: number;
  readonly proofVerifyMs: number;
  readonly mbps: number;
  /** Local aggregators to which a vote goes straight, topics being among these alone; 0 for over the group's topic. */
  readonly votesDirect: number;
  /** What TCP sends before the first acknowledgement, bytes; by default ns-3's, {@link openWindow} for no slow start. */
  readonly firstWindow?: number;
  readonly network: string;
  readonly seed: number;
  readonly playedGroups: number;
}

export interface BeamsimOutcome {
  /** The last proof of a local aggregator, and the merge of the first global one, ms. */
  readonly lastLocalMs: number;
  readonly endMs: number;
  /** Proofs in the merge; and the end without that, most of which is the network's, ms. */
  readonly merged: number;
  readonly networkMs: number;
}

const Kind = { release: 0, arrive: 1, deliver: 2, verified: 3, proved: 4, ended: 5 } as const;

/**
 * ns-3's defaults, which BEAMSIM leaves as they are: ten segments of 536 bytes at first; a segment more with each
 * acknowledgement, of which there is one for two segments; at most what the receiver's buffer takes.
 */
const ns3Window = 5360;
const growth = 1.5;
/** As large as a receiver's buffer takes. */
export const openWindow = 131_072;

/** Two ends of a TCP connection: who may send from when on, and the window of each, as bytes that a round still takes. */
interface Connection {
  readonly roundTripUs: number;
  readonly openUs: [number, number];
  readonly ways: readonly [Way, Way];
}
interface Way {
  window: number;
  left: number;
  roundEndUs: number;
  atUs: number;
}

interface Copy {
  readonly from: number;
  readonly to: number;
  readonly bytes: number;
  readonly what: number;
}

/** Links of one rate, and TCP's connections, which are opened at the first message and start slowly. */
class BeamsimNetwork {
  readonly queue = new EventQueue();
  readonly #nodes: number;
  readonly #network: NetworkModel;
  readonly #bytesPerUs: number;
  readonly #firstWindow: number;
  readonly #connections = new Map<number, Connection>();
  readonly #upFreeUs: Float64Array;
  readonly #downFreeUs: Float64Array;
  /** By number. */
  readonly copies: Copy[] = [];

  constructor(nodes: number, network: NetworkModel, mbps: number, firstWindow: number) {
    this.#firstWindow = firstWindow;
    this.#nodes = nodes;
    this.#network = network;
    this.#bytesPerUs = bytesPerUs(mbps);
    this.#upFreeUs = new Float64Array(nodes);
    this.#downFreeUs = new Float64Array(nodes);
  }

  send(from: number, to: number, bytes: number, what: number): void {
    const copy = this.copies.push({ from, to, bytes, what }) - 1;
    this.queue.push(Math.ceil(this.#releasedUs(from, to, bytes)), Kind.release, copy, 0, 0);
  }

  /** When TCP lets the last byte go. */
  #releasedUs(from: number, to: number, bytes: number): number {
    const now = this.queue.timeUs;
    const key = Math.min(from, to) * this.#nodes + Math.max(from, to);
    const side = from < to ? 0 : 1;
    let connection = this.#connections.get(key);
    if (connection === undefined) {
      const roundTripUs = 2 * this.#network.oneWayUs(from, to);
      const way = (): Way => ({ window: this.#firstWindow, left: this.#firstWindow, roundEndUs: 0, atUs: 0 });
      const openUs: [number, number] = [now + 1.5 * roundTripUs, now + 1.5 * roundTripUs];
      openUs[side] = now + roundTripUs;
      connection = { roundTripUs, openUs, ways: [way(), way()] };
      this.#connections.set(key, connection);
    }
    const { roundTripUs, openUs, ways } = connection;
    const way = ways[side];
    openUs[side] = Math.min(openUs[side], now + roundTripUs);
    way.atUs = Math.max(now, openUs[side], way.atUs);
    if (way.atUs >= way.roundEndUs) {
      if (way.left === 0) way.window = Math.min(openWindow, way.window * growth);
      way.left = way.window;
      way.roundEndUs = way.atUs + roundTripUs;
    }
    let rest = bytes;
    while (rest > way.left) {
      rest -= way.left;
      way.atUs = way.roundEndUs;
      way.window = Math.min(openWindow, way.window * growth);
      way.left = way.window;
      way.roundEndUs += roundTripUs;
    }
    way.left -= rest;
    return way.atUs;
  }

  /** The copy's bytes go through its sender's link, and then through its receiver's. */
  pass(kind: number, copy: number): void {
    const { from, to, bytes } = this.copies[copy]!;
    const takesUs = bytes / this.#bytesPerUs;
    const now = this.queue.timeUs;
    if (kind === Kind.release) {
      const upUs = Math.max(this.#upFreeUs[from]!, now) + takesUs;
      this.#upFreeUs[from] = upUs;
      this.queue.push(Math.ceil(upUs + this.#network.oneWayUs(from, to)), Kind.arrive, copy, 0, 0);
      return;
    }
    const doneUs = Math.max(this.#downFreeUs[to]! + takesUs, now);
    this.#downFreeUs[to] = doneUs;
    this.queue.push(Math.ceil(doneUs), Kind.deliver, copy, 0, 0);
  }
}

/**
 * What a copy is: a vote, or of a local aggregator's proof the announcement, the request, the proof, and that of a group
 * pushed by who had it straight, or passed on.
 */
const What = { announce: 0, request: 1, proof: 2, pushed: 10_000, passed: 20_000, votes: 30_000 } as const;

class BeamsimRun {
  readonly #settings: BeamsimSettings;
  readonly #net: BeamsimNetwork;
  readonly #nodes: number;
  readonly #local: number;
  readonly #threadUs: Float64Array;
  readonly #topics: LeanTopic[];
  readonly #globalTopic: LeanTopic;
  /** By node and vote of its group: who sent it first, plus 2; 0 for not seen, 1 for its own. */
  readonly #seen: Int32Array[];
  readonly #counted: Int32Array;
  readonly #localUs: Float64Array;
  /** By global aggregator: groups announced, received, pushed; and proofs that came by push. */
  readonly #globals: readonly {
    announced: Set<number>;
    received: Set<number>;
    pushed: Set<number>;
    seen: Set<number>;
  }[];
  #end: { atUs: number; merged: number } | undefined;

  constructor(settings: BeamsimSettings) {
    this.#settings = settings;
    const { groups, ofGroup, localOfGroup, globals, network, seed, mbps, playedGroups, firstWindow } = settings;
    this.#nodes = groups * ofGroup;
    this.#local = groups * localOfGroup;
    this.#net = new BeamsimNetwork(
      this.#nodes,
      createNetwork(network, this.#nodes, seed),
      mbps,
      firstWindow ?? ns3Window,
    );
    this.#threadUs = new Float64Array(this.#nodes);
    const random = new RandomStream(seed, 'beamsim');
    const members = settings.votesDirect > 0 ? localOfGroup : ofGroup;
    const topicOf = (size: number) =>
      settings.topology === 'grid' ? gridTopic(size) : fixedMesh(size, settings.meshN, random);
    this.#topics = Array.from({ length: Math.min(playedGroups, groups) }, () => topicOf(members));
    this.#globalTopic = topicOf(globals);
    this.#seen = Array.from({ length: this.#nodes }, (_, node) =>
      node % groups < playedGroups ? new Int32Array(ofGroup) : new Int32Array(0),
    );
    this.#counted = new Int32Array(this.#nodes);
    this.#localUs = new Float64Array(this.#local).fill(Number.NaN);
    this.#globals = Array.from({ length: globals }, () => ({
      announced: new Set(),
      received: new Set(),
      pushed: new Set(),
      seen: new Set(),
    }));
  }

  run(): BeamsimOutcome {
    const { queue } = this.#net;
    const { groups, playedGroups, signMs, proofsPerSecond } = this.#settings;
    for (let node = 0; node < this.#nodes; node++) {
      if (node % groups >= playedGroups) continue;
      this.#seen[node]![Math.floor(node / groups)] = 1;
      this.#onThread(node, signMs, Kind.verified, Math.floor(node / groups));
    }
    while (this.#end === undefined && queue.next()) this.#handle(queue.head, queue.b, queue.c);
    const { atUs, merged } = this.#end ?? { atUs: Number.NaN, merged: 0 };
    const lastLocalMs = Math.max(...this.#localUs) / 1000;
    const endMs = atUs / 1000;
    return { lastLocalMs, endMs, merged, networkMs: endMs - (1000 * merged) / proofsPerSecond };
  }

  #handle(kind: number, b: number, c: number): void {
    if (kind === Kind.release || kind === Kind.arrive) this.#net.pass(kind, b);
    else if (kind === Kind.deliver) this.#deliver(b);
    else if (kind === Kind.verified) this.#verified(b, c);
    else if (kind === Kind.proved) this.#proved(b);
    else this.#end = { atUs: this.#net.queue.timeUs, merged: c };
  }

  /** One thread a node, first come first served. */
  #onThread(node: number, ms: number, kind: number, c: number): void {
    const doneUs = Math.max(this.#threadUs[node]!, this.#net.queue.timeUs) + 1000 * ms;
    this.#threadUs[node] = doneUs;
    this.#net.queue.push(Math.ceil(doneUs), kind, node, c, 0);
  }

  #deliver(copy: number): void {
    const { from, to, what } = this.#net.copies[copy]!;
    const { voteVerifyMs, proofVerifyMs, proofBytes, groups } = this.#settings;
    if (what >= What.votes) {
      const vote = what - What.votes;
      if (this.#seen[to]![vote] !== 0) return;
      this.#seen[to]![vote] = from + 2;
      this.#onThread(to, voteVerifyMs, Kind.verified, vote);
      return;
    }
    const local = from;
    if (what === What.request) {
      this.#net.send(to, from, proofBytes, What.proof);
      return;
    }
    const global = this.#globals[to - this.#local]!;
    if (what === What.announce) {
      const group = local % groups;
      if (global.received.has(group) && global.announced.has(group)) return;
      global.announced.add(group);
      this.#net.send(to, local, this.#smallBytes, What.request);
    } else {
      // A pushed proof is named by the group that it is of: which of the group's it is makes no difference.
      const group = what === What.proof ? local % groups : what % What.pushed;
      if (what !== What.proof && global.seen.has(group)) return;
      global.seen.add(group);
      this.#onThread(to, proofVerifyMs, Kind.verified, -1 - copy);
    }
  }

  get #smallBytes(): number {
    return Math.ceil(this.#nodes / 8) + 40;
  }

  #verified(node: number, what: number): void {
    if (what < 0) {
      this.#onProofVerified(this.#net.copies[-1 - what]!);
      return;
    }
    this.#forwardVote(node, what);
    this.#counted[node]!++;
    const { threshold1, ofGroup, votesPerSecond } = this.#settings;
    const threshold = Math.floor(threshold1 * ofGroup);
    if (node >= this.#local || this.#counted[node] !== threshold) return;
    this.#onThread(node, (1000 * threshold) / votesPerSecond, Kind.proved, 0);
  }

  #forwardVote(node: number, vote: number): void {
    const { groups, voteBytes, votesDirect, localOfGroup } = this.#settings;
    const group = node % groups;
    const place = Math.floor(node / groups);
    const first = this.#seen[node]![vote]!;
    if (votesDirect > 0 && place >= localOfGroup) {
      for (let one = 0; one < votesDirect; one++) {
        this.#net.send(node, groups * ((place + one) % localOfGroup) + group, voteBytes, What.votes + vote);
      }
      return;
    }
    const from = first === 1 ? place : Math.floor((first - 2) / groups);
    const isOutside = votesDirect > 0 && from >= localOfGroup;
    const topic = this.#topics[group]!;
    // What came straight to an aggregator goes on among them as if it were its own.
    const [by, sender] = isOutside ? [place, place] : [votesDirect > 0 ? from : vote, from];
    for (const to of topic.next(place, sender, by)) {
      if (to !== vote) this.#net.send(node, groups * to + group, voteBytes, What.votes + vote);
    }
  }

  /** A local aggregator has its proof; groups that are not run have theirs at the same times. */
  #proved(node: number): void {
    const { groups, playedGroups, globals } = this.#settings;
    const place = Math.floor(node / groups);
    for (let group = node % groups; group < groups; group += playedGroups) {
      const local = place * groups + group;
      this.#localUs[local] = this.#net.queue.timeUs;
      this.#net.send(local, this.#local + (local % globals), this.#smallBytes, What.announce);
    }
  }

  #onProofVerified({ from, to: node, what }: Copy): void {
    const { proofBytes, groups, ofGroup, threshold1, threshold2, proofsPerSecond } = this.#settings;
    const group = what === What.proof ? from % groups : what % What.pushed;
    const global = this.#globals[node - this.#local]!;
    if (global.pushed.has(group)) return;
    global.pushed.add(group);
    const place = node - this.#local;
    const isFirst = what === What.proof;
    const sender = isFirst ? place : from - this.#local;
    // A grid passes on what comes from who pushed it first; meshes always do.
    const by = isFirst || what < What.passed ? sender : -1;
    const next = (isFirst ? What.pushed : What.passed) + group;
    for (const to of this.#globalTopic.next(place, sender, by))
      this.#net.send(node, this.#local + to, proofBytes, next);
    if (global.received.has(group)) return;
    global.received.add(group);
    const merged = global.received.size;
    const needed = Math.floor(threshold2 * groups * ofGroup);
    const each = Math.floor(threshold1 * ofGroup);
    if (merged * each < needed || (merged - 1) * each >= needed) return;
    this.#onThread(node, (1000 * merged) / proofsPerSecond, Kind.ended, merged);
  }
}

/** BEAMSIM's mesh: a line through all, filled up at random to the degree. */
function fixedMesh(members: number, degree: number, random: RandomStream): LeanTopic {
  const peers = Array.from({ length: members }, () => new Set<number>());
  const join = (a: number, b: number) => {
    peers[a]!.add(b);
    peers[b]!.add(a);
  };
  for (let one = 1; one < members; one++) join(one - 1, one);
  const most = Math.min(degree, members - 1);
  for (let one = 0; one < members; one++) {
    for (let tries = 0; peers[one]!.size < most && tries < 20 * members; tries++) {
      const other = random.nextBelow(members);
      if (other !== one && peers[other]!.size < most) join(one, other);
    }
  }
  const lists = peers.map((of) => [...of]);
  return { next: (node, from) => lists[node]!.filter((peer) => peer !== from) };
}

export function runBeamsim(settings: BeamsimSettings): BeamsimOutcome {
  return new BeamsimRun(settings).run();
}
