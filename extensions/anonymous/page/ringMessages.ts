/** Members of the ring that is drawn. */
export const ringMembers = 8;

/** What became of a signature between its maker and its reader. `stranger`: made without any member's secret. */
export type Flaw = 'none' | 'response' | 'stranger';
export const flaws: readonly Flaw[] = ['none', 'response', 'stranger'];

/** A linkable signature, as it is drawn; bytes are hexadecimal. */
export interface ChainReport {
  readonly signer: number;
  readonly flaw: Flaw;
  /** The member whose response was changed. */
  readonly changed: number | undefined;
  /** c_0 ... c_n. */
  readonly challenges: readonly string[];
  readonly tag: string;
  readonly bytes: number;
  /** What verifying it says. */
  readonly isValid: boolean;
}

/** One of the signatures that are compared with each other. */
export interface TagRow {
  readonly event: string;
  readonly signer: number;
  readonly text: string;
  readonly tag: string;
  /** How it goes with the first. */
  readonly toFirst: RelationKind;
}

export type RelationKind = 'independent' | 'repeated' | 'double';

/** Three traceable registrations: the first two by one member, if somebody cheats. */
export interface LinesReport {
  readonly cheat: number | undefined;
  /** Of each the tags, one a place. */
  readonly rows: readonly { readonly text: string; readonly tags: readonly string[] }[];
  /** The first two. */
  readonly relation: RelationKind;
  /** The place that they name. */
  readonly named: number | undefined;
}

/** Of one multiplication, as verification takes it, microseconds. */
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
