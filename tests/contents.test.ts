import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { attacks, defaultScenario, type Scenario, scenarioPresets, simulate } from '@tutti/simulation';
import { expect, it } from 'vitest';
import { programsOf } from '../scripts/named.mjs';
import { pagesUnder, recordsOf } from '../scripts/pages.mjs';
import { root } from '../scripts/run.mjs';

const textOf = (page: string) => readFileSync(join(root, page), 'utf8');
const linksOf = (text: string) => [...text.matchAll(/\]\(([^)\s#]+\.md)/g)].map(([, page]) => page!);

it('each page of docs/ is in one of its seven folders, and another page of docs/ links to it', () => {
  const pages = pagesUnder('docs').filter((page) => page !== 'docs/index.md');
  for (const page of pages)
    expect(page).toMatch(/^docs\/(start|guides|concepts|reference|research|benchmarks|internals)\//);
  const linked = pagesUnder('docs').flatMap((page) =>
    linksOf(textOf(page)).map((link) => posix.join(posix.dirname(page), link)),
  );
  expect(pages.filter((page) => !linked.includes(page))).toEqual([]);
});

it('no page ends a line with a space or has two empty lines in a row outside code', () => {
  const pages = [...pagesUnder('docs'), 'README.md', 'CONTRIBUTING.md', 'CHANGELOG.md'];
  const untidy = (page: string) => /[ \t]$|\n{3}/m.test(textOf(page).replace(/^```.*?^```/gms, '```'));
  expect(pages.filter(untidy)).toEqual([]);
});

it('each page of docs/ that a source mentions exists', () => {
  const tracked = execFileSync('git', ['ls-files', '*.ts', '*.mjs', '*.html', '*.rs', '*.sol', '*.yaml', '*.json'], {
    cwd: root,
    encoding: 'utf8',
  });
  const folders = 'start|guides|concepts|reference|research|benchmarks|internals';
  const mentions = tracked
    .split('\n')
    .filter((file) => file !== '' && existsSync(join(root, file)))
    .flatMap((file) => [...textOf(file).matchAll(new RegExp(`docs/(?:${folders})/[\\w/-]+\\.md`, 'g'))])
    .map(([page]) => page);
  expect([...new Set(mentions)].filter((page) => !existsSync(join(root, page)))).toEqual([]);
});

it('the README links to at most twenty pages', () => {
  const readme = linksOf(textOf('README.md'));
  expect(new Set(readme.filter((page) => page.startsWith('docs/'))).size).toBeLessThanOrEqual(20);
});

it('each record of docs/benchmarks names an existing command and occurs once', () => {
  const records = pagesUnder('docs').flatMap((page) => recordsOf(textOf(page)));
  expect(records.length).toBeGreaterThan(10);
  expect(new Set(records.map(({ name }) => name)).size).toBe(records.length);
  const benches = [...programsOf('bench').keys()];
  for (const { command } of records) {
    const [, bench] = /^npm run bench -- ([\w-]+)/.exec(command) ?? [];
    if (bench !== undefined) expect(benches).toContain(bench);
    else expect(command).toMatch(/^npm run (compliance:engines|loads:everywhere) -w @tutti\/wasm-bls/);
  }
});

it('docs/concepts/attacks.md has a section for each attack', () => {
  const page = textOf('docs/concepts/attacks.md');
  const sections = new Set([...page.matchAll(/^## ([a-z-]+)$/gm)].map(([, name]) => name!));
  const names = new Set<string>(attacks.map(({ name }) => name));
  expect([...names].filter((name) => !sections.has(name))).toEqual([]);
  expect([...sections].filter((name) => !names.has(name))).toEqual([]);
});

it("docs/concepts/handel.md lists the flags of the paper's preset, under attack too", () => {
  const page = textOf('docs/concepts/handel.md');
  const table = page.slice(page.indexOf('| departure | flag'), page.indexOf('Level starts and periods are fixed'));
  const flags = [...table.matchAll(/\| `--([\w-]+) ([\w-]+)` \|$/gm)].map(
    ([, flag, value]) => [flag!, value!] as const,
  );
  expect(flags).toHaveLength(7);
  const without = flags.flatMap(([flag, value]) => (flag === 'without' ? [value] : []));
  const { priorities, tree, window, 'back-off': backOff } = Object.fromEntries(flags);
  const scenario = { nodes: 100, dead: 0.1, attacks: [{ name: 'invalid', share: 0.3 }] };
  const byFlags = { ...defaultScenario, ...scenario, priorities, tree, window, backOff: backOff !== 'off', without };
  const [flagged, preset] = [byFlags, { ...scenarioPresets.paper, ...scenario }].map((one) =>
    simulate(one as Scenario),
  );
  expect(flagged!.digest).toBe(preset!.digest);
});

it('the record of the simulator states the number of messages that a run of 1,024 nodes delivers', () => {
  const page = textOf('docs/benchmarks/simulator.md');
  const delivered = (dead: number) => simulate({ ...defaultScenario, nodes: 1024, dead }).messagesDelivered;
  for (const dead of [0, 0.2])
    expect(page).toContain(`\n| 1,024 | ${100 * dead} % | ${delivered(dead).toLocaleString('en-US')} |`);
});
