import { defaultHornParameters, type HornSystem, hornSystems, scaledHornParameters } from '@tutti/core/horn';
import { defaultSlotScenario, hornAttackNamed, type SlotScenario } from '@tutti/simulation/slots';

/** Everything that a link to a slot says: the slot, and where in it one looks. */
export interface SlotState {
  readonly scenario: SlotScenario;
  readonly committee: number;
  /** Of that committee. */
  readonly subcommittee: number;
  /** Undefined: from the beginning, playing. */
  readonly timeUs: number | undefined;
}

/** Numbers of validators that are offered: the post's proportions hold at powers of two. */
export const validatorChoices: readonly number[] = [14, 15, 16, 17, 18, 19, 20].map((power) => 2 ** power);

/** How far apart clocks may be, ms. */
export const desyncChoices = [0, 500, 1000, 2000] as const;

export const slotLimits = {
  dead: { min: 0, max: 0.5 },
  byzantine: { min: 0.01, max: 0.4 },
  seed: { min: 0, max: 2 ** 32 - 1 },
} as const;

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
  return systemNamed(new URLSearchParams(hash.replace(/^#/, '')).get('protocol')) !== undefined;
}

/** The part of the address after `#`, without it. */
export function encodeSlotState({ scenario, committee, subcommittee, timeUs }: SlotState): string {
  const { system, parameters, network, dead, desyncMs, seed, attacks } = scenario;
  const fields = [`protocol=${protocols[system]}`, `n=${parameters.validators}`, `network=${network}`, `dead=${dead}`];
  fields.push(`desync=${desyncMs}`, `seed=${seed}`);
  for (const { name, share } of attacks) fields.push(`attack=${name}:${share}`);
  fields.push(`committee=${committee}`, `subcommittee=${subcommittee}`);
  if (timeUs !== undefined) fields.push(`t=${timeUs / 1000}`);
  return fields.join('&');
}

/**
 * Reads a link, which anyone may have written: what is missing or makes no sense is as on a first visit, and the rest
 * is brought into its range.
 */
export function decodeSlotState(hash: string): SlotState {
  const fields = new URLSearchParams(hash.replace(/^#/, ''));
  const first = firstSlotState.scenario;
  const network = fields.get('network');
  const parameters = scaledHornParameters(
    chosen(fields.get('n'), validatorChoices, first.parameters.validators),
    defaultHornParameters,
  );
  const scenario: SlotScenario = {
    ...first,
    system: systemNamed(fields.get('protocol')) ?? first.system,
    parameters,
    network: network === 'cities' || network === 'distance' ? network : first.network,
    dead: percent(fields.get('dead'), slotLimits.dead, first.dead),
    desyncMs: chosen(fields.get('desync'), desyncChoices, first.desyncMs),
    seed: Math.round(within(fields.get('seed'), slotLimits.seed, first.seed)),
    attacks: readAttack(fields.get('attack')),
  };
  const timeMs = fields.get('t');
  const { committees, subcommittees } = parameters;
  return {
    scenario,
    committee: Math.round(within(fields.get('committee'), { min: 0, max: committees - 1 }, 0)),
    subcommittee: Math.round(within(fields.get('subcommittee'), { min: 0, max: subcommittees - 1 }, 0)),
    timeUs: timeMs === null ? undefined : Math.round(within(timeMs, { min: 0, max: 2 ** 31 / 1000 - 1 }, 0) * 1000),
  };
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

/** One attack at most, as the page offers. */
function readAttack(text: string | null): SlotScenario['attacks'] {
  const [name, share] = (text ?? '').split(':') as [string, string?];
  return hornAttackNamed(name) ? [{ name, share: percent(share ?? null, slotLimits.byzantine, 0.2) }] : [];
}

function chosen(text: string | null, choices: readonly number[], otherwise: number): number {
  const read = Number(text ?? Number.NaN);
  return choices.includes(read) ? read : otherwise;
}

function percent(text: string | null, range: { min: number; max: number }, otherwise: number): number {
  return Math.round(within(text, range, otherwise) * 100) / 100;
}

function within(text: string | null, range: { min: number; max: number }, otherwise: number): number {
  const read = text === null || text.trim() === '' ? Number.NaN : Number(text);
  return Number.isFinite(read) ? Math.min(Math.max(read, range.min), range.max) : otherwise;
}
