/** Returns the name of the definition that a reference of a schema leads to. */
export function nameOf($ref) {
  return decodeURIComponent($ref.split('/').at(-1));
}

/** Returns the definition that a reference leads to; undefined without a reference or without that definition. */
export function definitionOf($ref, definitions) {
  return $ref && definitions[nameOf($ref)];
}
