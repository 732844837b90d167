/**
 * 3SF-mini as leanSpec has it (forks/lstar/state_transition.py, slot.py): which slots can be justified, and when what is
 * justified becomes final.
 */

/** Whether a slot at that distance from the finalized one can be justified: up to 5, a square, or x(x+1). */
export function isJustifiable(slot: number, finalized: number): boolean {
  const distance = slot - finalized;
  if (distance < 0) return false;
  if (distance <= 5) return true;
  const root = Math.floor(Math.sqrt(distance));
  return root * root === distance || root * (root + 1) === distance;
}

/** Whether justifying the target makes the source final: no slot strictly between them could have been justified. */
export function finalizes(source: number, target: number, finalized: number): boolean {
  for (let slot = source + 1; slot < target; slot++) if (isJustifiable(slot, finalized)) return false;
  return true;
}

/**
 * What a validator votes for: from the head at most `lookback` blocks back, not below the safe target or the finalized
 * slot, and then to a slot that can be justified (validator_duties.py).
 *
 * @param parentOf the slot of the block before that of a slot.
 */
export function targetOf(
  head: number,
  { safe, finalized, lookback }: { readonly safe: number; readonly finalized: number; readonly lookback: number },
  parentOf: (slot: number) => number,
): number {
  let target = head;
  const floor = Math.max(safe, finalized);
  for (let back = 0; back < lookback && target > floor; back++) target = parentOf(target);
  while (target > finalized && !isJustifiable(target, finalized)) target = parentOf(target);
  return target;
}
