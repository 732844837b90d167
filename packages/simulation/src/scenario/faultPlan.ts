import { isObject, shortened, suggestion } from '@tutti/core/input';

/**
 * A fault plan: the faults of a run, with their times and the nodes or links they affect, as plain JSON. Times are
 * virtual, in ms from the run's common origin; a fault lasts from `atMs` until before `atMs + forMs`. All randomness is
 * drawn from the scenario's seed. See docs/guides/faults.md.
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

/** Ids of nodes, or a share of all N nodes in (0, 1], rounded down; the seed selects the nodes of a share. */
export type NodeSet = readonly number[] | { readonly share: number };

/** Start and duration of a fault. Default: from the beginning to the end of the run. */
interface Window {
  readonly atMs?: number;
  readonly forMs?: number;
}

/** Messages that a network fault affects, given by senders and receivers. Default: all messages. */
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
 * The nodes go down and come back. Messages that arrive while a node is down are lost. With `state: 'lost'` the nodes
 * start again, with only their own contribution. With `state: 'kept'`, the nodes continue, and handle the timers that
 * expired and the verification that ended while they were down.
 */
export interface Restart {
  readonly kind: 'restart';
  readonly nodes: NodeSet;
  readonly atMs: number;
  readonly forMs: number;
  readonly state: 'lost' | 'kept';
}

/**
 * The nodes do nothing for some time. Messages and timers that become due during this time are handled afterwards, in
 * order.
 */
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

/**
 * A share of the messages arrives twice; the copy has its own network latency. If several such faults concern a
 * message, the message still has only one copy.
 */
export interface Duplication extends Links {
  readonly kind: 'duplication';
  /** Share of the messages, in (0, 1]. */
  readonly share: number;
  /** Maximum delay of the copy, ms; the delay is uniformly distributed. Default: 0. */
  readonly withinMs?: number;
}

/** A share of the messages is delayed, each by a different amount, so that later messages overtake them. */
export interface Reordering extends Links {
  readonly kind: 'reordering';
  /** Share of the messages, in (0, 1]. */
  readonly share: number;
  /** Maximum delay of a message, ms; the delay is uniformly distributed. */
  readonly byMs: number;
}

/**
 * A share of the messages is corrupted in transit. With authenticated channels (v1.03 section 2.3), the receiver drops
 * a corrupted message. Without authenticated channels, the message's aggregate arrives with an invalid signature, or
 * with one to eight bits flipped, which the decoder reads or rejects.
 */
export interface Corruption extends Links {
  readonly kind: 'corruption';
  /** Share of the messages, in (0, 1]. */
  readonly share: number;
  /** Part of the message that is corrupted. Default: `bits`. */
  readonly of?: 'signature' | 'bits';
}

/** Every message of the affected links takes longer. */
export interface SlowLinks extends Links {
  readonly kind: 'slow-links';
  /** Additional one-way latency, ms. */
  readonly byMs: number;
}

/** Verifications that begin during the fault take longer (v1.03 section 4.2.1). */
export interface SlowNodes extends Window {
  readonly kind: 'slow-nodes';
  readonly nodes: NodeSet;
  /** Factor by which a verification takes longer, 1 to 1000. */
  readonly factor: number;
}

/**
 * Throughout the run, the nodes' clocks differ from the common clock by this offset, -60,000 to 60,000 ms; a negative
 * offset means that the nodes' clocks are behind. Nodes with a clock that is ahead start earlier, but not before the
 * common origin; nodes with a clock that is behind start later (v1.03 section 4.2.3).
 */
export interface Skew {
  readonly kind: 'skew';
  readonly nodes: NodeSet;
  readonly byMs: number;
}

/** The nodes' clocks and timers run at a different rate throughout the run. */
export interface Drift {
  readonly kind: 'drift';
  readonly nodes: NodeSet;
  /** Seconds of the clock per true second, 0.1 to 10. */
  readonly rate: number;
}

/**
 * Returns the latest end of a plan's faults, ms; 0 for an empty plan. For a fault without an end, the start counts
 * instead.
 */
export function healedAtMs(faults: readonly Fault[]): number {
  const ends = faults.map(
    (fault) => ('atMs' in fault ? (fault.atMs ?? 0) : 0) + ('forMs' in fault ? (fault.forMs ?? 0) : 0),
  );
  return Math.max(0, ...ends);
}

/** Checks a field's value. @throws RangeError for an invalid value. */
type Check = (label: string, value: unknown, nodes: number) => void;

/** Fields of each kind of fault. Names of optional fields end with `?`. */
type Form = Readonly<Record<string, Check>>;

/**
 * Maximum start time or duration of a fault, ms. Even a fault with the latest start and the longest duration ends
 * within the 32 bits of µs in a recording.
 */
export const longestFaultMs = 600_000;

/**
 * Maximum number of faults. A larger number is probably a mistake, and every network fault adds processing time to
 * every message.
 */
export const maxFaults = 1000;

const numberIn =
  (min: number, max: number): Check =>
  (label, value) => {
    if (!(typeof value === 'number' && value >= min && value <= max))
      refuse(label, `a number from ${min} to ${max}`, value);
  };
const time = numberIn(0, longestFaultMs);
const duration = numberIn(0.001, longestFaultMs);

const share: Check = (label, value) => {
  if (!(typeof value === 'number' && value > 0 && value <= 1))
    refuse(label, 'a number greater than 0 and at most 1', value);
};

const oneOf =
  (...allowed: readonly string[]): Check =>
  (label, value) => {
    if (!(typeof value === 'string' && allowed.includes(value))) refuse(label, allowed.join(' or '), value);
  };

const nodeSet: Check = (label, value, nodes) => {
  if (isObject(value)) {
    validateForm(label, { share }, value, nodes);
    return;
  }
  if (!Array.isArray(value) || value.length === 0) refuse(label, 'a list of ids or {"share": S}', value);
  const seen = new Set<unknown>();
  for (const [index, id] of value.entries()) {
    if (!(Number.isInteger(id) && id >= 0 && id < nodes))
      refuse(`${label}[${index}]`, `an id from 0 to ${nodes - 1}`, id);
    if (seen.has(id)) refuse(`${label}[${index}]`, 'an id that is not in the list yet', id);
    seen.add(id);
  }
};

const links = { 'from?': nodeSet, 'to?': nodeSet, 'atMs?': time, 'forMs?': duration };

const forms: Readonly<Record<FaultKind, Form>> = {
  crash: { nodes: nodeSet, atMs: time },
  restart: { nodes: nodeSet, atMs: time, forMs: duration, state: oneOf('lost', 'kept') },
  pause: { nodes: nodeSet, atMs: time, forMs: duration },
  partition: { nodes: nodeSet, atMs: time, forMs: duration },
  loss: { share, ...links },
  duplication: { share, 'withinMs?': time, ...links },
  reordering: { share, byMs: duration, ...links },
  corruption: { share, 'of?': oneOf('signature', 'bits'), ...links },
  'slow-links': { byMs: duration, ...links },
  'slow-nodes': { nodes: nodeSet, factor: numberIn(1, 1000), 'atMs?': time, 'forMs?': duration },
  skew: { nodes: nodeSet, byMs: numberIn(-60_000, 60_000) },
  drift: { nodes: nodeSet, rate: numberIn(0.1, 10) },
};

/** Names of the kinds of {@link Fault}. */
export const faultKinds = Object.keys(forms) as readonly FaultKind[];

/**
 * Checks a whole plan, since it may come from an untrusted file. A field that does not belong to the fault's kind is
 * rejected like an invalid value. Such a field may be misspelt, and the intended field would silently keep its default.
 *
 * @param nodes number of nodes N.
 * @throws RangeError that names the fault and the field, such as `faults[3].atMs`.
 */
export function validateFaults(faults: unknown, nodes: number): asserts faults is readonly Fault[] {
  if (!Array.isArray(faults)) refuse('faults', 'a list of faults', faults);
  if (faults.length > maxFaults) refuse('faults', `a list of at most ${maxFaults}`, faults.length);
  for (const [index, fault] of faults.entries()) {
    const label = `faults[${index}]`;
    if (!isObject(fault)) refuse(label, 'an object with a kind', fault);
    const { kind, ...fields } = fault;
    oneOf(...faultKinds)(`${label}.kind`, kind, nodes);
    validateForm(label, forms[kind as FaultKind], fields, nodes);
  }
}

function validateForm(label: string, form: Form, fields: Readonly<Record<string, unknown>>, nodes: number): void {
  const known = Object.keys(form).map((name) => name.replace('?', ''));
  for (const field of Object.keys(fields)) {
    if (!known.includes(field)) refuse(label, `no fields but ${known.join(', ')}`, field, suggestion(field, known));
  }
  for (const [name, check] of Object.entries(form)) {
    const field = name.replace('?', '');
    const value = fields[field];
    if (value !== undefined || field === name) check(`${label}.${field}`, value, nodes);
  }
}

/** Refuses an invalid value. @throws RangeError that shows the value as JSON, shortened to one line. */
function refuse(label: string, what: string, got: unknown, advice = ''): never {
  const text = JSON.stringify(got) ?? 'nothing';
  throw new RangeError(`${label}: expected ${what}, got ${shortened(text, 40)}${advice}`);
}
