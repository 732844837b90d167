/** The pages of the documentation. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './run.mjs';

/** @returns {string[]} paths from the root of all Markdown files in a folder and the folders in it. */
export function pagesUnder(folder) {
  return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md') && !name.includes('node_modules'))
    .map((name) => `${folder}/${name}`.replaceAll('\\', '/'))
    .toSorted();
}
