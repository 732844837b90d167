import { requireInt32Array, requireObject } from '../arguments.ts';
import { expected, requireInteger } from '../errors.ts';
import { createMesh } from '../overlay/mesh.ts';
import { RandomStream } from '../random.ts';
import { assignValidators, Duty, electDuties } from './committees.ts';
import { type HornParameters, hornSizes, validateHornParameters } from './parameters.ts';
import { HornTopic } from './rules.ts';

/** Nodes on one topic, and the topic's mesh. */
export interface TopicPlan {
  /** Nodes on the topic, in ascending order. */
  readonly members: Int32Array;
  /**
   * Neighbours of each member, as indices into `members`; one empty list if there are no members. The neighbour relation
   * is symmetric.
   */
  readonly peers: readonly Int32Array[];
}

/** Public plan of a slot, which all nodes derive before it begins: committees, duties, topics and meshes. */
export interface SlotPlan {
  readonly parameters: HornParameters;
  readonly nodes: number;
  /** D: the degree of every mesh. A node outside a topic also sends to D members of the topic. */
  readonly degree: number;
  readonly seed: number;
  /** Validator at each place; see `assignValidators`. */
  readonly validatorAt: Int32Array;
  /** Node of the validator at each place. */
  readonly nodeAt: Int32Array;
  /** {@link Duty} bits of each place. */
  readonly duties: Uint8Array;
  /** Topics of the subcommittees. The members of each topic are the nodes of the subcommittee's elected aggregators. */
  readonly subnets: readonly TopicPlan[];
  /** Topics of the committees. The members of each topic are the nodes of the committee's elected collectors. */
  readonly committees: readonly TopicPlan[];
  /** Global topic, of which all nodes are members. */
  readonly global: TopicPlan;
}

/** Maximum number of validators and of nodes of a slot, which is that of a mesh and of a permutation. */
const maxNodes = 2 ** 20;

/** Options of {@link planSlot}. */
export interface SlotPlanOptions {
  readonly parameters: HornParameters;
  /** Node of each validator. Nodes are numbered from 0. */
  readonly nodeOf: Int32Array;
  /** D, the degree of every mesh. Integer from 1 to 1,024. */
  readonly degree: number;
  /** Seed of the committees, duties, meshes and proposer. An integer, of which only the low 32 bits are used. */
  readonly seed: number;
}

/**
 * Derives the plan of a slot from public data: the committees, the elected validators, and the meshes of plain gossip.
 * Nodes with the same parameters, registry and seed derive the same plan. The simulation of a slot also uses this plan.
 *
 * @throws RangeError for parameters out of range, for more than 2^20 validators, for a size or number of subcommittees
 * that is not a power of two, and for a `nodeOf` that does not have exactly one entry from 0 to 2^20 - 1 per validator.
 * TypeError for options of the wrong type.
 */
export function planSlot(options: SlotPlanOptions): SlotPlan {
  requireObject('options', options);
  const { parameters, nodeOf, degree, seed } = options;
  validateHornParameters(parameters);
  requireInteger('validators', parameters.validators, 1, maxNodes);
  requireInt32Array('nodeOf', nodeOf);
  const { committee, subcommittee, allSubcommittees } = hornSizes(parameters);
  requirePowerOfTwo('validators of a subcommittee', subcommittee);
  requirePowerOfTwo('subcommittees', parameters.subcommittees);
  requireInteger('nodeOf.length', nodeOf.length, parameters.validators, parameters.validators);
  requireInteger('degree', degree, 1, 1024);
  const outside = nodeOf.find((node) => node < 0 || node >= maxNodes);
  if (outside !== undefined) throw new RangeError(expected('nodeOf', `nodes from 0 to ${maxNodes - 1}`, outside));
  const nodes = nodeOf.reduce((max, node) => Math.max(max, node), 0) + 1;
  const validatorAt = assignValidators(parameters, seed);
  const nodeAt = validatorAt.map((validator) => nodeOf[validator]!);
  const duties = electDuties(parameters, seed);
  const elected = (duty: number, members: number, groups: number): number[][] =>
    Array.from({ length: groups }, (_, group) =>
      Array.from({ length: members }, (_, member) => group * members + member).filter(
        (place) => (duties[place]! & duty) !== 0,
      ),
    );
  const meshes = new RandomStream(seed, 'gossipsub');
  const topic = (members: Int32Array): TopicPlan => ({ members, peers: plainMesh(members.length, degree, meshes) });
  const on = (places: readonly (readonly number[])[]): TopicPlan[] =>
    places.map((of) => topic(Int32Array.from(new Set(of.map((place) => nodeAt[place]!))).sort()));
  return {
    parameters,
    nodes,
    degree,
    seed,
    validatorAt,
    nodeAt,
    duties,
    subnets: on(elected(Duty.aggregator, subcommittee, allSubcommittees)),
    committees: on(elected(Duty.collector, committee, parameters.committees)),
    global: topic(Int32Array.from({ length: nodes }, (_, node) => node)),
  };
}

/** Draws a mesh of at least one member with {@link createMesh}, with the next number of a stream as the seed. */
export function plainMesh(members: number, degree: number, random: RandomStream): readonly Int32Array[] {
  return createMesh(Math.max(1, members), degree, random.nextUint32());
}

/** Draws `max` different indices less than `size`, or all indices if there are fewer than `max`. */
export function drawnIndices(random: RandomStream, max: number, size: number): readonly number[] {
  const chosen = new Set<number>();
  while (chosen.size < Math.min(max, size)) chosen.add(random.nextBelow(size));
  return [...chosen];
}

/** Returns the topic of the given kind to which the validator at a place sends messages. */
export function topicOfPlace(plan: SlotPlan, topic: HornTopic, place: number): TopicPlan {
  requirePlan(plan);
  const { committee, subcommittee } = hornSizes(plan.parameters);
  if (topic === HornTopic.subnet) return plan.subnets[Math.floor(place / subcommittee)]!;
  return topic === HornTopic.committee ? plan.committees[Math.floor(place / committee)]! : plan.global;
}

/**
 * Returns the nodes to which a node forwards a message: its neighbours on the topic. A node outside the topic sends to
 * D members of the topic, which are the same for all of the node's messages.
 */
export function receiversOn(plan: SlotPlan, topic: TopicPlan, node: number): readonly number[] {
  requirePlan(plan);
  requireObject('topic', topic);
  const { members, peers } = topic;
  const at = members.indexOf(node);
  const chosen =
    at === -1
      ? drawnIndices(new RandomStream(plan.seed, `members for node ${node}`), plan.degree, members.length)
      : [...peers[at]!];
  return chosen.map((index) => members[index]!);
}

/**
 * Returns the place of the proposer that includes the slot's votes, drawn with the plan's seed.
 *
 * @param can returns whether a node can propose. The function draws places until the node at a place can propose.
 * Default: all nodes can propose.
 * @throws RangeError if no node can propose.
 */
export function proposerOf(plan: SlotPlan, can: (node: number) => boolean = () => true): number {
  requirePlan(plan);
  const { parameters, nodeAt, seed } = plan;
  if (!nodeAt.some(can)) throw new RangeError('nodes: expected at least one node that can propose, got none');
  const random = new RandomStream(seed, 'proposer');
  for (;;) {
    const place = random.nextBelow(parameters.validators);
    if (can(nodeAt[place]!)) return place;
  }
}

/** @throws TypeError if the value or its parameters are not objects. The function does not check other fields. */
export function requirePlan(plan: SlotPlan): void {
  requireObject('plan', plan, 'a plan from planSlot');
  requireObject('plan.parameters', plan.parameters);
}

function requirePowerOfTwo(label: string, value: number): void {
  if (!Number.isInteger(Math.log2(value))) throw new RangeError(expected(label, 'a power of two', value));
}
