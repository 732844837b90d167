import { writeFileSync } from 'node:fs';
import { faultKinds } from '@tutti/simulation';
import { describe, expect, it } from 'vitest';
import { documentFrom, refusalOf, runMain } from '../test/runMain.ts';
import { temporaryFiles } from '../test/temporaryFolder.ts';
import { grouped } from './output/text.ts';
import { injectedLine, readFaults } from './runFiles.ts';

const { at } = temporaryFiles();

const file = at('plan.json');

const simulate = (...args: string[]) => runMain(['simulate', '--nodes', '16', ...args]);

const plan = [
  { kind: 'crash', nodes: [3], atMs: 0 },
  { kind: 'duplication', share: 1 },
];

it.each([plan, { faults: plan }])('a fault plan is a list, or an object that contains only a list', (form) => {
  writeFileSync(file, JSON.stringify(form));
  expect(readFaults(file, 16)).toEqual(plan);
});

describe('tutti simulate --fault-file', () => {
  it('runs the plan, and reports its effects in the summary and in the document', async () => {
    writeFileSync(file, JSON.stringify(plan));
    const document = await documentFrom(`simulate --nodes 16 --fault-file ${file}`);
    expect(document).toMatchObject({ live: 15, reached: 15, scenario: { faults: plan }, injected: { crash: 1 } });
    const { duplication, missed } = document.injected;
    const summary = (await simulate('--fault-file', file, '--check')).out;
    expect(summary).toContain('16 nodes (1 dead or crashed)');
    expect(summary).toContain(
      `\nfaults: 1 node crashed, ${grouped(missed)} messages not received because the node was down, ${grouped(duplication)} messages doubled\n`,
    );
    expect((await simulate('--fault-file', file, '--seed', '1', '--json')).out).toContain(document.digest);
  });

  it('reports a plan without effect', async () => {
    writeFileSync(file, JSON.stringify([{ kind: 'loss', share: 1, atMs: 600_000 }]));
    expect((await simulate('--fault-file', file)).out).toContain('\nfaults: the run ended before the first fault\n');
  });

  const share = 'faults[0].nodes.share: expected a number greater than 0 and at most 1, got 2';
  it.each([
    ['{"faults": 3}', `${file}: faults: expected a list of faults, got 3`],
    ['{"plan": []}', `${file}: faults: expected a list of faults, got {"plan":[]}`],
    ['[{"kind":"crash","nodes":[16],"atMs":0}]', `${file}: faults[0].nodes[0]: expected an id from 0 to 15, got 16`],
    ['[{"kind":"crash","nodes":{"share":2},"atMs":0}]', `${file}: ${share}`],
  ])('%j is refused in one line, exit code 1', async (text, line) => {
    writeFileSync(file, text);
    expect(refusalOf(await simulate('--fault-file', file), 1)).toBe(line);
  });

  it('a fault that is invalid for the whole scenario is refused in one line, exit code 2', async () => {
    writeFileSync(file, '[{"kind":"crash","nodes":{"share":1},"atMs":0}]');
    expect(refusalOf(await simulate('--fault-file', file))).toBe(
      '--fault: expected an honest node that no crash ends, got none',
    );
  });
});

it('injectedLine has a text for every fault', () => {
  for (const kind of [...faultKinds, 'missed'])
    expect(injectedLine({ [kind]: 1234 })).toMatch(/^faults: 1,234 [a-z ]+$/);
});
