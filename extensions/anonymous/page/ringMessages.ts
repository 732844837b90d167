/** Number of members of the ring in the drawing. */
export const ringMembers = 8;

/**
 * Change of a signature on its way from the signer to a reader. `stranger`: the signature was made without any member's
 * secret.
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
  readonly bytes: number;
  /** Whether the signature's verification succeeds. */
  readonly isValid: boolean;
}

/** One of several signatures that are compared with each other. */
export interface TagRow {
  readonly event: string;
  readonly signer: number;
  readonly text: string;
  readonly tag: string;
  /** Relation to the first signature. */
  readonly toFirst: RelationKind;
}

type RelationKind = 'independent' | 'repeated' | 'double';

/** Three traceable registrations for comparison. If a member cheats, the first two registrations are by this member. */
export interface LinesReport {
  readonly cheat: number | undefined;
  /** Tags of each registration, one per place. */
  readonly rows: readonly { readonly text: string; readonly tags: readonly string[] }[];
  /** Relation of the first two registrations. */
  readonly relation: RelationKind;
  /** Member that the first two registrations identify. */
  readonly named: number | undefined;
}

/** Time of one multiplication in a verification, µs. */
export interface TimingReport {
  readonly linkable: number;
  readonly traceable: number;
}

export type RingRequest =
  | { readonly ask: 'chain'; readonly signer: number; readonly flaw: Flaw }
  | { readonly ask: 'tags'; readonly signer: number }
  | { readonly ask: 'lines'; readonly cheat: number | undefined }
  | { readonly ask: 'timing' };

export type RingAnswer =
  | { readonly kind: 'chain'; readonly report: ChainReport }
  | { readonly kind: 'tags'; readonly signer: number; readonly rows: readonly TagRow[] }
  | { readonly kind: 'lines'; readonly report: LinesReport }
  | { readonly kind: 'timing'; readonly report: TimingReport };
