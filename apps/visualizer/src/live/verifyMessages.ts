import type { SignatureClaim } from '@tutti/transports/browser';

/** What the page sends its verifying worker: first a round, then batches of claims about it. */
export type VerifyRequest =
  | { readonly kind: 'round'; readonly publicKeys: readonly Uint8Array[]; readonly message: Uint8Array }
  | { readonly kind: 'claims'; readonly id: number; readonly claims: readonly SignatureClaim[] };

export type VerifyAnswer =
  | { readonly kind: 'verdicts'; readonly id: number; readonly verdicts: boolean[] }
  | { readonly kind: 'failed'; readonly message: string };
