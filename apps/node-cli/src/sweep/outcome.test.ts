import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { simulate } from '@tutti/simulation';
import { afterAll, expect, it } from 'vitest';
import { parsePlan } from './plan.ts';
import { resultLine } from './result.ts';
import { Outcome } from './summary.ts';

const folder = mkdtempSync(join(tmpdir(), 'tutti-outcome-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

it('refuses the output of a worker of another version, and writes nothing of it', () => {
  const plan = parsePlan('{"name": "one", "base": {"nodes": 3}}', 'one.json');
  const path = join(folder, 'out.jsonl');
  const outcome = new Outcome(plan, path);
  const [{ key, scenario } = { key: '', scenario: plan.groups[0]! }] = plan.points;
  const result = simulate(scenario);
  expect(() => outcome.take([resultLine(key, { ...result, version: '0.2.0-dev+00000000' })])).toThrow(
    'got one of 0.2.0-dev+00000000',
  );
  expect(outcome.tally.done).toBe(0);
  expect(outcome.take([resultLine(key, result)])).toHaveLength(1);
  outcome.file.close();
  expect(readFileSync(path, 'utf8')).toBe(`${resultLine(key, result)}\n`);
});
