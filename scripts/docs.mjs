/**
 * `npm run docs`: writes the pages of docs/, generated pages and the API of every entry point as a static site to
 * dist/docs, which `tutti serve` serves under docs/. `--out FOLDER` writes it to another folder. `--check` ends with
 * exit code 1 and the number of warnings if an entry point mentions a name that it does not export. A broken link does
 * so even without `--check`. The sidebar has one group per folder of docs/.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, posix, relative, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { Application, Converter, LogLevel, PageEvent, ReflectionKind, TSConfigReader } from 'typedoc';
import { knownExtensions } from '../apps/node-cli/dist/extensions.js';
import { main, program } from '../apps/node-cli/dist/main.js';
import { completed } from '../apps/node-cli/dist/output/completionText.js';
import { extensionFolders } from './compile.mjs';
import { pagesUnder } from './pages.mjs';
import { root } from './run.mjs';

const { values } = parseArgs({
  options: { out: { type: 'string', default: join(root, 'dist/docs') }, check: { type: 'boolean', default: false } },
});
const out = resolve(values.out);
const packages = ['core', 'wasm-bls', 'transports', 'certificates', 'simulation', 'ethereum'];

/** Returns the TypeScript entry points of a package: each file, and the name under which it is imported. */
function entryPointsOf(name) {
  const folder = join(root, 'packages', name);
  const { name: imported, exports } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  return Object.entries(exports).flatMap(([path, entry]) =>
    entry['tutti-source'] ? [{ file: join(folder, entry['tutti-source']), name: posix.join(imported, path) }] : [],
  );
}

const filesOf = (entries) => entries.map(({ file }) => file);
const entries = packages.flatMap(entryPointsOf);

/** Groups of the sidebar, by folder of docs/. */
const groups = new Map([
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

function groupOf(file) {
  if (file.startsWith('extensions/')) return 'Guides';
  return otherPages.get(file) ?? groups.get(file.split('/')[1]) ?? 'Reference';
}

/** Sorts pages by the order in which docs/index.md links to them. */
function inReadingOrder(pages) {
  const index = readFileSync(join(root, 'docs/index.md'), 'utf8');
  const linked = [...index.matchAll(/\]\(([^)#]+\.md)/g)].map(([, page]) => posix.join('docs', page));
  const order = ['docs/index.md', ...linked, ...pages];
  return pages.toSorted((one, other) => order.indexOf(one) - order.indexOf(other));
}

/** Pages that programs write into a folder next to the sources. Their links are relative to docs/reference. */
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

const options = {
  name: 'Tutti',
  readme: join(root, 'README.md'),
  entryPoints: filesOf(entries),
  tsconfig: join(root, 'tsconfig.base.json'),
  projectDocuments: [
    ...inReadingOrder(pagesUnder('docs')),
    ...extensionFolders().map((folder) => `${folder}/README.md`),
    'examples/README.md',
    'CONTRIBUTING.md',
    'SECURITY.md',
    'CHANGELOG.md',
  ]
    .map((page) => join(root, page))
    .concat(await generatedPages()),
  // Types were checked by tsc -b.
  skipErrorChecking: true,
  out,
  // The site contains no sources to link to. A check needs them, even in a clone without a remote.
  disableSources: true,
  hideGenerator: true,
  customCss: join(root, 'scripts/docs.css'),
  excludePrivate: true,
  excludeInternal: true,
  // tests/programs.test.ts checks links to files.
  validation: { notExported: true, invalidLink: true, rewrittenLink: true, invalidPath: false },
  logLevel: LogLevel.Warn,
  sort: ['source-order'],
  groupOrder: [...groups.values(), '*'],
  searchInDocuments: true,
  searchGroupBoosts: Object.fromEntries([...groups.values()].map((group) => [group, 4])),
  navigation: { includeGroups: true, includeCategories: true },
};
const documents = new Set([options.readme, ...options.projectDocuments]);
const app = await applicationOf(options);

/**
 * Creates a TypeDoc application with these options for the entry points and their imports. The compiler's options name
 * no files.
 */
async function applicationOf(given) {
  const made = await Application.bootstrap(given, [new TSConfigReader()]);
  made.options.setCompilerOptions(given.entryPoints, made.options.getCompilerOptions(made.logger), undefined);
  return made;
}

app.converter.on(Converter.EVENT_CREATE_DOCUMENT, (_context, page) => {
  const file = relative(root, page.project.files.getReflectionPath(page) ?? '');
  const heading = page.content.find(({ kind, text }) => kind === 'text' && text.startsWith('# '));
  const [title] = heading?.text.split('\n', 1) ?? [];
  if (!title) return;
  page.name = title.slice(2);
  page.frontmatter.group = groupOf(file);
  const here = dirname(page.project.files.getReflectionPath(page) ?? '');
  for (const [at, part] of page.content.entries()) {
    if (part.kind !== 'relative-link') continue;
    const target = resolve(here, part.text.replace(/#.*$/, ''));
    if (!/\.(png|svg)$/.test(target) && !documents.has(target)) nameOnly(page.content, at);
  }
});

/** Replaces a link to a source by its text, because the site contains no sources. */
function nameOnly(content, at) {
  content[at + 1].text = content[at + 1].text.replace(/^\)/, '');
  content[at - 1].text = content[at - 1].text.replace(/\]\($/, '');
  const words = content.slice(0, at).findLast(({ kind, text }) => kind === 'text' && text.includes('['));
  words.text = words.text.replace(/\[([^[]*)$/, '$1');
  content[at] = { kind: 'text', text: '' };
}

// A module is named by its import path, not by its location.
app.converter.on(Converter.EVENT_CREATE_DECLARATION, (context, made) => {
  if (!made.kindOf(ReflectionKind.Module)) return;
  const file = context.getSymbolFromReflection(made)?.declarations?.[0]?.getSourceFile().fileName;
  const entry = entries.find((one) => one.file === file);
  if (!entry) throw new Error(`docs: expected the file of an entry point, got ${file ?? made.name}`);
  made.name = entry.name;
});

/**
 * The server's policy allows a page to run scripts and use styles only from its own files. Inline code would set the
 * colours half a second earlier; docs.css aligns numbers to the right.
 */
/** Pages of the site by the path of their source below docs/. */
const addresses = new Map();

app.renderer.on(PageEvent.END, (page) => {
  if (page.model.kindOf?.(ReflectionKind.Document)) {
    const file = relative(root, page.project.files.getReflectionPath(page.model) ?? '');
    if (file.startsWith('docs/')) addresses.set(file.slice('docs/'.length).replace(/\.md$/, '.html'), page.url);
  }
  page.contents = page.contents
    ?.replaceAll(/<script>[\s\S]*?<\/script>/g, '')
    .replaceAll(' style="text-align:right"', ' class="right"')
    .replace('</head>', '<link rel="icon" href="data:,"/></head>');
  if (page.url === 'index.html')
    page.contents = page.contents?.replace(/<div class="tsd-page-title">\s*<h1>.*?<\/h1><\/div>/, '');
  if (/<style|\sstyle=/.test(page.contents ?? '')) throw new Error(`docs: expected no inline style in ${page.url}`);
});

/** Names that signatures mention but that programs do not need: lists behind types, and internal parts of engines. */
const unexported = {
  simulation: ['planned.ts:Injected'],
  transports: ['refusals.ts:GossipRefusal', 'authors.ts:HornPointStore'],
  'wasm-bls': ['blst-wasm.ts:RoundInKernel', 'pointStore.ts:PointOperations', 'noble.ts:Fp2'],
  certificates: ['convert.ts:forms'],
  ethereum: [
    'metrics.ts:duplicateTimes',
    'run.ts:LeanSlotRun',
    'check.ts:LeanFaultKind',
    ...['ProverCosts', 'ProofSizes', 'LeanVerifierCosts', 'BlockCosts'].map((name) => `costs.ts:${name}`),
    'result.ts:LeanExcluded',
    'prover.ts:ProofSource',
  ],
};
let warnings = 0;
for (const name of values.check ? packages : []) {
  // For several packages at once, TypeDoc does not report names that are mentioned but not exported.
  const application = await applicationOf({
    ...options,
    entryPoints: filesOf(entryPointsOf(name)),
    intentionallyNotExported: unexported[name] ?? [],
    projectDocuments: [],
    readme: 'none',
    disableSources: false,
    disableGit: true,
    sourceLinkTemplate: '{path}',
  });
  const api = await application.convert();
  if (api) application.validate(api);
  if (!api) process.exit(1);
  warnings += application.logger.warningCount + application.logger.errorCount;
}

const project = await app.convert();
if (!project) process.exit(1);
await app.generateOutputs(project);
warnings += app.logger.warningCount + app.logger.errorCount;

/** Help refers to pages as guides/simulate, so a file of that name leads to the page. */
for (const [name, url] of addresses) {
  const file = join(out, name);
  if (existsSync(file)) continue;
  mkdirSync(dirname(file), { recursive: true });
  const target = relative(dirname(name), url);
  writeFileSync(
    file,
    `<!doctype html><meta charset="utf-8"><meta http-equiv="refresh" content="0; url=${target}"><title>Tutti</title><a href="${target}">${target}</a>\n`,
  );
}

// The theme's script writes its filters into a style element, which the policy forbids. A constructed style sheet is
// allowed.
const script = join(out, 'assets/main.js');
const element = 'document.head.appendChild(document.createElement("style"))';
const sheet = `(() => {
  const sheet = new CSSStyleSheet();
  let css = '';
  document.adoptedStyleSheets.push(sheet);
  return { dataset: {}, get innerHTML() { return css; }, set innerHTML(text) { sheet.replaceSync(css = text); } };
})()`;
const source = readFileSync(script, 'utf8');
if (source.split(element).length !== 2)
  throw new Error(`docs: expected one style element in ${script}; TypeDoc has changed`);
writeFileSync(
  script,
  source.replace(element, () => sheet),
);

// TypeDoc copies every linked file like a picture, including those whose links are now plain text.
for (const name of readdirSync(join(out, 'media'))) if (!/\.(png|svg)$/.test(name)) rmSync(join(out, 'media', name));
if (warnings === 0) console.log(`The docs are in ${out}`);
else {
  console.error(`docs: expected no warnings, got ${warnings}; see above`);
  process.exitCode = 1;
}
