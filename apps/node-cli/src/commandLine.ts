import type { Command } from 'commander';

/** Returns the program that a command belongs to. Commander stores its words, but its types do not show them. */
export function rootOf(command: Command): { readonly rawArgs: readonly string[] } {
  let root = command;
  while (root.parent !== null) root = root.parent;
  return root as unknown as { readonly rawArgs: readonly string[] };
}

/** Returns the words typed after `tutti`, quoted so that a shell yields the same words again. */
export function commandLine(command: Command): string {
  const quoted = (word: string) => (/^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`);
  return rootOf(command).rawArgs.map(quoted).join(' ');
}
