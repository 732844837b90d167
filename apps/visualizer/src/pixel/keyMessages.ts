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

/** The page asks for one theft at a time. */
export interface KeyRequest {
  readonly steal: number;
}

export type KeyAnswer =
  | { readonly kind: 'period'; readonly report: PeriodReport }
  | { readonly kind: 'theft'; readonly report: TheftReport }
  | { readonly kind: 'failed'; readonly message: string };
