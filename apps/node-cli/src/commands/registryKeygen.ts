import { Command } from 'commander';
import { forceOption, jsonOption } from '../commonFlags.ts';
import type { Context } from '../context.ts';
import { integerFlag } from '../flags.ts';
import { variantOption } from '../kernel.ts';
import { withAddressFlags } from '../node/addressFlags.ts';
import { makeRegistry, type NewRegistry, nodesOf } from '../node/newRegistry.ts';
import { freshSecrets } from '../nodeKeys.ts';
import { answer } from '../output/answer.ts';

export function registryKeygenCommand(context: Context): Command {
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
    .action((options: NewRegistry & { readonly json?: boolean }) => keygen(options, context));
}

async function keygen(options: NewRegistry & { readonly json?: boolean }, context: Context): Promise<void> {
  const secretsPath = await makeRegistry(options, freshSecrets, context);
  answer(
    context,
    options.json,
    { registry: options.out, secrets: secretsPath, nodes: options.count },
    `${options.out}: ${nodesOf(options.count)}\n${secretsPath}: their secrets; keep this file to yourself\n`,
  );
}
