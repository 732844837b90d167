/** How long the functions and classes of a source are, by its syntax tree. */
import ts from 'typescript';

/** A function may have this many lines, a class that many. */
export const mostLines = { function: 80, class: 300 };

/**
 * The functions and classes of a text that are longer than they may be, comments before them not counted.
 *
 * @returns {{ name: string, kind: 'function' | 'class', lines: number }[]} a name within the file (`Class.method`), what it is and its lines, for each.
 */
export function tooLong(path, text) {
  const file = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  const found = [];
  const lineOf = (position) => file.getLineAndCharacterOfPosition(position).line;
  const visit = (node, names) => {
    const kind = ts.isClassLike(node)
      ? 'class'
      : ts.isFunctionLike(node) && node.body !== undefined
        ? 'function'
        : undefined;
    const own = kind === undefined ? names : [...names, nameOf(node)];
    if (kind !== undefined) {
      const lines = lineOf(node.end) - lineOf(node.getStart(file)) + 1;
      if (lines > mostLines[kind]) found.push({ name: own.join('.'), kind, lines });
    }
    ts.forEachChild(node, (child) => visit(child, own));
  };
  visit(file, []);
  return found;
}

/** What a function or class is called, or is called after: the constant or the property that holds it. */
function nameOf(node) {
  if (ts.isConstructorDeclaration(node)) return 'constructor';
  const named =
    node.name ??
    (ts.isVariableDeclaration(node.parent) || ts.isPropertyAssignment(node.parent) ? node.parent.name : undefined);
  return named?.getText() ?? '(unnamed)';
}
