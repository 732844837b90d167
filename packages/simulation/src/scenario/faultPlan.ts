/**
 * A fault plan: the faults of a run, their times and places, as plain JSON. Times are virtual, in ms from the run's
 * common origin; a fault lasts from `atMs` until before `atMs + forMs`. All randomness is drawn from the scenario's
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

/** Name of a kind of {@link Fault}. */
export type FaultKind = Fault['kind'];

/** Ids, or a share of all N nodes drawn by seed, in (0, 1]; the count is rounded down. */
export type NodeSet = readonly number[] | { readonly share: number };

/** Time of a fault. Default: from the beginning to the end of the run. */
interface Window {
  readonly atMs?: number;
  readonly forMs?: number;
}

/** Messages that a network fault concerns: from these nodes, and to those. Default: all. */
interface Links extends Window {
  readonly from?: NodeSet;
  readonly to?: NodeSet;
}

/** The nodes stop forever; they do not count as live. */
export interface Crash {
  readonly kind: 'crash';
  readonly nodes: NodeSet;
  readonly atMs: number;
}

/**
 * The nodes go down and come back. Messages that arrive meanwhile are lost. With `state: 'lost'` the nodes start again,
 * with only their own contribution. With `'kept'` they continue, and handle the timers and the verification that
 * expired or ended while they were down.
 */
export interface Restart {
  readonly kind: 'restart';
  readonly nodes: NodeSet;
  readonly atMs: number;
  readonly forMs: number;
  readonly state: 'lost' | 'kept';
}

/** The nodes do nothing for a time. Messages and timers of that time are handled afterwards, in order. */
export interface Pause {
  readonly kind: 'pause';
  readonly nodes: NodeSet;
  readonly atMs: number;
  readonly forMs: number;
}

/** Messages between these nodes and all others that are sent during the partition do not arrive. */
export interface Partition {
  readonly kind: 'partition';
  readonly nodes: NodeSet;
  readonly atMs: number;
  readonly forMs: number;
}

/** A share of the messages is lost. */
export interface Loss extends Links {
  readonly kind: 'loss';
  /** Share of the messages, in (0, 1]. */
  readonly share: number;
}

/** A share of the messages arrives twice; each copy takes the network's time. */
export interface Duplication extends Links {
  readonly kind: 'duplication';
  readonly share: number;
  /** Maximum delay of the copy, uniform, ms. Default: 0. */
  readonly withinMs?: number;
}

/** A share of the messages is delayed, each by its own time, so that later ones overtake it. */
export interface Reordering extends Links {
  readonly kind: 'reordering';
  readonly share: number;
  /** Maximum delay, uniform, ms. */
  readonly byMs: number;
}

/**
 * A share of the messages is altered in transit. Authenticated channels (v1.03 section 2.3) drop such a message at its
 * receiver. Without them its aggregate arrives with a wrong signature, or with one to eight bits flipped, which the
 * decoder reads or rejects.
 */
export interface Corruption extends Links {
  readonly kind: 'corruption';
  readonly share: number;
  /** Part that is altered. Default: `bits`. */
  readonly of?: 'signature' | 'bits';
}

/** Every message takes longer. */
export interface SlowLinks extends Links {
  readonly kind: 'slow-links';
  /** Additional one-way latency, ms. */
  readonly byMs: number;
}

/** Verifications that begin meanwhile take longer (v1.03 section 4.2.1). */
export interface SlowNodes extends Window {
  readonly kind: 'slow-nodes';
  readonly nodes: NodeSet;
  /** Factor of a verification's time, 1 to 1000. */
  readonly factor: number;
}

/**
 * The nodes' clocks have this offset from the common clock for the whole run, in ms; a negative offset means that they
 * are behind. Nodes with a clock that is ahead start earlier, though not before the common origin; the others start
 * later (v1.03 section 4.2.3).
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
  /** Seconds of the clock per true second, 0.1 to 10. */
  readonly rate: number;
}

/** Returns the end of the last temporary fault, ms; 0 for a plan without one. */
export function healedAtMs(faults: readonly Fault[]): number {
  const ends = faults.map(
    (fault) => ('atMs' in fault ? (fault.atMs ?? 0) : 0) + ('forMs' in fault ? (fault.forMs ?? 0) : 0),
  );
  return Math.max(0, ...ends);
}
