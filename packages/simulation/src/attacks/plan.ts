import { shortened } from '@tutti/core/input';
import { expected, requireText } from '@tutti/core/settings';
import { type Composition, compositionForm, compositionText, readComposition } from './composition.ts';
import { type Placement, placementForm, placementText, readPlacement } from './placement.ts';

/** An attack that is composed: where its nodes are, and what they send on each level. */
export interface AttackPlan {
  /** Undefined for ids that are drawn by seed. */
  readonly placement: Placement | undefined;
  readonly composition: Composition;
}

/** A plan as one word: `[PLACEMENT:]COMPOSITION`. */
export function planText({ placement, composition }: AttackPlan): string {
  return `${placement === undefined ? '' : `${placementText(placement)}:`}${compositionText(composition)}`;
}

/** Reads what `planText` wrote. @throws RangeError with the label, what was expected and what came. */
export function readPlan(text: string, label = 'attack plan'): AttackPlan {
  requireText(label, text);
  const [first = '', second, ...more] = text.split(':');
  if (second === undefined) return { placement: undefined, composition: readComposition(first, label) };
  if (more.length > 0)
    throw new RangeError(expected(label, `${placementForm}:${compositionForm}`, shortened(text, 80)));
  return { placement: readPlacement(first, label), composition: readComposition(second, label) };
}
