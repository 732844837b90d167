/**
 * A process of a cluster, which hosts some of the nodes and handles messages from its parent. The process ends when its
 * parent ends.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { verifyEntry } from '@tutti/core';
import { Counts, type Peer, type RoundReport } from '@tutti/transports';
import { openUdp } from '@tutti/transports/node';
import { insecureSeed } from '@tutti/wasm-bls';
import { costSince } from '../output/progress.ts';
import {
  type FromMember,
  fail,
  progressIntervalMs,
  sendToParent,
  serveParent,
  type ToMember,
} from './memberProcess.ts';
import { type OpenNode, type OpenPeers, openPeers } from './peers.ts';
import { commitmentOf, machineClock } from './plannedRounds.ts';
import { loadSigners, type Signers } from './signers.ts';

/**
 * Maximum number of queued datagrams per node. The queue must hold the datagrams that all neighbours of a node send at
 * once.
 */
const queueBound = 1024;

const send = sendToParent<FromMember>;

type ToMemberOf<T extends ToMember['type']> = Extract<ToMember, { type: T }>;

class ClusterMember {
  #signers: Signers | undefined;
  readonly #nodes: OpenNode[] = [];
  /** Openings of the commitments to the first beacon, for the nodes of this process. */
  readonly #openings: Uint8Array[] = [];
  #peers: OpenPeers = { honest: [], byzantine: [] };
  /** Honest nodes of this process that blacklisted an entry, by the entry's registry index. */
  readonly #blacklisted = new Map<number, Set<number>>();
  /** Seed of the cluster. */
  #seed = 0;
  /** Number of the round that the process entered last. */
  #round = 0;
  /** Positions of the honest nodes that produced an output in the current round. */
  readonly #reached = new Set<number>();
  #progress: NodeJS.Timeout | undefined;
  #cpuAtStart: NodeJS.CpuUsage = process.cpuUsage();

  onMessage(message: ToMember): Promise<void> | void {
    switch (message.type) {
      case 'open':
        return this.#open(message);
      case 'prepare':
        return this.#prepare(message);
      case 'enter':
        return this.#enter(message);
      case 'start':
        return this.#start(message.originUs);
      case 'report':
        return this.#report();
      case 'steal':
        return send({ type: 'stolen', secretKey: this.#nodes[0]!.signer.stolenKey!() });
    }
  }

  async #open({
    first,
    end,
    seed,
    kernel,
    signers: module,
    variant = 'min-pk',
    host,
    firstPort,
  }: ToMemberOf<'open'>): Promise<void> {
    const signers = await loadSigners(module, kernel, variant);
    this.#signers = signers;
    this.#seed = seed;
    const entries = [];
    const commitments = [];
    for (let index = first; index < end; index++) {
      const signer = signers.signer(seed, index);
      const port = firstPort === 0 ? 0 : firstPort + index - first;
      const transport = await openUdp({ host, port, queueBound });
      this.#nodes.push({ index, signer, transport });
      const entry = signer.entry(transport.local);
      entries.push(entry);
      const opening = insecureSeed('opening', seed, index);
      commitments.push(commitmentOf(entry, opening));
      this.#openings.push(opening);
    }
    send({ type: 'opened', entries, commitments });
  }

  #prepare({ setup, verifyFirst, verifyEnd }: ToMemberOf<'prepare'>): void {
    for (let index = verifyFirst; index < verifyEnd; index++)
      verifyEntry(setup.entries[index]!, index, this.#signers!.verifier);
    const onInvalid = (sender: number, by: number) => {
      const victims = this.#blacklisted.get(sender) ?? new Set();
      this.#blacklisted.set(sender, victims.add(by));
    };
    this.#peers = openPeers(this.#signers!, this.#nodes, setup, this.#seed, onInvalid, {
      onOutput: (report) => this.#onOutput(report),
      onFailure: fail,
    });
    send({ type: 'prepared', openings: this.#openings });
  }

  #enter({ plan }: ToMemberOf<'enter'>): void {
    this.#round = plan.number;
    this.#reached.clear();
    for (const peer of this.#all()) peer.open(plan);
    send({ type: 'entered' });
  }

  async #start(originUs: number): Promise<void> {
    for (let leftUs = originUs - machineClock.nowUs(); leftUs > 0; leftUs = originUs - machineClock.nowUs())
      await sleep(Math.ceil(leftUs / 1000));
    this.#cpuAtStart = process.cpuUsage();
    this.#progress = setInterval(() => this.#reportProgress(), progressIntervalMs);
    for (const peer of this.#all()) peer.start(this.#round, originUs);
  }

  #report(): void {
    clearInterval(this.#progress);
    const refused = new Counts();
    const { honest } = this.#peers;
    for (const peer of honest) refused.addAll(peer.totals().refused);
    send({
      type: 'reported',
      reports: honest.map((peer) => peer.report(this.#round)),
      blacklisted: [...this.#blacklisted].map(([index, nodes]) => [index, nodes.size] as const),
      refused: refused.toRecord(),
      ...costSince(this.#cpuAtStart),
    });
  }

  /**
   * Handles an output of a node. The function ignores improved outputs of the previous round, which nodes may still
   * produce.
   */
  #onOutput({ round, id }: RoundReport): void {
    if (round !== this.#round || this.#reached.has(id)) return;
    this.#reached.add(id);
    if (this.#reached.size === this.#peers.honest.length) this.#reportProgress();
  }

  #all(): readonly Peer[] {
    return [...this.#peers.honest, ...this.#peers.byzantine];
  }

  #reportProgress(): void {
    let [checked, messages] = [0, 0];
    for (const peer of this.#peers.honest) {
      const totals = peer.totals();
      checked += totals.checked;
      messages += totals.messagesReceived;
    }
    send({ type: 'progress', round: this.#round, reached: this.#reached.size, messages, checked });
  }
}

const member = new ClusterMember();
serveParent<ToMember>((message) => member.onMessage(message));
