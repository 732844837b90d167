/** TypeDoc's applications: options, names of modules and pages, and the check of exports. */
import { readFileSync } from 'node:fs';
import { dirname, join, posix, relative, resolve } from 'node:path';
import { Application, Converter, LogLevel, ReflectionKind, TSConfigReader } from 'typedoc';
import { root } from '../run.mjs';
import { groupOf, groups, sitePages } from './pages.mjs';

const packages = ['core', 'wasm-bls', 'transports', 'certificates', 'simulation', 'ethereum'];

/** Returns the TypeScript entry points of a package: each file, and the name for its import. */
function entryPointsOf(name) {
  const folder = join(root, 'packages', name);
  const { name: imported, exports } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  return Object.entries(exports).flatMap(([path, entry]) =>
    entry['tutti-source'] ? [{ file: join(folder, entry['tutti-source']), name: posix.join(imported, path) }] : [],
  );
}

const filesOf = (entries) => entries.map(({ file }) => file);
const entries = packages.flatMap(entryPointsOf);

const options = {
  name: 'Tutti',
  readme: join(root, 'README.md'),
  entryPoints: filesOf(entries),
  tsconfig: join(root, 'tsconfig.base.json'),
  projectDocuments: await sitePages(),
  // `tsc -b` has already checked the types.
  skipErrorChecking: true,
  // The site contains no sources to link to. A check needs sources, even in a clone without a remote.
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

/** Returns the application that converts the entry points and the pages to a site. @param out folder of the site. */
export async function siteApplication(out) {
  const app = await applicationOf({ ...options, out });
  const documents = new Set([options.readme, ...options.projectDocuments]);
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

  // A module's name is its import path, not its location.
  app.converter.on(Converter.EVENT_CREATE_DECLARATION, (context, made) => {
    if (!made.kindOf(ReflectionKind.Module)) return;
    const file = context.getSymbolFromReflection(made)?.declarations?.[0]?.getSourceFile().fileName;
    const entry = entries.find((one) => one.file === file);
    if (!entry) throw new Error(`docs: expected the file of an entry point, got ${file ?? made.name}`);
    made.name = entry.name;
  });
  return app;
}

/**
 * Creates a TypeDoc application with these options for the entry points and the modules that they import. The
 * compiler's options name no files.
 */
async function applicationOf(given) {
  const made = await Application.bootstrap(given, [new TSConfigReader()]);
  made.options.setCompilerOptions(given.entryPoints, made.options.getCompilerOptions(made.logger), undefined);
  return made;
}

/** Replaces a link to a source with the link's text, because the site contains no sources. */
function nameOnly(content, at) {
  content[at + 1].text = content[at + 1].text.replace(/^\)/, '');
  content[at - 1].text = content[at - 1].text.replace(/\]\($/, '');
  const words = content.slice(0, at).findLast(({ kind, text }) => kind === 'text' && text.includes('['));
  words.text = words.text.replace(/\[([^[]*)$/, '$1');
  content[at] = { kind: 'text', text: '' };
}

/** Names that signatures mention but that programs do not need: lists behind types, and internal parts of engines. */
const unexported = {
  core: ['multiplicities.ts:RefusedMultiplicities'],
  simulation: ['nodeFaults.ts:Injected', 'outputs.ts:HeaviestOutput'],
  transports: ['refusals.ts:GossipRefusal', 'authorVerifier.ts:HornPointStore'],
  'wasm-bls': ['blstKernel.ts:RoundInKernel', 'pointStore.ts:PointOperations'],
  certificates: ['convert.ts:forms', 'joinOptions.ts:CheckedOptions'],
  ethereum: [
    'run.ts:LeanSlotRun',
    'check.ts:LeanFaultKind',
    ...['ProverCosts', 'ProofSizes', 'LeanVerifierCosts', 'BlockCosts'].map((name) => `profile.ts:${name}`),
    'result.ts:LeanExcluded',
    'result.ts:LeanProposerResult',
    'prover.ts:ProofSource',
    'compare.ts:LeanMapPlace',
  ],
};

/** Returns the number of names that entry points mention but do not export, together with other warnings. */
export async function unexportedNames() {
  let warnings = 0;
  for (const name of packages) {
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
  return warnings;
}
