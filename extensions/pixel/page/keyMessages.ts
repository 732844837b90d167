/** One period of the key's life. */
export interface PeriodReport {
  /** The node's number, 1 to 15. */
  readonly number: number;
  /** Bytes of the secret key. */
  readonly keyBytes: number;
  /** Of each sub-key held, the real period; its own first. */
  readonly subkeyTimes: readonly number[];
  /** Hexadecimal, 149 bytes. */
  readonly signature: string;
  /** The kernel's verdict on the signature. */
  readonly verified: {
    readonly asSigned: boolean;
    readonly atNextPeriod: boolean;
    readonly onOtherMessage: boolean;
  };
}

/** What a thief of the key got. */
export interface TheftReport {
  /** The node's number at which the key was stolen. */
  readonly number: number;
  readonly signsNow: boolean;
  /** Each earlier node, by number. */
  readonly earlier: readonly { readonly number: number; readonly attempts: number; readonly forged: boolean }[];
}

/**
 * `live` moves a key through all periods, and reports each as progress; `steal` says what a thief gets of it at a node.
 */
export type KeyRequest = { readonly ask: 'live' } | { readonly ask: 'steal'; readonly number: number };
export type KeyAnswer = TheftReport | undefined;
