import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseAst } from 'rolldown/parseAst';
import type { Plugin } from 'vite';

/** Source file of the readable Handel, which the page traces and shows. */
const source = fileURLToPath(new URL('../../packages/core/src/handel/handel.ts', import.meta.url));
const tracedId = `${source}?traced`;
const textId = '\0handel-text';

/**
 * Statement or condition in the source that reports its execution: first and last line, counted from 0, and whether it
 * is a condition.
 */
export type TracedMark = readonly [first: number, last: number, isTest: boolean];

/** Node of the syntax tree. `start` and `end` are positions in the text. */
interface Syntax {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly [field: string]: unknown;
}

const isSyntax = (value: unknown): value is Syntax =>
  typeof value === 'object' && value !== null && typeof (value as Syntax).type === 'string';

/** Returns the direct children of a syntax node. */
function partsOf(node: Syntax): Syntax[] {
  return Object.values(node)
    .flatMap((value) => (Array.isArray(value) ? value : [value]))
    .filter(isSyntax);
}

/** Returns the names that a pattern declares. */
function namesIn(pattern: Syntax | undefined): readonly string[] {
  if (pattern === undefined) return [];
  if (pattern.type === 'Identifier') return [pattern.name as string];
  return partsOf(pattern).flatMap((part) => namesIn(part.type === 'Property' ? (part.value as Syntax) : part));
}

/** Returns the names that a statement declares for later statements. */
function declaredBy(statement: Syntax): readonly string[] {
  if (statement.type !== 'VariableDeclaration') return [];
  return partsOf(statement).flatMap(({ id }) => namesIn(id as Syntax));
}

/**
 * Instruments the readable Handel: before each statement of the rules, it inserts a call that reports the execution
 * and, if a level and a sender are known, the contribution. Conditions and the statements that depend on them have
 * separate calls, so that reports show the branch taken.
 */
export function traced(text: string): { readonly code: string; readonly marks: readonly TracedMark[] } {
  const marks: TracedMark[] = [];
  const inserted: (readonly [at: number, text: string])[] = [];
  const lineOf = (at: number) => text.slice(0, at).split('\n').length - 1;
  const mark = (from: number, to: number, isTest = false): number =>
    marks.push([lineOf(from), lineOf(Math.max(from, to - 1)), isTest]) - 1;

  /**
   * Marks a statement. @param isWrapped whether the statement needs braces because it is the body of another statement.
   */
  const statement = (node: Syntax, isWrapped: boolean, known: ReadonlySet<string>): void => {
    if (node.type === 'FunctionDeclaration') {
      visit(node, known);
      return;
    }
    const body = (node.consequent ?? node.body) as Syntax | undefined;
    const isTest = /^(If|For|ForOf|While)Statement$/.test(node.type);
    const id = isTest ? mark(node.start, body!.start, true) : mark(node.start, node.end);
    const sender = ['sender', 'from'].find((name) => known.has(name));
    const about = sender === undefined || !known.has('level') ? '' : `, level.number, ${sender}`;
    inserted.push([node.start, `${isWrapped ? '{' : ''}__at(${id}${about});`]);
    visit(node, known);
    if (isWrapped) inserted.push([node.end, '}']);
  };

  /** Marks the statements within a node. @param before names that are declared outside the node. */
  const visit = (node: Syntax, before: ReadonlySet<string>): void => {
    const params = /Function/.test(node.type) ? (node.params as Syntax[]).flatMap(namesIn) : [];
    const known = new Set([
      ...before,
      ...params,
      ...(node.type === 'ForOfStatement' ? declaredBy(node.left as Syntax) : []),
    ]);
    for (const part of partsOf(node)) {
      const isArm =
        part === node.consequent || part === node.alternate || (part === node.body && /^(For|While)/.test(node.type));
      if (part.type === 'BlockStatement') {
        const inBlock = new Set(known);
        for (const one of partsOf(part)) {
          statement(one, false, inBlock);
          for (const name of declaredBy(one)) inBlock.add(name);
        }
      } else if (isArm && /Statement$/.test(part.type)) statement(part, true, known);
      else if (part === node.body && node.type === 'ArrowFunctionExpression') {
        inserted.push([part.start, `(__at(${mark(part.start, part.end)}), `]);
        visit(part, known);
        inserted.push([part.end, ')']);
      } else visit(part, known);
    }
  };

  const [rules] = (parseAst(text, { lang: 'ts' }).body as unknown as Syntax[])
    .map(({ declaration }) => declaration as Syntax | undefined)
    .filter(
      (one) => one?.type === 'FunctionDeclaration' && (one.id as unknown as { name: string }).name === 'readableHandel',
    );
  if (rules === undefined) throw new RangeError('handel.ts: expected a function readableHandel, got none');
  for (const one of partsOf(rules.body as Syntax)) visit(one, new Set());

  let code = text;
  // Insertions are made from the end of the text, so that earlier positions stay valid. If two insertions have the same
  // position, the insertion that was recorded first comes first, because the sort is stable.
  for (const [at, part] of inserted.toSorted(([a], [b]) => a - b).reverse())
    code = `${code.slice(0, at)}${part}${code.slice(at)}`;
  const listener = '(mark: number, level?: number, sender?: number) => void';
  const listen = `export function listenToMarks(to: ${listener}): void { __at = to; }`;
  return { code: `${code}\nlet __at: ${listener} = () => {};\n${listen}\n`, marks };
}

/**
 * Provides two modules generated from the readable Handel's source file: `virtual:traced-handel`, which runs and
 * reports the executed statements, and `virtual:handel-text`, which contains the source's lines and marks.
 */
export const handelSource: Plugin = {
  name: 'handel-source',
  enforce: 'pre',
  resolveId(id) {
    if (id === 'virtual:traced-handel') return tracedId;
    return id === 'virtual:handel-text' ? textId : undefined;
  },
  load(id) {
    if (id === tracedId) return traced(readFileSync(source, 'utf8')).code;
    if (id !== textId) return undefined;
    const text = readFileSync(source, 'utf8');
    return `export const lines = ${JSON.stringify(text.split('\n'))};\nexport const marks = ${JSON.stringify(traced(text).marks)};`;
  },
};
