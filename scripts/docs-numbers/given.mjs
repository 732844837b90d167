/**
 * Numbers that stand outside of blocks: parameters, measurements, what others published. Each page's are kept in a file,
 * so that one which is put into a page by hand is seen: it belongs into a block, or is given and is written down.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../run.mjs';
import { blocksOf, wordsOf } from './blocks.mjs';

export const givenFile = join(root, 'tests/vectors/given-numbers.json');

/** CHANGELOG.md is of the past; what two other tests print again needs no digest. */
const left = /^CHANGELOG|\/(architecture|schemas)\.md$/;
/** Pages that a program writes whole, as their first lines say: of these the words are kept, as eight digits. */
const written = /\/(bench-.*|measured|siege|mutants|figures-(quick|full)|attack-table)\.md$/;

/** The numbers of three or more digits of a page that are in no block, no code and no link, in order. */
export function givenIn(page, text) {
  let rest = text;
  for (const { whole } of blocksOf(page, text)) rest = rest.replace(whole, '');
  rest = rest.replaceAll(/```[\s\S]*?```|^ {4}.*$|`[^`\n]*`|\]\([^)]*\)|<!--[\s\S]*?-->/gm, ' ');
  const numbers = rest.match(/(?<![\w.,])\d[\d,]*(?:\.\d+)?(?![\w,]*\d)/g) ?? [];
  return numbers.filter((number) => number.replaceAll(/\D/g, '').replace(/^0+/, '').length >= 3);
}

/** What is kept of a page, so that a change by hand is seen. */
export function keptOf(page, text) {
  return written.test(page) ? `words ${wordsOf(text)}` : givenIn(page, text).join(' ');
}

/** By page, as the pages are now. */
export function givenNow() {
  const pages = pagesWithNumbers().filter((page) => !left.test(page));
  return Object.fromEntries(
    pages.map((page) => [page, keptOf(page, readFileSync(join(root, page), 'utf8'))]).filter(([, kept]) => kept !== ''),
  );
}

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
