import ts from 'typescript';

/** Returns the modules that a TypeScript file imports or re-exports, statically or dynamically, including types. */
export function importsOf(text) {
  return ts.preProcessFile(text, true, true).importedFiles.map(({ fileName }) => fileName);
}
