import { looksLikeIdentity, registryTransports } from '@tutti/core';
import { integers } from '@tutti/core/input';
import {
  type ClusterDocument,
  type ClusterScenario,
  clusterDocument,
  defaultPeriodMs,
  defaultPeriodText,
  deliver,
  measuredTable,
  outcomeRows,
  plannedRounds,
  requireOutputs,
  roundsTable,
} from '@tutti/node-cli/clusters';
import {
  Command,
  type Context,
  choice,
  counted,
  countSetting,
  type FlagsOf,
  flag,
  forceFlag,
  grouped,
  type HandelFlags,
  handelConfig,
  type InsecureRunOptions,
  integer,
  jsonFlag,
  kernelName,
  maxIn,
  pairTable,
  ranged,
  reachedText,
  toggle,
  UsageError,
  withFlags,
  withHandelFlags,
  withInsecureRunFlags,
  words,
} from '@tutti/node-cli/command';
import { proxyFlag } from '@tutti/node-cli/nodes';
import { runAnonymousCluster, type SetupFigures } from '../members/anonymousCluster.ts';
import type { RingSchemeName } from '../members/openRings.ts';
import { contactsFlag, membersSetting, ringFlag, signaturesFlag } from '../members/setupFlags.ts';
import { defaultSetupConfig, setupSettings } from '../setup.ts';

/**
 * Output of `tutti anonymous cluster --json`: the output of `tutti cluster`, together with the result of the set-up.
 */
export interface AnonymousClusterDocument extends ClusterDocument {
  readonly signatures: RingSchemeName;
  readonly setup: SetupFigures;
  /** Result of the second set-up, with the flag `--again`. Handel then runs with the keys from the second set-up. */
  readonly secondSetup?: SetupFigures;
}

/**
 * Default period of the set-up per member, ms. The period grows with the number of members, because all members share a
 * thread, and each member compares its list with the list of every other member.
 */
const setupPeriodPerMemberMs = 8;
const minSetupPeriodMs = defaultSetupConfig.periodMs;

const setupFlags = {
  nodes: countSetting({ ...membersSetting, range: integers(2, maxIn(membersSetting)) }),
  ring: ringFlag(),
  signatures: signaturesFlag('linkable: a double registration is discarded; traceable: it also reveals its author'),
  cheats: flag('<n>', 'number of members that register two keys', integer(0, maxIn(membersSetting)), 0),
  again: toggle('remove the identified members, discard all keys, and run a second set-up without these members'),
  event: flag(
    '<text>',
    'name of the set-up; signatures of a member can be linked within a set-up, but not between two set-ups',
    words,
    'set-up 1',
  ),
  transport: flag('<name>', 'udp or tcp', choice(registryTransports), 'udp'),
  proxy: flag('<host:port>', 'SOCKS5 proxy for all anonymous connections; requires tcp', () => proxyFlag),
  contacts: contactsFlag,
  setupPeriod: flag(
    '<ms>',
    `${setupSettings.periodMs.about} (default: ${setupPeriodPerMemberMs} per member, at least ${minSetupPeriodMs})`,
    ranged(setupSettings.periodMs.range),
  ),
};

const roundFlags = { rounds: flag('<n>', 'rounds of Handel with the anonymous registry', integer(1, 10_000), 3) };

const outFlags = {
  force: forceFlag,
  json: jsonFlag,
  out: flag('<file>', 'also write the document to this file, and the anonymous registry next to it', words),
};

type AnonymousClusterOptions = HandelFlags &
  InsecureRunOptions &
  FlagsOf<typeof setupFlags & typeof roundFlags & typeof outFlags>;

export function anonymousClusterCommand(context: Context): Command {
  const command = new Command('cluster').description(
    'Run a set-up on sockets of this machine, and then Handel with its anonymous keys.',
  );
  withFlags(command, setupFlags, { nodes: 'n' });
  withHandelFlags(command, { text: `dissemination period (default: ${defaultPeriodText})` });
  withInsecureRunFlags(withFlags(command, roundFlags), {
    message: 'signed text; {round} is replaced by the round number, which otherwise follows the text',
    seed: 'keys',
    timeout: ', for the whole run',
    timeoutSeconds: 300,
  });
  return withFlags(command, outFlags).action((options: AnonymousClusterOptions) => anonymousCluster(options, context));
}

async function anonymousCluster(options: AnonymousClusterOptions, context: Context): Promise<void> {
  const { nodes, cheats, seed, transport, proxy, signatures } = options;
  if (cheats >= nodes)
    throw new UsageError(`--cheats: expected fewer than the ${counted(nodes, 'member')}, got ${cheats}`);
  if (options.again && signatures !== 'traceable')
    throw new UsageError(
      `--again: expected --signatures traceable, which identifies the members to exclude, got ${signatures}`,
    );
  if (proxy !== undefined && transport !== 'tcp') throw new UsageError('--proxy: expected --transport tcp, got udp');
  if (looksLikeIdentity(new TextEncoder().encode(options.message)))
    throw new UsageError('--message: expected a message other than an identity statement');
  requireOutputs(options, 'anonymous.json');
  const startedMs = performance.now();
  const kernel = kernelName();
  const periodMs = options.period ?? defaultPeriodMs(nodes, 1);
  const outcome = await runAnonymousCluster(
    {
      ...{ nodes, cheats, seed, kernel, transport, proxy, scheme: signatures },
      ring: options.ring,
      again: options.again === true,
      event: options.event,
      contacts: options.contacts,
      setupPeriodMs: options.setupPeriod ?? Math.max(minSetupPeriodMs, setupPeriodPerMemberMs * nodes),
      rounds: plannedRounds(options.message, options.rounds, options.priorities),
      config: (keys) => handelConfig({ ...options, period: periodMs }, keys),
      timeoutMs: options.timeout * 1000,
    },
    context,
  );
  const scenario: ClusterScenario = {
    protocol: 'handel',
    nodes: outcome.entries.length,
    threshold: options.threshold,
    network: `${transport} loopback${proxy === undefined ? '' : `, through the SOCKS5 proxy ${proxy.host}:${proxy.port}`}`,
    scheme: 'bls',
    kernel,
    processes: 1,
    periodMs,
    levelStartMs: options.levelStart,
    fastPath: options.fastPath,
    batch: options.batch,
    priorities: options.priorities,
    seed,
  };
  await deliver<AnonymousClusterDocument>(
    outcome,
    {
      out: options.out,
      name: 'anonymous.json',
      json: options.json === true,
      startedMs,
      document: (keys, wallSeconds) => ({
        ...clusterDocument(scenario, outcome, keys, wallSeconds),
        signatures,
        setup: outcome.setup,
        ...(outcome.secondSetup === undefined ? {} : { secondSetup: outcome.secondSetup }),
      }),
      summary,
    },
    context,
  );
}

function summary(document: AnonymousClusterDocument): string {
  const { setup, secondSetup, scenario, rounds } = document;
  const { accepted } = secondSetup ?? setup;
  return [
    `${counted(setup.members, 'member')}, ${document.signatures} ring signatures, ${scenario.network}`,
    pairTable([
      ...setupRows(setup),
      ['double registrations', `${grouped(setup.doubles)}, all discarded`],
      ['excluded from the list', excludedText(document)],
    ]),
    ...(secondSetup === undefined
      ? []
      : [
          `All keys were discarded. Second set-up with ${counted(secondSetup.members, 'member')}, without the excluded members:\n`,
          pairTable(setupRows(secondSetup)),
        ]),
    `Handel with the ${counted(accepted, 'anonymous key')}: all nodes reached ${reachedText(scenario.threshold, document.threshold)}${rounds === undefined ? '' : `, in each of ${counted(rounds.length, 'round')}`}.\n`,
    ...(rounds === undefined ? [] : [roundsTable(rounds), 'Last round:\n']),
    measuredTable(document),
    pairTable(outcomeRows(document)),
  ].join('\n');
}

function setupRows(setup: SetupFigures): [string, string][] {
  const refused = Object.entries(setup.refused).map(([code, count]) => `${grouped(count)} ${code}`);
  return [
    ['rings', `${grouped(setup.rings)}, with at least ${counted(setup.smallestRing, 'member')} each`],
    ['anonymous keys', `${grouped(setup.accepted)}, equal at all honest members`],
    ['bytes per registration', `at most ${grouped(setup.registrationBytes)}`],
    ['keys and signatures', `${grouped(setup.keysAndSignaturesSeconds, 1)} s for all members`],
    [
      'set-up',
      `${grouped(setup.setupSeconds, 1)} s, ${counted(setup.verified, 'ring signature')} verified, each once for all members`,
    ],
    ['CPU time', `${grouped(setup.cpuSeconds, 1)} s for keys, signatures and set-up`],
    [
      'sent per member',
      `${grouped(setup.messagesSent / setup.members, 1)} messages, ${counted(setup.bytesSent / setup.members, 'byte')}`,
    ],
    ['refused', refused.length === 0 ? 'none' : refused.join(', ')],
  ];
}

function excludedText({ setup, signatures }: AnonymousClusterDocument): string {
  if (setup.excluded.length > 0) return `members ${setup.excluded.join(', ')}`;
  return setup.doubles > 0 && signatures === 'linkable' ? 'none: linkable signatures reveal no member' : 'none';
}
