/** Pages of the site: the pages in the repository, the generated pages, and the groups of both in the sidebar. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, posix, relative } from 'node:path';
import { completed } from '../../apps/node-cli/dist/commands/completion.js';
import { knownExtensions } from '../../apps/node-cli/dist/extensions.js';
import { main, program } from '../../apps/node-cli/dist/main.js';
import { extensionFolders } from '../compile.mjs';
import { pagesUnder } from '../pages.mjs';
import { root } from '../run.mjs';

/** Groups of the sidebar, by folder of docs/. */
export const groups = new Map([
  ['start', 'Start'],
  ['guides', 'Guides'],
  ['concepts', 'Concepts'],
  ['reference', 'Reference'],
  ['research', 'Research'],
  ['benchmarks', 'Benchmarks'],
  ['internals', 'Contributing'],
]);
const otherPages = new Map([
  ['docs/index.md', 'Start'],
  ['examples/README.md', 'Start'],
  ['SECURITY.md', 'Reference'],
  ['CHANGELOG.md', 'Reference'],
  ['CONTRIBUTING.md', 'Contributing'],
]);

/** Returns the group of a page. @param file path of the page in the repository. */
export function groupOf(file) {
  if (file.startsWith('extensions/')) return 'Guides';
  return otherPages.get(file) ?? groups.get(file.split('/')[1]) ?? 'Reference';
}

/** Sorts pages by the order of the links to them in docs/index.md. */
function inReadingOrder(pages) {
  const index = readFileSync(join(root, 'docs/index.md'), 'utf8');
  const linked = [...index.matchAll(/\]\(([^)#]+\.md)/g)].map(([, page]) => posix.join('docs', page));
  const order = ['docs/index.md', ...linked, ...pages];
  return pages.toSorted((one, other) => order.indexOf(one) - order.indexOf(other));
}

/**
 * Pages that programs generate into a folder next to the sources. Links on these pages are relative to docs/reference.
 */
async function generatedPages() {
  const folder = join(root, 'node_modules/.cache/tutti/docs');
  mkdirSync(folder, { recursive: true });
  const pages = { commands: await commandsPage(), 'scenario-fields': printed('scripts/schemas.mjs', '--page') };
  return Object.entries(pages).map(([name, text]) => {
    const file = join(folder, `${name}.md`);
    const reference = relative(folder, join(root, 'docs/reference'));
    writeFileSync(file, text.replaceAll(/\]\(\.\.\//g, `](${reference}/../`));
    return file;
  });
}

function printed(...args) {
  return execFileSync(process.execPath, args, { cwd: root, encoding: 'utf8', maxBuffer: 2 ** 26 });
}

/** Returns the page with the help of every command except those of extensions. */
async function commandsPage() {
  let out = '';
  const context = {
    out: (text) => {
      out += text;
    },
    err: (text) => {
      throw new Error(`commands: expected help, got ${text}`);
    },
    progress: 'none',
    signal: new AbortController().signal,
  };
  const sections = [];
  for (const { path, commands } of completed(await program(context))) {
    const words = path.split(' ');
    if (commands.length > 0 || Object.hasOwn(knownExtensions, words[0])) continue;
    out = '';
    await main([...words, '--help'], context);
    sections.push(`## ${path}\n\n\`\`\`\n${out.trim()}\n\`\`\`\n`);
  }
  return `# Commands and flags\n\nThis page is generated from the help of every command. [Command line](../reference/cli.md) describes the common rules.\n\n${sections.join('\n')}`;
}

/** Returns the files of all pages in the order of the sidebar, and writes the generated pages. */
export async function sitePages() {
  return [
    ...inReadingOrder(pagesUnder('docs')),
    ...extensionFolders().map((folder) => `${folder}/README.md`),
    'examples/README.md',
    'CONTRIBUTING.md',
    'SECURITY.md',
    'CHANGELOG.md',
  ]
    .map((page) => join(root, page))
    .concat(await generatedPages());
}
