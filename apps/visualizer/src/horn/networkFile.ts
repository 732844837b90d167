import {
  defaultNetworkScenario,
  type LinkPreset,
  type MachineName,
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
  /** Simulated lengths of a slot, s, ascending. */
  readonly slotSeconds: readonly number[];
  readonly cells: readonly FrontierCell[];
}

/** Point of the map: a system with settings that differ from the assumptions. */
export interface FrontierCell {
  readonly preset: VotingSystemName;
  /** Title of the point's settings. Without `inputs`, the title is the name of the machine. */
  readonly value: string;
  readonly inputs?: {
    readonly machine?: MachineName;
    /** Proposals, separated by `+`, or `none`. */
    readonly proposal?: string;
    readonly links?: LinkPreset;
    readonly validators?: string;
  };
  /** The system's own slot length, s. */
  readonly ownSeconds: number;
  /**
   * Length of the shortest simulated slot with 99 % of the votes in the next block, s; null if there is no such slot.
   */
  readonly slotSeconds: number | null;
  readonly simulated: readonly { readonly slotSeconds: number; readonly inReachPercent: number }[];
}

/** Format written by `npm run data -- network-slots`. */
export interface StoredNetwork {
  readonly version: string;
  readonly lanes: readonly (Omit<NetworkLane, 'steps'> & {
    /** Time steps, with the matrix `reach` in base64. */
    readonly steps: Omit<NetworkLane['steps'], 'reach'> & { readonly reach: string };
  })[];
  readonly frontier: Frontier;
}

/** Converts a point on the map to the settings of the form. */
export function choiceOfPoint(
  { preset, value, inputs = { machine: value as MachineName } }: FrontierCell,
  seconds: number,
): NetworkChoice {
  const first = firstNetworkChoice;
  const { validators, links = first.links, machine = first.machine, proposal = 'none' } = inputs;
  return {
    ...first,
    system: preset,
    validators: Number(validators ?? first.validators),
    links,
    machine,
    proposals: proposal === 'none' ? [] : (proposal.split('+') as ProposalName[]),
    slotSeconds: seconds,
  };
}

/**
 * Decodes the file that `npm run data -- network-slots` writes. Settings that are missing in the file get their default
 * values.
 */
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

/** Results of {@link rowsByClass}, cached per slot. */
const rowsOf = new WeakMap<NetworkLane, readonly (readonly number[])[]>();

/** Returns the rows of `reach` for each link class. */
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
 * Returns the mean share of the votes in reach over the observed nodes of a link class, percent; undefined if there are
 * no such nodes.
 */
export function reachOfClass(lane: NetworkLane, of: number, step: number): number | undefined {
  return meanReach(lane, rowsByClass(lane)[of] ?? [], step);
}

/** Returns the mean share of the votes in reach over all observed nodes, percent; undefined if there are none. */
export function reachOfNodes(lane: NetworkLane, step: number): number | undefined {
  return meanReach(lane, [...lane.steps.observers.keys()], step);
}

function meanReach(lane: NetworkLane, rows: readonly number[], step: number): number | undefined {
  if (rows.length === 0) return undefined;
  return rows.reduce((sum, row) => sum + reachAt(lane, row, step), 0) / rows.length;
}

/** Returns the share of the votes in reach of the observed node with a given row, percent. */
export function reachAt({ steps }: NetworkLane, row: number, step: number): number {
  return steps.reach[row * steps.sent.length + step]!;
}

/** Yields rows of all observed nodes with the share of votes in their reach, percent. */
export function* nodeNumbers(lane: NetworkLane, step: number): Generator<TableLine> {
  yield ['node', 'class', 'in_reach_percent'];
  const { scenario, steps } = lane;
  for (const [of, rows] of rowsByClass(lane).entries())
    for (const row of rows) yield [steps.observers[row]!, scenario.links[of]!.name, reachAt(lane, row, step)];
}

/**
 * Yields rows for the global topic, one per step: the number of messages sent, and the number of messages verified by a
 * node of each link class.
 */
export function* queueNumbers({ scenario, steps }: NetworkLane): Generator<TableLine> {
  yield ['time_seconds', 'messages_sent', ...scenario.links.map(({ name }) => `verified_${name}`)];
  for (const [step, sent] of steps.sent.entries())
    yield [(step * steps.stepMs) / 1000, sent, ...steps.verified.map((counts) => counts[step]!)];
}
