import { HandelNode, type Port, type ProtocolNode, RandomStream, type VerificationPriorities } from '@tutti/core';
import { type AttackSetting, type Coalition, honestRules } from '../attacks/attack.ts';
import type { RunMemory } from '../engine/runMemory.ts';
import { type FaultHost, FaultsAtWork } from '../faults/faultsAtWork.ts';
import type { Scenario } from '../scenario/scenario.ts';
import { type Extensions, requireNode } from '../world/extensions.ts';
import { honestNodes, windowOf } from '../world/honest.ts';
import type { SimulatedScheme } from '../world/options.ts';
import type { World } from '../world/world.ts';
import { SimulatedByzantinePort, SimulatedPort, type SimulationHost } from './ports.ts';

/** The nodes of a run: the honest ones of its protocol, wrapped in faults, and the Byzantine ones of its attacks. */
export class Roles {
  /** Nodes by id; undefined for a node that is dead from the beginning. */
  readonly nodes: (ProtocolNode | undefined)[] = [];
  /** Handel nodes by id, without their wrappers, for checkers. */
  readonly handel: (HandelNode | undefined)[] = [];
  readonly coalitions: readonly Coalition[];
  /** The faults of the run; undefined without any. */
  readonly faults: FaultsAtWork | undefined;

  constructor(
    scenario: Scenario,
    simulated: SimulatedScheme,
    priorities: VerificationPriorities,
    world: World,
    host: SimulationHost & FaultHost,
    extensions: Extensions,
    arrays: RunMemory,
  ) {
    const { scheme } = simulated;
    const { faults, threshold, quorum } = world;
    this.faults = faults.all.length === 0 ? undefined : new FaultsAtWork(scenario, faults, scheme, host);
    const setting = { scenario, scheme, priorities, threshold, quorum };
    const honest = extensions.nodes?.(setting) ?? honestNodes(scenario, scheme, priorities, threshold, arrays, quorum);
    const make = (id: number, port: Port): ProtocolNode => {
      const own = simulated.individual(id);
      const node = extensions.nodes === undefined ? honest(id, own, port) : requireNode(id, honest(id, own, port));
      scheme.release(own);
      return node;
    };
    this.coalitions = formCoalitions(scenario, simulated, priorities, world, make);
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

  #honest(id: number, port: Port, make: (id: number, port: Port) => ProtocolNode): ProtocolNode {
    const place = (way: Port): ProtocolNode => {
      const made = make(
        id,
        this.coalitions.reduce((inner, coalition) => coalition.watch?.(inner, id) ?? inner, way),
      );
      if (made instanceof HandelNode) this.handel[id] = made;
      return made;
    };
    const node = this.faults?.around(id, port, place) ?? place(port);
    return this.coalitions.reduce((inner, coalition) => coalition.around?.(inner, id) ?? inner, node);
  }
}

function formCoalitions(
  scenario: Scenario,
  { scheme, individual }: SimulatedScheme,
  priorities: VerificationPriorities,
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
