import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import ts from 'typescript';
import { expect, it } from 'vitest';
import { extensionFolders } from '../scripts/compile.mjs';
import { root } from '../scripts/run.mjs';

/** Packages whose exported declarations have no violations. Each new package is added here when it is created. */
const clean = [
  'packages/core',
  'packages/wasm-bls',
  'packages/certificates',
  'packages/simulation',
  'packages/lab',
  'packages/ethereum',
  'packages/transports',
  ...extensionFolders().filter((folder) => entriesOf(folder).length > 0),
];

/** Matches a first word with which a comment continues the name of its declaration, or has a clause as its subject. */
const fragment = new RegExp(
  `^(${[
    'of|that|in|at|by|as|to|from|on|with|for|than|until|since|if(?! true,)|when|where|how|and|or|but',
    'who|whoever|whose|whom|what|whatever|which|this is what|those|these',
  ].join('|')})\\b`,
  'i',
);

/** Words to avoid, as in the style guide, each with the standard term. */
const avoided = JSON.parse(readFileSync(join(root, 'docs/internals/terms.json'), 'utf8')).map(
  (row: { avoid: string; use: string; exportedOnly?: true }) => ({ ...row, form: new RegExp(row.avoid, 'i') }),
) as readonly { readonly form: RegExp; readonly use: string; readonly exportedOnly?: true }[];

/** Files that are not checked: history, foreign vectors, and sources in the digest of the committed kernel. */
const ofOthers =
  /CHANGELOG|(?:^|\/)(?:vectors|kernel|papers|__snapshots__)\/|comments\.test|wasm-bls\/(?:crate|scripts)\//;

const mostWords = 35;

function entriesOf(folder: string): string[] {
  const { exports = {} } = JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8'));
  return Object.values<Record<string, string>>(exports).flatMap(({ 'tutti-source': source }) =>
    source?.endsWith('.ts') ? [join(root, folder, source)] : [],
  );
}

/** Returns the sentences of a comment, without code blocks and code spans. */
function sentencesOf(comment: string): string[] {
  return comment
    .replaceAll(/```[\s\S]*?```|^ {3,}.*$/gm, '')
    .replaceAll(/`[^`]*`/g, 'X')
    .replaceAll(/\{@link ([^}\s|]+)[^}]*\}/g, 'X')
    .split(/(?<=[.!?])["')*]*\s+(?=["'(*]*[A-Z0-9`])|\n\s*\n|\n\s*- /)
    .map((sentence) => sentence.replaceAll(/\s+/g, ' ').trim())
    .filter((sentence) => sentence !== '');
}

const wordsOf = (sentence: string) => sentence.split(/\s+/).filter((word) => /[A-Za-z0-9]/.test(word));

function violationsOf(comment: string): string[] {
  const sentences = sentencesOf(comment);
  const [first = ''] = sentences;
  const opening = first.replace(/^["'(*]+/, '');
  return [
    ...(fragment.test(opening) ? [`begins with "${wordsOf(opening)[0]}"`] : []),
    ...(/^[a-z]/.test(opening) || wordsOf(first).length < 2 ? [`continues the name: "${first}"`] : []),
    ...sentences
      .filter((sentence) => wordsOf(sentence).length > mostWords)
      .map((sentence) => `${wordsOf(sentence).length} words in one sentence: "${sentence.slice(0, 60)}…"`),
    ...avoided.flatMap(({ form, use }) => {
      const found = sentences.map((sentence) => form.exec(sentence)?.[0]).find((term) => term !== undefined);
      return found === undefined ? [] : [`"${found}": ${use}`];
    }),
  ];
}

/** Returns a declaration's own comment, without tags. Names in a destructured constant share its comment. */
function commentOf(node: ts.Node): string | undefined {
  const owner = ts.isBindingElement(node) ? node.parent.parent : node;
  const docs = ts.getJSDocCommentsAndTags(owner).filter((one) => ts.isJSDoc(one));
  return docs.length === 0 ? undefined : (ts.getTextOfJSDocComment(docs.at(-1)!.comment) ?? '');
}

function membersOf(node: ts.Node): readonly ts.Node[] {
  if (ts.isInterfaceDeclaration(node) || ts.isClassDeclaration(node) || ts.isEnumDeclaration(node))
    return (node.members as readonly ts.Node[]).filter(
      (member) =>
        !ts.isConstructorDeclaration(member) &&
        !((member as ts.NamedDeclaration).name?.kind === ts.SyntaxKind.PrivateIdentifier) &&
        !(
          ts.canHaveModifiers(member) &&
          ts.getModifiers(member)?.some(({ kind }) => kind === ts.SyntaxKind.PrivateKeyword)
        ),
    );
  if (ts.isTypeAliasDeclaration(node)) return typeMembers(node.type);
  return [];
}

function typeMembers(type: ts.TypeNode): readonly ts.Node[] {
  if (ts.isTypeLiteralNode(type)) return type.members;
  if (ts.isUnionTypeNode(type) || ts.isIntersectionTypeNode(type)) return type.types.flatMap(typeMembers);
  return [];
}

/** Creates a program from these files and those that they export. Other imports would double the time. */
function programOf(entries: readonly string[]): ts.Program {
  const options: ts.CompilerOptions = {
    noLib: true,
    types: [],
    target: ts.ScriptTarget.ESNext,
    module: ts.ModuleKind.NodeNext,
    moduleResolution: ts.ModuleResolutionKind.NodeNext,
    customConditions: ['tutti-source'],
    allowImportingTsExtensions: true,
    noEmit: true,
  };
  const host = ts.createCompilerHost(options);
  host.resolveModuleNameLiterals = (names, file, redirected, _options, source) => {
    const exportsImported = source.statements.some((one) => ts.isExportDeclaration(one) && !one.moduleSpecifier);
    return names.map((name) =>
      ts.isExportDeclaration(name.parent) || (exportsImported && ts.isImportDeclaration(name.parent))
        ? ts.resolveModuleName(name.text, file, options, host, undefined, redirected, ts.ModuleKind.ESNext)
        : { resolvedModule: undefined },
    );
  };
  return ts.createProgram(entries, options, host);
}

/** Returns the violations in the exports of these packages, each once, for the package that contains it. */
function violationsIn(folders: readonly string[]) {
  const entries = folders.flatMap(entriesOf);
  const program = programOf(entries);
  const checker = program.getTypeChecker();
  const seen = new Set<ts.Node>();
  const violations: { readonly folder: string; readonly text: string }[] = [];
  const report = (node: ts.Node, name: string, texts: readonly string[]) => {
    const source = node.getSourceFile();
    const file = relative(root, source.fileName);
    const folder = folders.find((one) => file.startsWith(`${one}/`));
    const line = source.getLineAndCharacterOfPosition(node.getStart()).line + 1;
    if (folder) for (const text of texts) violations.push({ folder, text: `${file}:${line} ${name}: ${text}` });
  };
  for (const entry of entries) {
    const module = checker.getSymbolAtLocation(program.getSourceFile(entry)!);
    for (const exported of module ? checker.getExportsOfModule(module) : []) {
      const symbol = exported.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(exported) : exported;
      expect(symbol.declarations, `${entry}: ${exported.name}`).toBeDefined();
      const declarations = (symbol.declarations ?? []).filter((one) => !one.getSourceFile().isDeclarationFile);
      const comments = declarations.map(commentOf);
      if (declarations.length > 0 && comments.every((comment) => comment === undefined) && !seen.has(declarations[0]!))
        report(declarations[0]!, symbol.name, ['has no TSDoc']);
      for (const [index, declaration] of declarations.entries()) {
        if (seen.has(declaration)) continue;
        seen.add(declaration);
        if (comments[index] !== undefined) report(declaration, symbol.name, violationsOf(comments[index]));
        for (const member of membersOf(declaration)) {
          const comment = commentOf(member);
          const name = (member as ts.NamedDeclaration).name?.getText() ?? 'member';
          if (comment !== undefined) report(member, `${symbol.name}.${name}`, violationsOf(comment));
        }
      }
    }
  }
  return violations;
}

const violations = violationsIn(clean);

it.each(clean)('%s: comments of exported declarations stand alone, in short sentences and standard terms', (folder) => {
  expect(violations.filter((one) => one.folder === folder).map(({ text }) => text)).toEqual([]);
});

it('every package with entry points is checked, except for the two apps', () => {
  const folders = ['packages', 'extensions'].flatMap((group) =>
    readdirSync(join(root, group)).map((name) => `${group}/${name}`),
  );
  expect(folders.filter((folder) => entriesOf(folder).length > 0).sort()).toEqual([...clean].sort());
});

/** Returns the comments of a source, or a page's text, with spaces in place of code, on the same lines. */
function proseOf(file: string, text: string): string {
  const blank = (code: string) => code.replaceAll(/[^\n]/g, ' ');
  if (file.endsWith('.md')) return text.replaceAll(/```[\s\S]*?```|<!--[\s\S]*?-->|`[^`\n]*`|\]\([^)]*\)/g, blank);
  let from = 0;
  let prose = '';
  for (const { 0: comment, index } of text.matchAll(/\/\*[\s\S]*?\*\/|(?<=^|\s)\/\/[/!]? .*/gm)) {
    prose += blank(text.slice(from, index)) + comment.replaceAll(/`[^`\n]*`|\n *\*/g, blank);
    from = index + comment.length;
  }
  return prose;
}

it('no comment and no page has a banned term', () => {
  const tracked = execFileSync('git', ['-C', root, 'ls-files', '*.ts', '*.mjs', '*.css', '*.rs', '*.md'], {
    encoding: 'utf8',
  });
  const files = tracked.split('\n').filter((file) => file !== '' && !ofOthers.test(file));
  // In unexported code and in pages, some words have another meaning.
  const banned = avoided.filter(({ exportedOnly }) => !exportedOnly);
  const any = new RegExp(banned.map(({ form }) => form.source.replaceAll(' ', '\\s+')).join('|'), 'gi');
  const found = files.flatMap((file) => {
    const prose = proseOf(file, readFileSync(join(root, file), 'utf8'));
    return [...prose.matchAll(any)].map(
      ({ 0: term, index }) => `${file}:${prose.slice(0, index).split('\n').length} "${term}"`,
    );
  });
  expect(found).toEqual([]);
});

it('finds a banned term in comments and pages, across lines, and ignores code', () => {
  expect(proseOf('a.ts', "const door = 1; // a door\n/**\n * is\n * had */ f('//door')")).toMatch(/^ +\/\/ a door\n/);
  expect(proseOf('a.ts', "f('http://door', `door`);")).not.toContain('door');
  expect(proseOf('a.md', 'A [door](door.md), `door`.')).toBe(`A [door${' '.repeat(10)},       .`);
});

it('finds a fragment, a clause as subject, a long sentence, a missing subject and a banned term', () => {
  expect(violationsOf('That gave an output.')).toEqual(['begins with "That"']);
  expect(violationsOf('Who sends.')).toEqual(['begins with "Who"']);
  expect(violationsOf('Sender.')).toEqual(['continues the name: "Sender."']);
  expect(violationsOf('bytes on the wire')).toEqual(['continues the name: "bytes on the wire"']);
  expect(violationsOf(`Sends ${'one more '.repeat(18)}message.`)).toHaveLength(1);
  expect(violationsOf('Counts 8 checks a node.')).toEqual(['"checks a node": per node']);
  expect(violationsOf('Maximum number of open rounds. Range 1 to 64.')).toEqual([]);
});

/** Numbers and titles of the sections of the paper on Handel, version 1.03. */
const titles = new Map(
  [
    '1 Introduction, 1.1 High level presentation of Handel, 1.2 Deployment scenarios',
    '1.3 Implementation & evaluation, 1.4 Our contributions',
    '2 Definitions; threat model; goals, 2.1 Contributions, 2.2 System model, 2.3 Threat model, 2.4 Goals',
    '3 Handel protocol, 3.1 Overview of the techniques, 3.2 Tree based overlay network',
    '3.3 Peer ranks and contribution selection, 3.4 Node state, 3.5 Messages in Handel, 3.5.1 Sending contributions',
    '3.5.2 Receiving contributions, 3.5.3 Pruning contributions, 3.6 Parameter values',
    '4 Analysis, 4.1 Complexity, 4.2 Versatility of Handel, 4.2.1 Heterogeneous latencies',
    '4.2.2 Heterogeneous CPU capacities, 4.2.3 Heterogeneous clocks, 4.3 Security analysis',
    '5 Deployment scenarios, 5.1 Vanilla deployment, 5.2 Anonymity network, 5.3 Anonymous signers, 6 Implementation',
    '7 Evaluation, 7.1 Experimental setup, 7.2 Comparative baseline, 7.3 Robustness of Handel, 7.4 CPU consumption',
    '8 Related work, 8.1 San Fermín, 8.2 Gossip-based solutions, 8.3 Tree-based solutions, 9 Conclusion',
  ].flatMap((line) => line.split(', ').map((section) => section.split(/ (.*)/) as [string, string])),
);
/** Number of the last subsection in each section of version 1.0; 0 for a section without subsections. */
const oldSections: Record<string, number> = { 1: 4, 2: 4, 3: 9, 4: 4, '4.2': 3, 5: 3, 6: 0, 7: 4, 8: 3, 9: 0 };

function exists(version: string, section: string): boolean {
  if (version !== 'v1.0') return titles.has(section);
  const [, above, last] = /^(?:(.*)\.)?(\d+)$/.exec(section)!;
  return above === undefined ? section in oldSections : Number(last) >= 1 && Number(last) <= (oldSections[above] ?? 0);
}

it('each section of the paper that a comment or a page names exists, and the headings of handel.ts are its titles', () => {
  const handel = 'packages/core/src/handel/';
  const tracked = execFileSync('git', ['-C', root, 'ls-files', '*.ts', '*.md', '*.html'], { encoding: 'utf8' });
  const wrong = tracked.split('\n').flatMap((file) => {
    if (file === '' || ofOthers.test(file)) return [];
    const text = readFileSync(join(root, file), 'utf8').replaceAll(/\s*\n\s*(?:\*|\/\/)?\s*/g, ' ');
    const cited = text.matchAll(/(?:(v1\.03?),? )?\bsections? ((?:(?:, | and | to )?\d+(?:\.\d+)*)+)/g);
    return [...cited].flatMap(([, version, list]) => {
      // Without a version, a number may belong to another document, except in the sources of Handel.
      if (version === undefined && !file.startsWith(handel)) return [];
      const numbers = list!.match(/\d+(?:\.\d+)*/g)!;
      return numbers
        .filter((one) => !exists(version ?? 'v1.03', one))
        .map((one) => `${file}: ${version} section ${one}`);
    });
  });
  expect(wrong).toEqual([]);
  const lines = readFileSync(join(root, handel, 'handel.ts'), 'utf8').split('\n');
  const headings = lines.flatMap((line) => /^ *\/\/ (\d[\d.]*) (.*)$/.exec(line)?.slice(1) ?? []);
  expect(headings.length).toBeGreaterThan(10);
  for (let at = 0; at < headings.length; at += 2) expect(headings[at + 1]).toBe(titles.get(headings[at]!));
});
