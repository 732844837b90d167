import type { NetworkScenario, NetworkSlotResult, TopicSteps } from '@tutti/core/horn';

/** One slot on Ethereum's network, as the page shows it. */
export interface NetworkLane {
  readonly scenario: NetworkScenario;
  readonly result: NetworkSlotResult;
  readonly steps: TopicSteps;
}

/** What the page asks of a worker: one slot, and no more. Ending the worker stops it. */
export interface NetworkRequest {
  readonly scenario: NetworkScenario;
}

export type NetworkReport =
  | { readonly kind: 'done'; readonly lane: NetworkLane }
  | { readonly kind: 'failed'; readonly message: string };
