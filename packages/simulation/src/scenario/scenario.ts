import { levelCount } from '@tutti/core';
import {
  type AnyRange,
  expected,
  oneOf,
  requireFieldsOf,
  requireIn,
  requireObject,
  requireThreshold,
} from '@tutti/core/input';
import { attackNamed, choosesIds } from '../attacks/attacks.ts';
import { hasMachines } from '../engine/network/network.ts';
import { validateFaults } from './faultPlan.ts';
import { type Field, scenarioTable } from './scenarioTable.ts';
import type { Scenario } from './scenarioType.ts';
import { validateWeightsWith } from './weights.ts';

export { type ProtocolName, protocolNames } from '../attacks/attack.ts';
export type {
  AttackShare,
  CompleteGraphSettings,
  GossipSettings,
  SanFerminSettings,
  Scenario,
} from './scenarioType.ts';

/** A scenario field with values that are not known at compile time. */
export interface AnyField extends Omit<Field<unknown>, 'range'> {
  readonly range: AnyRange;
}

/** A row of {@link scenarioTable}, with access to the field's value. */
export interface ScenarioRow {
  /** Path of the scenario's field in errors, such as `cpu.spread`. */
  readonly path: string;
  /** Group of settings that contains the field, if any. */
  readonly group: keyof Scenario | undefined;
  readonly field: AnyField;
  readonly get: (scenario: Scenario) => unknown;
  /**
   * Returns the scenario with another value for this field. The scenario may be incomplete, containing only the fields
   * set so far.
   */
  readonly set: (scenario: Scenario, value: unknown) => Scenario;
}

type Rows = { readonly [name: string]: AnyField | Rows };

const isField = (row: AnyField | Rows): row is AnyField => 'range' in row;

/** All fields of a scenario, in the order in which a command names them. */
export const scenarioRows: readonly ScenarioRow[] = Object.entries(scenarioTable as unknown as Rows).flatMap(
  ([name, row]) => {
    const key = name as keyof Scenario;
    if (isField(row)) return [rowOf(key, row)];
    return Object.entries(row).map(([inner, field]) => innerRowOf(key, inner, field as AnyField));
  },
);

function rowOf(key: keyof Scenario, field: AnyField): ScenarioRow {
  return {
    path: key,
    group: undefined,
    field,
    get: (scenario) => scenario[key],
    set: (scenario, value) => ({ ...scenario, [key]: value }),
  };
}

function innerRowOf(group: keyof Scenario, key: string, field: AnyField): ScenarioRow {
  const groupOf = (scenario: Scenario): Readonly<Record<string, unknown>> => ({ ...(scenario[group] as object) });
  return {
    path: `${group}.${key}`,
    group,
    field,
    get: (scenario) => groupOf(scenario)[key],
    set: (scenario, value) => ({ ...scenario, [group]: { ...groupOf(scenario), [key]: value } }),
  };
}

/** Default scenario: the paper's parameters on its AWS network. */
export const defaultScenario: Scenario = scenarioRows.reduce<Scenario>(
  (scenario, { field, set }) => set(scenario, field.default),
  {} as Scenario,
);

/** A field that existed only in earlier versions. */
interface FormerField {
  /** Value with which a run is the same as without the field. */
  readonly usual: unknown;
  /** Last commit in which runs could have another value. */
  readonly commit: string;
}

/** Fields that only earlier versions had. */
const formerFields: ReadonlyMap<string, FormerField> = new Map([
  ['adaptive', { usual: false, commit: 'abb67a70' }],
  ['contacts', { usual: 'one', commit: 'abb67a70' }],
  ['habits', { usual: [], commit: '88344e17' }],
  ['referenceQuirks', { usual: [], commit: '88344e17' }],
  ['wire', { usual: 'tutti', commit: '88344e17' }],
]);

/**
 * Returns the given fields of a scenario, without obsolete fields that change nothing.
 *
 * @throws RangeError for an obsolete field with a value that is no longer supported.
 */
export function withoutFormerFields(fields: object): Record<string, unknown> {
  requireObject('fields', fields);
  const present = Object.entries(fields).filter(([name, value]) => {
    const former = formerFields.get(name);
    if (former === undefined) return true;
    const { usual, commit } = former;
    if (JSON.stringify(value) === JSON.stringify(usual)) return false;
    const text = Array.isArray(usual) ? 'none' : String(usual);
    throw new RangeError(expected(name, `${text}, the only value in versions after ${commit}`, value));
  });
  return Object.fromEntries(present);
}

const groups = [...new Set(scenarioRows.flatMap(({ group }) => group ?? []))];

/**
 * Checks that an argument is a scenario and has only known fields. Without this check, a misspelt field would be
 * ignored.
 *
 * @throws TypeError that names the field.
 */
export function requireScenario(scenario: Scenario): void {
  requireFieldsOf('scenario', scenario, defaultScenario, 'defaultScenario');
  for (const group of groups) {
    requireFieldsOf(`scenario.${group}`, scenario[group], defaultScenario[group] as object, `defaultScenario.${group}`);
  }
}

/**
 * Checks a scenario. @throws RangeError that names the field, the expected value and the actual value; TypeError for a
 * scenario, a group or a list of another type.
 */
export function validateScenario(scenario: Scenario): void {
  requireObject('scenario', scenario, 'an object like that of defaultScenario');
  for (const group of groups) requireObject(group, scenario[group]);
  for (const { path, field, get } of scenarioRows) requireIn(path, get(scenario), field.range);
  validateTogether(scenario);
}

/** Maximum number of levels of a tree. A run's events and a recording's lines have 5 bits for a level. */
const maxLevels = 31;

/** Checks fields whose values depend on each other. */
function validateTogether(scenario: Scenario): void {
  const { protocol, nodes, branching, absent, cpu, network } = scenario;
  requireThreshold('threshold', scenario.threshold, nodes);
  if (branching !== 2) requireIn(`protocol with branching ${branching}`, protocol, oneOf(['handel']));
  const levels = levelCount(nodes, branching);
  if (levels > maxLevels) {
    const subject = `levels of ${nodes} nodes with branching ${branching}`;
    throw new RangeError(`${expected(subject, `at most ${maxLevels}`, levels)}; use branching 4, or fewer nodes`);
  }
  if (absent > nodes) throw new RangeError(expected('absent', `a share, or a number of at most ${nodes}`, absent));
  if (cpu.perMessageUs > 0 && cpu.nodesPerCore === 0)
    throw new RangeError(
      `${expected('cpu.nodesPerCore', 'at least 1 if messages have a cost', 0)}; use 1 to give each node its own core`,
    );
  validateAttacks(scenario);
  validateWeightsWith(scenario);
  validateFaults(scenario.faults, nodes);
  const needing = machineFields(scenario);
  if (needing.length === 0) return;
  const subject = `network with ${needing.map(({ path, get }) => `${path} ${get(scenario)}`).join(' and ')}`;
  const advice = needing.map(({ path, field }) => `${path} to ${field.default}`).join(' and ');
  throw new RangeError(
    `${expected(subject, 'aws-blocks or aws-blocks:MACHINES', network)}; for another network, set ${advice}`,
  );
}

/**
 * Returns the fields that need machines if the scenario's network has none. The default values of these fields require
 * no machines.
 */
export function machineFields(scenario: Scenario): readonly ScenarioRow[] {
  if (hasMachines(scenario.network)) return [];
  return scenarioRows.filter(
    ({ path, field, get }) => ['deadBy', 'cpu.startsApartMs'].includes(path) && get(scenario) !== field.default,
  );
}

function validateAttacks({ attacks, attackBy, protocol, dead }: Scenario): void {
  let sum = dead;
  for (const { name, share, plan } of attacks) {
    if (attackBy !== 'nodes' && choosesIds(name, plan))
      throw new RangeError(expected(`attackBy with ${name}, which chooses its ids`, 'nodes', attackBy));
    requireIn(`protocol under the attack ${name}`, protocol, oneOf(attackNamed(name)!.against));
    sum += share;
  }
  if (sum >= 1) throw new RangeError(expected('dead and Byzantine shares together', 'under 1', sum));
}
