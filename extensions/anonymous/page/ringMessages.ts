/** Number of members of the ring in the drawing. */
export const ringMembers = 8;

/**
 * Flaw of a signature. `response`: one bit of a response was changed. `stranger`: the signature was made without any
 * member's secret.
 */
export type Flaw = 'none' | 'response' | 'stranger';
export const flaws: readonly Flaw[] = ['none', 'response', 'stranger'];

/** Linkable signature, in the form needed for drawing; bytes are hexadecimal. */
export interface ChainReport {
  readonly signer: number;
  readonly flaw: Flaw;
  /** Member whose response was changed; undefined if no response was changed. */
  readonly changed: number | undefined;
  /** Challenges c_0 to c_n. */
  readonly challenges: readonly string[];
  readonly tag: string;
  /** Length of the signature, bytes. */
  readonly bytes: number;
}

/** One of several signatures that are compared with each other. */
export interface TagRow {
  readonly event: string;
  readonly signer: number;
  readonly text: string;
  readonly tag: string;
  /** Whether the signature's tag equals the first signature's tag. */
  readonly hasFirstTag: boolean;
}

/** Three traceable registrations for comparison. If a member cheats, the first two registrations are by this member. */
export interface LinesReport {
  readonly cheat: number | undefined;
  /** Tags of each registration, one tag per member. */
  readonly rows: readonly { readonly text: string; readonly tags: readonly string[] }[];
  /** Member that the first two registrations identify; undefined if they are by two members. */
  readonly named: number | undefined;
}

/** Request to the worker that owns the members' keys. */
export type RingRequest =
  | { readonly ask: 'chain'; readonly signer: number; readonly flaw: Flaw }
  | { readonly ask: 'tags'; readonly signer: number }
  | { readonly ask: 'lines'; readonly cheat: number | undefined }
  | { readonly ask: 'timing' };

/** Answer of the worker to a request. */
export type RingAnswer =
  | { readonly kind: 'chain'; readonly report: ChainReport }
  | { readonly kind: 'tags'; readonly signer: number; readonly rows: readonly TagRow[] }
  | { readonly kind: 'lines'; readonly report: LinesReport }
  /** Time of one multiplication in a verification, µs. */
  | { readonly kind: 'timing'; readonly multiplicationUs: number };
