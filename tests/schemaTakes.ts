import { readFileSync } from 'node:fs';
import { Ajv } from 'ajv';

/** Returns whether a document matches the schema of its kind. */
export function schemaTakes(name: string, document: unknown): boolean {
  const schema = readFileSync(new URL(`../docs/schemas/${name}.schema.json`, import.meta.url), 'utf8');
  return new Ajv({ allowUnionTypes: true }).validate(JSON.parse(schema), document);
}
