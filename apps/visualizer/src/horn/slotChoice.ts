import type { HornSystem } from '@tutti/core/horn';
import { type HornAttackShare, hornAttackNamed, hornAttacks } from '@tutti/ethereum';
import { choice, type Field, type FieldTable, named, number, seeds, whole } from '../links/fields.ts';

/** Names of the systems in the page's texts. */
export const systemNames: Readonly<Record<HornSystem, string>> = {
  'status-quo': 'status quo',
  strawman: 'strawman',
  horn: 'Horn',
};

/** Models of a slot: under the assumptions of Horn's post, or on a network with limited links and machines. */
export type SlotModel = 'post' | 'network';

/** Settings of a slot that both models have. */
export interface SlotChoice {
  readonly validators: number;
  /** Name of the network that determines the latencies, as accepted by `createNetwork`. */
  readonly network: string;
  /** Share of the validators that are offline. */
  readonly dead: number;
  readonly seed: number;
  /** Attack with its share. The page offers at most one attack at a time. */
  readonly attacks: readonly HornAttackShare[];
}

/** Numbers of validators that the page offers. The proportions in the post require powers of two. */
export const validatorChoices: readonly number[] = [14, 15, 16, 17, 18, 19, 20].map((power) => 2 ** power);

/** Ranges of the fields in links and in the form. */
export const slotLimits = {
  dead: { min: 0, max: 0.5 },
  byzantine: { min: 0.01, max: 0.4 },
  seed: seeds,
} as const;

const share = number(slotLimits.byzantine, 0.2, 0.01);

/** Field for an attack with its share, such as `griefing:0.2`. The default share is 0.2. */
const attacks: Field<SlotChoice['attacks']> = {
  name: 'attack',
  first: [],
  takes: `an attack and its share, such as ${hornAttacks[0]!.name}:0.2`,
  read: (given) => attackIn(given, share.read),
  nearest: (given) => attackIn(given, share.nearest),
  write: ([attack]) => attack && `${attack.name}:${attack.share}`,
};

function attackIn(given: string, shareOf: (text: string) => number | undefined): SlotChoice['attacks'] | undefined {
  const [name = '', text = '', ...more] = given.split(':');
  const read = text === '' ? share.first : shareOf(text);
  return hornAttackNamed(name) === undefined || read === undefined || more.length > 0
    ? undefined
    : [{ name, share: read }];
}

/** Returns the fields for a link to a slot in either model. @param first default values of the fields. */
export function choiceTable(first: Omit<SlotChoice, 'attacks'>): FieldTable<SlotChoice> {
  return {
    validators: named('n', choice(validatorChoices, first.validators)),
    network: choice(['aws', 'cities', 'distance'], first.network),
    dead: number(slotLimits.dead, first.dead, 0.01),
    seed: whole(slotLimits.seed, first.seed),
    attacks,
  };
}
