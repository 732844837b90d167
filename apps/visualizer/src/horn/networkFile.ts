import {
  defaultNetworkScenario,
  type NetworkScenario,
  type NetworkSlotResult,
  type ProposalName,
  placeNodes,
  type TopicSteps,
  type VotingSystemName,
} from '@tutti/ethereum';
import { bytesOf, type TableLine } from '../files.ts';
import { firstNetworkChoice, type NetworkChoice } from './networkState.ts';

/** Slot on Ethereum's network in the form that the page shows. */
export interface NetworkLane {
  readonly scenario: NetworkScenario;
  readonly result: NetworkSlotResult;
  readonly steps: TopicSteps;
}

/** Interval between two recorded moments of a slot, ms. */
export const pageStepMs = 200;

/** Map of the minimum slot length, as printed by `tutti slots map --json`. */
export interface Frontier {
  readonly varied: string;
  readonly slotSeconds: readonly number[];
  readonly cells: readonly FrontierCell[];
}

export interface FrontierCell {
  readonly preset: VotingSystemName;
  /** Name of the machine, unless `inputs` names it. */
  readonly value: string;
  readonly inputs?: {
    readonly machine?: string;
    readonly proposal?: string;
    readonly links?: string;
    readonly validators?: string;
  };
  /** Slot length of the system, s. */
  readonly ownSeconds: number;
  /** Shortest simulated slot with 99 % of the votes in the next block, s; null if there is none. */
  readonly slotSeconds: number | null;
  readonly simulated: readonly { readonly slotSeconds: number; readonly inReachPercent: number }[];
}

/** Format that `npm run data -- network-slots` writes. */
export interface StoredNetwork {
  readonly version: string;
  readonly lanes: readonly (Omit<NetworkLane, 'steps'> & {
    /** Time steps, in which the matrix `reach` is in base64. */
    readonly steps: Omit<NetworkLane['steps'], 'reach'> & { readonly reach: string };
  })[];
  readonly frontier: Frontier;
}

/** Converts a point of the map to the settings of the form. */
export function choiceOfPoint(
  { preset, value, inputs = { machine: value } }: FrontierCell,
  seconds: number,
): NetworkChoice {
  const first = firstNetworkChoice;
  const { validators, links, machine, proposal = 'none' } = inputs;
  return {
    ...first,
    system: preset,
    validators: Number(validators ?? first.validators),
    links: (links as NetworkChoice['links'] | undefined) ?? first.links,
    machine: (machine as NetworkChoice['machine'] | undefined) ?? first.machine,
    proposals: proposal === 'none' ? [] : (proposal.split('+') as ProposalName[]),
    slotSeconds: seconds,
  };
}

/** Decodes the file of `npm run data -- network-slots`. Settings that are missing in the file get their defaults. */
export function readNetworkFile({ version, lanes, frontier }: StoredNetwork): {
  /** Version of the code that computed the slots. */
  readonly version: string;
  readonly lanes: readonly NetworkLane[];
  readonly frontier: Frontier;
} {
  return {
    version,
    lanes: lanes.map(({ steps, scenario, ...lane }) => ({
      ...lane,
      scenario: { ...defaultNetworkScenario, ...scenario },
      steps: { ...steps, reach: bytesOf(steps.reach) },
    })),
    frontier,
  };
}

/** Rows of `reach` for each class of nodes, cached per slot. */
const rowsOf = new WeakMap<NetworkLane, readonly (readonly number[])[]>();

function rowsByClass(lane: NetworkLane): readonly (readonly number[])[] {
  const { scenario, steps } = lane;
  const found = rowsOf.get(lane);
  if (found) return found;
  const { classOf } = placeNodes(scenario);
  const rows = scenario.links.map((_, of) =>
    [...steps.observers.keys()].filter((row) => classOf[steps.observers[row]!] === of),
  );
  rowsOf.set(lane, rows);
  return rows;
}

/**
 * Returns the mean share of the votes in reach over the observed nodes with a link class, percent; undefined if there
 * are none.
 */
export function reachOfClass(lane: NetworkLane, of: number, step: number): number | undefined {
  return meanReach(lane, rowsByClass(lane)[of] ?? [], step);
}

/** Returns the mean share of the votes in reach over all observed nodes, percent. */
export function reachOfNodes(lane: NetworkLane, step: number): number | undefined {
  return meanReach(lane, [...lane.steps.observers.keys()], step);
}

function meanReach({ steps }: NetworkLane, rows: readonly number[], step: number): number | undefined {
  if (rows.length === 0) return undefined;
  return rows.reduce((sum, row) => sum + steps.reach[row * steps.sent.length + step]!, 0) / rows.length;
}

/** Yields rows of all observed nodes with the number of votes in their reach. */
export function* nodeNumbers(lane: NetworkLane, step: number): Generator<TableLine> {
  yield ['node', 'class', 'in_reach_percent'];
  const { scenario, steps } = lane;
  for (const [of, rows] of rowsByClass(lane).entries())
    for (const row of rows)
      yield [steps.observers[row]!, scenario.links[of]!.name, steps.reach[row * steps.sent.length + step]!];
}

/** Yields rows of the global topic by step: the messages sent, and those verified by a node of each class. */
export function* queueNumbers({ scenario, steps }: NetworkLane): Generator<TableLine> {
  yield ['time_seconds', 'messages_sent', ...scenario.links.map(({ name }) => `verified_${name}`)];
  for (const [step, sent] of steps.sent.entries())
    yield [(step * steps.stepMs) / 1000, sent, ...steps.verified.map((counts) => counts[step]!)];
}
