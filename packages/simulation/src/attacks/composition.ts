import { expected, requireText, shortened } from '@tutti/core/input';
import { type Placement, placementForm, placementText, readPlacement } from './placement.ts';
import finds from './worstFinds.json' with { type: 'json' };

/** A composed attack: the positions of its nodes, and their contributions on each level. */
export interface AttackPlan {
  /** Positions of the nodes; undefined for ids drawn by seed. */
  readonly placement: Placement | undefined;
  readonly composition: Composition;
}

/** Returns a plan as one word: `[PLACEMENT:]COMPOSITION`. */
export function planText({ placement, composition }: AttackPlan): string {
  return `${placement === undefined ? '' : `${placementText(placement)}:`}${compositionText(composition)}`;
}

/** Reads the text of `planText`. @throws RangeError with the label, the expected form and the actual text. */
export function readPlan(text: string, label = 'attack plan'): AttackPlan {
  requireText(label, text);
  const [first = '', second, ...more] = text.split(':');
  if (second === undefined) return { placement: undefined, composition: readComposition(first, label) };
  if (more.length > 0)
    throw new RangeError(expected(label, `${placementForm}:${compositionForm}`, shortened(text, 80)));
  return { placement: readPlacement(first, label), composition: readComposition(second, label) };
}

/** Kinds of contributions that a Byzantine sender gives a victim (v1.03 section 4.1 (2) and (3)). */
export const partKinds = [
  /** An invalid contribution that claims the whole level. */
  'invalid',
  /** The sender's own individual contribution: valid, and useful for one signer, once. */
  'light',
  /**
   * The individual contribution of a member that In_l lacks: the sender's own, or else another member's. The
   * contribution is valid, useful for one signer, and usable again whenever In_l was replaced by a set without it.
   */
  'borrowed',
  /**
   * An invalid contribution while the level's window has at least its initial size, otherwise a light one. The two
   * kinds alternately shrink and enlarge the window.
   */
  'mixed',
] as const;
export type PartKind = (typeof partKinds)[number];

/** Moments that depend on the victim: one member of the part always has a contribution waiting. */
export const moments = [
  /**
   * Before all honest contributions that are waiting at the level; never while no honest contribution is waiting at any
   * level.
   */
  'front',
  /** Like `front`, and also before all contributions that wait on other levels, as if levels were compared by rank. */
  'ahead',
  /** Always, even if no honest contribution waits on the level. */
  'always',
] as const;
export type Moment = (typeof moments)[number];

/**
 * A schedule that starts at a time after the victim's start. Members send one after another, the best-ranked member
 * first.
 */
export interface Schedule {
  /** Time from the victim's start until the first member sends, ms. */
  readonly fromMs: number;
  /** Time between two members, ms; 0 for all members at the same time. */
  readonly everyMs: number;
}

/** Actions of some of a level's Byzantine peers against a victim. */
export interface Part {
  readonly what: PartKind;
  /**
   * Number of members of this part, the best-ranked members left by earlier parts; undefined for all remaining members.
   */
  readonly count: number | undefined;
  readonly when: Moment | Schedule;
}

/**
 * An attack per level: the contributions that the Byzantine peers of each level send to a victim, and the sending
 * times. Levels are in descending order from the top; the last entry applies to all lower levels.
 */
export type Composition = readonly (readonly Part[])[];

/** Maximum number of levels in a composition. */
export const maxLevels = 20;
/** Maximum number of parts per level. */
export const maxParts = 4;
/** Maximum value of each time in a schedule, ms. */
const maxMs = 60_000;

/** Expected form of a composition, for error messages. */
const compositionForm = `levels from the top down, such as light@0/1invalid@0+light@front: at most ${maxLevels}, each '-' or up to ${maxParts} parts [COUNT]${partKinds.join('|')}@${moments.join('|')}|FROMMS[~EVERYMS]`;

/** Returns a composition as one word. */
export function compositionText(composition: Composition): string {
  return composition.map((parts) => (parts.length === 0 ? '-' : parts.map(partText).join('+'))).join('/');
}

function partText({ what, count, when }: Part): string {
  const moment = typeof when === 'string' ? when : `${when.fromMs}${when.everyMs === 0 ? '' : `~${when.everyMs}`}`;
  return `${count ?? ''}${what}@${moment}`;
}

/** Reads the text of `compositionText`. @throws RangeError with the label, the expected form and the actual text. */
export function readComposition(text: string, label = 'attack plan'): Composition {
  requireText(label, text);
  const refuse = (): never => {
    throw new RangeError(expected(label, compositionForm, shortened(text, 80)));
  };
  const levels = text.split('/');
  if (levels.length > maxLevels) refuse();
  return levels.map((level) => {
    const parts = level === '-' ? [] : level.split('+');
    if (parts.length > maxParts) refuse();
    return parts.map((part) => readPart(part) ?? refuse());
  });
}

const partPattern = /^(\d{1,7})?([a-z]+)@(?:([a-z]+)|(\d{1,5}(?:\.\d{1,3})?)(?:~(\d{1,5}(?:\.\d{1,3})?))?)$/;

function readPart(text: string): Part | undefined {
  const [, count, what, moment, from = '', every = '0'] = partPattern.exec(text) ?? [];
  const kind = partKinds.find((one) => one === what);
  const named = moments.find((one) => one === moment);
  if (kind === undefined || (moment !== undefined && named === undefined)) return undefined;
  const schedule = { fromMs: Number(from), everyMs: Number(every) };
  if (schedule.fromMs > maxMs || schedule.everyMs > maxMs) return undefined;
  return { what: kind, count: count === undefined ? undefined : Number(count), when: named ?? schedule };
}

/** Returns the parts of one of `levels` levels. The composition's last entry applies to all lower levels. */
export function partsOn(composition: Composition, level: number, levels: number): readonly Part[] {
  return composition[Math.min(levels - level, composition.length - 1)]!;
}

/**
 * Attacks that `tutti attack search` found to delay honest nodes most, by the rules of its version;
 * docs/research/attack-search.md describes the search.
 */
export const worstFinds: readonly { readonly plan: string; readonly found: string }[] = finds;
