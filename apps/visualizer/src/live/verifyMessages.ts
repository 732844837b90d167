/** What the page sends its verifying worker: first a round, then claims about it. */
export type VerifyRequest =
  | { readonly kind: 'round'; readonly publicKeys: readonly Uint8Array[]; readonly message: Uint8Array }
  | {
      readonly kind: 'claim';
      readonly id: number;
      readonly first: number;
      readonly bits: Uint8Array;
      readonly signature: Uint8Array;
    };

export type VerifyAnswer =
  | { readonly kind: 'verdict'; readonly id: number; readonly valid: boolean }
  | { readonly kind: 'failed'; readonly message: string };
