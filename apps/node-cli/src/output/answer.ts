import type { Context } from '../context.ts';

/** Prints what a command found: one JSON document where `--json` asks for it, else the words. */
export function answer(context: Context, json: boolean | undefined, document: object, words: string): void {
  context.out(json ? `${JSON.stringify(document)}\n` : words);
}
