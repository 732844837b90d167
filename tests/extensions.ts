import { existsSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { extensionFolders } from '../scripts/compile.mjs';

const root = new URL('..', import.meta.url).pathname;

/** An extension as `tests/lists.json` in its folder describes it to the repository's tests. */
export interface TestedExtension {
  readonly name: string;
  /** Its folder in the repository. */
  readonly folder: string;
  /** Documented command lines that are parsed and not run: an expression for each, and the reason. */
  readonly onlyParsed: Readonly<Record<string, string>>;
  /** Arguments that keep a command busy for longer than a test may take. */
  readonly long: Readonly<Record<string, readonly string[]>>;
  /** Commands that end at once or have tests of their own for an interruption. */
  readonly others: readonly string[];
  /** Addresses of its pages, which the tests of accessibility open. */
  readonly pages: readonly string[];
}

/** The extensions that are there. */
export const extensions: readonly TestedExtension[] = extensionFolders().map((folder) => {
  const file = join(root, folder, 'tests/lists.json');
  const described = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {};
  return { name: basename(folder), folder, onlyParsed: {}, long: {}, others: [], pages: [], ...described };
});
