/** One period of a key. */
export interface PeriodReport {
  /** Number of the node, 1 to 15. */
  readonly number: number;
  /** Length of the secret key, bytes. */
  readonly keyBytes: number;
  /** Real periods of the stored sub-keys, the key's own first. */
  readonly subkeyTimes: readonly number[];
  /** Signature, 149 bytes in hexadecimal. */
  readonly signature: string;
  /** The kernel's verdicts on the signature. */
  readonly verified: {
    readonly asSigned: boolean;
    readonly atNextPeriod: boolean;
    readonly onOtherMessage: boolean;
  };
}

/** Result of a theft of the key. */
export interface TheftReport {
  /** Number of the node at which the key was stolen. */
  readonly number: number;
  readonly signsNow: boolean;
  /** Attempts for each earlier node, by number. */
  readonly earlier: readonly { readonly number: number; readonly attempts: number; readonly forged: boolean }[];
}

/**
 * A request. `live` moves a key through all periods, and reports each as progress. `steal` returns the capabilities of
 * a thief that has the key at a node.
 */
export type KeyRequest = { readonly ask: 'live' } | { readonly ask: 'steal'; readonly number: number };
export type KeyAnswer = TheftReport | undefined;
