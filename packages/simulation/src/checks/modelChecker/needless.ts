import { type Breach, thrownBy } from './breach.ts';
import type { ModelSetting } from './setting.ts';
import { SmallWorld } from './smallWorld.ts';

/** A way to a broken claim without the choices that it can do without, tried one by one, the last ones first. */
export function withoutNeedless(
  setting: ModelSetting,
  way: readonly number[],
  claim: Breach['claim'],
): readonly number[] {
  let needed = way;
  for (let at = way.length - 2; at >= 0; at--) {
    const shorter = needed.filter((_, index) => index !== at);
    if (breaks(setting, shorter, claim)) needed = shorter;
  }
  return needed;
}

/** Whether every choice but the last can be made, and that one breaks the claim. */
function breaks(setting: ModelSetting, way: readonly number[], claim: Breach['claim']): boolean {
  const world = new SmallWorld(setting);
  for (const [index, chosen] of way.entries()) {
    if (!world.allows(chosen)) return false;
    const broken = thrownBy(() => void world.apply(chosen));
    if (broken !== undefined) return broken.claim === claim && index === way.length - 1;
  }
  return false;
}
