import { join } from 'node:path';

/** What of a module says which others it brings along. */
interface Graph {
  getModuleInfo(id: string): { readonly importedIds: readonly string[] } | null;
}

/** What a first visit loads before anything is chosen: the story and its first chapter. */
const atFirst = ['src/story/main.ts', 'src/story/raceStage.ts'].map((name) => join(import.meta.dirname, name));
let first: Set<string> | undefined;

/**
 * The pieces in which the pages' modules come, besides what only one page has: a browser asks for each in the one task
 * that opens a page, so they are few; and what a first visit loads is a piece of its own, so that it gets nothing with
 * it that it does not need.
 */
export const pieces = [
  {
    name: (id: string, graph: Graph): string => {
      // What every page has, also those that only send a reader on, brings nothing along and comes before all else.
      if (/modulepreload-polyfill|\/src\/style\/page\.css/.test(id)) return 'every';
      // A sheet of a piece with others would bring theirs to pages that have none of what they are for.
      const sheet = /\/([\w-]+)\.css/.exec(id)?.[1];
      if (sheet !== undefined) return sheet;
      return firstOnes(graph).has(id) ? 'first' : 'shared';
    },
    debugName: 'shared',
    tags: ['$initial' as const],
    minShareCount: 2,
    entriesAware: true,
    entriesAwareMergeThreshold: 10_000,
  },
];

/** The name of a piece, which the bundler makes of all the pages that have it: its first word. */
export function pieceName(name: string): string {
  return name.replace(/\.[a-z0-9]+$/, '').split('~')[0]!;
}

function firstOnes(graph: Graph): Set<string> {
  if (first !== undefined) return first;
  first = new Set(atFirst);
  for (const id of first) for (const imported of graph.getModuleInfo(id)?.importedIds ?? []) first.add(imported);
  return first;
}
