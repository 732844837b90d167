import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { defaultScenario, simulate } from '@tutti/core/simulation';
import { Ajv } from 'ajv';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parsePlan } from '../apps/node-cli/src/sweep/plan.ts';
import { anyScenario } from '../packages/core/test/anyScenario.ts';

const root = new URL('../', import.meta.url);
const textOf = (file: string) => readFileSync(new URL(file, root), 'utf8');

function schemaOf(name: string): (document: unknown) => boolean {
  const ajv = new Ajv({ allowUnionTypes: true });
  const validate = ajv.compile(JSON.parse(textOf(`docs/schemas/${name}.schema.json`)));
  return (document) => validate(JSON.parse(JSON.stringify(document))) as boolean;
}

describe('the JSON schemas', () => {
  it('are what their types say today', async () => {
    await promisify(execFile)(process.execPath, ['scripts/schemas.mjs', '--check'], { cwd: root });
  });

  it('take every scenario that can be run, whole or in part, and refuse a misspelt field', () => {
    const isScenario = schemaOf('scenario');
    fc.assert(fc.property(anyScenario({ nodes: 64 }), isScenario), { numRuns: 50 });
    expect(isScenario({})).toBe(true);
    expect(isScenario({ nodes: 64, attack: 'silent:0.3' })).toBe(false);
    expect(isScenario({ nodes: '64' })).toBe(false);
  });

  it('take what a run gives', () => {
    const isResult = schemaOf('simulate-result');
    const run = { ...simulate({ ...defaultScenario, nodes: 16 }), wallSeconds: 1, peakRssBytes: 1 };
    expect(isResult(run)).toBe(true);
    const { digest: _, ...less } = run;
    expect(isResult(less)).toBe(false);
  });

  it("take docs/sweep.md's sweep, as the command does, and refuse a seed among its fields", () => {
    const isSweep = schemaOf('sweep');
    const text = /```json\n([\s\S]*?)```/.exec(textOf('docs/sweep.md'))![1]!;
    expect(parsePlan(text, 'sweep.json').points).toHaveLength(120);
    expect(isSweep(JSON.parse(text))).toBe(true);
    expect(isSweep({ name: 'seeds', base: { seed: 1 } })).toBe(false);
  });

  it("take docs/faults.md's faults, and refuse what breaks nothing that there is", () => {
    const isFaults = schemaOf('faults');
    const text = /```json\n([\s\S]*?)```/.exec(textOf('docs/faults.md'))![1]!;
    expect(isFaults(JSON.parse(text))).toBe(true);
    expect(isFaults([{ kind: 'quake', atMs: 1 }])).toBe(false);
  });
});
