import type { Context } from '../context.ts';

/** Prints the result of a command: one JSON document with `--json`, otherwise text. */
export function answer(context: Context, json: boolean | undefined, document: object, words: string): void {
  context.out(json ? `${JSON.stringify(document)}\n` : words);
}
