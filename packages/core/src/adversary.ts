export type { Attack, AttackSetting, ByzantinePort, Coalition, HonestRules } from './adversary/attack.ts';
export { attackNamed, attacks } from './adversary/attacks.ts';
export {
  type Composition,
  compositionForm,
  type Part,
  readComposition,
  type Schedule,
} from './adversary/composition.ts';
export { isHonestFirst, oddsOfHonestFirst } from './adversary/firstPlaces.ts';
export { worstFinds } from './adversary/worstFinds.ts';
export {
  AttackSearch,
  type AttackSearchOptions,
  searchPatienceMs,
  type Tried,
  triedAs,
} from './simulation/attackSearch/attackSearch.ts';
