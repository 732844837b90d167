import { setImmediate as nextTurn } from 'node:timers/promises';
import type { ListedEntry } from '@tutti/certificates';
import type { Endpoint, HandelConfig, RegistryTransport } from '@tutti/core';
import { EnvironmentError, toHex } from '@tutti/core/input';
import {
  Beacon,
  commitmentOf,
  machineClock,
  type PlannedRound,
  type RoundOutcome,
  type Run,
  roundOutcome,
  signalled,
  untilEnded,
} from '@tutti/node-cli/clusters';
import { type Context, counted, Progress } from '@tutti/node-cli/command';
import type { NodeSecrets } from '@tutti/node-cli/nodes';
import { Counts, Group, Peer, rememberedSecrets, type Transport } from '@tutti/transports';
import { nodeCrypto, openTransport } from '@tutti/transports/node';
import { type Bls, type Engine, insecureSeed, loadBls } from '@tutti/wasm-bls';
import { type SetupReport, SetupRuntime } from '../runtime.ts';
import { identifiedAuthors } from '../setup.ts';
import { InsecureSetup } from './insecureSetup.ts';
import { setupConfigOf } from './memberSetup.ts';
import type { RingSchemeName } from './openRings.ts';

interface AnonymousClusterPlan {
  /** Number of members. */
  readonly nodes: number;
  /** Number of members that register twice, beginning with the first member. */
  readonly cheats: number;
  /** Whether members that were identified as cheating are excluded, and the others run a second set-up. */
  readonly again: boolean;
  /** Minimum number of members of a ring. */
  readonly ring: number;
  readonly scheme: RingSchemeName;
  /** Label of the set-up. */
  readonly event: string;
  readonly kernel: Engine;
  readonly seed: number;
  readonly transport: RegistryTransport;
  /** Proxy for the connections of the anonymous transports; TCP only. */
  readonly proxy?: Endpoint | undefined;
  readonly setupPeriodMs: number;
  readonly contacts: number;
  readonly rounds: readonly PlannedRound[];
  /** Returns Handel's parameters for a given number of anonymous keys. */
  readonly config: (keys: number) => HandelConfig;
  readonly timeoutMs: number;
}

/** Result of the set-up. */
export interface SetupFigures {
  readonly members: number;
  readonly rings: number;
  readonly smallestRing: number;
  /** Length of the longest registration, bytes. */
  readonly registrationBytes: number;
  /** Number of anonymous keys in the registry, identical for every honest member. */
  readonly accepted: number;
  readonly doubles: number;
  /** Places in the public list of the members to exclude; empty if cheating members are linked but not identified. */
  readonly excluded: readonly number[];
  readonly keysAndSignaturesSeconds: number;
  readonly setupSeconds: number;
  /** CPU time of the complete set-up, s. */
  readonly cpuSeconds: number;
  /** Number of ring signatures verified by this process; each is verified once for all members of the process. */
  readonly verified: number;
  readonly messagesSent: number;
  readonly bytesSent: number;
  readonly refused: Readonly<Record<string, number>>;
}

interface AnonymousClusterOutcome {
  readonly setup: SetupFigures;
  /**
   * Result of the set-up without the members that the first set-up excluded, if any. The result has fewer `members`,
   * and its `excluded` is empty.
   */
  readonly secondSetup: SetupFigures | undefined;
  readonly entries: readonly ListedEntry[];
  readonly rounds: readonly RoundOutcome[];
  readonly refused: Readonly<Record<string, number>>;
}

/** Maximum number of packets that wait in a socket's queue. */
const queueBound = 4096;

/**
 * Runs a set-up with the planned number of members in this process, followed by rounds of Handel on the anonymous
 * registry. Each member has one socket for messages under its name and one for anonymous messages.
 *
 * @throws EnvironmentError if the time limit is reached, or if the honest members end with different registries;
 * Interrupted on Ctrl-C.
 */
export function runAnonymousCluster(plan: AnonymousClusterPlan, context: Context): Promise<AnonymousClusterOutcome> {
  return untilEnded((fail) => new AnonymousClusterRun(plan, context, fail), plan.timeoutMs, context.signal);
}

/** A member with the keys that it registered, and the transport at whose address the keys are registered. */
interface Registrant {
  readonly runtime: SetupRuntime;
  readonly hidden: Transport;
  readonly keys: readonly NodeSecrets[];
}

class AnonymousClusterRun implements Run<AnonymousClusterOutcome> {
  readonly #plan: AnonymousClusterPlan;
  readonly #progress: Progress;
  readonly #fail: (error: Error) => void;
  readonly #open: { close(): Promise<void> }[] = [];
  /** Crypto suite for the channels between the members. This process has both ends of each channel. */
  readonly #crypto = rememberedSecrets(nodeCrypto);
  #doing = 'opening sockets';
  /** Whether the command has ended. */
  #isClosed = false;

  constructor(plan: AnonymousClusterPlan, context: Context, fail: (error: Error) => void) {
    this.#plan = plan;
    this.#progress = new Progress(context);
    this.#fail = fail;
  }

  async outcome(): Promise<AnonymousClusterOutcome> {
    const { nodes, cheats, again } = this.#plan;
    const bls = await loadBls({ engine: this.#plan.kernel });
    const all = Array.from({ length: nodes }, (_, place) => place);
    const first = await this.#holdSetup(bls, all, cheats);
    const excluded = new Set(first.figures.excluded);
    const isAgain = again && excluded.size > 0;
    // The second set-up has new keys, new sockets and a different list of members. The event and the rings of the
    // second set-up therefore differ too.
    if (isAgain) await Promise.all(first.registrants.map(({ hidden }) => hidden.close()));
    const listed = all.filter((place) => !excluded.has(place));
    const last = isAgain ? await this.#holdSetup(bls, listed, 0) : first;
    return {
      setup: first.figures,
      secondSetup: isAgain ? last.figures : undefined,
      entries: last.entries,
      ...(await this.#run(bls, last.entries, last.registrants)),
    };
  }

  /**
   * Runs one set-up.
   *
   * @param places ascending places of the members in the first set-up's list.
   * @param cheats number of members, beginning with the first, that register twice.
   */
  async #holdSetup(bls: Bls, places: readonly number[], cheats: number) {
    const startedMs = performance.now();
    const cpuAtStart = process.cpuUsage();
    const { setup, registrants, longest } = await this.#register(bls, places, cheats);
    const registeredMs = performance.now();
    const reports = await this.#setUp(setup, registrants, cheats);
    const endedMs = performance.now();
    const { user, system } = process.cpuUsage(cpuAtStart);
    const entries = agreed(reports.slice(cheats));
    const { doubles } = reports.at(-1)!;
    const figures: SetupFigures = {
      members: places.length,
      rings: setup.shared.rings.length,
      smallestRing: Math.min(...setup.shared.rings.map((ring) => ring.length)),
      registrationBytes: longest,
      accepted: entries.length,
      doubles: doubles.length,
      excluded: identifiedAuthors(doubles).map((author) => places[author]!),
      keysAndSignaturesSeconds: Math.round(registeredMs - startedMs) / 1000,
      setupSeconds: Math.round(endedMs - registeredMs) / 1000,
      cpuSeconds: Math.round((user + system) / 1000) / 1000,
      verified: setup.shared.registrations.verified,
      messagesSent: reports.reduce((sum, report) => sum + report.messagesSent, 0),
      bytesSent: reports.reduce((sum, report) => sum + report.bytesSent, 0),
      refused: summed(reports.map(({ refused }) => refused)),
    };
    await Promise.all(registrants.map(({ runtime }) => runtime.close()));
    return { figures, entries, registrants };
  }

  timeout(): EnvironmentError {
    return new EnvironmentError(
      'timeout',
      `${this.#doing}: not done within the ${this.#plan.timeoutMs / 1000} s of --timeout; give it more, fewer members or smaller rings`,
    );
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#progress.done();
    await Promise.all(this.#open.splice(0).map((one) => one.close()));
  }

  /** Opens two sockets per member, one named and one anonymous, and creates all registrations. */
  async #register(bls: Bls, places: readonly number[], cheats: number) {
    const { seed, ring, scheme, event, transport } = this.#plan;
    const nodes = places.length;
    const inboxes: Transport[] = [];
    const hidden: Transport[] = [];
    for (let i = 0; i < nodes; i++) {
      this.#say(`opening sockets: ${i} of ${counted(nodes, 'member')}`);
      inboxes.push(await this.#openSocket(false));
      hidden.push(await this.#openSocket(true));
    }
    const setup = new InsecureSetup({
      ...{ bls, scheme, ring, seed, event, transport, places },
      inboxes: inboxes.map(({ local }) => local),
    });
    const registrants: Registrant[] = [];
    let longest = 0;
    for (const index of setup.members.keys()) {
      this.#say(`signing in rings of ${ring}: ${index} of ${counted(nodes, 'member')}`);
      const keys = [0, 1].slice(0, index < cheats ? 2 : 1).map((copy) => setup.anonymousSecrets(index, copy));
      const own = keys.map((key) => setup.register(index, key, hidden[index]!.local));
      longest = Math.max(longest, ...own.map(({ length }) => length));
      const runtime = this.#runtime(setup, index, inboxes[index]!, hidden[index]!, own);
      this.#open.push(runtime);
      registrants.push({ keys, hidden: hidden[index]!, runtime });
      await nextTurn();
    }
    return { setup, registrants, longest };
  }

  #runtime(
    setup: InsecureSetup,
    index: number,
    inbox: Transport,
    hidden: Transport,
    own: readonly Uint8Array[],
  ): SetupRuntime {
    const { nodes, setupPeriodMs, contacts, timeoutMs } = this.#plan;
    return new SetupRuntime({
      crypto: this.#crypto,
      index,
      networkSecret: setup.members[index]!.secrets.networkSecret,
      members: setup.members.map(({ entry }) => entry),
      session: setup.shared.session,
      inbox,
      hidden,
      clock: machineClock,
      // The set-up ends when all members agree or when the command's time limit expires.
      config: setupConfigOf(nodes, { periodMs: setupPeriodMs, contacts, collectMs: timeoutMs }),
      registrations: setup.shared.registrations,
      own,
      onFailure: (cause) =>
        this.#fail(new EnvironmentError('member-failed', `member ${index}: ${cause.message}`, { cause })),
    });
  }

  /** Runs the set-up until all honest members have ended it. */
  async #setUp(setup: InsecureSetup, registrants: readonly Registrant[], cheats: number): Promise<SetupReport[]> {
    const honest = registrants.slice(cheats);
    for (const { runtime } of registrants) runtime.start();
    while (honest.some(({ runtime }) => !runtime.ended)) {
      const done = honest.filter(({ runtime }) => runtime.ended).length;
      const least = Math.min(...honest.map(({ runtime }) => runtime.accepted));
      this.#say(
        `set-up: ${done} of ${counted(honest.length, 'member')} done, each has ${least} or more of ${counted(registrants.length, 'registration')}, ${setup.shared.registrations.verified} verified`,
      );
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    return registrants.map(({ runtime }) => runtime.report());
  }

  /**
   * Runs Handel on the registry of anonymous keys. The rounds of Handel identify each peer only by the place of its key
   * in this registry, not by its member.
   */
  async #run(bls: Bls, entries: readonly ListedEntry[], registrants: readonly Registrant[]) {
    const { rounds, config, seed } = this.#plan;
    // The peers in this process share keys, rounds and verification batches.
    const group = new Group({ kernel: bls, entries });
    const places = new Map(entries.map(({ publicKey }, place) => [toHex(publicKey), place]));
    let allReached = signalled();
    const reached = new Set<number>();
    let round = 0;
    const peers = registrants.flatMap(({ keys: [key], hidden }) => {
      const index = places.get(toHex(bls.publicKey(key!.secretKey)));
      if (index === undefined) return [];
      const peer = new Peer({
        group,
        index,
        networkSecret: key!.networkSecret,
        sign: (message) => bls.sign(key!.secretKey, message),
        transport: hidden,
        clock: machineClock,
        config: config(entries.length),
        onOutput: (report) => {
          if (report.round === round) reached.add(report.id);
          if (reached.size === entries.length) allReached.resolve();
        },
        onFailure: this.#fail,
      });
      this.#open.push(peer);
      return [peer];
    });
    const openings = entries.map((_, place) => insecureSeed('opening', seed, place));
    const commitments = entries.map((entry, place) => commitmentOf(entry, openings[place]!));
    const beacon = new Beacon(entries, commitments, openings);
    const outcomes: RoundOutcome[] = [];
    for (const planned of rounds) {
      const plan = beacon.planOf(planned);
      round = plan.number;
      reached.clear();
      allReached = signalled();
      this.#say(`Handel on ${counted(entries.length, 'anonymous key')}: round ${round} of ${rounds.length}`);
      const cpuAtStart = process.cpuUsage();
      for (const peer of peers) peer.open(plan);
      const originUs = machineClock.nowUs();
      for (const peer of peers) peer.start(round, originUs);
      await allReached.promise;
      const { user, system } = process.cpuUsage(cpuAtStart);
      const outcome = roundOutcome(plan, [
        {
          reports: peers.map((peer) => peer.report(round)),
          refused: {},
          cpuSeconds: (user + system) / 1e6,
          peakRssBytes: 0,
        },
      ]);
      beacon.next(plan, outcome.output);
      outcomes.push(outcome);
    }
    return { rounds: outcomes, refused: summed(peers.map((peer) => peer.totals().refused)) };
  }

  async #openSocket(isHidden: boolean): Promise<Transport> {
    const { transport: kind, proxy } = this.#plan;
    const at = { host: '127.0.0.1', queueBound };
    const opened = await openTransport(
      kind === 'tcp' && isHidden && proxy !== undefined ? { kind, ...at, proxy } : { kind, ...at },
    );
    // The command may have ended while the socket opened.
    if (this.#isClosed) await opened.close();
    else this.#open.push(opened);
    return opened;
  }

  /** Reports progress. @throws EnvironmentError `timeout` once the command has ended. */
  #say(text: string): void {
    if (this.#isClosed) throw this.timeout();
    this.#doing = text;
    this.#progress.update(() => text);
  }
}

/**
 * Returns the registry on which all honest members agree.
 *
 * @throws EnvironmentError `anonymous-registries-differ`.
 */
function agreed(reports: readonly SetupReport[]): readonly ListedEntry[] {
  const registries = new Set(reports.map(({ entries }) => entries.map(({ publicKey }) => toHex(publicKey)).join()));
  if (registries.size === 1) return reports[0]!.entries;
  throw new EnvironmentError(
    'anonymous-registries-differ',
    `set-up: ended with ${registries.size} different registries at ${counted(reports.length, 'member')}; run it again, with more time to relay`,
  );
}

function summed(records: readonly Readonly<Record<string, number>>[]): Record<string, number> {
  const counts = new Counts();
  for (const record of records) counts.addAll(record);
  return counts.toRecord();
}
