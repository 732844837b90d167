import type { Command } from 'commander';

/** The program that a command belongs to. Commander has its words, but not in its types. */
export function rootOf(command: Command): { readonly rawArgs: readonly string[] } {
  let root = command;
  while (root.parent !== null) root = root.parent;
  return root as unknown as { readonly rawArgs: readonly string[] };
}

/** What was typed after `tutti`, so that a shell gives the same words again. */
export function commandLine(command: Command): string {
  const quoted = (word: string) => (/^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`);
  return rootOf(command).rawArgs.map(quoted).join(' ');
}
