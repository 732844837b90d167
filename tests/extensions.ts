import { existsSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { extensionFolders } from '../scripts/compile.mjs';
import { root } from '../scripts/run.mjs';

/** An extension, as its folder describes it for the repository's tests in `tests/lists.json`. */
export interface TestedExtension {
  readonly name: string;
  /** Path of the extension's folder in the repository. */
  readonly folder: string;
  /** Documented commands that are parsed but not run: for each, an expression that matches it, and the reason. */
  readonly onlyParsed: Readonly<Record<string, string>>;
  /** Arguments that make a command run for longer than a test may take. */
  readonly long: Readonly<Record<string, readonly string[]>>;
  /** Commands that end immediately, or whose interruption other tests cover. */
  readonly others: readonly string[];
  /** Programs outside this project that documented commands call, and that the tests do not run. */
  readonly tools: readonly string[];
  /** Addresses of the extension's pages, which the accessibility tests open. */
  readonly pages: readonly string[];
}

/** The installed extensions. */
export const extensions: readonly TestedExtension[] = extensionFolders().map((folder) => {
  const file = join(root, folder, 'tests/lists.json');
  const described = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {};
  return { name: basename(folder), folder, onlyParsed: {}, long: {}, others: [], tools: [], pages: [], ...described };
});
