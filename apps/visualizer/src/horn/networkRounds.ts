import { type NetworkScenario, systemOf } from '@tutti/ethereum';

/** A round of a slot on a network with bandwidth, and what is sent in it. */
export interface NetworkRound {
  readonly fromUs: number;
  readonly name: 'votes' | 'aggregates' | 'collections' | 'results';
}

/** The rounds after the block, in order of time. What is sent in the last of them goes to the global topic. */
export function networkRounds(scenario: NetworkScenario): readonly NetworkRound[] {
  const { attestMs, aggregateMs, collectMs, collectors, gathering } = systemOf(scenario);
  const votes = { fromUs: 1000 * attestMs, name: 'votes' } as const;
  // Handel's committees aggregate as they vote.
  if (gathering === 'handel') return [votes, { fromUs: 1000 * collectMs, name: 'results' }];
  const aggregates = { fromUs: 1000 * aggregateMs, name: 'aggregates' } as const;
  if (collectors === 0) return [votes, aggregates];
  return [votes, aggregates, { fromUs: 1000 * collectMs, name: 'collections' }];
}
