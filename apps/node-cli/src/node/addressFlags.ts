import type { ListedEntry } from '@tutti/certificates';
import { expectedHost, isHostFor } from '@tutti/certificates';
import type { RegistryTransport } from '@tutti/core/registry';
import { registryTransports } from '@tutti/core/registry';
import type { Command } from 'commander';
import { badValue, choiceFlag, integerFlag } from '../flags.ts';
import { counted } from '../numbers.ts';
import { UsageError } from '../usageError.ts';

/** Where the nodes of a new registry listen: one host, and consecutive ports. */
export interface AddressOptions {
  readonly transport: RegistryTransport;
  readonly host: string;
  readonly basePort: number;
}

export function withAddressFlags(command: Command): Command {
  return command
    .option('--transport <name>', 'udp or tcp', choiceFlag('--transport', registryTransports), 'udp')
    .option(
      '--host <address>',
      'where they listen: an IP address; over TCP also a host name or an onion address',
      '127.0.0.1',
    )
    .option(
      '--base-port <port>',
      'port of the first node, the others follow',
      integerFlag('--base-port', 1, 65_535),
      9000,
    );
}

/** @throws UsageError when this many nodes cannot listen there. */
export function requireAddresses({ transport, host, basePort }: AddressOptions, count: number): void {
  if (!isHostFor(transport, host)) throw badValue('--host', `${expectedHost(transport)} for ${transport}`, host);
  if (basePort + count - 1 > 65_535)
    throw new UsageError(
      `--base-port: expected at most ${65_536 - count} for ${counted(count, 'node')}, got ${basePort}`,
    );
}

export function addressOf(
  { transport, host, basePort }: AddressOptions,
  index: number,
): Pick<ListedEntry, 'transport' | 'endpoint'> {
  return { transport, endpoint: { host, port: basePort + index } };
}
