import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import { canonicalHost, expectedHost, isHostFor } from '@tutti/certificates';
import type { Endpoint, RegistryTransport } from '@tutti/core';
import { EnvironmentError } from '@tutti/core/input';
import { UsageError } from '@tutti/node-cli/command';

/** Host with an optional port, as specified by a flag. */
interface Place {
  readonly host: string;
  readonly port?: number;
}

/** Addresses and options of a member that registers an anonymous key. */
export interface HiddenAddressOptions {
  readonly transport: RegistryTransport;
  /** Inboxes of all members, in the order of the registry. */
  readonly inboxes: readonly Endpoint[];
  /** Index of this member's inbox. */
  readonly member: number;
  /** Address on which the inbox listens, if it differs from the registry's. */
  readonly inboxBind: Place | undefined;
  /** Address to register for the anonymous key. */
  readonly listen: Place;
  /** Address on which the anonymous key's socket listens, if it differs from `listen`. */
  readonly bind: Place | undefined;
  readonly hasProxy: boolean;
  /** Returns the addresses of a host name, or rejects like `lookup` of Node. Default: the system's resolver. */
  readonly resolve?: (name: string) => Promise<readonly string[]>;
}

/** Addresses of an anonymous key. */
export interface HiddenAddress {
  /** Address on which the anonymous key's socket listens; port 0 lets the system choose. */
  readonly bind: { readonly host: string; readonly port: number };
  /** Address that the member registers. If no port is given, the port of the socket is registered. */
  readonly listen: Place;
  /** Remaining ways to identify the owner of the key, one line each. */
  readonly warnings: readonly string[];
}

/**
 * Determines where a member's anonymous key listens, and which address the member registers. If all members have the
 * same host, addresses identify no member. Otherwise the anonymous key must not have the host by which the member is
 * known.
 *
 * @throws UsageError for an address that identifies the member, that its transport cannot reach, or that requires a
 * flag; EnvironmentError `dns-failed` if the resolver does not answer.
 */
export async function hiddenAddress(options: HiddenAddressOptions): Promise<HiddenAddress> {
  const { transport, listen } = options;
  if (!isHostFor(transport, listen.host))
    throw new UsageError(`--listen: expected ${expectedHost(transport)} for ${transport}, got ${listen.host}`);
  const bind = socketOf(options);
  const hosts = new Set(options.inboxes.map(({ host }) => canonicalHost(host)));
  if (hosts.size <= 1) return { bind, listen, warnings: [] };
  if (isLoopback(listen.host) && ![...hosts].every(isLoopback))
    throw new UsageError(
      `--listen: expected an address that the other members reach, got ${listen.host}; their inboxes are on other machines`,
    );
  const known = await whereKnown(options);
  if (known !== undefined)
    throw new UsageError(
      `--listen: expected a host other than those of this member's inbox, got ${listen.host}, ${known}; an anonymous key there identifies this member`,
    );
  return { bind, listen, warnings: warningsOf(options, bind.host) };
}

function socketOf({ listen, bind }: HiddenAddressOptions): HiddenAddress['bind'] {
  if (bind === undefined) {
    if (isIP(listen.host) !== 0) return { host: listen.host, port: listen.port ?? 0 };
    throw new UsageError(
      `--bind: expected an address to listen on, because ${listen.host} is a name that others know the anonymous key by`,
    );
  }
  const port = bind.port ?? listen.port;
  if (port !== undefined) return { host: bind.host, port };
  throw new UsageError(`--listen: expected HOST:PORT with --bind, got ${listen.host}, without the port to register`);
}

/** Describes how other members could identify the member by the host that it registers; undefined if they cannot. */
async function whereKnown(options: HiddenAddressOptions): Promise<string | undefined> {
  const { inboxes, member, inboxBind, listen, bind, hasProxy, resolve = systemResolver } = options;
  // A DNS query can be observed, so a member behind a proxy makes no queries.
  const all = async (host: string) =>
    hasProxy || isIP(host) !== 0 || /\.onion$/i.test(host) ? [host] : [host, ...(await addressesOf(host, resolve))];
  const listened = new Set((await all(listen.host)).map(canonicalHost));
  const isListened = async (host: string) => (await all(host)).some((one) => listened.has(canonicalHost(one)));
  if (await isListened(inboxes[member]!.host)) return `that of its inbox in the registry (entry ${member})`;
  if (inboxBind === undefined) return undefined;
  const isEverywhere = bind === undefined && isWildcard(inboxBind.host);
  return isEverywhere || (await isListened(inboxBind.host)) ? 'at which its inbox listens' : undefined;
}

function warningsOf({ transport, inboxes, member, inboxBind, hasProxy }: HiddenAddressOptions, host: string): string[] {
  const warnings: string[] = [];
  const inboxHost = inboxBind?.host ?? inboxes[member]!.host;
  if (isWildcard(host) || canonicalHost(host) === canonicalHost(inboxHost))
    warnings.push(`--bind: ${host} is where the inbox is reached too, so others can find the anonymous key there`);
  else if (isWildcard(inboxHost) && !isLoopback(host))
    warnings.push(
      `--inbox-bind: ${inboxHost} includes ${host}, so others can find the inbox at the anonymous key's address`,
    );
  if (transport === 'tcp' && !hasProxy)
    warnings.push(
      "--proxy: without one, anonymous connections leave from this machine's own address, which the members that accept them see",
    );
  return warnings;
}

const isWildcard = (host: string): boolean => ['0.0.0.0', '::'].includes(canonicalHost(host));

const isLoopback = (host: string): boolean => /^(127\..*|::1|(.*\.)?localhost)$/.test(canonicalHost(host));

type Resolver = NonNullable<HiddenAddressOptions['resolve']>;

const systemResolver: Resolver = async (name) => (await lookup(name, { all: true })).map(({ address }) => address);

/** Returns the addresses of a name; none if the name does not exist. @throws EnvironmentError `dns-failed`. */
async function addressesOf(name: string, resolve: Resolver): Promise<readonly string[]> {
  try {
    return await resolve(name);
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    if (code === 'ENOTFOUND') return [];
    throw new EnvironmentError(
      'dns-failed',
      `${name}: expected the resolver to return its addresses, to check that they do not identify this member, got ${code ?? cause}; try again`,
      { cause },
    );
  }
}
