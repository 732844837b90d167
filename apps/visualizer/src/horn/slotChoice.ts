import { type HornAttackShare, hornAttackNamed } from '@tutti/ethereum';
import { seeds, within } from '../state/within.ts';

/** What a slot is played under: the assumptions of Horn's post, or a network whose links and machines have limits. */
export type SlotModel = 'post' | 'network';

/** What is chosen of a slot under either. */
export interface SlotChoice {
  readonly validators: number;
  /** Of its latencies, as `createNetwork` takes its name. */
  readonly network: string;
  readonly dead: number;
  readonly seed: number;
  /** One attack at most, as the page offers. */
  readonly attacks: readonly HornAttackShare[];
}

/** Numbers of validators that are offered: the post's proportions hold at powers of two. */
export const validatorChoices: readonly number[] = [14, 15, 16, 17, 18, 19, 20].map((power) => 2 ** power);

export const slotLimits = {
  dead: { min: 0, max: 0.5 },
  byzantine: { min: 0.01, max: 0.4 },
  seed: seeds,
} as const;

/** The fields of a link; the part of an address after `#`, with it or without. */
export function linkFields(hash: string): URLSearchParams {
  return new URLSearchParams(hash.replace(/^#/, ''));
}

/** The fields that a link to a slot has under either model. */
export function choiceFields({ validators, network, dead, seed, attacks }: SlotChoice): string[] {
  const fields = [`n=${validators}`, `network=${network}`, `dead=${dead}`, `seed=${seed}`];
  for (const { name, share } of attacks) fields.push(`attack=${name}:${share}`);
  return fields;
}

/**
 * Reads them from a link, which anyone may have written: what is missing or makes no sense is as at first, and the rest
 * is brought into its range.
 */
export function readChoice(fields: URLSearchParams, first: SlotChoice): SlotChoice {
  return {
    validators: chosen(Number(fields.get('n') ?? Number.NaN), validatorChoices, first.validators),
    network: chosen(fields.get('network'), ['aws', 'cities', 'distance'], first.network),
    dead: percent(fields.get('dead'), slotLimits.dead, first.dead),
    seed: Math.round(within(fields.get('seed'), slotLimits.seed, first.seed)),
    attacks: readAttack(fields.get('attack')),
  };
}

/** The moment that a link names, microseconds; undefined for none. */
export function readMoment(fields: URLSearchParams): number | undefined {
  const timeMs = fields.get('t');
  return timeMs === null ? undefined : Math.round(within(timeMs, { min: 0, max: 2 ** 31 / 1000 - 1 }, 0) * 1000);
}

/** One of the choices, or what it is otherwise. */
export function chosen<Choice>(read: unknown, choices: readonly Choice[], otherwise: Choice): Choice {
  return choices.includes(read as Choice) ? (read as Choice) : otherwise;
}

function percent(text: string | null, range: { min: number; max: number }, otherwise: number): number {
  return Math.round(within(text, range, otherwise) * 100) / 100;
}

function readAttack(text: string | null): SlotChoice['attacks'] {
  const [name, share] = (text ?? '').split(':') as [string, string?];
  return hornAttackNamed(name) ? [{ name, share: percent(share ?? null, slotLimits.byzantine, 0.2) }] : [];
}
