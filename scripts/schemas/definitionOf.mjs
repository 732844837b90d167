/** Returns the name of the definition to which a reference in a schema leads. */
export function nameOf($ref) {
  return decodeURIComponent($ref.split('/').at(-1));
}

/** Returns the definition to which a reference leads; undefined without a reference or without that definition. */
export function definitionOf($ref, definitions) {
  return $ref && definitions[nameOf($ref)];
}
