import {
  answer,
  Command,
  type Context,
  countSetting,
  type FlagsOf,
  flag,
  flagOf,
  flagPaths,
  grouped,
  jsonFlag,
  Progress,
  pairTable,
  setting,
  spreadTable,
  validatedFlags,
  withFlags,
} from '@tutti/node-cli/command';
import { loadNetwork } from '@tutti/simulation';
import { networkForms, networkText } from '@tutti/simulation/engine';
import { contactsFlag, membersSetting, ringFlag, signaturesFlag } from '../members/setupFlags.ts';
import { ringCosts } from '../runtime.ts';
import { defaultSetupConfig } from '../setup.ts';
import { type SetupResult, setupScenarioSettings, simulateSetup } from '../simulation.ts';

// The data for a network of cities must be loaded before the network's flag is read.
await Promise.all([loadNetwork('cities'), loadNetwork('cities-by-distance')]);

const { cheats, liars, absent, loss, way, verifyMs } = setupScenarioSettings;

const simulateFlags = {
  nodes: countSetting(membersSetting),
  ring: ringFlag(', which determines the length of a registration'),
  signatures: signaturesFlag(),
  network: flag('<name>', networkForms, (name) => flagOf(name, networkText), setupScenarioSettings.network.default),
  way: setting(way),
  loss: setting(loss),
  cheats: setting(cheats),
  liars: setting(liars),
  absent: setting(absent),
  contacts: contactsFlag,
  verifyMs: setting(verifyMs),
  seed: setting(setupScenarioSettings.seed),
  json: jsonFlag,
};
type SimulateFlags = FlagsOf<typeof simulateFlags> & { readonly quiet?: boolean };

export function anonymousSimulateCommand(context: Context): Command {
  return withFlags(new Command('simulate'), simulateFlags, { nodes: 'n' })
    .description('Simulate a set-up in virtual time, with the same nodes as on sockets and without cryptography.')
    .action(({ json, quiet: _, ring, signatures, contacts, ...flags }: SimulateFlags, command: Command) => {
      const costs = ringCosts(flags.nodes, ring, 0);
      const scenario = {
        ...flags,
        hostile: 0,
        traceable: signatures === 'traceable',
        registrationBytes: signatures === 'traceable' ? costs.traceableBytes : costs.linkableBytes,
        config: { ...defaultSetupConfig, contacts },
      };
      const progress = new Progress(context);
      const result = validatedFlags(flagPaths(command), () =>
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
    ['time to the anonymous registry, ms', spreads.timeToEndMs, 1],
    ['anonymous keys', spreads.accepted],
    ['messages sent', spreads.messagesSent],
    ['bytes sent', spreads.bytesSent],
    ['registrations verified', spreads.checked],
  ] as const;
  return `${spreadTable(rows)}\n${pairTable([
    ['honest members', `${grouped(live)} of ${grouped(scenario.nodes)}`],
    ['different registries at the end', grouped(registries)],
    ['double registrations', grouped(doubles.max)],
    ['identified members', named.length === 0 ? 'none' : named.join(', ')],
  ])}`;
}
