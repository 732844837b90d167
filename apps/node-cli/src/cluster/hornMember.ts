/**
 * A process of a Horn cluster, which hosts some of the nodes with their validators and handles messages from its
 * parent.
 */

import { type RegistryEntry, type RegistryTransport, verifyEntry } from '@tutti/core';
import {
  addMember,
  emptySet,
  type HornParameters,
  type HornTopic,
  hornSizes,
  type MemberSet,
  type ValidatorRole,
} from '@tutti/core/horn';
import { hornAttackNamed } from '@tutti/ethereum';
import { type Impairment, SharedTransport, type Transport, withTimers } from '@tutti/transports';
import { openTransport } from '@tutti/transports/node';
import {
  type HornBlock,
  HornGroup,
  HornPeer,
  type HornPeerOptions,
  type HornReport,
  HornSlot,
  type HornSlotOptions,
} from '@tutti/transports/rooms';
import { type Bls, type Engine, insecureSeed, loadBls } from '@tutti/wasm-bls';
import { insecureSecrets, registryEntry } from '../nodeKeys.ts';
import { costSince, type ProcessCost } from '../output/progress.ts';
import { type ByzantineGroup, type ClusterCast, firstDead, onNetwork, packetDelays } from './cast.ts';
import { fail, progressIntervalMs, sendToParent, serveParent } from './memberProcess.ts';
import { machineClock } from './plannedRounds.ts';

/** Settings of all nodes, sent once before the first slot. */
export interface HornSetup {
  /** Registry entries, one for each validator. */
  readonly entries: readonly RegistryEntry[];
  readonly parameters: HornParameters;
  readonly degree: number;
  readonly cast: ClusterCast;
  /** Region of each node, as returned by `regionsOfEntries`. Default: no packet is delayed. */
  readonly regions?: readonly number[] | undefined;
  /** Impairment of sent packets. Default: none. */
  readonly impairment?: Impairment | undefined;
}

/** Message from the process that runs a Horn cluster to a process that hosts the nodes [first, end). */
export type ToHornMember =
  | {
      readonly type: 'open';
      readonly first: number;
      readonly end: number;
      readonly seed: number;
      readonly kernel: Engine;
      readonly transport: RegistryTransport;
      /** Validators of each hosted node. */
      readonly validators: readonly (readonly number[])[];
    }
  /** Checks the proofs of entries [first, end). The processes together check all entries of the registry. */
  | {
      readonly type: 'check';
      readonly entries: readonly RegistryEntry[];
      readonly first: number;
      readonly end: number;
    }
  /**
   * Closes the previous slot. The validators then sign the votes of the next slot. Only the message before the first
   * slot has a `setup`.
   */
  | { readonly type: 'prepare'; readonly setup?: HornSetup | undefined; readonly slot: HornSlotOptions }
  /** Starts the slot. The slot begins at `originUs`, µs of `machineClock`. */
  | { readonly type: 'start'; readonly originUs: number }
  /** Requests the results of the slot and the proposer's block. */
  | { readonly type: 'report'; readonly proposer: number };

/** Results in the slot for the nodes of one process. The CPU time is that during the slot. */
export interface HornMemberReport extends ProcessCost {
  /** Reports for live nodes, including Byzantine nodes. */
  readonly reports: readonly HornReport[];
  /** Block of the proposer; undefined if another process hosts the proposer. */
  readonly block: HornBlock | undefined;
}

/** Message from a process that hosts nodes to the process that runs the Horn cluster. */
export type FromHornMember =
  | { readonly type: 'opened'; readonly entries: readonly RegistryEntry[] }
  | { readonly type: 'checked' }
  | { readonly type: 'prepared' }
  | { readonly type: 'ended' }
  | { readonly type: 'progress'; readonly checked: number; readonly messages: number }
  | ({ readonly type: 'reported' } & HornMemberReport)
  | { readonly type: 'failed'; readonly line: string };

const send = sendToParent<FromHornMember>;

type ToMemberOf<T extends ToHornMember['type']> = Extract<ToHornMember, { type: T }>;

class HornMember {
  #bls!: Bls;
  #seed = 0;
  /** Transports by node. */
  readonly #transports = new Map<number, Transport>();
  /** Transports of live nodes, which consecutive slots share. */
  readonly #shared = new Map<number, SharedTransport>();
  #group!: HornGroup;
  /** Secret keys by validator. */
  #secrets: readonly Uint8Array[] = [];
  #byzantineGroups: readonly ByzantineGroup[] = [];
  #slot: HornSlot | undefined;
  #peers: readonly HornPeer[] = [];
  #progress: NodeJS.Timeout | undefined;
  #cpuAtStart: NodeJS.CpuUsage = process.cpuUsage();

  onMessage(message: ToHornMember): Promise<void> | void {
    switch (message.type) {
      case 'open':
        return this.#open(message);
      case 'check':
        return this.#check(message);
      case 'prepare':
        return this.#prepare(message);
      case 'start':
        return this.#start(message.originUs);
      case 'report':
        return this.#report(message.proposer);
    }
  }

  async #open({ first, end, seed, kernel, transport: kind, validators }: ToMemberOf<'open'>): Promise<void> {
    this.#bls = await loadBls({ engine: kernel });
    this.#seed = seed;
    const entries = [];
    for (let node = first; node < end; node++) {
      const transport = await openTransport({ kind, host: '127.0.0.1' });
      this.#transports.set(node, transport);
      for (const validator of validators[node - first]!) {
        const { secretKey } = insecureSecrets(this.#bls, seed, validator);
        entries.push(
          registryEntry(this.#bls, { secretKey, networkSecret: this.#networkSecret(node) }, transport.local),
        );
      }
    }
    send({ type: 'opened', entries });
  }

  #check({ entries, first, end }: ToMemberOf<'check'>): void {
    for (let index = first; index < end; index++) verifyEntry(entries[index]!, index, this.#bls);
    send({ type: 'checked' });
  }

  async #prepare({ setup, slot }: ToMemberOf<'prepare'>): Promise<void> {
    if (setup !== undefined) this.#setUp(setup);
    await Promise.all(this.#peers.map((peer) => peer.close()));
    this.#slot?.close();
    const opened = new HornSlot(this.#group, slot);
    this.#slot = opened;
    let running = this.#shared.size;
    this.#peers = [...this.#shared].map(
      ([node, shared]) =>
        new HornPeer({
          slot: opened,
          node,
          networkSecret: this.#networkSecret(node),
          sign: (validator, message) => this.#bls.sign(this.#secrets[validator]!, message),
          transport: shared.open(opened.session),
          clock: withTimers(machineClock),
          onEnd: () => {
            if (--running === 0) send({ type: 'ended' });
          },
          onFailure: fail,
          ...this.#attackOptions(node, opened),
        }),
    );
    if (running === 0) send({ type: 'ended' });
    send({ type: 'prepared' });
  }

  #setUp(setup: HornSetup): void {
    const { entries, parameters, degree, cast, regions, impairment } = setup;
    this.#group = new HornGroup({ kernel: this.#bls, entries, parameters, degree });
    const endpoints = this.#group.nodes.map(({ endpoint }) => endpoint);
    const delaysTo = regions && packetDelays(endpoints, regions);
    this.#secrets = entries.map((_, validator) => insecureSecrets(this.#bls, this.#seed, validator).secretKey);
    this.#byzantineGroups = cast.byzantine;
    for (const [node, transport] of this.#transports)
      if (node < firstDead(cast))
        this.#shared.set(node, new SharedTransport(onNetwork(transport, delaysTo?.(node), impairment)));
  }

  #start(originUs: number): void {
    this.#cpuAtStart = process.cpuUsage();
    this.#progress = setInterval(() => this.#reportProgress(), progressIntervalMs);
    for (const peer of this.#peers) peer.start(originUs);
  }

  #report(proposer: number): void {
    clearInterval(this.#progress);
    send({
      type: 'reported',
      reports: this.#peers.map((peer) => peer.report()),
      block: this.#peers.find(({ node }) => node === proposer)?.block(),
      ...costSince(this.#cpuAtStart),
    });
  }

  #reportProgress(): void {
    let [checked, messages] = [0, 0];
    for (const { counts } of this.#peers) {
      checked += counts.checked;
      messages += counts.messagesReceived;
    }
    send({ type: 'progress', checked, messages });
  }

  /**
   * Returns the options that differ between a Byzantine node and an honest one. For an honest node, the result is
   * empty.
   */
  #attackOptions(node: number, slot: HornSlot): Partial<HornPeerOptions> {
    const group = this.#byzantineGroups.find(({ first, end }) => node >= first && node < end);
    if (group === undefined) return {};
    return group.attack === 'invalid'
      ? { falsify: (bytes, topic) => this.#falsified(bytes, topic) }
      : byzantineRoles(slot, group);
  }

  /**
   * Returns an invalid copy of a message whose last signature was made with another key and is a point of the subgroup.
   */
  #falsified(bytes: Uint8Array, topic: HornTopic): Uint8Array {
    const wrong = this.#bls.sign(this.#bls.keyGen(insecureSeed('falsified', this.#seed, topic)), bytes);
    const copy = bytes.slice();
    copy.set(wrong, bytes.length - wrong.length);
    return copy;
  }

  #networkSecret(node: number): Uint8Array {
    return insecureSeed('network', this.#seed, node);
  }
}

/**
 * Returns the roles of a Byzantine group's validators in a slot with real nodes, for an attack of the simulator.
 * `order` is empty, because only the griefing attack reads `order`, and a real cluster does not offer that attack.
 */
function byzantineRoles(
  slot: HornSlot,
  { attack: name, first, end }: ByzantineGroup,
): Pick<HornPeerOptions, 'role' | 'casts'> {
  const attack = hornAttackNamed(name)!;
  const { plan, clock } = slot;
  const { subcommittee } = hornSizes(plan.parameters);
  const isHers = (place: number): boolean => plan.nodeAt[place]! >= first && plan.nodeAt[place]! < end;
  const hersAt = (place: number): MemberSet => {
    const start = place - (place % subcommittee);
    const set = emptySet(subcommittee);
    for (let member = 0; member < subcommittee; member++) if (isHers(start + member)) addMember(set, member);
    return set;
  };
  const role = (place: number): ValidatorRole => {
    const hers = hersAt(place);
    const member = place % subcommittee;
    return {
      clock: attack.clock(clock, true),
      collection: attack.collection,
      aggregate: (verified) => attack.aggregate({ verified, hers, order: [], member }),
      rank: (author, weight) => (attack.prefersHers && isHers(author) ? weight + subcommittee : weight),
    };
  };
  return { role, casts: () => attack.votes(false) };
}

const member = new HornMember();
serveParent<ToHornMember>((message) => member.onMessage(message));
