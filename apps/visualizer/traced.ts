import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseAst } from 'rolldown/parseAst';
import type { Plugin } from 'vite';

/** The readable Handel, which is traced and shown. */
const source = fileURLToPath(new URL('../../packages/core/src/handel/handel.ts', import.meta.url));
const tracedId = `${source}?traced`;
const textId = '\0handel-text';

/** A place of the source that says when it runs: its first and last line, from 0, and whether it only asks a question. */
export type TracedMark = readonly [first: number, last: number, isTest: boolean];

interface Syntax {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly [field: string]: unknown;
}

const isSyntax = (value: unknown): value is Syntax =>
  typeof value === 'object' && value !== null && typeof (value as Syntax).type === 'string';

/** Syntax that is directly in a node. */
function partsOf(node: Syntax): Syntax[] {
  return Object.values(node)
    .flatMap((value) => (Array.isArray(value) ? value : [value]))
    .filter(isSyntax);
}

/**
 * The readable Handel with a call before each statement of its rules, which says that it runs now. Conditions have a
 * call of their own, and what depends on them another one: so it is known which branch was taken.
 */
export function traced(text: string): { readonly code: string; readonly marks: readonly TracedMark[] } {
  const marks: TracedMark[] = [];
  const inserted: (readonly [at: number, text: string])[] = [];
  const lineOf = (at: number) => text.slice(0, at).split('\n').length - 1;
  const mark = (from: number, to: number, isTest = false): number =>
    marks.push([lineOf(from), lineOf(Math.max(from, to - 1)), isTest]) - 1;

  /** @param isWrapped whether the statement stands alone where a block may stand. */
  const statement = (node: Syntax, isWrapped: boolean): void => {
    if (node.type === 'FunctionDeclaration') {
      visit(node);
      return;
    }
    const body = (node.consequent ?? node.body) as Syntax | undefined;
    const isTest = /^(If|For|ForOf|While)Statement$/.test(node.type);
    const id = isTest ? mark(node.start, body!.start, true) : mark(node.start, node.end);
    inserted.push([node.start, `${isWrapped ? '{' : ''}__at(${id});`]);
    visit(node);
    if (isWrapped) inserted.push([node.end, '}']);
  };

  const visit = (node: Syntax): void => {
    for (const part of partsOf(node)) {
      const isArm =
        part === node.consequent || part === node.alternate || (part === node.body && /^(For|While)/.test(node.type));
      if (part.type === 'BlockStatement') for (const one of partsOf(part)) statement(one, false);
      else if (isArm && /Statement$/.test(part.type)) statement(part, true);
      else if (part === node.body && node.type === 'ArrowFunctionExpression') {
        inserted.push([part.start, `(__at(${mark(part.start, part.end)}), `]);
        visit(part);
        inserted.push([part.end, ')']);
      } else visit(part);
    }
  };

  const [rules] = (parseAst(text, { lang: 'ts' }).body as unknown as Syntax[])
    .map(({ declaration }) => declaration as Syntax | undefined)
    .filter(
      (one) => one?.type === 'FunctionDeclaration' && (one.id as unknown as { name: string }).name === 'readableHandel',
    );
  if (rules === undefined) throw new RangeError('handel.ts: expected a function readableHandel, got none');
  for (const one of partsOf(rules.body as Syntax)) visit(one);

  let code = text;
  // From the end, so that places before stay where they are; what was inserted first at a place comes first.
  const ordered = inserted
    .map((one, order) => ({ one, order }))
    .sort((a, b) => b.one[0] - a.one[0] || b.order - a.order);
  for (const { one } of ordered) code = `${code.slice(0, one[0])}${one[1]}${code.slice(one[0])}`;
  const listen = 'export function listenToMarks(to: (mark: number) => void): void { __at = to; }';
  return { code: `${code}\nlet __at = (_mark: number): void => {};\n${listen}\n`, marks };
}

/**
 * Two modules that are made of the readable Handel's own file: `virtual:traced-handel`, which runs and says which lines
 * do, and `virtual:handel-text`, its lines and what can be said of them.
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
