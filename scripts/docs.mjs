/**
 * `npm run docs`: the pages of docs/ and the API of every door as one static site in dist/docs, which `tutti serve`
 * shows under docs/. `--out FOLDER` puts it elsewhere; `--check` also ends with exit code 1 where a door mentions a
 * name that it does not export. A page stands in the group whose list in README.md names it. Exit code 1 as well where
 * a comment links to nothing.
 */
import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { Application, Converter, LogLevel, PageEvent, TSConfigReader } from 'typedoc';
import { root } from './run.mjs';

const { values } = parseArgs({
  options: { out: { type: 'string', default: join(root, 'dist/docs') }, check: { type: 'boolean', default: false } },
});
const out = resolve(values.out);
const packages = ['core', 'wasm-bls', 'transports'];

/** The doors of a package that are TypeScript, as files. */
function doorsOf(name) {
  const folder = join(root, 'packages', name);
  const { exports } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  return Object.values(exports).flatMap((door) => (door['tutti-source'] ? [join(folder, door['tutti-source'])] : []));
}

/** Of each page that README.md lists under a bold word: that word. */
function groupsOf(readme) {
  const groups = new Map();
  for (const [, group, list] of readme.matchAll(/^\*\*([^*]+):\*\*([\s\S]*?)(?=\n\n)/gm))
    for (const [, page] of list.matchAll(/\]\((docs\/[^)#]+\.md)\)/g)) groups.set(page, group);
  return groups;
}

function pagesIn(folder) {
  return readdirSync(join(root, folder))
    .filter((name) => name.endsWith('.md'))
    .map((name) => `${folder}/${name}`);
}

const options = {
  name: 'Tutti',
  readme: join(root, 'README.md'),
  entryPoints: packages.flatMap(doorsOf),
  tsconfig: join(root, 'tsconfig.base.json'),
  projectDocuments: [
    ...pagesIn('docs'),
    ...pagesIn('docs/mechanisms'),
    ...pagesIn('docs/attacks'),
    'examples/README.md',
    'CONTRIBUTING.md',
    'SECURITY.md',
    'CHANGELOG.md',
  ].map((page) => join(root, page)),
  // tsc -b checks types.
  skipErrorChecking: true,
  out,
  // The site has no sources to link to; a check needs to know them, in a clone with no remote too.
  disableSources: true,
  hideGenerator: true,
  excludePrivate: true,
  excludeInternal: true,
  // tests/programs.test.ts follows links to files.
  validation: { notExported: true, invalidLink: true, rewrittenLink: true, invalidPath: false },
  logLevel: LogLevel.Warn,
  sort: ['source-order'],
  groupOrder: ['Start here', 'The paper', 'Against it', 'Horn', 'Real peers', 'Anonymous signers', 'The tools', '*'],
  navigation: { includeGroups: true, includeCategories: true },
};
const app = await Application.bootstrap(options, [new TSConfigReader()]);

const groups = groupsOf(readFileSync(join(root, 'README.md'), 'utf8'));
app.converter.on(Converter.EVENT_CREATE_DOCUMENT, (_context, page) => {
  const file = relative(root, page.project.files.getReflectionPath(page) ?? '');
  const heading = page.content.find(({ kind, text }) => kind === 'text' && text.startsWith('# '));
  const [title] = heading?.text.split('\n', 1) ?? [];
  if (!title) return;
  page.name = title.slice(2);
  page.frontmatter.group = groups.get(file) ?? groups.get(`${dirname(file)}.md`) ?? 'Start here';
  for (const [at, part] of page.content.entries())
    if (part.kind === 'relative-link' && !/\.(md|png|svg)(#|$)/.test(part.text)) nameOnly(page.content, at);
});

/** Leaves the words of a link to a source: the site has none. */
function nameOnly(content, at) {
  content[at + 1].text = content[at + 1].text.replace(/^\)/, '');
  content[at - 1].text = content[at - 1].text.replace(/\]\($/, '');
  const words = content.slice(0, at).findLast(({ kind, text }) => kind === 'text' && text.includes('['));
  words.text = words.text.replace(/\[([^[]*)$/, '$1');
  content[at] = { kind: 'text', text: '' };
}

// The page may run no script but its own files; what is inline would only choose the colours half a second earlier.
app.renderer.on(PageEvent.END, (page) => {
  page.contents = page.contents?.replaceAll(/<script>[\s\S]*?<\/script>/g, '');
});

for (const name of values.check ? packages : []) {
  // Of several packages at once, names that are mentioned and not exported are not noticed.
  const door = await Application.bootstrap(
    {
      ...options,
      entryPoints: doorsOf(name),
      projectDocuments: [],
      readme: 'none',
      disableSources: false,
      disableGit: true,
      sourceLinkTemplate: '{path}',
    },
    [new TSConfigReader()],
  );
  const api = await door.convert();
  if (api) door.validate(api);
  if (!api || door.logger.hasWarnings() || door.logger.hasErrors()) process.exitCode = 1;
}

const project = await app.convert();
if (!project) process.exit(1);
await app.generateOutputs(project);
if (app.logger.hasErrors() || app.logger.hasWarnings()) process.exitCode = 1;

// Every file that a page links to was copied as a picture is, also those whose links are words now.
for (const name of readdirSync(join(out, 'media'))) if (!/\.(png|svg)$/.test(name)) rmSync(join(out, 'media', name));
console.log(`The docs are in ${out}`);
