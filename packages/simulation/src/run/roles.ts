import { HandelNode, type Port, type ProtocolNode, RandomStream } from '@tutti/core';
import { type AttackSetting, type Coalition, honestRules } from '../attacks/attack.ts';
import type { RunMemory } from '../engine/runMemory.ts';
import { type FaultHost, RunFaults } from '../faults/faultyNode.ts';
import { type Extensions, requireNode, type SimulatedScheme } from '../world/extensions.ts';
import { honestNodes, type NodeSetting, windowOf } from '../world/honest.ts';
import type { World } from '../world/world.ts';
import { SimulatedByzantinePort, SimulatedPort, type SimulationHost } from './ports.ts';

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
  /** Handel nodes by id, without their wrappers. Other nodes have no entry. */
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
