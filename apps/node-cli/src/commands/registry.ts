import { blsVariantOf, formatRegistry, type ListedEntry, registryDigest, toHex, WorldError } from '@tutti/transports';
import { refuseDuplicates, refuseSharedAddresses } from '@tutti/transports/internal';
import { nodeCrypto } from '@tutti/transports/raw';
import type { Variant } from '@tutti/wasm-bls';
import { Command, Option } from 'commander';
import { forceOption, jsonOption, seedOption } from '../commonFlags.ts';
import type { Context } from '../context.ts';
import { integerFlag } from '../flags.ts';
import { loadKernel, variantOption } from '../kernel.ts';
import { type AddressOptions, withAddressFlags } from '../node/addressFlags.ts';
import { beaconOfParts, beaconPathOf, formatBeacon, formatParts, parseParts } from '../node/beaconFile.ts';
import { loadRegistry, readRegistry, verifyEntries } from '../node/loadRegistry.ts';
import { makeRegistry, nodesOf } from '../node/newRegistry.ts';
import { parseSecrets } from '../node/secretsFile.ts';
import { insecureSecrets } from '../nodeKeys.ts';
import { answer } from '../output/answer.ts';
import { isStandardOutput, readWhole, requirePlace, writeWhole } from '../output/files.ts';
import { columnTable } from '../output/tables.ts';
import { UsageError } from '../usageError.ts';

interface MakeOptions extends AddressOptions {
  readonly variant?: Variant;
  readonly insecureKeys?: number;
  readonly rehearsal?: number;
  readonly seed: number;
  readonly out: string;
  readonly force?: boolean;
  readonly json?: boolean;
}

export function registryCommand(context: Context): Command {
  return new Command('registry')
    .description('Make, check and show registries: who takes part, and where each node listens.')
    .addCommand(makeCommand(context))
    .addCommand(signCommand(context))
    .addCommand(beaconCommand(context))
    .addCommand(checkCommand(context))
    .addCommand(showCommand(context));
}

function makeCommand(context: Context): Command {
  const command = new Command('make')
    .description("Merge the registries that nodes made with 'tutti keygen' into one, and check everything in it.")
    .argument('[files...]', 'registries of one node or more, in the order that everyone uses')
    .option(
      '--insecure-keys <n>',
      'instead make one of this many nodes, with insecure test keys that follow from the seed',
      integerFlag('--insecure-keys', 1, 65_536),
    )
    .addOption(
      new Option('--rehearsal <n>', 'the former name of --insecure-keys')
        .argParser(integerFlag('--rehearsal', 1, 65_536))
        .hideHelp(),
    )
    .addOption(variantOption('with --insecure-keys'))
    .addOption(seedOption('of insecure keys: the same seed gives the same keys'))
    .option('--out <file>', 'the registry', 'registry.json');
  return withAddressFlags(command)
    .addOption(forceOption)
    .addOption(jsonOption)
    .action((files: string[], options: MakeOptions) => {
      const count = options.insecureKeys ?? options.rehearsal;
      return count === undefined ? join(files, options, context) : makeInsecure(files, count, options, context);
    });
}

async function join(
  files: readonly string[],
  { out, force, json, variant }: MakeOptions,
  context: Context,
): Promise<void> {
  if (variant !== undefined) throw new UsageError('--variant: only with --insecure-keys; files say theirs');
  if (files.length === 0)
    throw new UsageError("registry make: expected files of 'tutti keygen', or --insecure-keys, got neither");
  requirePlace(out, force);
  const entries = files.flatMap(readRegistry);
  refuseOtherVariant(files, entries);
  refuseDuplicates(entries);
  refuseSharedAddresses(entries);
  await verifyEntries(entries, context);
  writeWhole(out, formatRegistry(entries));
  if (isStandardOutput(out)) return;
  const digest = toHex(registryDigest(nodeCrypto, entries));
  answer(
    context,
    json,
    { registry: out, nodes: entries.length, digest },
    `${out}: ${nodesOf(entries.length)}, digest ${digest}\n`,
  );
}

/** A registry has keys of one group. */
function refuseOtherVariant(files: readonly string[], entries: readonly ListedEntry[]): void {
  const other = entries.findIndex(({ publicKey }) => publicKey.length !== entries[0]!.publicKey.length);
  if (other < 0) return;
  const [first, got] = [blsVariantOf(entries), blsVariantOf(entries.slice(other))];
  throw new WorldError(
    'registry-wrong-variant',
    `entry ${other}: expected a key of ${first}, as ${files[0]} has them, got one of ${got}; all nodes need one variant`,
  );
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
    `${options.out}: ${nodesOf(count)} with insecure test keys\n${secretsPath}: their secrets, which anyone can derive from seed ${options.seed}: for tests only\n`,
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
      "Sign a settled registry: a member's part of its beacon. Never sign another registry of the same members.",
    )
    .argument('<file>', 'the registry')
    .requiredOption('--key <file>', "the member's secrets, from 'tutti keygen'")
    .option('--out <file>', 'the part, to hand out', 'part.json')
    .addOption(forceOption)
    .addOption(jsonOption)
    .action(async (path: string, { key, out, force, json }: SignOptions) => {
      requirePlace(out, force);
      const entries = await loadRegistry(path, context);
      const keys = new Set(entries.map(({ publicKey }) => toHex(publicKey)));
      const secrets = parseSecrets(readWhole(key), key).filter(({ publicKey }) => keys.has(toHex(publicKey)));
      if (secrets.length === 0)
        throw new WorldError('not-in-registry', `${key}: expected the secrets of an entry of ${path}, got none`);
      writeWhole(out, formatParts(await loadKernel(blsVariantOf(entries)), entries, secrets));
      if (isStandardOutput(out)) return;
      answer(
        context,
        json,
        { part: out, nodes: secrets.length, registry: path },
        `${out}: the part of ${nodesOf(secrets.length)} in the beacon of ${path}\n`,
      );
    });
}

function beaconCommand(context: Context): Command {
  return new Command('beacon')
    .description(
      "Make a registry's beacon from the parts that all its members signed: 'tutti node' finds it beside the registry.",
    )
    .argument('<file>', 'the registry')
    .argument('<parts...>', "what 'tutti registry sign' wrote, of all members")
    .addOption(forceOption)
    .addOption(jsonOption)
    .action(async (path: string, files: string[], { force, json }: { force?: boolean; json?: boolean }) => {
      const out = beaconPathOf(path);
      requirePlace(out, force);
      const entries = await loadRegistry(path, context);
      const parts = files.flatMap((file) => parseParts(readWhole(file), entries, file));
      const beacon = beaconOfParts(await loadKernel(blsVariantOf(entries)), entries, parts);
      writeWhole(out, formatBeacon(entries, beacon));
      answer(
        context,
        json,
        { file: out, beacon: toHex(beacon), nodes: entries.length, registry: path },
        `${out}: beacon ${toHex(beacon).slice(0, 16)}…, of all ${nodesOf(entries.length)}\n`,
      );
    });
}

function checkCommand(context: Context): Command {
  return new Command('check')
    .description('Check everything in a registry: lengths, ranges, duplicates, proofs of possession and network keys.')
    .argument('<file>', 'the registry')
    .addOption(jsonOption)
    .action(async (path: string, { json }: { readonly json?: boolean }) => {
      const entries = await loadRegistry(path, context);
      const digest = toHex(registryDigest(nodeCrypto, entries));
      answer(
        context,
        json,
        { registry: path, nodes: entries.length, holds: true, digest },
        `${path}: ${nodesOf(entries.length)}: keys, addresses, proofs of possession and network keys are valid\ndigest ${digest}\n`,
      );
    });
}

function showCommand(context: Context): Command {
  return new Command('show')
    .description('Show who stands in a registry; the proofs are not checked.')
    .argument('<file>', 'the registry')
    .addOption(jsonOption)
    .action((path: string, { json }: { readonly json?: boolean }) => {
      const entries = readRegistry(path);
      const digest = toHex(registryDigest(nodeCrypto, entries));
      if (json) {
        const nodes = entries.map(({ transport, endpoint, publicKey, networkKey }) => ({
          transport,
          ...endpoint,
          publicKey: toHex(publicKey),
          networkKey: toHex(networkKey),
        }));
        context.out(`${JSON.stringify({ nodes, digest })}\n`);
        return;
      }
      const rows = entries.map(({ transport, endpoint, publicKey, networkKey }, index) => [
        String(index),
        transport,
        endpoint.host,
        String(endpoint.port),
        `${toHex(publicKey).slice(0, 16)}…`,
        `${toHex(networkKey).slice(0, 16)}…`,
      ]);
      context.out(
        `${columnTable(['entry', 'transport', 'host', 'port', 'public key', 'network key'], rows)}digest ${digest}\n`,
      );
    });
}
