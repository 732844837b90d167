import { existsSync } from 'node:fs';
import { mechanisms } from '@tutti/core';
import {
  attacks,
  decodeScenario,
  defaultScenario,
  loadNetwork,
  type ProtocolName,
  protocolNames,
  protocols,
  type Scenario,
  type ScenarioPreset,
  scenarioFields,
  scenarioPresets,
} from '@tutti/simulation';
import { networkText } from '@tutti/simulation/engine';
import { type Command, Help, Option } from 'commander';
import { UsageError } from './context.ts';
import { choiceFlag, type FlagReader, flagOf } from './flags.ts';
import { networkChoices } from './networkFile.ts';
import { readInput } from './output/files.ts';

/**
 * Flags of a scenario as the user gave them. The values are still texts, because the meaning of some flags depends on
 * the protocol.
 */
export interface ScenarioTexts {
  readonly protocol: string;
  /** Attacks in the format NAME:SHARE. */
  readonly attack: readonly string[];
}

/** Values of `--protocol` for the systems of a slot, which are not part of a {@link Scenario}. */
export const hornProtocols = ['horn', 'horn-status-quo', 'horn-strawman'] as const;
export type HornProtocol = (typeof hornProtocols)[number];

export function isHornProtocol(protocol: string): protocol is HornProtocol {
  return (hornProtocols as readonly string[]).includes(protocol);
}

const presetNames = Object.keys(scenarioPresets) as readonly ScenarioPreset[];

const ownGroup = (owner: ProtocolName) => `${protocols[owner].title.replace(/^./, (first) => first.toUpperCase())}:`;

const list = (named: readonly { readonly name: string }[]) => named.map(({ name }) => name).join(', ');

/** Returns the names that a repeatable field accepts, for help; undefined for a field without names. */
function namesText(field: string): string | undefined {
  if (field === 'without') return mechanisms.join(', ');
  return field === 'attack' ? list(attacks) : undefined;
}

/** Returns the help text of a field's flag. A network may also be given by a file. */
function aboutOf(name: string, about: string): string {
  return name === 'network' ? networkChoices : about;
}

/**
 * Adds a flag to a command for each field of a scenario.
 *
 * @param otherProtocols values of `--protocol` for systems that are not part of a {@link Scenario}.
 */
export function addScenarioFlags(command: Command, otherProtocols: readonly string[] = []): Command {
  for (const { name, form, about: means, owners, group, repeatable, write } of scenarioFields) {
    const about = aboutOf(name, means);
    const flag = `${name === 'nodes' ? '-n, ' : ''}--${name} ${form}`;
    const [standing] = write(defaultScenario);
    command.optionsGroup(group === undefined && owners !== undefined ? ownGroup(owners[0]!) : `${group ?? 'Run'}:`);
    if (repeatable) {
      const names = namesText(name);
      const option = new Option(flag, names === undefined ? about : `${about}: ${names}`).default([], 'none');
      const added = (text: string, all: readonly string[]) => [...all, text];
      command.addOption(option.argParser(added));
    } else if (name === 'protocol') {
      const protocols = [...protocolNames, ...otherProtocols];
      command.option(flag, protocols.join(', '), protocolFlag(protocols), standing);
    } else if (owners === undefined) command.option(flag, about, standing);
    else command.option(flag, `${about} (default: ${standing})`);
  }
  return withShortHelp(command)
    .optionsGroup('Run:')
    .addOption(
      new Option(
        '--preset <name>',
        `voting system that sets other flags' defaults: ${presetNames.join(', ')}`,
      ).argParser(choiceFlag('--preset', presetNames)),
    )
    .optionsGroup('Faults and attacks:')
    .option('--no-authentication', 'same as --authentication off')
    .optionsGroup('Run:');
}

/**
 * Parses a protocol. For a system that is not part of a {@link Scenario}, throws an error with the command that runs
 * the system.
 */
function protocolFlag(protocols: readonly string[]): FlagReader<string> {
  const read = choiceFlag('--protocol', protocols);
  return (text) => {
    if (isHornProtocol(text) && !protocols.includes(text))
      throw new UsageError(`--protocol ${text}: valid only with 'tutti simulate', because a link contains no slot`);
    return read(text);
  };
}

/** Groups of flags that few runs need, which help shows with `--all`. */
const rareGroups: readonly (string | undefined)[] = ['Machines:', 'Horn:', ...protocolNames.slice(1).map(ownGroup)];

/** Individual flags that few runs need. */
const rareFlags = [
  'absent-ms',
  'window',
  'priorities',
  'priority-basis',
  'attack-share-of',
  'dead-placement',
  'fault',
  'no-authentication',
];

/** Makes a command's help omit the flags that few runs need, unless `--all` is given too. */
function withShortHelp(command: Command): Command {
  const all = new Option('--all', 'with --help: list all flags');
  all.helpGroup('Run:');
  return command.addOption(all).configureHelp({
    visibleOptions(shown) {
      const visible = Help.prototype.visibleOptions.call(this, shown);
      const isRare = (one: Option): boolean =>
        rareGroups.includes(one.helpGroupHeading) || rareFlags.includes(one.long!.slice(2));
      return command.opts().all ? visible : visible.filter((one) => !isRare(one));
    },
  });
}

/** Adds the flags of some fields of a scenario, for `readScenario` with the same names. */
export function addFieldFlags(command: Command, only: readonly string[]): Command {
  for (const { name, form, about, write } of scenarioFields)
    if (only.includes(name)) command.option(`--${name} ${form}`, aboutOf(name, about), write(defaultScenario)[0]);
  return command;
}

/**
 * Returns the weights that a flag gives: its text, or the content of the file that it names, one weight per line or a
 * JSON list.
 */
function weightsFlag(text: string): string {
  if (/^(equal|pareto:.*|[\dx,]+)$/.test(text) || !existsSync(text)) return text;
  const content = readInput(text).text;
  return content
    .replace(/[\s[\]"]+/g, ' ')
    .split(/[ ,]+/)
    .filter((part) => part !== '')
    .join(',');
}

/** Returns the texts that the user gave for a field, or an empty list if there are none. */
function givenBy(command: Command, name: string): readonly string[] {
  const option = command.options.find((one) => one.long === `--${name}`);
  if (option === undefined || command.getOptionValueSource(option.attributeName()) !== 'cli') return [];
  const value: unknown = command.getOptionValue(option.attributeName());
  if (value === false) return ['off'];
  return Array.isArray(value) ? value : [String(value)];
}

/** Returns the first scenario flag that the user gave; undefined if the user gave none. */
export function givenScenarioFlag(command: Command): string | undefined {
  const field = scenarioFields.find((one) => givenBy(command, one.name).length > 0);
  if (field !== undefined) return `--${field.name}`;
  return givenBy(command, 'preset').length > 0 ? '--preset' : undefined;
}

/** Rejects an attack on Horn and a range of seeds, with an error that names the flag to use instead. */
async function refuseMisplaced(field: string, text: string, command: Command): Promise<void> {
  const [named] = text.split(':', 1);
  const isNamed = (one: { readonly name: string }) => one.name === named;
  if (field === 'attack' && !attacks.some(isNamed)) {
    const { hornAttacks } = await import('@tutti/ethereum/settings');
    if (hornAttacks.some(isNamed))
      throw new UsageError(`--attack ${named}: valid only with --protocol horn of 'tutti simulate'`);
  }
  if (field === 'seed' && /^\d+-\d+$/.test(text) && command.options.some(({ long }) => long === '--seeds'))
    throw new UsageError(`--seed: expected one seed, got "${text}"; use --seeds N for N seeds that start with --seed`);
}

/**
 * Returns the scenario that a command's flags define, and loads its network. The code that reads latency files is
 * loaded only if the network is not given by a plain name.
 *
 * @param only names of the scenario fields that apply. Default: all fields of the protocol.
 * @param isRecorded whether the run is recorded; a recording limits the number of places.
 * @throws UsageError, one line, naming the flag; EnvironmentError for a file that cannot be read or is malformed.
 */
export async function readScenario(command: Command, only?: readonly string[], isRecorded = false): Promise<Scenario> {
  const { preset } = command.opts<{ preset?: ScenarioPreset }>();
  let scenario: Scenario = preset === undefined ? defaultScenario : scenarioPresets[preset];
  for (const { name, owners, read } of scenarioFields) {
    if (only !== undefined && !only.includes(name)) continue;
    for (const text of givenBy(command, name)) {
      await refuseMisplaced(name, text, command);
      const before = scenario;
      const value = name === 'weights' ? weightsFlag(text) : text;
      const files = name === 'network' && /[:./\\]/.test(value) ? await import('./files/latencyFile.ts') : undefined;
      scenario = flagOf(`--${name}`, (label, given) => {
        files?.takeGivenNetwork(label, given, isRecorded);
        if (name === 'network') return { ...before, network: networkText(label, given, networkChoices) };
        return read(label, given, before);
      })(value);
      if (only === undefined && owners?.includes(scenario.protocol) === false) {
        throw new UsageError(`--${name}: valid only with --protocol ${owners.join(' or ')}`);
      }
    }
  }
  await loadNetwork(scenario.network);
  return scenario;
}

/** Parameters in a link that describe the page's view of the run. */
const viewParameters = ['node', 't', 'ring', 'view', 'compare', 'beside'];

/**
 * Returns the scenario in a link to the page, and loads its network.
 *
 * @throws UsageError, one line, if any part of the link is invalid.
 */
export async function readLink(link: string): Promise<Scenario> {
  const hash = link.indexOf('#');
  if (hash < 0) throw new UsageError(`--link: expected an address with a run after the #, got ${JSON.stringify(link)}`);
  const { scenario, notices } = decodeScenario(new URLSearchParams(link.slice(hash + 1)), viewParameters);
  const [notice] = notices;
  if (notice !== undefined) throw new UsageError(`--link: ${notice.split(';')[0]}`);
  await loadNetwork(scenario.network);
  return scenario;
}
