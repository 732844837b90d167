import { formatRegistry, type ListedEntry } from '@tutti/certificates';
import { type Endpoint, registryDigest } from '@tutti/core';
import { type Setting, seconds, toHex } from '@tutti/core/input';
import {
  answer,
  Command,
  type Context,
  counted,
  type FlagsOf,
  flag,
  forceFlag,
  inScope,
  jsonFlag,
  loadKernel,
  required,
  requireNamed,
  type Scope,
  setting,
  several,
  UsageError,
  withFlags,
  words,
  writeWhole,
} from '@tutti/node-cli/command';
import {
  bindFlag,
  formatSecrets,
  identify,
  listenFlag,
  loadRegistry,
  openNodeTransport,
  proxyFlag,
  secretsPathOf,
} from '@tutti/node-cli/nodes';
import type { Transport } from '@tutti/transports';
import { nodeCrypto, openTransport } from '@tutti/transports/node';
import { type HiddenAddress, hiddenAddress } from '../members/hiddenAddress.ts';
import { readIdentity, secretMode } from '../members/identityFile.ts';
import { readListed } from '../members/listedIdentityFile.ts';
import { MemberSetup } from '../members/memberSetup.ts';
import { readOwnKeys } from '../members/ownKeys.ts';
import { registerMember } from '../members/registerMember.ts';
import { contactsFlag, ringFlag, signaturesFlag } from '../members/setupFlags.ts';
import { identifiedAuthors, setupSettings } from '../setup.ts';

/** Returns a setting of a waiting time, s. */
const waitingTime = (defaultSeconds: number, minSeconds: number, about: string): Setting<number> => ({
  default: defaultSeconds,
  range: seconds(minSeconds, 3600),
  about,
});

const memberFlags = {
  registry: required('<file>', 'registry of the members, the same for all members', words),
  identities: required('<files...>', "files of all members from 'tutti anonymous enlist'", several(words)),
  key: required('<file>', "this member's secrets from 'tutti registry keygen'", words),
  identity: required('<file>', "this member's identity file from 'tutti anonymous keygen'", words),
  event: required(
    '<text>',
    'name of the set-up, the same for all members; signatures of a member can be linked within a set-up, but not between two set-ups',
    words,
  ),
  ring: ringFlag(', the same for all members'),
  signatures: signaturesFlag('linkable or traceable, the same for all members'),
};

const placeFlags = {
  listen: flag(
    '<host[:port]>',
    'registered address of the anonymous key: an IP address, or with TCP also a host name or an onion address; without a port, the system chooses a free port',
    () => listenFlag,
    { host: '127.0.0.1' },
    '127.0.0.1',
  ),
  bind: flag(
    '<address[:port]>',
    'local address of the anonymous key, if different from --listen: with port forwarding or an onion address',
    bindFlag,
  ),
  inboxBind: flag('<address[:port]>', "local address of the inbox, if different from the registry's address", bindFlag),
  proxy: flag('<host:port>', 'SOCKS5 proxy for all anonymous connections; requires tcp', () => proxyFlag),
};

const setupFlags = {
  contacts: contactsFlag,
  setupPeriod: setting(setupSettings.periodMs),
  collect: setting(waitingTime(300, 1, 'maximum waiting time for registrations')),
  linger: setting(waitingTime(5, 0, 'time for which the member still answers other members at the end')),
  out: flag(
    '<file>',
    'output file for the anonymous registry; the secrets go to the same name with the ending .secrets.json',
    words,
    'anonymous.json',
  ),
  force: forceFlag,
  json: jsonFlag,
};

type RegisterFlags = FlagsOf<typeof memberFlags & typeof placeFlags & typeof setupFlags>;

export function anonymousRegisterCommand(context: Context): Command {
  const command = new Command('register').description(
    "Take part in a set-up as one member. The command registers a fresh key anonymously, and writes the resulting anonymous registry for 'tutti node'.",
  );
  for (const table of [memberFlags, placeFlags, setupFlags]) withFlags(command, table);
  return command.action((flags: RegisterFlags) => register(flags, context));
}

async function register(flags: RegisterFlags, context: Context): Promise<void> {
  const { registry, key, out, force, proxy, listen, ring, event, signatures: scheme } = flags;
  const secretsPath = secretsPathOf(out);
  for (const path of [out, secretsPath]) requireNamed(path, force);
  const members = await loadRegistry(registry, context);
  const { entries } = members;
  const identities = readListed(flags.identities, entries);
  const { secretKey, publicKey } = readIdentity(flags.identity);
  const bls = await loadKernel();
  const identity = identify(bls, entries, readOwnKeys(key), undefined, key);
  const listed = identities[identity.index]!;
  if (toHex(listed.publicKey) !== toHex(publicKey))
    throw new UsageError(`--identity: expected the listed identity of member ${identity.index}, got another identity`);
  const { transport: kind } = entries[identity.index]!;
  if (proxy !== undefined && kind !== 'tcp') throw new UsageError(`--proxy: expected a registry with tcp, got ${kind}`);
  const setup = new MemberSetup({ bls, scheme, ring, event, registry: members, identities });
  const at = await hiddenAddress({
    transport: kind,
    inboxes: entries.map(({ endpoint }) => endpoint),
    member: identity.index,
    ...{ listen, bind: flags.bind, inboxBind: flags.inboxBind, hasProxy: proxy !== undefined },
  });
  for (const warning of at.warnings) context.err(`tutti: ${warning}\n`);
  await inScope(async (scope) => {
    const { inbox, hidden, endpoint } = await openBoth(entries, identity.index, at, flags, scope);
    const { entry, report, secrets } = await registerMember(
      {
        ...{ bls, setup, entries, identity, inbox, hidden, endpoint },
        identitySecret: secretKey,
        periodMs: flags.setupPeriod,
        contacts: flags.contacts,
        collectMs: flags.collect * 1000,
        lingerMs: flags.linger * 1000,
      },
      context,
    );
    writeWhole(secretsPath, formatSecrets([entry], [secrets]), secretMode);
    writeWhole(out, formatRegistry(report.entries));
    const excluded = identifiedAuthors(report.doubles);
    const digest = toHex(registryDigest(nodeCrypto, report));
    const document = {
      ...{ registry: out, secrets: secretsPath, members: entries.length, keys: report.entries.length },
      ...{ agreeing: report.agreeing, doubles: report.doubles.length, excluded, digest, refused: report.refused },
    };
    answer(
      context,
      flags.json,
      document,
      `${out}: ${counted(document.keys, 'anonymous key')} from ${counted(entries.length, 'member')}, digest ${digest}\n${secretsPath}: the secrets of one key; keep this file secret\n${report.agreeing} of ${counted(entries.length, 'member')} sent the same list${excluded.length === 0 ? '' : `; excluded from the list: members ${excluded.join(', ')}`}\n`,
    );
  });
}

/** Opens the two sockets of a member. Returns the sockets, and the address to register for the anonymous key. */
async function openBoth(
  entries: readonly ListedEntry[],
  index: number,
  { bind, listen }: HiddenAddress,
  { inboxBind, proxy }: RegisterFlags,
  scope: Scope,
): Promise<{ readonly inbox: Transport; readonly hidden: Transport; readonly endpoint: Endpoint }> {
  const { transport: kind } = entries[index]!;
  const inbox = scope.own(
    await openNodeTransport(entries, index, {
      bindFlag: '--inbox-bind',
      ...(inboxBind === undefined ? {} : { bind: inboxBind }),
    }),
    (one) => one.close(),
  );
  const port = listen.port ?? bind.port;
  const publicAddress = port === 0 ? {} : { publicEndpoint: { host: listen.host, port } };
  const hidden = scope.own(
    await openTransport(
      kind === 'tcp'
        ? { kind, ...bind, ...publicAddress, ...(proxy === undefined ? {} : { proxy }) }
        : { kind, ...bind },
    ),
    (one) => one.close(),
  );
  return { inbox, hidden, endpoint: { host: listen.host, port: port === 0 ? hidden.local.port : port } };
}
