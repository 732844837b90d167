import { defaultHornParameters, type HornSystem, hornSystems, scaledHornParameters } from '@tutti/core/horn';
import { defaultSlotScenario, type SlotScenario } from '@tutti/ethereum';
import { choice, Fields, type FieldTable, moment, named, parametersOf, type Reading, whole } from '../links/fields.ts';
import { choiceTable, type SlotChoice } from './slotChoice.ts';

/** Content of a link to a slot under the post's assumptions: the slot, and the position in the slot. */
export interface SlotState {
  readonly scenario: SlotScenario;
  readonly committee: number;
  /** Index of the subcommittee within the committee. */
  readonly subcommittee: number;
  /** Time on the clock, µs; if undefined, the slot plays from the beginning. */
  readonly timeUs: number | undefined;
}

/** Maximum differences between clocks that the page offers, ms. */
const desyncChoices = [0, 500, 1000, 2000] as const;

/** Names of the systems as values of `tutti simulate --protocol`. */
const protocols: Readonly<Record<HornSystem, string>> = {
  'status-quo': 'horn-status-quo',
  strawman: 'horn-strawman',
  horn: 'horn',
};

/** State on a first visit. */
export const firstSlotState: SlotState = {
  scenario: defaultSlotScenario,
  committee: 0,
  subcommittee: 0,
  timeUs: undefined,
};

/** Settings of a slot under the post's assumptions. */
export interface PostChoice extends SlotChoice {
  readonly system: HornSystem;
  readonly desyncMs: number;
}

const first = firstSlotState.scenario;
const table: FieldTable<PostChoice> = {
  system: named(
    'protocol',
    choice(hornSystems, first.system, (system) => protocols[system]),
  ),
  ...choiceTable(choiceOf(first)),
  desyncMs: named('desync', choice<number>(desyncChoices, first.desyncMs)),
};

/** Fields of the form. */
export const postFields = new Fields(table);

/** Returns the fields for a link to one slot. The ranges of the fields depend on the slot's committees. */
const fieldsWithin = ({ committees, subcommittees }: SlotScenario['parameters']) =>
  new Fields<PostChoice & Omit<SlotState, 'scenario'>>({
    ...table,
    committee: whole({ min: 0, max: committees - 1 }, 0),
    subcommittee: whole({ min: 0, max: subcommittees - 1 }, 0),
    timeUs: moment,
  });

/** Returns whether the fragment of an address is a link to a slot. */
export function isSlotLink(hash: string): boolean {
  return table.system.read(parametersOf(hash).get('protocol') ?? '') !== undefined;
}

/** Returns the fragment for a link to a slot, without `#`. */
export function slotLink({ scenario, ...place }: SlotState): string {
  return fieldsWithin(scenario.parameters).write({ ...choiceOf(scenario), ...place }, true);
}

/** Parses a link from an untrusted source. */
export function readSlotLink(hash: string): Reading<SlotState> {
  const scenario = slotOf(postFields.read(hash).values);
  const { values, notices } = fieldsWithin(scenario.parameters).read(hash);
  const { committee, subcommittee, timeUs } = values;
  return { values: { scenario, committee, subcommittee, timeUs }, notices };
}

/** Converts the settings to a scenario. */
export function slotOf({ validators, ...chosen }: PostChoice): SlotScenario {
  const parameters = scaledHornParameters(validators, defaultHornParameters);
  return { ...firstSlotState.scenario, ...chosen, parameters };
}

/** Returns the settings of a scenario. */
export function choiceOf({ system, parameters, network, dead, seed, attacks, desyncMs }: SlotScenario): PostChoice {
  return { system, validators: parameters.validators, network, dead, seed, attacks, desyncMs };
}

/** Returns whether two slots have the same settings except for the system. */
export function sameSlot(a: SlotScenario, b: SlotScenario): boolean {
  return JSON.stringify({ ...a, system: '' }) === JSON.stringify({ ...b, system: '' });
}

/** Returns the command that simulates the same slot in a terminal, with the same digest. */
export function slotCommand({
  system,
  parameters,
  threshold,
  network,
  dead,
  desyncMs,
  seed,
  attacks,
}: SlotScenario): string {
  return [
    `npx tutti simulate --protocol ${protocols[system]}`,
    `--nodes ${parameters.validators} --threshold ${threshold} --network ${network}`,
    `--dead ${dead} --desync ${desyncMs} --seed ${seed}`,
    ...attacks.map(({ name, share }) => `--attack ${name}:${share}`),
  ].join(' ');
}
