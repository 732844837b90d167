import ts from 'typescript';

/** What an operator is changed to. */
const OPERATORS = {
  '+': '-',
  '-': '+',
  '*': '+',
  '/': '*',
  '%': '*',
  '**': '*',
  '<': '<=',
  '<=': '<',
  '>': '>=',
  '>=': '>',
  '===': '!==',
  '!==': '===',
  '&&': '||',
  '||': '&&',
  '??': '&&',
  '&': '|',
  '|': '&',
  '^': '|',
  '<<': '>>',
  '>>': '<<',
  '>>>': '<<',
  '+=': '-=',
  '-=': '+=',
  '*=': '+=',
  '|=': '&=',
  '&=': '|=',
  '^=': '|=',
  '<<=': '>>=',
  '>>=': '<<=',
  '>>>=': '<<=',
  '??=': '=',
};
const CALLS = { min: 'max', max: 'min', floor: 'ceil', ceil: 'floor', some: 'every', every: 'some', abs: 'floor' };

/**
 * One change that a test should notice.
 *
 * @typedef {{ line: number, start: number, end: number, before: string, after: string, context: string }} Place
 */

/**
 * All the places of a TypeScript source at which one small change makes another program, in the order of the source. Types, imports,
 * the texts of errors, and strings that only name the kind of a thing are left alone.
 *
 * @param {string} source
 * @returns {Place[]}
 */
export function placesOf(source) {
  const file = ts.createSourceFile('source.ts', source, ts.ScriptTarget.Latest, true);
  const places = [];
  const put = (start, end, after) => {
    const { line } = file.getLineAndCharacterOfPosition(start);
    const before = source.slice(start, end);
    if (before !== after) places.push({ line: line + 1, start, end, before, after, context: lineAt(source, start) });
  };
  const replace = (node, after) => put(node.getStart(file), node.end, after);

  const visit = (node, inError) => {
    if (ts.isTypeNode(node) || ts.isInterfaceDeclaration(node) || ts.isTypeAliasDeclaration(node)) return;
    if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) return;
    const error = inError || ts.isThrowStatement(node);
    if (ts.isBinaryExpression(node)) {
      const operator = node.operatorToken;
      const text = operator.getText(file);
      // In a text that is put together, plus has no opposite.
      const joins = text === '+' && [node.left, node.right].some((side) => ts.isStringLiteralLike(side));
      if (Object.hasOwn(OPERATORS, text) && !joins) replace(operator, OPERATORS[text]);
    } else if (ts.isPrefixUnaryExpression(node)) {
      if (node.operator === ts.SyntaxKind.ExclamationToken || node.operator === ts.SyntaxKind.TildeToken)
        replace(node, node.operand.getText(file));
      else if (node.operator === ts.SyntaxKind.MinusToken && !ts.isNumericLiteral(node.operand))
        replace(node, `(${node.operand.getText(file)})`);
      else if (node.operator === ts.SyntaxKind.PlusPlusToken) replace(node, `--${node.operand.getText(file)}`);
      else if (node.operator === ts.SyntaxKind.MinusMinusToken) replace(node, `++${node.operand.getText(file)}`);
    } else if (ts.isPostfixUnaryExpression(node)) {
      const other = node.operator === ts.SyntaxKind.PlusPlusToken ? '--' : '++';
      replace(node, `${node.operand.getText(file)}${other}`);
    } else if (ts.isNumericLiteral(node) && !ts.isLiteralTypeNode(node.parent)) {
      const value = Number(node.text);
      replace(node, Number.isInteger(value) ? String(value + 1) : String(value * 2));
    } else if (node.kind === ts.SyntaxKind.TrueKeyword) replace(node, 'false');
    else if (node.kind === ts.SyntaxKind.FalseKeyword) replace(node, 'true');
    else if (ts.isStringLiteral(node) && !error && !ts.isPropertyAssignment(node.parent)) replace(node, "'mutant'");
    else if (ts.isIfStatement(node) || ts.isConditionalExpression(node)) {
      const condition = ts.isIfStatement(node) ? node.expression : node.condition;
      replace(condition, 'true');
      replace(condition, 'false');
    } else if (ts.isExpressionStatement(node) && !isSuper(node.expression)) replace(node, ';');
    else if (
      (ts.isReturnStatement(node) && !node.expression) ||
      ts.isContinueStatement(node) ||
      ts.isBreakStatement(node)
    )
      replace(node, ';');
    else if (
      ts.isPropertyAccessExpression(node) &&
      ts.isCallExpression(node.parent) &&
      Object.hasOwn(CALLS, node.name.text)
    )
      replace(node.name, CALLS[node.name.text]);
    ts.forEachChild(node, (child) => visit(child, error));
  };
  visit(file, false);
  return places;
}

/** The source with one place changed. */
export function mutate(source, { start, end, after }) {
  return `${source.slice(0, start)}${after}${source.slice(end)}`;
}

/** What names a place after lines above it have come and gone. */
export function placeKey(path, { context, before, after }) {
  return `${path} | ${context} | ${short(before)} -> ${after}`;
}

export function short(text) {
  const line = text.replaceAll(/\s+/g, ' ');
  return line.length > 60 ? `${line.slice(0, 57)}...` : line;
}

function isSuper(expression) {
  return ts.isCallExpression(expression) && expression.expression.kind === ts.SyntaxKind.SuperKeyword;
}

function lineAt(source, at) {
  const begin = source.lastIndexOf('\n', at - 1) + 1;
  const end = source.indexOf('\n', at);
  return source.slice(begin, end === -1 ? undefined : end).trim();
}

/**
 * So many of the places, the same for the same seed; as even over the folders as their sizes allow.
 *
 * @template T
 * @param {Map<string, T[]>} folders
 * @param {number} count
 * @param {number} seed
 * @returns {Map<string, T[]>}
 */
export function sample(folders, count, seed) {
  const random = generator(seed);
  const taken = new Map();
  let left = count;
  const bySize = [...folders].sort(([a, x], [b, y]) => x.length - y.length || (a < b ? -1 : 1));
  for (const [index, [name, places]] of bySize.entries()) {
    const share = Math.min(places.length, Math.floor(left / (bySize.length - index)));
    left -= share;
    taken.set(name, shuffled(places, random).slice(0, share));
  }
  return taken;
}

function shuffled(items, random) {
  const order = [...items];
  for (let end = order.length - 1; end > 0; end--) {
    const other = Math.floor(random() * (end + 1));
    [order[end], order[other]] = [order[other], order[end]];
  }
  return order;
}

/** Mulberry32: numbers in [0, 1) from a seed of 32 bits. */
function generator(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
