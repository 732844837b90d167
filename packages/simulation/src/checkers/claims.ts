/**
 * Claims of the paper about Handel, as far as a run can show a violation. The names are stable: shrinking a failure
 * keeps the claim that it violates.
 */
export const claims = {
  integrity: {
    section: 'v1.03 2.1, 4.3',
    says: 'An individual contribution is counted at most once, and only if its signer made it.',
  },
  growth: {
    section: 'v1.03 3.3, 3.4',
    says: 'The weight of In_l never decreases.',
  },
  outputs: {
    section: 'v1.03 2.4',
    says: 'Every output is valid, meets the threshold and is heavier than the previous output.',
  },
  memory: {
    section: 'v1.03 3.5.2',
    says: 'A node stores at most one queued entry and one individual contribution per peer, regardless of the received messages.',
  },
  blacklist: {
    section: 'v1.03 3.5.3 (1)',
    says: 'A node verifies at most one invalid contribution per sender.',
  },
  pruning: {
    section: 'v1.03 3.1, 3.5.3 (3)',
    says: 'Each verified contribution would increase the weight of In_l.',
  },
  window: {
    section: 'v1.03 3.3, 3.6',
    says: 'The rank of each verified contribution exceeds the rank of the best-ranked useful contribution on its level by less than the window.',
  },
  score: {
    section: 'v1.03 3.3, 3.6',
    says: 'The contribution in the window that gives In_l the greatest weight is verified first; under attack, the window is limited to its initial size.',
  },
  isolation: {
    section: 'v1.03 6',
    says: 'A node verifies one contribution at a time, or one batch with at most one contribution per level.',
  },
  load: {
    section: 'v1.03 2.4, 4.1',
    says: 'In the spread tree, unless a fault makes a node temporarily unavailable, honest nodes send each live node at most five times the mean number of messages after its start.',
  },
  robustness: {
    section: 'v1.03 2.3',
    says: 'No message or fault makes an honest node fail.',
  },
  termination: {
    section: 'v1.03 2.4',
    says: 'Every live honest node produces an output that meets the threshold.',
  },
  fairness: {
    section: 'v1.03 2.4, 4.3 (lemma 1)',
    says: "Every live honest node's contribution ends up in the output of every live honest node.",
  },
} as const;
/** Name of one of the {@link claims}. */
export type ClaimName = keyof typeof claims;

/** Error for a violated claim of the paper. */
export class CheckFailed extends Error {
  override readonly name = 'CheckFailed';
  readonly claim: ClaimName;
  /** Node that violated the claim, if known. */
  readonly node: number | undefined;
  /** Virtual time, µs. */
  readonly atUs: number;

  /** @param what the expected and the actual state. */
  constructor(claim: ClaimName, node: number | undefined, atUs: number, what: string, options?: ErrorOptions) {
    super(`${claim}: ${node === undefined ? '' : `node ${node} `}at ${atUs / 1000} ms: ${what}`, options);
    this.claim = claim;
    this.node = node;
    this.atUs = atUs;
  }
}
