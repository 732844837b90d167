import { type Contribution, noContribution, type Port, RandomStream } from '@tutti/core';
import {
  defaultsOf,
  durations,
  integers,
  oneOf,
  onOff,
  requireAllIn,
  requireFieldsOf,
  requireInteger,
  type SettingsOf,
  seedSetting,
  shares,
} from '@tutti/core/input';
import type { Spread } from '@tutti/simulation';
import { createNetwork, EventQueue, networkForms, spread } from '@tutti/simulation/engine';
import {
  defaultSetupConfig,
  identifiedAuthors,
  nobody,
  PlainRegistrations,
  type SetupConfig,
  SetupMessage,
  SetupNode,
  validateSetupConfig,
} from '../setup.ts';
import { type Hostility, hostilities } from './hostile.ts';

/** Scenario of a simulated set-up, which determines the result. */
export interface SetupScenario {
  readonly nodes: number;
  /** Network between the members' inboxes; see `networkForms`. */
  readonly network: string;
  /** Route of a member's own registration: the plain network, or a separate Tor circuit for each registration. */
  readonly way: 'direct' | 'tor';
  /** Share of the packets that are lost, [0, 0.999]. */
  readonly loss: number;
  /** Number of members that register twice. */
  readonly cheats: number;
  /** Number of members that relay an invalid registration whenever one of their timers fires. */
  readonly liars: number;
  /** Number of members that act against the set-up in randomly drawn ways, see `hostilities`. */
  readonly hostile: number;
  /** Number of absent members. */
  readonly absent: number;
  /** Whether a double registration reveals its author. */
  readonly traceable: boolean;
  /** Length of a registration, bytes; a name on a list has 16. */
  readonly registrationBytes: number;
  /** Time to verify a registration, ms. */
  readonly verifyMs: number;
  readonly seed: number;
  readonly config: SetupConfig;
}

const members = integers(0, 1024);

/** Settings of a simulated set-up: default, range and description of each field. */
export const setupScenarioSettings: SettingsOf<SetupScenario> = {
  nodes: { default: 64, range: { ...members, min: 1 }, about: 'number of members' },
  // The name of the network is checked by the function that creates the network.
  network: { default: 'aws', range: { kind: 'own', validate() {} }, about: networkForms },
  way: {
    default: 'tor',
    range: oneOf(['direct', 'tor']),
    about: "route of a member's own registration: tor (through simulated circuits) or direct",
  },
  loss: { default: 0, range: { ...shares, max: 0.999 }, about: 'share of lost messages' },
  cheats: { default: 0, range: members, about: 'number of members that register twice' },
  liars: { default: 0, range: members, about: 'number of members that relay invalid registrations' },
  hostile: { default: 0, range: members, about: 'number of members that act against the set-up' },
  absent: { default: 0, range: members, about: 'number of absent members' },
  traceable: { default: true, range: onOff, about: 'whether a double registration reveals its author' },
  registrationBytes: { default: 1500, range: integers(1, 2 ** 20), about: 'length of a registration, bytes' },
  verifyMs: { default: 60, range: durations(0, 3_600_000), about: 'time to verify a registration' },
  seed: seedSetting,
  config: {
    default: defaultSetupConfig,
    range: { kind: 'own', validate: (_, config) => validateSetupConfig(config) },
    about: 'parameters of the nodes',
  },
};

/** Default scenario of a set-up. */
export const defaultSetupScenario: SetupScenario = defaultsOf(setupScenarioSettings);

/** Length of a name on a list, bytes. */
const nameBytes = 16;
/** Length of a message without its contents, bytes. */
const messageHeaderBytes = 3;

/**
 * Result of a simulated set-up. Each spread covers the honest members; all of its values are 0 if there are no honest
 * members.
 */
export interface SetupResult {
  readonly scenario: SetupScenario;
  /** Number of honest members present in the set-up. */
  readonly live: number;
  /** Time at which each honest member obtained its registry of anonymous keys, ms. */
  readonly timeToEndMs: Spread;
  /**
   * Number of distinct registries obtained by the honest members: 1 if all obtained the same registry, 0 if there are no
   * honest members.
   */
  readonly registries: number;
  /** Number of anonymous keys in each honest member's registry. */
  readonly accepted: Spread;
  /** Number of honest members' keys in each honest member's registry. */
  readonly honestKeys: Spread;
  /** Number of members that each honest member found to have registered more than once. */
  readonly doubles: Spread;
  /** Members that at least one honest member identified as having registered twice, ascending. */
  readonly named: readonly number[];
  readonly messagesSent: Spread;
  readonly bytesSent: Spread;
  /** Number of registrations that each honest member verified. */
  readonly checked: Spread;
  /** Number of simulated events. */
  readonly events: number;
}

/** The function `send` of a port, with the sender and the time as additional arguments. */
type Send = (from: number, ...message: [...Parameters<Port['send']>, atUs: number]) => void;

const eventsBetweenProgress = 256;

/**
 * Kinds of events, in the lowest two bits of an event's field `b`. A message's level and flags are in the bits above.
 */
const Kind = { start: 0, message: 1, timer: 2, verified: 3 } as const;

/**
 * Simulates a set-up phase in virtual time. The simulated nodes are the same as those that run over sockets.
 *
 * @param onProgress called from time to time with the number of registrations that the members have verified, and an
 * estimate of the total.
 * @throws RangeError for a scenario with a value out of its range.
 */
export function simulateSetup(
  scenario: SetupScenario,
  onProgress?: (verified: number, expected: number) => void,
): SetupResult {
  return new SetupWorld(scenario).run(onProgress);
}

class SetupWorld {
  readonly #scenario: SetupScenario;
  readonly #scheme: PlainRegistrations;
  readonly #queue = new EventQueue();
  readonly #nodes: readonly SetupNode[];
  readonly #endedUs: Float64Array;
  readonly #busyUntilUs: Float64Array;
  readonly #messages: Float64Array;
  readonly #bytes: Float64Array;
  readonly #checked: Float64Array;
  readonly #outputs: string[][];
  /** Name of each member's registration, by member. */
  readonly #ownNames: string[] = [];
  /** Acts of the hostile members, by the members' ids. */
  readonly #hostile: ReadonlyMap<number, Hostility>;
  #nextTicket = 1;
  #invalidSent = 0;
  #events = 0;
  #verified = 0;

  constructor(scenario: SetupScenario) {
    requireFieldsOf('scenario', scenario, defaultSetupScenario, 'defaultSetupScenario');
    requireAllIn(scenario, setupScenarioSettings);
    const { nodes, traceable, cheats, liars, hostile, absent } = scenario;
    requireInteger('cheats', cheats, 0, nodes);
    requireInteger('liars', liars, 0, nodes - cheats);
    requireInteger('hostile', hostile, 0, nodes - cheats - liars);
    requireInteger('absent', absent, 0, nodes - cheats - liars - hostile);
    this.#scenario = scenario;
    this.#scheme = new PlainRegistrations(nodes, traceable);
    this.#endedUs = new Float64Array(nodes).fill(Number.NaN);
    this.#busyUntilUs = new Float64Array(nodes);
    this.#messages = new Float64Array(nodes);
    this.#bytes = new Float64Array(nodes);
    this.#checked = new Float64Array(nodes);
    this.#outputs = Array.from({ length: nodes }, () => []);
    const send = this.#sender();
    const hostileIds = Array.from({ length: hostile }, (_, i) => cheats + liars + i);
    const drawn = hostilities(hostileIds, nodes, scenario.config, scenario.seed);
    this.#hostile = new Map(hostileIds.map((id, i) => [id, drawn[i]!]));
    this.#nodes = Array.from({ length: nodes }, (_, id) => this.#node(id, send));
    for (const [id, { acts }] of this.#hostile)
      for (const act of acts) {
        const handle =
          act.level === SetupMessage.list ? this.#scheme.list(act.names) : this.#scheme.registration(act.registration);
        for (const to of act.to) send(id, to, act.level, handle, noContribution, 0, act.atMs * 1000);
        this.#scheme.release(handle);
      }
  }

  run(onProgress?: (verified: number, expected: number) => void): SetupResult {
    const { nodes, cheats, liars, hostile, absent } = this.#scenario;
    const there = nodes - absent;
    for (let id = 0; id < there; id++)
      if (this.#speaksUs(id) < Number.POSITIVE_INFINITY) this.#queue.push(this.#speaksUs(id), id, Kind.start, 0, 0);
    const others = cheats + liars + hostile;
    const honest = Array.from({ length: there - others }, (_, i) => others + i);
    const expected = there * (there + cheats);
    let left = honest.length;
    while (left > 0 && this.#queue.next()) {
      const { head: id } = this.#queue;
      if (this.#events % eventsBetweenProgress === 0) onProgress?.(this.#verified, expected);
      const node = this.#nodes[id]!;
      const was = node.ended;
      this.#handle(id, node);
      if (was || !node.ended) continue;
      this.#endedUs[id] = this.#queue.timeUs;
      if (id >= others) left--;
    }
    const outputs = honest.map((id) => new Set(this.#outputs[id]!));
    const overHonest = (of: (id: number) => number): Spread => spread(honest.map(of), () => true);
    return {
      scenario: this.#scenario,
      live: honest.length,
      timeToEndMs: overHonest((id) => this.#endedUs[id]! / 1000),
      registries: new Set(honest.map((id) => this.#outputs[id]!.join(' '))).size,
      accepted: overHonest((id) => this.#outputs[id]!.length),
      honestKeys: overHonest((id) => honest.filter((one) => outputs[id - others]!.has(this.#ownNames[one]!)).length),
      doubles: overHonest((id) => this.#nodes[id]!.roll.doubles.length),
      named: identifiedAuthors(honest.flatMap((id) => this.#nodes[id]!.roll.doubles)),
      messagesSent: overHonest((id) => this.#messages[id]!),
      bytesSent: overHonest((id) => this.#bytes[id]!),
      checked: overHonest((id) => this.#checked[id]!),
      events: this.#events,
    };
  }

  #handle(id: number, node: SetupNode): void {
    this.#events++;
    const { b, c, d } = this.#queue;
    const kind = b & 3;
    if (kind === Kind.start) node.start();
    else if (kind === Kind.timer) this.#onTimer(id, node, c);
    else if (kind === Kind.verified) node.onVerified(c, d === 1);
    else {
      node.onMessage(c, (b >> 2) & 15, d, noContribution, b >> 6);
      this.#scheme.release(d);
    }
  }

  #node(id: number, send: Send) {
    const { cheats, config, seed } = this.#scenario;
    const scheme = this.#scheme;
    const random = new RandomStream(seed, `set-up ${id}`);
    const own = this.#hostile.has(id) ? [] : [scheme.registration({ author: id, text: id })];
    this.#ownNames.push(own.map((one) => scheme.name(one)).join());
    if (id < cheats) own.push(scheme.registration({ author: id, text: this.#scenario.nodes + id }));
    const port: Port = {
      nowUs: () => this.#queue.timeUs,
      send: (to, level, aggregate, individual, flags) =>
        send(id, to, level, aggregate, individual, flags, this.#queue.timeUs),
      setTimer: (delayUs, timer) => this.#queue.push(this.#queue.timeUs + delayUs, id, Kind.timer, timer, 0),
      verify: (registration) => this.#verify(id, registration),
      output: (registration) => this.#outputs[id]!.push(scheme.name(registration)),
      refuse: () => {},
      trace: () => {},
    };
    return new SetupNode({ id, scheme, config, own, port, random: (bound) => random.nextBelow(bound) });
  }

  #sender(): Send {
    const { nodes, network, way, loss, seed, registrationBytes } = this.#scenario;
    const inboxes = createNetwork(network, nodes, seed);
    const hidden = way === 'tor' ? createNetwork(network, nodes, seed + 1, 1) : inboxes;
    const luck = new RandomStream(seed, 'set-up losses');
    return (from, to, level, handle, _, flags, atUs) => {
      const isHidden = level === SetupMessage.register;
      this.#messages[from]!++;
      this.#bytes[from]! +=
        messageHeaderBytes +
        (level === SetupMessage.list ? nameBytes * this.#scheme.names(handle).size : registrationBytes);
      if (to >= nodes - this.#scenario.absent || luck.nextUnit() < loss) return;
      const arrivesUs = atUs + (from === to ? 1 : (isHidden ? hidden : inboxes).oneWayUs(from, to));
      if (arrivesUs < this.#speaksUs(to)) return;
      this.#scheme.retain(handle);
      this.#queue.push(arrivesUs, to, Kind.message | (level << 2) | (flags << 6), isHidden ? nobody : from, handle);
    };
  }

  /** Returns the time from which a member receives and sends messages. */
  #speaksUs(id: number): number {
    const hostility = this.#hostile.get(id);
    return hostility === undefined ? 0 : 1000 * (hostility.speaksMs ?? Number.POSITIVE_INFINITY);
  }

  /**
   * Handles the timer of a node. A Byzantine member relays an invalid registration in addition to the genuine
   * registrations.
   */
  #onTimer(id: number, node: SetupNode, timer: number): void {
    const { cheats, liars, nodes, seed } = this.#scenario;
    if (id >= cheats && id < cheats + liars && !node.ended) {
      const text = 2 * nodes + this.#invalidSent++;
      const invalid = this.#scheme.registration({ author: id, text, valid: false });
      const to = new RandomStream(seed, `lie ${this.#invalidSent}`).nextBelow(nodes);
      const kind = Kind.message | (SetupMessage.relay << 2);
      if (to !== id && to < nodes - this.#scenario.absent)
        this.#queue.push(this.#queue.timeUs + 1, to, kind, id, invalid);
      else this.#scheme.release(invalid);
    }
    node.onTimer(timer);
  }

  #verify(id: number, registration: Contribution): number {
    const ticket = this.#nextTicket++;
    const fromUs = Math.max(this.#queue.timeUs, this.#busyUntilUs[id]!);
    const doneUs = fromUs + Math.max(1, Math.round(this.#scenario.verifyMs * 1000));
    this.#busyUntilUs[id] = doneUs;
    this.#checked[id]!++;
    this.#verified++;
    this.#queue.push(doneUs, id, Kind.verified, ticket, this.#scheme.isValid(registration) ? 1 : 0);
    return ticket;
  }
}
