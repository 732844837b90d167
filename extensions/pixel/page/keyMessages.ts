/** Returns the text that the key signs at a node, or with the chain `other` the text of another block. */
export function blockText(number: number, chain: 'true' | 'other' = 'true'): string {
  return `${chain} block ${number}`;
}

/** Report on one period of a key. */
export interface PeriodReport {
  /** Number of the node, 1 to 15. */
  readonly number: number;
  /** Length of the secret key, bytes. */
  readonly keyBytes: number;
  /** Real periods of the stored sub-keys, the key's own period first. */
  readonly subkeyTimes: readonly number[];
  /** Signature, 149 bytes in hexadecimal. */
  readonly signature: string;
  /** Results of the kernel's verification of the signature. */
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
  /** Whether the stolen key signs at its own period, as it should. */
  readonly signsNow: boolean;
  /** Attempts to sign for each earlier node, in descending order of the nodes' numbers. */
  readonly earlier: readonly { readonly number: number; readonly attempts: number; readonly forged: boolean }[];
}

/**
 * A request to the key worker. `live` moves a key through all periods, and reports each period as progress. `steal`
 * returns the capabilities of a thief that obtains the key at a node.
 */
export type KeyRequest = { readonly ask: 'live' } | { readonly ask: 'steal'; readonly number: number };
/** Answer to a {@link KeyRequest}: the report for `steal`, and undefined for `live`. */
export type KeyAnswer = TheftReport | undefined;
