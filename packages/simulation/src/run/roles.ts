import {
  type Contribution,
  HandelNode,
  type Port,
  type ProtocolNode,
  RandomStream,
  type ScreeningRefusal,
  type TraceKind,
} from '@tutti/core';
import { type AttackSetting, type ByzantinePort, type Coalition, honestRules } from '../attacks/attack.ts';
import type { RunMemory } from '../engine/runMemory.ts';
import { type FaultHost, RunFaults } from '../faults/faultyNode.ts';
import type { Message } from '../faults/linkFaults.ts';
import { type Extensions, requireNode, type SimulatedScheme } from '../world/extensions.ts';
import { honestNodes, type NodeSetting, windowOf } from '../world/honest.ts';
import type { World } from '../world/world.ts';

/** Parts of a run from which its nodes are created. */
interface RolesOptions {
  readonly setting: NodeSetting;
  readonly simulated: SimulatedScheme;
  readonly world: World;
  readonly host: SimulationHost & FaultHost;
  readonly extensions: Extensions;
  readonly memory: RunMemory;
}

/** The nodes of a run: the honest nodes of its protocol, wrapped in faults, and the Byzantine nodes of its attacks. */
export class Roles {
  /** Nodes by id; undefined for a node that is dead from the beginning. */
  readonly nodes: (ProtocolNode | undefined)[] = [];
  /** Handel nodes by id, without their wrappers, for checkers. */
  readonly handel: (HandelNode | undefined)[] = [];
  readonly coalitions: readonly Coalition[];
  /** Faults of the run; undefined if there are none. */
  readonly faults: RunFaults | undefined;

  constructor({ setting, simulated, world, host, extensions, memory }: RolesOptions) {
    const { scenario, scheme } = setting;
    const { faults } = world;
    this.faults = faults.all.length === 0 ? undefined : new RunFaults(scenario, faults, simulated.scheme, host);
    const honest = extensions.nodes?.(setting) ?? honestNodes(setting, memory);
    const make = (id: number, port: Port): ProtocolNode => {
      const own = simulated.individual(id);
      const node =
        extensions.nodes === undefined ? honest(id, own, port) : requireNode(id, honest(id, own, port), 'nodes');
      scheme.release(own);
      return node;
    };
    this.coalitions = formCoalitions(setting, simulated, world, make);
    const around = extensions.around?.(setting);
    for (let id = 0; id < scenario.nodes; id++) {
      const coalition = this.coalitions[world.attack[id]!];
      if (world.present[id] === 0) this.nodes.push(undefined);
      else if (coalition !== undefined) this.nodes.push(coalition.join(id, new SimulatedByzantinePort(host, id)));
      else if (around !== undefined) {
        const wrapped = around(id, new SimulatedPort(host, id), (port) => this.#honest(id, port, make));
        this.nodes.push(requireNode(id, wrapped, 'around'));
      } else this.nodes.push(this.#honest(id, new SimulatedPort(host, id), make));
    }
  }

  /** Creates an honest node with its faults and the coalitions' wrappers. */
  #honest(id: number, port: Port, make: (id: number, port: Port) => ProtocolNode): ProtocolNode {
    const create = (own: Port): ProtocolNode => {
      const watched = this.coalitions.reduce((inner, coalition) => coalition.watch?.(inner, id) ?? inner, own);
      const made = make(id, watched);
      if (made instanceof HandelNode) this.handel[id] = made;
      return made;
    };
    const node = this.faults?.around(id, port, create) ?? create(port);
    return this.coalitions.reduce((inner, coalition) => coalition.around?.(inner, id) ?? inner, node);
  }
}

/** Forms the coalition of each attack. */
function formCoalitions(
  { scenario, priorities }: NodeSetting,
  { scheme, individual }: SimulatedScheme,
  { attack, attacks, present }: World,
  honest: (id: number, port: Port) => ProtocolNode,
): Coalition[] {
  const { protocol, seed, without } = scenario;
  const rules = honestRules(priorities, windowOf(scenario, priorities));
  const victims = [...attack.keys()].filter((id) => attack[id] === -1 && present[id] === 1);
  return attacks.map(({ attack: own, plan }, index) => {
    const members = [...attack.keys()].filter((id) => attack[id] === index);
    const setting: AttackSetting = {
      protocol,
      scheme,
      priorities,
      without,
      rules,
      members,
      victims,
      plan,
      isByzantine: (id) => attack[id]! >= 0,
      individual,
      honest,
      random: (purpose) => new RandomStream(seed, `attack ${own.name}: ${purpose}`),
    };
    return own.form(setting);
  });
}

/** Functions of a run for the nodes that it hosts; each call names the node. */
export interface SimulationHost {
  readonly nowUs: number;
  send(message: Message): void;
  sendEach(
    from: number,
    receivers: Int32Array,
    level: number,
    aggregate: Contribution,
    individual: Contribution,
    flags: Uint8Array,
  ): void;
  sendAs(id: number, message: Message): void;
  sendBytes(from: number, to: number, bytes: Uint8Array): void;
  setTimer(id: number, delayUs: number, timer: number): void;
  verify(id: number, contribution: Contribution, level: number, sender: number): number;
  verifyBatch(
    id: number,
    contributions: readonly Contribution[],
    levels: readonly number[],
    senders: readonly number[],
  ): number;
  output(id: number, contribution: Contribution): void;
  refuse(id: number, level: number, peer: number, code: ScreeningRefusal): void;
  trace(id: number, kind: TraceKind, level: number, peer: number, contribution: Contribution): void;
}

/** A node's port to its simulation host. */
class SimulatedPort implements Port {
  protected readonly host: SimulationHost;
  protected readonly id: number;

  constructor(host: SimulationHost, id: number) {
    this.host = host;
    this.id = id;
  }

  nowUs(): number {
    return this.host.nowUs;
  }

  send(to: number, level: number, aggregate: Contribution, individual: Contribution, flags: number): void {
    this.host.send({ from: this.id, to, level, aggregate, individual, flags });
  }

  sendEach(
    receivers: Int32Array,
    level: number,
    aggregate: Contribution,
    individual: Contribution,
    flags: Uint8Array,
  ): void {
    this.host.sendEach(this.id, receivers, level, aggregate, individual, flags);
  }

  setTimer(delayUs: number, timer: number): void {
    this.host.setTimer(this.id, delayUs, timer);
  }

  verify(contribution: Contribution, level: number, peer: number): number {
    return this.host.verify(this.id, contribution, level, peer);
  }

  verifyBatch(contributions: readonly Contribution[], levels: readonly number[], peers: readonly number[]): number {
    return this.host.verifyBatch(this.id, contributions, levels, peers);
  }

  output(contribution: Contribution): void {
    this.host.output(this.id, contribution);
  }

  refuse(level: number, peer: number, code: ScreeningRefusal): void {
    this.host.refuse(this.id, level, peer, code);
  }

  trace(kind: TraceKind, level: number, peer: number, contribution: Contribution): void {
    this.host.trace(this.id, kind, level, peer, contribution);
  }
}

/**
 * A Byzantine node's port to its simulation host. The outputs, rejections and traces of a Byzantine node are ignored.
 */
class SimulatedByzantinePort extends SimulatedPort implements ByzantinePort {
  sendAs(...[from, to, level, aggregate, individual, flags]: Parameters<ByzantinePort['sendAs']>): void {
    this.host.sendAs(this.id, { from, to, level, aggregate, individual, flags });
  }

  sendBytes(to: number, bytes: Uint8Array): void {
    this.host.sendBytes(this.id, to, bytes);
  }

  override output(): void {}

  override refuse(): void {}

  override trace(): void {}
}
