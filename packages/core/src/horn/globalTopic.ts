import { type HornParameters, hornSizes } from './parameters.ts';

/**
 * Systems, which differ in the senders on the global topic: aggregators of one committee's subcommittees (today),
 * aggregators of all committees' subcommittees, or Horn's collectors.
 */
export const hornSystems = ['status-quo', 'strawman', 'horn'] as const;
/** One of {@link hornSystems}. */
export type HornSystem = (typeof hornSystems)[number];

/** Load of one slot on a topic. Each message is counted once. */
export interface TopicLoad {
  readonly messages: number;
  readonly bitfieldBytes: number;
  /** Total length of all messages, bytes. */
  readonly bytes: number;
}

/**
 * Returns the load of the global topic, to which every full node subscribes (Horn: "A strawman proposal",
 * "Collectors").
 *
 * @param signatures number of signatures counted per message: the aggregate signature, the sender's own signature, both
 * or neither. The post counts two for the strawman and none for Horn.
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
