/**
 * A fault plan: what breaks in a run, when and where, as plain JSON. Times are virtual, in ms from the run's common
 * origin; a fault holds from `atMs` on and no longer at `atMs + forMs`. Everything random is drawn from the scenario's
 * seed. See docs/guides/faults.md.
 */
export type Fault =
  | Crash
  | Restart
  | Pause
  | Partition
  | Loss
  | Duplication
  | Reordering
  | Corruption
  | SlowLinks
  | SlowNodes
  | Skew
  | Drift;

export type FaultKind = Fault['kind'];

/** Ids, or a share of all N nodes drawn by seed, in (0, 1]; the count is rounded down. */
export type NodeSet = readonly number[] | { readonly share: number };

/** When a fault holds; default: from the beginning, to the end of the run. */
interface Window {
  readonly atMs?: number;
  readonly forMs?: number;
}

/** Which messages a fault of the network concerns: from these nodes and to those. Default: all of them. */
interface Links extends Window {
  readonly from?: NodeSet;
  readonly to?: NodeSet;
}

/** The nodes stop for good; they do not count as live. */
export interface Crash {
  readonly kind: 'crash';
  readonly nodes: NodeSet;
  readonly atMs: number;
}

/**
 * The nodes go down and come back. What arrives meanwhile is lost. With `state: 'lost'` they start again, with only
 * their own contribution; with `'kept'` they go on, with the timers and the verification that fell due while they were
 * down.
 */
export interface Restart {
  readonly kind: 'restart';
  readonly nodes: NodeSet;
  readonly atMs: number;
  readonly forMs: number;
  readonly state: 'lost' | 'kept';
}

/** The nodes do nothing for a time. What arrives or falls due meanwhile is handled afterwards, in order. */
export interface Pause {
  readonly kind: 'pause';
  readonly nodes: NodeSet;
  readonly atMs: number;
  readonly forMs: number;
}

/** No message that is sent meanwhile between these nodes and all others arrives; afterwards the partition is healed. */
export interface Partition {
  readonly kind: 'partition';
  readonly nodes: NodeSet;
  readonly atMs: number;
  readonly forMs: number;
}

/** A share of the messages is lost. */
export interface Loss extends Links {
  readonly kind: 'loss';
  /** Of the messages, in (0, 1]. */
  readonly share: number;
}

/** A share of the messages arrives twice; each copy takes the network's time. */
export interface Duplication extends Links {
  readonly kind: 'duplication';
  readonly share: number;
  /** The copy leaves up to so much later, uniformly, ms. Default 0. */
  readonly withinMs?: number;
}

/** A share of the messages is held back, each for a time of its own, so that later ones overtake it. */
export interface Reordering extends Links {
  readonly kind: 'reordering';
  readonly share: number;
  /** Held back up to so long, uniformly, ms. */
  readonly byMs: number;
}

/**
 * A share of the messages is altered on its way. Authenticated channels (v1.03 section 2.3) drop such a message at its
 * receiver. Without them its aggregate arrives with a wrong signature, or one to eight of its bits flipped, for the
 * decoder to read or to refuse.
 */
export interface Corruption extends Links {
  readonly kind: 'corruption';
  readonly share: number;
  /** Default `bits`. */
  readonly of?: 'signature' | 'bits';
}

/** Every message takes longer. */
export interface SlowLinks extends Links {
  readonly kind: 'slow-links';
  /** Added to one way, ms. */
  readonly byMs: number;
}

/** Verifications that begin meanwhile take longer (v1.03 section 4.2.1). */
export interface SlowNodes extends Window {
  readonly kind: 'slow-nodes';
  readonly nodes: NodeSet;
  /** How many times as long it takes, 1 to 1000. */
  readonly factor: number;
}

/**
 * The nodes' clocks are ahead of the common one by this much (behind it if negative) for the whole run: they start that
 * much earlier, though not before the common origin, or later (v1.03 section 4.2.3).
 */
export interface Skew {
  readonly kind: 'skew';
  readonly nodes: NodeSet;
  readonly byMs: number;
}

/** The nodes' clocks and timers run at another rate, for the whole run. */
export interface Drift {
  readonly kind: 'drift';
  readonly nodes: NodeSet;
  /** The clock's seconds in a true second, 0.1 to 10. */
  readonly rate: number;
}

/** When the last fault that ends is over, ms; 0 for a plan without one. */
export function healedAtMs(faults: readonly Fault[]): number {
  const ends = faults.map(
    (fault) => ('atMs' in fault ? (fault.atMs ?? 0) : 0) + ('forMs' in fault ? (fault.forMs ?? 0) : 0),
  );
  return Math.max(0, ...ends);
}
