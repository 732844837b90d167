/** What a prover could do next: a message (attestation data) and what a proof of it would change. */
export interface RankedMessage {
  readonly targetSlot: number;
  readonly voteSlot: number;
  /** Validators that the proof would add to what is proved of the message. */
  readonly newVoters: number;
  /** Validators that all proofs of the message together would have. */
  readonly voters: number;
  /** Whether justifying its target makes its source final. */
  readonly finalizes: boolean;
  /** Tie-breaker, by size. */
  readonly root: number;
}

/** Finalize before Justify before Build. */
export const messageTiers = ['finalize', 'justify', 'build'] as const;
export type MessageTier = (typeof messageTiers)[number];

/** Whether a proof of the message would cross two thirds with the voters it adds, and if so, what comes of it. */
export function tierOf(message: RankedMessage, validators: number): MessageTier {
  const crosses = 3 * message.voters >= 2 * validators && 3 * (message.voters - message.newVoters) < 2 * validators;
  if (!crosses) return 'build';
  return message.finalizes ? 'finalize' : 'justify';
}

/**
 * The messages that are worth a proof, the first to be proved first: those of this slot before older ones, then what
 * finalizes before what justifies before what only adds voters, then by target slot, vote slot and new voters, larger
 * first; what only adds voters by these first. Messages without a new voter are out.
 *
 * ethlambda, aggregation.rs (August 2026).
 */
export function rankMessages(messages: readonly RankedMessage[], slot: number, validators: number): RankedMessage[] {
  const keyOf = (message: RankedMessage): number[] => {
    const tier = tierOf(message, validators);
    const { targetSlot, voteSlot, newVoters, root } = message;
    const within = tier === 'build' ? [newVoters, targetSlot, voteSlot] : [targetSlot, voteSlot, newVoters];
    return [voteSlot === slot ? 1 : 0, -messageTiers.indexOf(tier), ...within, root];
  };
  return messages
    .filter(({ newVoters }) => newVoters > 0)
    .map((message) => ({ message, key: keyOf(message) }))
    .sort((a, b) => {
      const at = a.key.findIndex((value, place) => value !== b.key[place]);
      return at === -1 ? 0 : b.key[at]! - a.key[at]!;
    })
    .map(({ message }) => message);
}
