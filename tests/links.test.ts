import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { createSimulation, decodeRecording, encodeRecording, type Scenario, simulate } from '@tutti/simulation';
import { Command } from 'commander';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { addScenarioFlags, readScenario } from '../apps/node-cli/src/scenarioFlags.ts';
import { words } from '../apps/node-cli/test/runMain.ts';
import { command, decodeState, encodeState, firstState } from '../apps/visualizer/src/state/pageState.ts';
import { anyScenario } from '../packages/simulation/test/anyScenario.ts';
import { root } from '../scripts/run.mjs';

/** Returns the scenario of a `tutti simulate` command that the page shows. */
async function typed(line: string): Promise<Scenario> {
  const [npx, tutti, simulateWord, ...flags] = words(line);
  expect([npx, tutti, simulateWord]).toEqual(['npx', 'tutti', 'simulate']);
  const cli = addScenarioFlags(new Command()).exitOverride();
  cli.parse(flags, { from: 'user' });
  return readScenario(cli);
}

it('a link, the page that it opens, the command that the page prints, and the file that it saves describe one run', async () => {
  await fc.assert(
    fc.asyncProperty(anyScenario({ nodes: 24 }), async (asked) => {
      // Core does not contain an elliptic curve. With the counting scheme, the run is the same.
      const scenario: Scenario = { ...asked, scheme: 'counting' };
      const link = `#${encodeState({ ...firstState, scenario, node: 1 })}`;
      const opened = decodeState(link);
      expect(opened.notices).toEqual([]);
      const onThePage = createSimulation(opened.scenario, { record: true, giveUpAfterMs: 3000 });
      while (onThePage.advance(1 << 16));
      const { digest } = onThePage.result();
      expect(simulate(await typed(command(opened.scenario)), { giveUpAfterMs: 3000 }).digest).toBe(digest);

      const file = decodeRecording(encodeRecording(onThePage.recording()));
      expect(file.result.digest).toBe(digest);
      expect(await typed(command(file.scenario))).toEqual(scenario);
    }),
    { numRuns: 100 },
  );
});

it('a link text that is a file name in backticks names the target of the link', () => {
  const pages = execFileSync('git', ['ls-files', '*.md', ':!docs/papers'], { cwd: root, encoding: 'utf8' });
  const misnamed = pages
    .trim()
    .split('\n')
    .flatMap((page) =>
      [...readFileSync(join(root, page), 'utf8').matchAll(/\[`([^`\]]+\.[a-z]+)`\]\(([^)\s#]+)/g)]
        .filter(([, name, target]) => basename(name!) !== basename(target!))
        .map(([link]) => `${page}: ${link}`),
    );
  expect(misnamed).toEqual([]);
});
