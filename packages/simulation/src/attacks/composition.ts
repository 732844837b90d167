import { shortened } from '@tutti/core/input';
import { expected, requireText } from '@tutti/core/settings';
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

/** What a Byzantine sender gives a victim (v1.03 section 4.1 (2) and (3)). */
export const partKinds = [
  /** A contribution that claims the whole level and does not verify. */
  'invalid',
  /** Its own individual contribution: valid, and worth one signer, once. */
  'light',
  /**
   * That of another member that In_l lacks: valid, worth one signer, and to be had again whenever In_l was replaced by
   * a set without it.
   */
  'borrowed',
  /**
   * Invalid while the level's window is as large as at first, else light: what shrinks the window and what lets it grow
   * by turns.
   */
  'mixed',
] as const;
export type PartKind = (typeof partKinds)[number];

/** Moments that follow what the victim does: always one member of the part has something waiting there. */
export const moments = [
  /** In front of the best ranked honest contribution that waits on the level; nothing while none does. */
  'front',
  /** The same, and also before what waits on all other levels, as if levels were compared by rank. */
  'ahead',
  /** Whether or not anything honest waits on the level. */
  'always',
] as const;
export type Moment = (typeof moments)[number];

/** From a time on after the victim's start, one member after the other, best ranked first. */
export interface Schedule {
  readonly fromMs: number;
  /** 0 for all at once. */
  readonly everyMs: number;
}

/** What some of a level's Byzantine peers do to a victim. */
export interface Part {
  readonly what: PartKind;
  /** This many of the members that the earlier parts leave, the best ranked; undefined for all. */
  readonly count: number | undefined;
  readonly when: Moment | Schedule;
}

/**
 * An attack level by level: what the Byzantine peers of each level send a victim, and when. From the top level down;
 * the last one stands for all levels below it.
 */
export type Composition = readonly (readonly Part[])[];

/** No composition has more levels, or more parts on one. */
export const maxLevels = 20;
export const maxParts = 4;
const maxMs = 60_000;

/** What a composition looks like, for messages about one that does not. */
export const compositionForm = `levels from the top down as in light@0/1invalid@0+light@front: at most ${maxLevels}, each '-' or up to ${maxParts} parts [COUNT]${partKinds.join('|')}@${moments.join('|')}|FROMMS[~EVERYMS]`;

/** A composition as one word. */
export function compositionText(composition: Composition): string {
  return composition.map((parts) => (parts.length === 0 ? '-' : parts.map(partText).join('+'))).join('/');
}

function partText({ what, count, when }: Part): string {
  const moment = typeof when === 'string' ? when : `${when.fromMs}${when.everyMs === 0 ? '' : `~${when.everyMs}`}`;
  return `${count ?? ''}${what}@${moment}`;
}

/**
 * Reads what `compositionText` wrote. @throws RangeError with the label, what was expected and what came.
 */
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

/** What the Byzantine peers of a level do. */
export function partsOn(composition: Composition, level: number, levels: number): readonly Part[] {
  return composition[Math.min(levels - level, composition.length - 1)] ?? [];
}
