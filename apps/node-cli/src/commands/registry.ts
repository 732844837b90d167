import {
  formatRegistry,
  type ListedEntry,
  type ListedRegistry,
  memberKeys,
  refuseSharedAddresses,
  requireRegistry,
  shareText,
} from '@tutti/certificates';
import { blsVariantOf, defaultThreshold, type RegistryTerms, registryDigest } from '@tutti/core';
import { EnvironmentError, toHex } from '@tutti/core/input';
import { nodeCrypto } from '@tutti/transports/node';
import { Command } from 'commander';
import { answer, type Context, UsageError } from '../context.ts';
import { forceOption, givenFlag, integerFlag, jsonOption, seedOption } from '../flags.ts';
import { loadKernel, variantOption } from '../kernel.ts';
import { withAddressFlags } from '../node/addressFlags.ts';
import { beaconOfParts, beaconPathOf, formatBeacon, formatParts, parseParts } from '../node/beaconFile.ts';
import { requirePair } from '../node/identity.ts';
import { loadRegistry, makeRegistry, type NewRegistry, readRegistryFile, verifyEntries } from '../node/registryFile.ts';
import { freshSecrets, insecureSecrets } from '../nodeKeys.ts';
import { isStandardOutput, readSecret, readWhole, requirePlace, writeWhole } from '../output/files.ts';
import { columnTable, counted } from '../output/text.ts';

interface MakeOptions extends Omit<NewRegistry, 'count'> {
  readonly insecureKeys?: number;
  readonly seed: number;
  readonly json?: boolean;
}

export function registryCommand(context: Context): Command {
  return new Command('registry')
    .description('Make, sign, check and show registries: lists of the participating nodes and their addresses.')
    .addCommand(keygenCommand(context))
    .addCommand(makeCommand(context))
    .addCommand(signCommand(context))
    .addCommand(beaconCommand(context))
    .addCommand(checkCommand(context))
    .addCommand(showCommand(context));
}

function keygenCommand(context: Context): Command {
  const command = new Command('keygen')
    .description('Make keys for one or more nodes: a registry to publish, and a file of secrets to keep private.')
    .option('--count <n>', 'nodes, 1 to 65536', integerFlag('--count', 1, 65_536), 1)
    .addOption(variantOption())
    .option(
      '--out <file>',
      'output file for the registry; the secrets are written to a file with the same name and the ending .secrets.json',
      'registry.json',
    );
  return withAddressFlags(command)
    .addOption(forceOption)
    .addOption(jsonOption)
    .action(async ({ json, ...options }: NewRegistry & { readonly json?: boolean }) => {
      const secretsPath = await makeRegistry(options, freshSecrets, context);
      answer(
        context,
        json,
        { registry: options.out, secrets: secretsPath, nodes: options.count },
        `${options.out}: ${counted(options.count, 'node')}\n${secretsPath}: their secrets; keep this file to yourself\n`,
      );
    });
}

function makeCommand(context: Context): Command {
  const command = new Command('make')
    .description(
      "Merge the registries that nodes made with 'tutti registry keygen' into one registry, and check the result.",
    )
    .argument('[files...]', 'registries of one or more nodes, in the order that all nodes will use')
    .option(
      '--insecure-keys <n>',
      'make a registry of this many nodes with insecure test keys derived from the seed, instead of merging files',
      integerFlag('--insecure-keys', 1, 65_536),
    )
    .addOption(variantOption('with --insecure-keys'))
    .addOption(seedOption('seed for insecure keys; the same seed gives the same keys'))
    .option('--out <file>', 'the registry', 'registry.json');
  return withAddressFlags(command)
    .addOption(forceOption)
    .addOption(jsonOption)
    .action((files: string[], options: MakeOptions, self: Command) => {
      const { insecureKeys } = options;
      if (insecureKeys !== undefined) return makeInsecure(files, insecureKeys, options, context);
      const other = givenFlag(self, (flag) => !mergeFlags.includes(flag));
      if (other !== undefined)
        throw new UsageError(
          `${other}: valid only with --insecure-keys, because the merged files contain their keys and addresses`,
        );
      return mergeRegistries(files, options, context);
    });
}

/** Flags that apply to merging registries. */
const mergeFlags = ['--out', '--force', '--json', '--quiet'];

async function mergeRegistries(
  files: readonly string[],
  { out, force, json }: MakeOptions,
  context: Context,
): Promise<void> {
  if (files.length === 0)
    throw new UsageError("registry make: expected files of 'tutti registry keygen', or --insecure-keys, got neither");
  requirePlace(out, force);
  const registries = files.map(readRegistryFile);
  const entries = registries.flatMap((one) => one.entries);
  refuseOtherVariant(files, entries);
  const joined: ListedRegistry = { ...registries[0]!, entries };
  refuseOtherTerms(files, registries);
  requireRegistry(joined);
  refuseSharedAddresses(entries);
  await verifyEntries(entries, context);
  writeWhole(out, formatRegistry(entries, joined.scheme, joined));
  if (isStandardOutput(out)) return;
  const digest = toHex(registryDigest(nodeCrypto, joined));
  answer(
    context,
    json,
    { registry: out, nodes: entries.length, digest },
    `${out}: ${counted(entries.length, 'node')}, digest ${digest}\n`,
  );
}

/** Rejects registries with keys of different BLS variants. */
function refuseOtherVariant(files: readonly string[], entries: readonly ListedEntry[]): void {
  const other = entries.findIndex(({ publicKey }) => publicKey.length !== entries[0]!.publicKey.length);
  if (other < 0) return;
  const [first, got] = [blsVariantOf(entries), blsVariantOf(entries.slice(other))];
  throw new EnvironmentError(
    'registry-wrong-variant',
    `entry ${other}: expected a ${first} key, as in ${files[0]}, got a ${got} key; all nodes must use the same variant`,
  );
}

/** Rejects registries with different epochs, thresholds or margins, because the result has only one value for each. */
function refuseOtherTerms(files: readonly string[], registries: readonly ListedRegistry[]): void {
  const [first, ...others] = registries.map((one) => Object.entries(termTexts(one)));
  for (const [index, terms] of others.entries())
    for (const [at, [name, got]] of terms.entries()) {
      const [, expected] = first![at]!;
      if (got !== expected)
        throw new EnvironmentError(
          'registry-other-terms',
          `${files[index + 1]}: expected ${name} ${expected}, as in ${files[0]}, got ${got}; all files must have the same terms`,
        );
    }
}

/** Returns the terms of a registry as texts, including defaults. */
function termTexts({ epoch = 0n, threshold, margin }: RegistryTerms): Readonly<Record<string, string>> {
  return {
    epoch: String(epoch),
    threshold: threshold === undefined ? `${shareText(defaultThreshold)} (default)` : shareText(threshold),
    margin: margin === undefined ? 'none' : shareText(margin),
  };
}

/** Returns the effective terms of a registry for JSON, including defaults, with the variant and the total weight. */
function termsDocument({ entries, epoch = 0n, threshold = defaultThreshold, margin }: ListedRegistry) {
  return {
    variant: blsVariantOf(entries),
    epoch: String(epoch),
    threshold: shareText(threshold),
    margin: margin === undefined ? null : shareText(margin),
    weight: String(weightOfAll(entries)),
  };
}

const weightOfAll = (entries: readonly ListedEntry[]): bigint =>
  entries.reduce((sum, { weight = 1n }) => sum + weight, 0n);

/** Describes the terms of a registry, with the total weight and the variant. */
function termsLine(registry: ListedRegistry): string {
  const terms = Object.entries(termTexts(registry)).map(([name, text]) => `${name} ${text}`);
  return [...terms, `total weight ${weightOfAll(registry.entries)}`, blsVariantOf(registry.entries)].join(', ');
}

async function makeInsecure(
  files: readonly string[],
  count: number,
  options: MakeOptions,
  context: Context,
): Promise<void> {
  if (files.length > 0) throw new UsageError('registry make: expected files or --insecure-keys, got both');
  const secretsPath = await makeRegistry(
    { ...options, count },
    (bls, index) => insecureSecrets(bls, options.seed, index),
    context,
  );
  answer(
    context,
    options.json,
    { registry: options.out, secrets: secretsPath, nodes: count, seed: options.seed },
    `${options.out}: ${counted(count, 'node')} with insecure test keys\n${secretsPath}: their secrets, for tests only: anyone can derive them from seed ${options.seed}\n`,
  );
}

interface SignOptions {
  readonly key: string;
  readonly out: string;
  readonly force?: boolean;
  readonly json?: boolean;
}

function signCommand(context: Context): Command {
  return new Command('sign')
    .description(
      "Sign a final registry. The signature is the member's part of the registry's beacon. Never sign another registry of the same members.",
    )
    .argument('<file>', 'the registry')
    .requiredOption('--key <file>', "the member's secrets, from 'tutti registry keygen'")
    .option('--out <file>', 'file to write the part to, to be sent to the other members', 'part.json')
    .addOption(forceOption)
    .addOption(jsonOption)
    .action(async (path: string, { key, out, force, json }: SignOptions) => {
      requirePlace(out, force);
      const registry = await loadRegistry(path, context);
      const { entries } = registry;
      const byKey = new Map(entries.map((entry) => [toHex(entry.publicKey), entry]));
      const secrets = readSecret(key, (text) => memberKeys(text, key)).filter(({ publicKey }) =>
        byKey.has(toHex(publicKey)),
      );
      if (secrets.length === 0)
        throw new EnvironmentError('not-in-registry', `${key}: expected the secrets of an entry of ${path}, got none`);
      const bls = await loadKernel(blsVariantOf(entries));
      for (const own of secrets) requirePair(bls, byKey.get(toHex(own.publicKey))!, own, key);
      writeWhole(out, formatParts(bls, registry, secrets));
      if (isStandardOutput(out)) return;
      answer(
        context,
        json,
        { part: out, nodes: secrets.length, registry: path },
        `${out}: the part of ${counted(secrets.length, 'node')} in the beacon of ${path}\n`,
      );
    });
}

function beaconCommand(context: Context): Command {
  return new Command('beacon')
    .description(
      "Make a registry's beacon from the parts of all its members. 'tutti node' looks for the beacon next to the registry.",
    )
    .argument('<file>', 'the registry')
    .argument('<parts...>', "parts of all members, from 'tutti registry sign'")
    .addOption(forceOption)
    .addOption(jsonOption)
    .action(async (path: string, files: string[], { force, json }: { force?: boolean; json?: boolean }) => {
      const out = beaconPathOf(path);
      requirePlace(out, force);
      const registry = await loadRegistry(path, context);
      const { entries } = registry;
      const parts = files.flatMap((file) => parseParts(readWhole(file), registry, file));
      const beacon = beaconOfParts(await loadKernel(blsVariantOf(entries)), registry, parts);
      writeWhole(out, formatBeacon(registry, beacon));
      answer(
        context,
        json,
        { file: out, beacon: toHex(beacon), nodes: entries.length, registry: path },
        `${out}: beacon ${toHex(beacon).slice(0, 16)}…, of all ${counted(entries.length, 'node')}\n`,
      );
    });
}

function checkCommand(context: Context): Command {
  return new Command('check')
    .description(
      'Check a registry: fields, lengths, ranges, duplicates, proofs of possession and network keys. The command also prints the terms that the digest covers.',
    )
    .argument('<file>', 'the registry')
    .addOption(jsonOption)
    .action(async (path: string, { json }: { readonly json?: boolean }) => {
      const registry = await loadRegistry(path, context);
      const nodes = registry.entries.length;
      const digest = toHex(registryDigest(nodeCrypto, registry));
      answer(
        context,
        json,
        { registry: path, nodes, holds: true, ...termsDocument(registry), digest },
        `${path}: ${counted(nodes, 'node')}: keys, addresses, proofs of possession and network keys are valid\n${termsLine(registry)}\ndigest ${digest}\n`,
      );
    });
}

function showCommand(context: Context): Command {
  return new Command('show')
    .description('Show the entries of a registry without checking their proofs.')
    .argument('<file>', 'the registry')
    .addOption(jsonOption)
    .action((path: string, { json }: { readonly json?: boolean }) => {
      const registry = readRegistryFile(path);
      const { entries } = registry;
      const digest = toHex(registryDigest(nodeCrypto, registry));
      const nodes = entries.map(({ transport, endpoint, weight = 1n, publicKey, networkKey }) => ({
        transport,
        ...endpoint,
        weight: String(weight),
        publicKey: toHex(publicKey),
        networkKey: toHex(networkKey),
      }));
      const rows = nodes.map(({ transport, host, port, weight, publicKey, networkKey }, index) => [
        ...[String(index), transport, host, String(port), weight],
        ...[publicKey, networkKey].map((key) => `${key.slice(0, 16)}…`),
      ]);
      const table = columnTable(['entry', 'transport', 'host', 'port', 'weight', 'public key', 'network key'], rows);
      answer(
        context,
        json,
        { nodes, ...termsDocument(registry), digest },
        `${table}${termsLine(registry)}\ndigest ${digest}\n`,
      );
    });
}
