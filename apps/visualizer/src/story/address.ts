import type { StageFields } from './stage.ts';

/** A link into the story: a chapter, what its stage shows, and the moment. */
export interface StoryLink {
  readonly chapter: string;
  readonly fields: StageFields;
  /** Undefined: from the beginning, playing. */
  readonly atMs: number | undefined;
}

/** Reads the part of the address from `#` on: `#doubling&n=64&t=150`. Undefined where it names none of the chapters. */
export function readStoryLink(hash: string, chapters: readonly string[]): StoryLink | undefined {
  const [chapter = '', ...rest] = hash.replace(/^#/, '').split('&');
  if (!chapters.includes(chapter)) return undefined;
  const given = new URLSearchParams(rest.join('&'));
  const at = given.get('t') ?? undefined;
  const fields = new Map(given);
  // A whole run stands there as it does in the address of a run, its fields encoded once.
  if (rest[0] === 'run') {
    for (const name of ['run', 't']) given.delete(name);
    for (const name of [...fields.keys()]) fields.delete(name);
    fields.set('run', given.toString());
  }
  const atMs = at === undefined || at.trim() === '' ? Number.NaN : Number(at);
  fields.delete('t');
  return { chapter, fields, atMs: Number.isFinite(atMs) && atMs >= 0 ? atMs : undefined };
}

/** The part of the address after `#`. */
export function writeStoryLink({ chapter, fields, atMs }: StoryLink): string {
  const { run, ...others } = Object.fromEntries(fields);
  const all = new URLSearchParams(run === undefined ? others : `${run}`);
  if (atMs !== undefined) all.set('t', String(Math.round(atMs * 1000) / 1000));
  const rest = all.toString().replaceAll('%3A', ':').replaceAll('%2C', ',');
  return [chapter, ...(run === undefined ? [] : ['run']), ...(rest === '' ? [] : [rest])].join('&');
}
