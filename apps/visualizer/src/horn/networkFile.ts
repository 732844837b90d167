import {
  defaultNetworkScenario,
  inProportion,
  linkPresets,
  type NetworkScenario,
  type NetworkSlotResult,
  type ProposalName,
  systemOf,
  type TopicSteps,
  type VotingSystemName,
  withProposals,
} from '@tutti/simulation/slots';
import { bytesOf } from '../bytesOf.ts';

/** One slot on Ethereum's network, as the page shows it. */
export interface NetworkLane {
  readonly scenario: NetworkScenario;
  readonly result: NetworkSlotResult;
  readonly steps: TopicSteps;
}

/** The steps that a slot of the page is cut in, ms. */
export const pageStepMs = 200;

/** How long a slot must be: what `tutti horn map --json` prints. */
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
  readonly played: readonly { readonly slotSeconds: number; readonly inReachPercent: number }[];
}

interface StoredFile {
  readonly version: string;
  readonly lanes: readonly (Omit<NetworkLane, 'steps'> & {
    /** `reach` in base64. */
    readonly steps: Omit<NetworkLane['steps'], 'reach'> & { readonly reach: string };
  })[];
  readonly frontier: Frontier;
}

type LinkPreset = keyof typeof linkPresets;

/** The proposals of a point of the map. */
export function proposalsOf({ inputs }: FrontierCell): readonly ProposalName[] {
  const { proposal = 'none' } = inputs ?? {};
  return proposal === 'none' ? [] : (proposal.split('+') as ProposalName[]);
}

/** A point of the map as a scenario. */
export function scenarioOfPoint(cell: FrontierCell, seconds: number): NetworkScenario {
  const { preset, value, inputs = { machine: value } } = cell;
  const assumed = defaultNetworkScenario;
  const { validators = assumed.validators, links = 'eip-7870' } = inputs;
  const asked = { ...assumed, system: preset, validators: Number(validators), links: linkPresets[links as LinkPreset] };
  const proposed = withProposals(asked, proposalsOf(cell));
  const machine = (inputs.machine ?? proposed.client.machine) as NetworkScenario['client']['machine'];
  const changes = { ...proposed.changes, ...inProportion(systemOf(proposed), 1000 * seconds) };
  return { ...proposed, client: { ...proposed.client, machine }, changes };
}

/** Unpacks what `npm run data -- network-slots` wrote. A setting that it does not know of yet is as assumed. */
export function readNetworkFile({ version, lanes, frontier }: StoredFile): {
  /** Of the code that played them. */
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
