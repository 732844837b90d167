/**
 * `npm run schemas`: writes JSON schemas for the JSON documents that Tutti reads and writes to docs/schemas, from the
 * types and their comments. `--page` prints a page of tables that lists every field, for the site; the links on the
 * page are relative to docs/reference. `--check` does not write anything, and ends with exit code 1 if a schema is
 * stale; it can be combined with `--page`.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { scenarioTable } from '@tutti/simulation/fields';
import { createGenerator } from 'ts-json-schema-generator';
import { wrapMarkdown } from './markdown.mjs';
import { root } from './run.mjs';
import { definitionOf } from './schemas/definitionOf.mjs';
import { fieldsPage } from './schemas/fieldsPage.mjs';

const draft = 'http://json-schema.org/draft-07/schema#';

const sources = [
  'packages/simulation/src/scenario/scenarioType.ts',
  'packages/simulation/src/scenario/faultPlan.ts',
  'apps/node-cli/src/commands/simulate.ts',
  'apps/node-cli/src/cluster/document.ts',
  'apps/node-cli/src/cluster/hornDocument.ts',
  'apps/node-cli/src/comparedProtocols.ts',
];
// One program serves all types, because parsing their imports takes most of the time.
const generator = createGenerator({
  path: `${root}{${sources}}`,
  tsconfig: `${root}tsconfig.base.json`,
  skipTypeCheck: true,
  topRef: false,
});

function schemaOf(type) {
  const schema = generator.createSchema(type);
  // Links in comments become plain names here.
  return JSON.parse(
    JSON.stringify(schema)
      .replaceAll(/ ?\{@link\s+([^}]*?)\s*\} ?/g, ' `$1` ')
      .replaceAll(/` ([.,;)])/g, '`$1'),
  );
}

/** Returns the schema of a scenario in a file or from a program: missing fields have their defaults. */
function partial(schema) {
  const { required: _, ...rest } = schema;
  return rest;
}

/** Adds the range and the default from the scenario's table to a field's schema. */
function bounded(field, { range, default: standing }) {
  if (field.$ref) return field;
  const { min: minimum, max, isOpen } = range;
  const bounds = isOpen ? { minimum, exclusiveMaximum: max } : { minimum, maximum: max };
  if (range.kind === 'integer') return { ...field, type: 'integer', ...bounds, default: standing };
  return range.kind === 'number' ? { ...field, ...bounds, default: standing } : { ...field, default: standing };
}

/** Returns the properties of a scenario, or of a part of it, each with the range from the table. */
function withRanges(properties, table, definitions) {
  return Object.fromEntries(
    Object.entries(properties).map(([name, field]) => {
      const row = table[name];
      if ('range' in row) return [name, bounded(field, row)];
      const part = definitionOf(field.$ref, definitions);
      part.properties = withRanges(part.properties, row, definitions);
      return [name, field];
    }),
  );
}

const scenario = partial(schemaOf('Scenario'));
scenario.properties = withRanges(scenario.properties, scenarioTable, scenario.definitions);
const fault = schemaOf('Fault');
const { seed: _, ...sweptFields } = scenario.properties;
/** Fields of groups, by their dotted names. */
const groupedFields = Object.fromEntries(
  Object.entries(sweptFields).flatMap(([name, { $ref, properties }]) => {
    const group = properties ?? definitionOf($ref, scenario.definitions)?.properties ?? {};
    return Object.entries(group).map(([inner, field]) => [`${name}.${inner}`, field]);
  }),
);
const step = {
  type: 'object',
  properties: { from: { type: 'number' }, to: { type: 'number' }, step: { type: 'number', exclusiveMinimum: 0 } },
  required: ['from', 'to', 'step'],
  additionalProperties: false,
  description: 'The numbers from `from` to `to`, both included.',
};
const isNumber = ({ type }) => ['number', 'integer'].includes(type);
const variedField = (field) => {
  const list = { type: 'array', items: field, minItems: 1 };
  return isNumber(field) ? { anyOf: [list, step] } : list;
};
const togetherField = {
  type: 'array',
  items: { $ref: '#/properties/base' },
  minItems: 1,
  description: 'Records of fields that vary together: each record has the same fields.',
};
const result = schemaOf('SimulateDocument');
const ofResult = result.definitions.Scenario;
ofResult.properties = withRanges(ofResult.properties, scenarioTable, result.definitions);
const schemas = {
  scenario,
  faults: {
    $schema: draft,
    description:
      'Faults of a simulated network, with their times and nodes; the file of `tutti simulate --fault-file`.',
    definitions: { ...fault.definitions, Fault: { anyOf: fault.anyOf } },
    anyOf: [
      { type: 'array', items: { $ref: '#/definitions/Fault' } },
      {
        type: 'object',
        properties: { faults: { type: 'array', items: { $ref: '#/definitions/Fault' } } },
        required: ['faults'],
      },
    ],
  },
  sweep: {
    $schema: draft,
    description: 'The file of `tutti sweep`: every combination of the varied fields, each with every seed.',
    type: 'object',
    properties: {
      name: { type: 'string', minLength: 1, maxLength: 100, description: 'For people.' },
      base: {
        type: 'object',
        properties: {
          ...sweptFields,
          ...groupedFields,
          goReference: {
            type: 'object',
            properties: { quirks: { type: 'array', items: { type: 'string' } } },
            required: ['quirks'],
            additionalProperties: false,
            description: 'The model of the Go reference, as `tutti figures --write-sweep` writes it.',
          },
        },
        additionalProperties: false,
        description: 'Fields of a scenario that hold for every run.',
      },
      vary: {
        type: 'object',
        properties: Object.fromEntries(
          Object.entries({ ...sweptFields, ...groupedFields })
            .map(([name, field]) => [name, variedField(field)])
            .concat([['together', togetherField]]),
        ),
        additionalProperties: false,
        description: 'Fields of a scenario with a list of values each; every combination is run.',
      },
      seeds: {
        description: 'Seeds of each combination: their number, counted from seed 1, or the first seed and the number.',
        oneOf: [
          { type: 'integer', minimum: 1 },
          {
            type: 'object',
            properties: {
              from: { ...scenario.properties.seed, description: 'The first seed.' },
              count: { type: 'integer', minimum: 1, description: 'Number of seeds.' },
            },
            additionalProperties: false,
          },
        ],
      },
    },
    required: ['name'],
    additionalProperties: false,
    definitions: scenario.definitions,
  },
  'simulate-result': result,
  'cluster-result': schemaOf('ClusterDocument'),
  'horn-cluster-result': schemaOf('HornClusterDocument'),
  'protocols-result': schemaOf('ComparisonDocument'),
};

if (process.argv.includes('--page')) {
  console.log(wrapMarkdown(fieldsPage(schemas)));
  if (!process.argv.includes('--check')) process.exit(0);
}

mkdirSync(`${root}docs/schemas`, { recursive: true });
for (const [schemaName, schema] of Object.entries(schemas)) {
  const name = `docs/schemas/${schemaName}.schema.json`;
  const text = `${JSON.stringify(schema, null, 2)}\n`;
  if (!process.argv.includes('--check')) writeFileSync(`${root}${name}`, text);
  else if (readFileSync(`${root}${name}`, 'utf8') !== text) {
    console.error(`${name}: expected what npm run schemas writes, got another; run it`);
    process.exitCode = 1;
  }
}
