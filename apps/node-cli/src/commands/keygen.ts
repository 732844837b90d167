import { formatRegistry, type ListedEntry, toHex } from '@tutti/transports';
import { Command } from 'commander';
import type { Context } from '../context.ts';
import { integerFlag } from '../flags.ts';
import { loadKernel } from '../kernel.ts';
import { freshSecrets, type NodeSecrets, registryEntry } from '../nodeKeys.ts';
import { refuseToOverwrite, requireFolderOf, writeWhole } from '../output/files.ts';
import { Progress } from '../output/progress.ts';
import { Interrupted, UsageError } from '../usageError.ts';

interface KeygenOptions {
  readonly count: number;
  readonly out: string;
  readonly basePort: number;
  readonly force?: boolean;
}

export function keygenCommand(context: Context): Command {
  return new Command('keygen')
    .description(
      'Make the keys of some nodes: a registry to hand out, and their secrets, in a file of their own, to keep.',
    )
    .option('--count <n>', 'nodes, 1 to 65536', integerFlag('--count', 1, 65_536), 1)
    .option('--out <file>', 'the registry; its secrets go to the same name ending in .secrets.json', 'registry.json')
    .option(
      '--base-port <port>',
      'UDP port of the first node on 127.0.0.1, the others follow',
      integerFlag('--base-port', 1, 65_535),
      9000,
    )
    .option('--force', 'replace files that exist')
    .action((options: KeygenOptions) => keygen(options, context));
}

async function keygen({ count, out, basePort, force }: KeygenOptions, context: Context): Promise<void> {
  if (basePort + count - 1 > 65_535)
    throw new UsageError(`--base-port: expected at most ${65_536 - count} for ${count} nodes, got ${basePort}`);
  const secretsPath = `${out.replace(/\.json$/, '')}.secrets.json`;
  requireFolderOf(out);
  if (!force) for (const path of [out, secretsPath]) refuseToOverwrite(path);

  const bls = await loadKernel();
  const progress = new Progress(context);
  const entries: ListedEntry[] = [];
  const secrets: NodeSecrets[] = [];
  try {
    for (let index = 0; index < count; index++) {
      const own = freshSecrets(bls);
      secrets.push(own);
      entries.push({ ...registryEntry(bls, own, { host: '127.0.0.1', port: basePort + index }), transport: 'udp' });
      progress.update(() => `making keys: ${index + 1} of ${count}`);
      await new Promise(setImmediate);
      if (context.signal.aborted) throw new Interrupted();
    }
  } finally {
    progress.done();
  }
  // The secrets first: a registry of keys that nobody holds is worth nothing.
  writeWhole(secretsPath, formatSecrets(entries, secrets), 0o600);
  writeWhole(out, formatRegistry(entries));
  context.out(
    `${out}: ${count} ${count === 1 ? 'node' : 'nodes'}\n${secretsPath}: their secrets; keep this file to yourself\n`,
  );
}

function formatSecrets(entries: readonly ListedEntry[], secrets: readonly NodeSecrets[]): string {
  const document = {
    version: 1,
    secrets: secrets.map((own, index) => ({
      publicKey: toHex(entries[index]!.publicKey),
      secretKey: toHex(own.secretKey),
      networkSecret: toHex(own.networkSecret),
    })),
  };
  return `${JSON.stringify(document, undefined, 2)}\n`;
}
