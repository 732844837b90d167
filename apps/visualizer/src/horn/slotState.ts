import { defaultHornParameters, type HornSystem, hornSystems, scaledHornParameters } from '@tutti/core/horn';
import { defaultSlotScenario, type SlotScenario } from '@tutti/ethereum';
import { within } from '../state/within.ts';
import { choiceFields, chosen, linkFields, readChoice, readMoment, type SlotChoice } from './slotChoice.ts';

/** Everything that a link to a slot under the post's assumptions says: the slot, and where in it one looks. */
export interface SlotState {
  readonly scenario: SlotScenario;
  readonly committee: number;
  /** Of that committee. */
  readonly subcommittee: number;
  /** Undefined: from the beginning, playing. */
  readonly timeUs: number | undefined;
}

/** How far apart clocks may be, ms. */
export const desyncChoices = [0, 500, 1000, 2000] as const;

/** As `tutti simulate --protocol` calls them. */
const protocols: Readonly<Record<HornSystem, string>> = {
  'status-quo': 'horn-status-quo',
  strawman: 'horn-strawman',
  horn: 'horn',
};

export const firstSlotState: SlotState = {
  scenario: defaultSlotScenario,
  committee: 0,
  subcommittee: 0,
  timeUs: undefined,
};

/** Does a part of an address speak of a slot? */
export function isSlotLink(hash: string): boolean {
  return systemNamed(linkFields(hash).get('protocol')) !== undefined;
}

/** The part of the address after `#`, without it. */
export function encodeSlotState({ scenario, committee, subcommittee, timeUs }: SlotState): string {
  const fields = [`protocol=${protocols[scenario.system]}`, ...choiceFields(choiceOf(scenario))];
  fields.push(`desync=${scenario.desyncMs}`, `committee=${committee}`, `subcommittee=${subcommittee}`);
  if (timeUs !== undefined) fields.push(`t=${timeUs / 1000}`);
  return fields.join('&');
}

/**
 * Reads a link, which anyone may have written: what is missing or makes no sense is as on a first visit, and the rest
 * is brought into its range.
 */
export function decodeSlotState(hash: string): SlotState {
  const fields = linkFields(hash);
  const first = firstSlotState.scenario;
  const scenario = slotOf(
    readChoice(fields, choiceOf(first)),
    systemNamed(fields.get('protocol')) ?? first.system,
    chosen(Number(fields.get('desync') ?? Number.NaN), desyncChoices, first.desyncMs),
  );
  const { committees, subcommittees } = scenario.parameters;
  return {
    scenario,
    committee: Math.round(within(fields.get('committee'), { min: 0, max: committees - 1 }, 0)),
    subcommittee: Math.round(within(fields.get('subcommittee'), { min: 0, max: subcommittees - 1 }, 0)),
    timeUs: readMoment(fields),
  };
}

/** What is chosen as a scenario. */
export function slotOf({ validators, ...choice }: SlotChoice, system: HornSystem, desyncMs: number): SlotScenario {
  const parameters = scaledHornParameters(validators, defaultHornParameters);
  return { ...firstSlotState.scenario, ...choice, system, parameters, desyncMs };
}

export function choiceOf({ parameters, network, dead, seed, attacks }: SlotScenario): SlotChoice {
  return { validators: parameters.validators, network, dead, seed, attacks };
}

/** Are the slots equal except for the system that they are played with? */
export function sameSlot(a: SlotScenario, b: SlotScenario): boolean {
  return JSON.stringify({ ...a, system: '' }) === JSON.stringify({ ...b, system: '' });
}

/** The command that plays the same slot in a terminal, with the same digest. */
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

function systemNamed(protocol: string | null): HornSystem | undefined {
  return hornSystems.find((system) => protocols[system] === protocol);
}
