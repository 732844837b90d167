import { looksLikeIdentity } from '@tutti/core';
import {
  defaultPeriodMs,
  defaultPeriodText,
  deliver,
  measuredTable,
  outcomeRows,
  plannedRounds,
  portsText,
  requireOutputs,
} from '@tutti/node-cli/clusters';
import {
  allCounted,
  Command,
  type Context,
  choice,
  counted,
  type Extension,
  type FlagsOf,
  flag,
  forceFlag,
  grouped,
  type HandelFlags,
  type InsecureRunOptions,
  integer,
  jsonFlag,
  kernelName,
  numberFlag,
  pairTable,
  reachedText,
  readFaults,
  several,
  UsageError,
  withFlags,
  withHandelFlags,
  withInsecureRunFlags,
  words,
  writeWhole,
} from '@tutti/node-cli/command';
import type { Fault } from '@tutti/simulation';
import { type TestbedDocument, type TestbedScenario, testbedDocument } from './document.ts';
import { createLatency, type LatencyForm, latencyFlag, latencyName } from './latency.ts';
import { cutFlag, killFlag, pauseFlag, validatedPlan } from './plan.ts';
import { runTestbed, type TestbedPlan } from './runTestbed.ts';
import { maxHosts } from './testbedNetwork.ts';
import { missingRequirement } from './tools.ts';

const maxNodes = 4096;

const hostFlags = {
  hosts: flag('<n>', `hosts, 1 to ${maxHosts}`, integer(1, maxHosts), 11),
  nodesPerHost: flag('<n>', 'nodes per host, in one process', integer(1, 1024), 12),
  latency: flag<LatencyForm>(
    '<model>',
    'latency between hosts: aws (host k is in region k of the paper), constant:MS (one way) or none',
    () => latencyFlag,
    'aws',
  ),
  jitter: flag(
    '<model>',
    'internet (the jitter of the simulator) or none (default: internet with aws, otherwise none)',
    choice(['internet', 'none']),
  ),
  loss: flag(
    '<share>',
    'share of lost packets between hosts',
    (name) => numberFlag(name, 'a number from 0 to less than 1', (share) => share < 1),
    0,
  ),
  rate: flag('<mbit>', "rate of each host's link in either direction, Mbit/s (default: unlimited)", (name) =>
    numberFlag(name, 'a rate from 0.01 to 100000 Mbit/s', (rate) => rate >= 0.01 && rate <= 1e5),
  ),
  plan: flag('<file>', 'fault plan as for simulate --fault-file, with host numbers as nodes', words),
  cut: flag(
    '<event>',
    'HOST@MS+MS or HOST-HOST@MS+MS: cut a link, and restore it; repeatable',
    several(() => cutFlag),
    [],
  ),
  kill: flag(
    '<event>',
    'HOST@MS: kill the processes of a host; with +MS, restart them later; repeatable',
    several(() => killFlag),
    [],
  ),
  pause: flag(
    '<event>',
    'HOST@MS+MS: stop the processes of a host for a time; repeatable',
    several(() => pauseFlag),
    [],
  ),
};

const outFlags = {
  json: jsonFlag,
  out: flag(
    '<file>',
    'also write the document to this file, and the public keys next to it; in a directory, the file is testbed.json',
    words,
  ),
  force: forceFlag,
  portsFile: flag(
    '<file>',
    'write the sockets of the nodes and the processes of the hosts to this file just before the start',
    words,
  ),
};

type TestbedOptions = HandelFlags & InsecureRunOptions & FlagsOf<typeof hostFlags & typeof outFlags>;

/** Examples and pages for the help of each command. */
export const notes: Extension['notes'] = {
  testbed: {
    examples: ['--loss 0.01', '--hosts 4 --nodes-per-host 2 --cut 1@100+500', '--plan plan.json --json'],
    pages: ['README of @tutti/testbed', 'guides/faults'],
  },
};

/** Creates the command that this extension adds to `tutti`. */
export const command: Extension['command'] = (context) => {
  const command = new Command('testbed').description(
    'Run Handel nodes on separate hosts, and cut links and kill hosts during the run. Each host is a network namespace with its own address and internet latencies. Requires Linux, root and socat.',
  );
  withFlags(command, hostFlags);
  withHandelFlags(command, { text: `dissemination period (default: ${defaultPeriodText})` });
  const texts = { message: 'signed text', seed: 'keys and random numbers', timeout: '' };
  withInsecureRunFlags(command, { ...texts, timeoutSeconds: 120 });
  return withFlags(command, outFlags).action((options: TestbedOptions) => testbed(options, context));
};

async function testbed(options: TestbedOptions, context: Context): Promise<void> {
  const faults = validatedFaults(options);
  requirePossible(options);
  const startedMs = performance.now();
  const scenario = scenarioOf(options, faults, kernelName());
  const outcome = await runTestbed(planOf(options, scenario), context);
  await deliver(
    outcome,
    {
      out: options.out,
      name: 'testbed.json',
      json: options.json === true,
      startedMs,
      document: (keys, wallSeconds) => testbedDocument(scenario, outcome, keys, wallSeconds),
      summary,
    },
    context,
  );
}

/** Returns the settings of a run, with the defaults that depend on other settings. */
function scenarioOf(
  options: TestbedOptions,
  faults: readonly Fault[],
  kernel: TestbedScenario['kernel'],
): TestbedScenario {
  const { hosts, nodesPerHost, latency } = options;
  const nodes = hosts * nodesPerHost;
  return {
    protocol: 'handel',
    nodes,
    hosts,
    nodesPerHost,
    threshold: options.threshold,
    network: 'udp between network namespaces',
    latency: latencyName(latency),
    jitter: options.jitter ?? (latency === 'aws' ? 'internet' : 'none'),
    rateMbit: options.rate ?? null,
    faults,
    scheme: 'bls',
    kernel,
    processes: hosts,
    periodMs: options.period ?? defaultPeriodMs(nodes, hosts),
    levelStartMs: options.levelStart,
    fastPath: options.fastPath,
    batch: options.batch,
    priorities: options.priorities,
    seed: options.seed,
  };
}

function planOf(options: TestbedOptions, scenario: TestbedScenario): TestbedPlan {
  const { portsFile, latency } = options;
  const { hosts, nodesPerHost, kernel, seed, jitter, periodMs, rateMbit, faults } = scenario;
  return {
    hosts,
    nodesPerHost,
    kernel,
    seed,
    round: plannedRounds(options.message, 1, options.priorities)[0]!,
    handel: { ...options, period: periodMs },
    latency: createLatency(latency, jitter === 'internet', hosts, seed),
    rateMbit: rateMbit ?? Number.POSITIVE_INFINITY,
    faults,
    timeoutMs: options.timeout * 1000,
    onReady: (ready) => {
      if (portsFile !== undefined) writeWhole(portsFile, portsText(ready));
    },
  };
}

/** Returns the faults from all flags, after validating them as one plan. */
function validatedFaults({ loss, cut, kill, pause, plan, hosts, seed }: TestbedOptions): readonly Fault[] {
  const lost: readonly Fault[] = loss > 0 ? [{ kind: 'loss', share: loss }] : [];
  const planned = plan === undefined ? [] : readFaults(plan, hosts);
  return validatedPlan([...lost, ...[...cut, ...kill, ...pause].flat(), ...planned], hosts, seed);
}

/**
 * Checks the number of nodes, the message, the output files and this machine.
 *
 * @throws UsageError or EnvironmentError for the first problem.
 */
function requirePossible(options: TestbedOptions): void {
  const { hosts, nodesPerHost, message } = options;
  const nodes = hosts * nodesPerHost;
  if (nodes > maxNodes)
    throw new UsageError(
      `--hosts times --nodes-per-host: expected ${counted(maxNodes, 'node')} at most, got ${grouped(nodes)}`,
    );
  if (looksLikeIdentity(new TextEncoder().encode(message)))
    throw new UsageError('--message: expected a message other than an identity statement');
  requireOutputs(options, 'testbed.json');
  const missing = missingRequirement();
  if (missing !== undefined) throw missing;
}

function summary(document: TestbedDocument): string {
  const { scenario, nodes, live, network } = document;
  const { hosts, nodesPerHost, latency, jitter, rateMbit } = scenario;
  const ways = [
    `latency ${latency}`,
    ...(jitter === 'none' ? [] : [`${jitter} jitter`]),
    ...(rateMbit === null ? [] : [`${grouped(rateMbit, rateMbit % 1 === 0 ? 0 : 2)} Mbit/s`]),
  ];
  const living = allCounted(live, live === nodes ? 'node' : 'live node');
  return [
    `handel, ${counted(hosts, 'host')} of ${counted(nodesPerHost, 'node')}, ${ways.join(', ')}, real BLS (${scenario.kernel})`,
    `${living} reached ${reachedText(scenario.threshold, document.threshold)}.\n`,
    measuredTable(document),
    pairTable([
      [
        'packets',
        Object.entries(network)
          .map(([what, count]) => `${grouped(count)} ${what}`)
          .join(', '),
      ],
      ['router and links', `${grouped(document.networkCpuSeconds, 2)} s of CPU time`],
      ...outcomeRows(document),
    ]),
  ].join('\n');
}
