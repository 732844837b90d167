import {
  defaultNetworkScenario,
  type NetworkScenario,
  type NetworkSlotResult,
  type TopicSteps,
  type VotingSystemName,
} from '@tutti/simulation/slots';

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
  readonly value: string;
  /** The slot that the system has, s. */
  readonly ownSeconds: number;
  /** The shortest slot with 99 % of the votes in the next block, s; null for none of those tried. */
  readonly slotSeconds: number | null;
  readonly played: readonly { readonly slotSeconds: number; readonly inReachPercent: number }[];
}

interface StoredFile {
  readonly lanes: readonly (Omit<NetworkLane, 'steps'> & {
    /** `reach` in base64. */
    readonly steps: Omit<NetworkLane['steps'], 'reach'> & { readonly reach: string };
  })[];
  readonly frontier: Frontier;
}

/** Unpacks what `npm run data -- network-slots` wrote. A setting that it does not know of yet is as assumed. */
export function readNetworkFile({ lanes, frontier }: StoredFile): {
  readonly lanes: readonly NetworkLane[];
  readonly frontier: Frontier;
} {
  return {
    lanes: lanes.map(({ steps, scenario, ...lane }) => ({
      ...lane,
      scenario: { ...defaultNetworkScenario, ...scenario },
      steps: { ...steps, reach: Uint8Array.from(atob(steps.reach), (character) => character.charCodeAt(0)) },
    })),
    frontier,
  };
}
