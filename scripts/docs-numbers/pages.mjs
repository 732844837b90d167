import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../run.mjs';

const folders = ['.', 'docs', 'docs/attacks', 'docs/mechanisms', 'docs/records', 'examples', 'apps/node-cli'];

/** Each package has a page for npm. */
function packages() {
  return readdirSync(join(root, 'packages')).map((name) => join('packages', name));
}

/** Every page that may hold numbers, by its path from the root. */
export function pagesWithNumbers() {
  return [...folders, ...packages()].flatMap((folder) =>
    readdirSync(join(root, folder))
      .filter((name) => name.endsWith('.md'))
      .map((name) => join(folder, name)),
  );
}
