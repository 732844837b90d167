import { type HornParameters, hornSizes } from './parameters.ts';

/**
 * Who sends to the global topic: today's subcommittees of one committee, those of all committees, or Horn's collectors.
 */
export const hornSystems = ['status-quo', 'strawman', 'horn'] as const;
export type HornSystem = (typeof hornSystems)[number];

/** Load that one slot puts on a topic, each message counted once. */
export interface TopicLoad {
  readonly messages: number;
  readonly bitfieldBytes: number;
  /** All messages together. */
  readonly bytes: number;
}

/**
 * The load of the global topic, on which every full node listens (Horn: "A strawman proposal", "Collectors").
 *
 * @param signatures how many of a message's signatures are counted: the aggregate one, the sender's own, both or
 *   neither. The post counts two for the strawman and none for Horn.
 */
export function globalTopicLoad(system: HornSystem, parameters: HornParameters, signatures: 0 | 1 | 2): TopicLoad {
  const { committee, subcommittee, allSubcommittees } = hornSizes(parameters);
  const bitfieldBytes = Math.ceil((system === 'horn' ? committee : subcommittee) / 8);
  const messages = {
    'status-quo': parameters.subcommittees * parameters.aggregators,
    strawman: allSubcommittees * parameters.aggregators,
    horn: parameters.committees * parameters.collectors,
  }[system];
  return { messages, bitfieldBytes, bytes: messages * (bitfieldBytes + signatures * parameters.signatureBytes) };
}
