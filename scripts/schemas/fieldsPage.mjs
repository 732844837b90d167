import { defaultScenario } from '@tutti/simulation';
import { definitionOf, nameOf } from './definitionOf.mjs';

/** Title and description of the section of each schema. */
const titles = {
  scenario: [
    'A scenario',
    "`simulate()`'s argument, `base` of a sweep, and `scenario` in results. Every field may be left out.",
  ],
  faults: ['Faults', '`tutti simulate --fault-file FILE`; [guide](../guides/faults.md).'],
  sweep: ['A sweep', '`tutti sweep FILE`; [guide](../guides/sweep.md).'],
  'simulate-result': ['A result', 'what `simulate()` returns, and what `tutti simulate --json` prints.'],
  'cluster-result': ['A cluster', 'what `tutti cluster --json` prints.'],
  'horn-cluster-result': ['A slot of Horn', 'what `tutti cluster --protocol horn --json` prints.'],
  'protocols-result': ['Several protocols', 'what `tutti cluster --protocol all --json` prints.'],
};

/**
 * Returns the text for a named type: its values if the type is a choice, otherwise its name with a link to its
 * description.
 */
function namedText($ref, definitions) {
  const name = nameOf($ref);
  const named = definitionOf($ref, definitions);
  if (named?.enum || named?.anyOf?.every(({ const: value }) => value !== undefined))
    return typeText(named, definitions);
  return name === 'Scenario' ? '[Scenario](#a-scenario)' : `[${name}](#${name.toLowerCase()})`;
}

/** Returns the description of a field: its own comment, or that of its type. */
const whatOf = ({ description, $ref }, definitions) =>
  description ?? definitionOf($ref, definitions)?.description ?? '';

/** Returns a short description of a field's type. */
function typeText({ $ref, type, enum: values, const: value, items, anyOf }, definitions) {
  if ($ref) return namedText($ref, definitions);
  if (value !== undefined) return `\`${JSON.stringify(value)}\``;
  if (values) return values.map((one) => `\`${one}\``).join(', ');
  if (anyOf) return anyOf.map((one) => typeText(one, definitions)).join(' or ');
  if (type === 'array') return items ? `list of ${typeText(items, definitions)}` : 'list';
  return Array.isArray(type) ? type.join(' or ') : (type ?? 'any');
}

/** Returns a table of the fields of a type. @param defaults values for omitted fields. */
function fieldsTable({ properties = {} }, definitions, defaults) {
  const rows = Object.entries(properties).map(([name, field]) => {
    const what = whatOf(field, definitions).replaceAll('\n', ' ').replaceAll('|', '\\|');
    return `| \`${name}\` | ${typeText(field, definitions)} | ${defaults ? `\`${JSON.stringify(defaults[name])}\` | ` : ''}${what} |`;
  });
  const head = defaults
    ? '| field | type | default | description |\n|---|---|---|---|'
    : '| field | type | description |\n|---|---|---|';
  return rows.length === 0 ? '' : `${head}\n${rows.join('\n')}\n\n`;
}

/** Returns a Markdown page with every field of these schemas. The links on the page are relative to docs/reference. */
export function fieldsPage(schemas) {
  const definitions = Object.assign({}, ...Object.values(schemas).map((schema) => schema.definitions ?? {}));
  /** Names of types that have already been described. */
  const described = new Set(['Scenario']);
  const parts = Object.entries(schemas).map(([name, schema]) => {
    const [title, what] = titles[name];
    const named = Object.entries(schema.definitions ?? {})
      .filter(([definition]) => !described.has(definition) && described.add(definition))
      .map(([definition, one]) => {
        const head = `### ${definition}\n\n`;
        const what = one.description ? `${one.description}\n\n` : '';
        return one.properties
          ? `${head}${what}${fieldsTable(one, definitions)}`
          : `${head}${what}${typeText(one, definitions)}\n\n`;
      });
    return `## ${title}\n\n[\`${name}.schema.json\`](../schemas/${name}.schema.json): ${what}\n\n${fieldsTable(schema, definitions, name === 'scenario' ? defaultScenario : undefined)}${named.join('')}`;
  });
  return [
    '# Fields of scenarios, sweeps and results\n\n',
    'This page lists every field of the [JSON Schemas](../reference/scenario-schema.md). It is generated from the types.\n\n',
    ...parts,
  ]
    .join('')
    .trimEnd()
    .concat('\n');
}
