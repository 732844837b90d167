import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../run.mjs';

/** Every page that may hold numbers, by its path from the root. */
export function pagesWithNumbers() {
  return ['.', 'docs', 'docs/attacks', 'docs/mechanisms', 'docs/records'].flatMap((folder) =>
    readdirSync(join(root, folder))
      .filter((name) => name.endsWith('.md'))
      .map((name) => join(folder, name)),
  );
}
