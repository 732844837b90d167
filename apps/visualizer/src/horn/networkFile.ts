import {
  defaultNetworkScenario,
  type NetworkScenario,
  type NetworkSlotResult,
  type ProposalName,
  type TopicSteps,
  type VotingSystemName,
} from '@tutti/ethereum';
import { bytesOf } from '../files.ts';
import { firstNetworkChoice, type NetworkChoice } from './networkState.ts';

/** One slot on Ethereum's network, as the page shows it. */
export interface NetworkLane {
  readonly scenario: NetworkScenario;
  readonly result: NetworkSlotResult;
  readonly steps: TopicSteps;
}

/** The steps that a slot of the page is cut in, ms. */
export const pageStepMs = 200;

/** How long a slot must be: what `tutti slots map --json` prints. */
export interface Frontier {
  readonly varied: string;
  readonly slotSeconds: readonly number[];
  readonly cells: readonly FrontierCell[];
}

export interface FrontierCell {
  readonly preset: VotingSystemName;
  /** The machine, unless `inputs` says what it is. */
  readonly value: string;
  readonly inputs?: {
    readonly machine?: string;
    readonly proposal?: string;
    readonly links?: string;
    readonly validators?: string;
  };
  /** The slot that the system has, s. */
  readonly ownSeconds: number;
  /** The shortest slot with 99 % of the votes in the next block, s; null for none of those tried. */
  readonly slotSeconds: number | null;
  readonly simulated: readonly { readonly slotSeconds: number; readonly inReachPercent: number }[];
}

/** Format that `npm run data -- network-slots` writes. */
export interface StoredNetwork {
  readonly version: string;
  readonly lanes: readonly (Omit<NetworkLane, 'steps'> & {
    /** `reach` in base64. */
    readonly steps: Omit<NetworkLane['steps'], 'reach'> & { readonly reach: string };
  })[];
  readonly frontier: Frontier;
}

/** A point of the map as what is chosen. */
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

/** Unpacks what `npm run data -- network-slots` wrote. A setting that it does not know of yet is as assumed. */
export function readNetworkFile({ version, lanes, frontier }: StoredNetwork): {
  /** Version of the code that computed them. */
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
