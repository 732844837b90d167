/** The pages of the documentation, and the records in these pages. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { wrapMarkdown } from './markdown.mjs';
import { root } from './run.mjs';

/** @returns {string[]} paths from the root of all Markdown files in a folder and its subfolders. */
export function pagesUnder(folder) {
  return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md') && !name.includes('node_modules'))
    .map((name) => `${folder}/${name}`.replaceAll('\\', '/'))
    .toSorted();
}

const record = /<!-- record ([\w-]+): (.+?) -->\n([\s\S]*?)\n<!-- \/record -->/g;

/** @returns the generated sections of a page: for each, its name, the command that writes it, and its text. */
export function recordsOf(text) {
  return [...text.matchAll(record)].map(([whole, name, command, body]) => ({ whole, name, command, body }));
}

/** Replaces the record with this name in the page that contains it. */
export function writeRecordSection(name, body) {
  for (const page of pagesUnder('docs')) {
    const text = readFileSync(join(root, page), 'utf8');
    const found = recordsOf(text).find((one) => one.name === name);
    if (found === undefined) continue;
    const { whole, command } = found;
    const now = `<!-- record ${name}: ${command} -->\n${wrapMarkdown(body).trim()}\n<!-- /record -->`;
    writeFileSync(
      join(root, page),
      text.replace(whole, () => now),
    );
    return;
  }
  throw new Error(`record ${name}: expected a page of docs/ with '<!-- record ${name}: COMMAND -->', got none`);
}
