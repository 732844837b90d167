import { defaultSetupConfig } from '@tutti/core/anonymous';
import { defaultSetupScenario, type SetupResult, simulateSetup } from '@tutti/simulation/anonymous';
import { ringCosts } from '@tutti/transports/anonymous';
import { Command } from 'commander';
import { type RingSchemeName, ringSchemeNames, ringSchemes } from '../anonymous/openRings.ts';
import { jsonOption, seedOption } from '../commonFlags.ts';
import type { Context } from '../context.ts';
import { checkedFlags, choiceFlag, durationFlag, flagPaths, integerFlag, numberFlag } from '../flags.ts';
import { networkOption } from '../horn/networkFlags.ts';
import { grouped } from '../numbers.ts';
import { answer } from '../output/answer.ts';
import { Progress } from '../output/progress.ts';
import { pairTable, spreadTable } from '../output/tables.ts';
import '../networks.ts';

interface SimulateFlags {
  readonly nodes: number;
  readonly ring: number;
  readonly signatures: RingSchemeName;
  readonly network: string;
  readonly way: 'direct' | 'tor';
  readonly loss: number;
  readonly cheats: number;
  readonly liars: number;
  readonly absent: number;
  readonly contacts: number;
  readonly verifyMs: number;
  readonly seed: number;
  readonly json?: boolean;
  readonly quiet?: boolean;
}

const members = (flag: string) => integerFlag(flag, 0, 512);

export function anonymousSimulateCommand(context: Context): Command {
  return new Command('simulate')
    .description('Simulate a set-up under virtual time: the nodes that run on sockets, without the cryptography.')
    .option('-n, --nodes <n>', 'members, 1 to 512', integerFlag('--nodes', 1, 512), 64)
    .option(
      '--ring <n>',
      'fewest members of a ring, which sets the length of a registration',
      integerFlag('--ring', 1, 512),
      32,
    )
    .option('--signatures <name>', 'linkable or traceable', choiceFlag('--signatures', ringSchemeNames), 'traceable')
    .addOption(networkOption(defaultSetupScenario.network))
    .option(
      '--way <name>',
      "how a member's own registration travels: tor, through simulated circuits; or direct",
      choiceFlag('--way', ['direct', 'tor']),
      defaultSetupScenario.way,
    )
    .option(
      '--loss <share>',
      'of the messages',
      numberFlag('--loss', 'a number from 0 to 0.9', (s) => s <= 0.9),
      0,
    )
    .option('--cheats <n>', 'members who register twice', members('--cheats'), 0)
    .option('--liars <n>', 'members who relay invalid registrations', members('--liars'), 0)
    .option('--absent <n>', 'members who are absent', members('--absent'), 0)
    .option(
      '--contacts <n>',
      'inboxes that a member sends to; as many as members is the broadcast of the paper',
      integerFlag('--contacts', 1, 512),
      defaultSetupConfig.contacts,
    )
    .option('--verify-ms <ms>', 'what verifying a registration takes', durationFlag('--verify-ms'), 60)
    .addOption(seedOption())
    .addOption(jsonOption)
    .action(({ json, quiet: _, ring, signatures, contacts, ...flags }: SimulateFlags, command: Command) => {
      const costs = ringCosts(flags.nodes, ring, 0, ringSchemes);
      const scenario = {
        ...flags,
        hostile: 0,
        traceable: signatures === 'traceable',
        registrationBytes: signatures === 'traceable' ? costs.traceableBytes : costs.linkableBytes,
        config: { ...defaultSetupConfig, contacts },
      };
      const progress = new Progress(context);
      const result = checkedFlags(flagPaths(command), () =>
        simulateSetup(scenario, (verified, expected) =>
          progress.count('simulating', Math.min(verified, expected), expected, 'registrations verified'),
        ),
      );
      progress.done();
      answer(context, json, result, text(result));
    });
}

function text({ scenario, live, registries, named, doubles, ...spreads }: SetupResult): string {
  const rows = [
    ['to the anonymous registry, ms', spreads.timeToEndMs, 1],
    ['anonymous keys', spreads.accepted],
    ['messages sent', spreads.messagesSent],
    ['bytes sent', spreads.bytesSent],
    ['registrations verified', spreads.checked],
  ] as const;
  return `${spreadTable(rows)}\n${pairTable([
    ['honest members', `${grouped(live)} of ${grouped(scenario.nodes)}`],
    ['registries they ended with', grouped(registries)],
    ['double registrations', grouped(doubles.max)],
    ['named for one', named.length === 0 ? 'nobody' : `members ${named.join(', ')}`],
  ])}`;
}
