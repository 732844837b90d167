import ts from 'typescript';

/** Replacement of each operator. */
const operators = {
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
const calls = { min: 'max', max: 'min', floor: 'ceil', ceil: 'floor', some: 'every', every: 'some', abs: 'floor' };

/**
 * One change that a test should detect; `nth` is its number among equal changes of the source.
 *
 * @typedef {{ line: number, start: number, end: number, before: string, after: string, context: string, nth: number }}
 * Place
 */

/**
 * Returns all places of a TypeScript source at which one small change gives a different program, in the order of the
 * source. Types, imports, texts of errors, and strings that only name a kind are omitted.
 *
 * @param {string} source
 * @returns {Place[]}
 */
export function placesOf(source) {
  const file = ts.createSourceFile('source.ts', source, ts.ScriptTarget.Latest, true);
  const places = [];
  const seen = new Map();
  const put = (start, end, after) => {
    const { line } = file.getLineAndCharacterOfPosition(start);
    const before = source.slice(start, end);
    if (before === after) return;
    const place = { line: line + 1, start, end, before, after, context: lineAt(source, start), nth: 1 };
    const key = placeKey('', place);
    place.nth += seen.get(key) ?? 0;
    seen.set(key, place.nth);
    places.push(place);
  };
  const replace = (node, after) => put(node.getStart(file), node.end, after);

  const visit = (node, inError) => {
    if (ts.isTypeNode(node) || ts.isInterfaceDeclaration(node) || ts.isTypeAliasDeclaration(node)) return;
    if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) return;
    const error = inError || ts.isThrowStatement(node);
    if (ts.isBinaryExpression(node)) {
      const operator = node.operatorToken;
      const text = operator.getText(file);
      // The operator + has no opposite if it joins texts.
      const joins = text === '+' && [node.left, node.right].some((side) => ts.isStringLiteralLike(side));
      if (Object.hasOwn(operators, text) && !joins) replace(operator, operators[text]);
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
      Object.hasOwn(calls, node.name.text)
    )
      replace(node.name, calls[node.name.text]);
    ts.forEachChild(node, (child) => visit(child, error));
  };
  visit(file, false);
  return places;
}

/** @param {string} source @param {Place} place @returns the source with that place changed. */
export function mutate(source, { start, end, after }) {
  return `${source.slice(0, start)}${after}${source.slice(end)}`;
}

/** Key of a place, which stays the same when lines above the place change. */
export function placeKey(path, { context, before, after, nth }) {
  return `${path} | ${context} | ${short(before)} -> ${short(after)}${nth > 1 ? ` | ${nth}` : ''}`;
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
 * Returns a sample of the places that is the same for the same seed, and as evenly distributed over the folders as
 * their sizes allow. The rank of each place depends only on the seed and the place's name, so that the sample changes
 * only where the sources change.
 *
 * @template T
 * @param {Map<string, T[]>} folders
 * @param {number} count
 * @param {number} seed
 * @param {(place: T) => string} nameOf
 * @returns {Map<string, T[]>}
 */
export function sample(folders, count, seed, nameOf) {
  const taken = new Map();
  let left = count;
  const bySize = [...folders].sort(([a, x], [b, y]) => x.length - y.length || (a < b ? -1 : 1));
  for (const [index, [name, places]] of bySize.entries()) {
    const share = Math.min(places.length, Math.floor(left / (bySize.length - index)));
    left -= share;
    const ranked = places.map((place) => ({ place, rank: rankOf(`${seed} ${nameOf(place)}`) }));
    ranked.sort((a, b) => a.rank - b.rank);
    taken.set(
      name,
      ranked.slice(0, share).map(({ place }) => place),
    );
  }
  return taken;
}

/**
 * Hashes a text with FNV-1a and the last step of MurmurHash3, which separates names that differ in their last letters.
 */
function rankOf(text) {
  let hash = 0x811c9dc5;
  for (const byte of Buffer.from(text)) hash = Math.imul(hash ^ byte, 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}
