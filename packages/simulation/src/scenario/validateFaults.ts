import { isObject, likeliest, shortened } from '@tutti/core/input';
import type { Fault, FaultKind } from './faultPlan.ts';

/** Checks a field's value. Throws a RangeError for an invalid one. */
type Check = (label: string, value: unknown, nodes: number) => void;

/** Fields of a fault. Optional ones have a `?` after their name. */
type Form = Readonly<Record<string, Check>>;

/**
 * Maximum time of a fault, ms. Even a fault that starts last and lasts longest ends within a recording's 32 bits of µs.
 */
export const longestFaultMs = 600_000;

/** Maximum number of faults. More is probably a mistake, and every network fault costs time on every message. */
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
 * Checks a whole plan, since it may come from a file, which is not trusted. A field that a kind does not have is
 * rejected like a wrong one. It may be a misspelling, which would leave the default.
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
    if (!known.includes(field)) refuse(label, `no fields but ${known.join(', ')}`, field, likeliest(field, known));
  }
  for (const [name, check] of Object.entries(form)) {
    const field = name.replace('?', '');
    const value = fields[field];
    if (value !== undefined || field === name) check(`${label}.${field}`, value, nodes);
  }
}

/** Throws the error for an invalid fault. The message shows the value as JSON, shortened to one line. */
function refuse(label: string, what: string, got: unknown, meant?: string): never {
  const text = JSON.stringify(got) ?? 'nothing';
  const advice = meant === undefined ? '' : ` (Did you mean ${meant}?)`;
  throw new RangeError(`${label}: expected ${what}, got ${shortened(text, 40)}${advice}`);
}
