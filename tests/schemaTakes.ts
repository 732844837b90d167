import { readFileSync } from 'node:fs';
import { Ajv } from 'ajv';

/** Returns a function that returns whether a document, as JSON, matches the schema of this kind. */
export function schemaOf(name: string): (document: unknown) => boolean {
  const schema = readFileSync(new URL(`../docs/schemas/${name}.schema.json`, import.meta.url), 'utf8');
  const validate = new Ajv({ allowUnionTypes: true }).compile(JSON.parse(schema));
  return (document) => validate(JSON.parse(JSON.stringify(document))) as boolean;
}

export const schemaTakes = (name: string, document: unknown): boolean => schemaOf(name)(document);
