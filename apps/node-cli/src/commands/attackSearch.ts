import { availableParallelism } from 'node:os';
import { version } from '@tutti/core';
import { type Tried, worstFinds } from '@tutti/core/adversary';
import { defaultScenario, type Scenario, scenarioArguments, simulate } from '@tutti/core/simulation';
import { Command } from 'commander';
import { runSearch } from '../attacks/runSearch.ts';
import type { Context } from '../context.ts';
import { integerFlag, numberFlag, seedFlag } from '../flags.ts';
import { grouped } from '../numbers.ts';
import { Progress, type Work } from '../output/progress.ts';
import { columnTable, pairTable } from '../output/tables.ts';

interface AttackSearchCommandOptions {
  readonly nodes: number;
  readonly share: number;
  readonly minutes: number;
  readonly tries: number;
  readonly seed: number;
  readonly jobs?: number;
  readonly json?: boolean;
}

/** What `tutti attack-search --json` prints. */
export interface AttackSearchDocument {
  readonly version: string;
  readonly nodes: number;
  readonly share: number;
  readonly seed: number;
  readonly tried: number;
  readonly wallSeconds: number;
  /** Mean time of the honest nodes with as many that keep silent, ms. */
  readonly silentMs: number;
  /** The worst first; `times` is the mean relative to silence. */
  readonly worst: readonly (Tried & { readonly times: number; readonly again: string })[];
}

const mostTries = 1_000_000;

export function attackSearchCommand(context: Context): Command {
  return new Command('attack-search')
    .description('Search for the attack, level by level, that slows honest nodes most; see docs/attack-search.md.')
    .option('--nodes <n>', 'nodes', integerFlag('--nodes', 4, 65_536), 256)
    .option(
      '--share <share>',
      'share of the nodes that are Byzantine',
      numberFlag('--share', 'a number over 0 and under 0.5', (share) => share > 0 && share < 0.5),
      0.3,
    )
    .option(
      '--minutes <m>',
      'stop after this time',
      numberFlag('--minutes', 'a number over 0 and at most 10000', (minutes) => minutes > 0 && minutes <= 10_000),
      10,
    )
    .option('--tries <n>', 'stop after this many attacks', integerFlag('--tries', 1, mostTries), mostTries)
    .option('--seed <n>', 'seed of the search and of its runs', seedFlag, 1)
    .option('--jobs <n>', 'runs at once (default: one per core)', integerFlag('--jobs', 1, 1024))
    .option('--json', 'print one JSON document')
    .action(async (options: AttackSearchCommandOptions) => {
      const document = await search(options, context);
      context.out(options.json ? `${JSON.stringify(document)}\n` : summary(document));
    });
}

async function search(options: AttackSearchCommandOptions, context: Context): Promise<AttackSearchDocument> {
  const { nodes, share, minutes, tries, seed, jobs = availableParallelism() } = options;
  const startedMs = performance.now();
  const silent: Scenario = { ...defaultScenario, nodes, seed, attacks: [{ name: 'silent', share }] };
  const silentMs = simulate(silent).timeToThresholdMs.mean;
  const progress = new Progress(context);
  try {
    const from = worstFinds.map(({ plan }) => plan);
    const done = await runSearch({
      ...{ nodes, share, seed, from, minutes, tries, jobs, signal: context.signal },
      onLearnt: ({ tried, worst }) =>
        progress.update(
          () =>
            `searching: ${grouped(tried)} tried, the worst ${told(worst[0]!)} beside ${grouped(silentMs)}: ${worst[0]!.plan}`,
          workOf(Math.max(tried / tries, (performance.now() - startedMs) / (60_000 * minutes))),
        ),
    });
    const worst = done.worst.map((one) => ({
      ...one,
      times: one.meanMs / silentMs,
      again: ['tutti simulate', ...scenarioArguments(done.scenario(one.plan))].join(' '),
    }));
    const wallSeconds = Math.round(performance.now() - startedMs) / 1000;
    return { version, nodes, share, seed, tried: done.tried, wallSeconds, silentMs, worst };
  } finally {
    progress.done();
  }
}

/** It ends with the last try or the last minute, whichever comes first. */
function workOf(share: number): Work {
  const done = Math.min(1, share);
  return { done, left: 1 - done };
}

function told({ meanMs, stuck }: Tried): string {
  return stuck > 0 ? `${grouped(stuck)} stuck` : `${grouped(meanMs)} ms`;
}

function summary({ nodes, share, tried, wallSeconds, silentMs, worst }: AttackSearchDocument): string {
  return [
    `${grouped(tried)} attacks of ${share * 100} % of ${grouped(nodes)} nodes in ${grouped(wallSeconds, 1)} s; silence takes ${grouped(silentMs)} ms on average\n`,
    columnTable(
      ['the worst', 'stuck', 'mean, ms', 'times silence', 'last, ms'],
      worst.map(({ plan, stuck, meanMs, maxMs, times }) => [
        plan,
        grouped(stuck),
        grouped(meanMs),
        grouped(times, 2),
        grouped(maxMs),
      ]),
    ),
    pairTable([['reproduce with', worst[0]!.again]]),
  ].join('\n');
}
