import { existsSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { extensionFolders } from '../scripts/compile.mjs';

const root = new URL('..', import.meta.url).pathname;

/** An extension, as described for the repository's tests in `tests/lists.json` of its folder. */
export interface TestedExtension {
  readonly name: string;
  /** Path of its folder in the repository. */
  readonly folder: string;
  /** Documented commands that are parsed but not run: an expression for each, and the reason. */
  readonly onlyParsed: Readonly<Record<string, string>>;
  /** Arguments that make a command run for longer than a test may take. */
  readonly long: Readonly<Record<string, readonly string[]>>;
  /** Commands that end at once, or whose interruption other tests cover. */
  readonly others: readonly string[];
  /** Addresses of its pages, which the accessibility tests open. */
  readonly pages: readonly string[];
}

/** The installed extensions. */
export const extensions: readonly TestedExtension[] = extensionFolders().map((folder) => {
  const file = join(root, folder, 'tests/lists.json');
  const described = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {};
  return { name: basename(folder), folder, onlyParsed: {}, long: {}, others: [], pages: [], ...described };
});
