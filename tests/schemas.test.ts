import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { createSimulation, defaultScenario } from '@tutti/simulation';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parsePlan } from '../apps/node-cli/src/sweep/plan.ts';
import { anyScenario } from '../packages/simulation/test/anyScenario.ts';
import { schemaOf } from './schemaTakes.ts';

const root = new URL('../', import.meta.url);
const textOf = (file: string) => readFileSync(new URL(file, root), 'utf8');

describe('the JSON schemas', () => {
  it('equal their types, on a page where every named type is a spelt-out choice or links to its description', async () => {
    // One run checks both, because each run reads every type that the sources import.
    const both = ['scripts/schemas.mjs', '--check', '--page'];
    const { stdout: page } = await promisify(execFile)(process.execPath, both, { cwd: root });
    const anchors = [...page.matchAll(/^#+ (.*)$/gm)].map(([, title]) => title!.toLowerCase().replaceAll(' ', '-'));
    expect(new Set(anchors).size).toBe(anchors.length);
    const types = [...page.matchAll(/^\| `\w+` \| ([^|]*) \|/gm)].map(([, type]) => type!);
    for (const [, anchor] of types.join(' ').matchAll(/\]\(#([^)]*)\)/g)) expect(anchors).toContain(anchor);
    const bare = types.join(' ').replaceAll(/\[\w+\]|`[^`]*`/g, '');
    expect(bare).not.toMatch(/\b[A-Z]\w*/);
  });

  it('accept every valid scenario, whole or in part, and refuse a misspelt field', () => {
    const isScenario = schemaOf('scenario');
    fc.assert(fc.property(anyScenario({ nodes: 64 }), isScenario), { numRuns: 50 });
    expect(isScenario({})).toBe(true);
    expect(isScenario({ nodes: 64, attack: 'silent:0.3' })).toBe(false);
    expect(isScenario({ nodes: '64' })).toBe(false);
  });

  it('accept the result of a run', () => {
    const isResult = schemaOf('simulate-result');
    const simulation = createSimulation({ ...defaultScenario, nodes: 16 });
    while (simulation.advance(1 << 20));
    const run = { ...simulation.result(), wallSeconds: 1, peakRssBytes: 1 };
    expect(isResult(run)).toBe(true);
    const { digest: _, ...less } = run;
    expect(isResult(less)).toBe(false);
  });

  it('refuse a seed among the fields of a sweep, and a fault without effect', () => {
    expect(schemaOf('sweep')({ name: 'seeds', base: { seed: 1 } })).toBe(false);
    expect(schemaOf('faults')([{ kind: 'quake', atMs: 1 }])).toBe(false);
  });
});

/** Pages that show a JSON document, each with a function that checks the document. */
const shown: Readonly<Record<string, (document: unknown) => boolean>> = {
  'docs/guides/faults.md': schemaOf('faults'),
  'docs/reference/registry.md': registrySchema(),
  'docs/guides/sweep.md': schemaOf('sweep'),
};

function registrySchema(): (document: unknown) => boolean {
  const ajv = new Ajv2020({ strict: true, strictRequired: false, strictTypes: false });
  const schema = JSON.parse(textOf('packages/certificates/registry.schema.json'));
  return (addFormats.default ?? addFormats)(ajv).compile(schema);
}

/** Returns the JSON documents of a page. That number of digits replaces a placeholder for hexadecimal digits. */
function documentsOf(page: string): string[] {
  const fences = [...textOf(page).matchAll(/```json\n([\s\S]*?)```/g)].map(([, text]) => text!);
  return fences.map((text) => text.replaceAll(/(\d+) hexadecimal digits/g, (_, digits) => 'a'.repeat(Number(digits))));
}

describe('JSON documents of the pages', () => {
  it.each(Object.entries(shown))('%s: its schema accepts them', (page, takes) => {
    const documents = documentsOf(page);
    expect(documents.length).toBeGreaterThan(0);
    for (const text of documents) expect(takes(JSON.parse(text)), text).toBe(true);
  });

  it('no other page contains one', () => {
    const inDocs = readdirSync(new URL('docs', root), { recursive: true }).map((name) => `docs/${name}`);
    const showing = ['README.md', ...inDocs].filter((page) => page.endsWith('.md') && documentsOf(page).length > 0);
    expect(showing.toSorted()).toEqual(Object.keys(shown).toSorted());
  });

  it('the command reads the sweep of docs/guides/sweep.md as the schema does', () => {
    expect(parsePlan(documentsOf('docs/guides/sweep.md')[0]!, 'sweep.json').points).toHaveLength(120);
  });

  it('docs/reference/registry.md: a registry without a proof is invalid', () => {
    const registry = JSON.parse(documentsOf('docs/reference/registry.md')[0]!);
    const { networkKeyProof: _, ...entry } = registry.entries[0];
    expect(shown['docs/reference/registry.md']!({ ...registry, entries: [entry] })).toBe(false);
  });
});
