/**
 * What the paper claims of Handel, as far as a run can show it broken. The names are stable: shrinking a failure asks
 * whether the smaller one breaks the same claim.
 */
export const claims = {
  integrity: {
    section: 'v1.03 2.1, 4.3',
    says: 'An individual contribution is counted at most once, and only if its signer made it.',
  },
  growth: {
    section: 'v1.03 3.3, 3.4',
    says: 'In_l never gets lighter.',
  },
  outputs: {
    section: 'v1.03 2.4',
    says: 'Every output verifies, meets the threshold and is heavier than the one before.',
  },
  memory: {
    section: 'v1.03 3.5.2',
    says: 'A node keeps at most one queued entry and one individual contribution of each peer, whatever is sent.',
  },
  blacklist: {
    section: 'v1.03 3.5.3 (1)',
    says: 'At most one invalid contribution of a sender is ever verified by a node.',
  },
  pruning: {
    section: 'v1.03 3.1, 3.5.3 (3)',
    says: 'What is verified would make In_l heavier.',
  },
  window: {
    section: 'v1.03 3.3, 3.6',
    says: 'What is verified ranks at most the window after the best ranked useful contribution of its level.',
  },
  score: {
    section: 'v1.03 3.3, 3.6',
    says: 'Of what is in the window, what would make In_l heaviest is verified first; under attack, of what is in the window up to its initial size.',
  },
  isolation: {
    section: 'v1.03 6',
    says: 'A node verifies one contribution at a time, or one batch with at most one of each level.',
  },
  load: {
    section: 'v1.03 2.4, 4.1',
    says: 'In the spread tree, if no fault takes a node away for a time, honest nodes send no live node more than five times the mean number of messages after its start.',
  },
  robustness: {
    section: 'v1.03 2.3',
    says: 'Whatever is sent, and whatever breaks, no honest node fails at it.',
  },
  termination: {
    section: 'v1.03 2.4',
    says: 'Every live honest node gives an output at or over the threshold.',
  },
  fairness: {
    section: 'v1.03 2.4, 4.3 (lemma 1)',
    says: "Every live honest node's contribution ends up in the output of every live honest node.",
  },
} as const;
export type ClaimName = keyof typeof claims;

/** A claim of the paper was seen broken. */
export class CheckFailed extends Error {
  override readonly name = 'CheckFailed';
  readonly claim: ClaimName;
  /** The node that broke it, where that is known. */
  readonly node: number | undefined;
  /** Virtual time, microseconds. */
  readonly atUs: number;

  /** @param what was expected, and what came. */
  constructor(claim: ClaimName, node: number | undefined, atUs: number, what: string, options?: ErrorOptions) {
    super(`${claim}: ${node === undefined ? '' : `node ${node} `}at ${atUs / 1000} ms: ${what}`, options);
    this.claim = claim;
    this.node = node;
    this.atUs = atUs;
  }
}
