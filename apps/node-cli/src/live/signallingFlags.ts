import { defaultHubLimits, type SignallingServerOptions } from '@tutti/transports/signalling';
import type { Command } from 'commander';
import { badValue, type FlagReader, integerFlag, numberFlag } from '../flags.ts';

/** The flags of every command that runs a signalling server, about who can reach it. */
export interface SignallingFlags {
  readonly origin?: readonly string[];
  readonly name?: readonly string[];
  readonly behindProxy?: boolean;
  readonly maxRoomsPerAddress: number;
  readonly maxMembersPerAddress: number;
  readonly maxConnectionsPerAddress: number;
  readonly maxSharePerAddress: number;
}

/** An origin as browsers write it: a scheme, a host, perhaps a port, and nothing behind them. */
export const originFlag: FlagReader<string> = (text) => {
  const isOrigin = text === '*' || (URL.canParse(text) && new URL(text).origin === text);
  if (isOrigin) return text;
  throw badValue('--origin', 'the origin of a page, such as https://page.example, or *', text);
};

export const hostNameFlag: FlagReader<string> = (text) => {
  if (/^[a-z0-9]([a-z0-9.-]{0,251}[a-z0-9])?$/i.test(text)) return text;
  throw badValue('--name', 'a host name without a port, such as rooms.example', text);
};

/** Lets a flag be given more than once. */
function repeated<T>(read: FlagReader<T>): (text: string, before: readonly T[] | undefined) => readonly T[] {
  return (text, before = []) => [...before, read(text)];
}

export function addSignallingFlags(command: Command): Command {
  const { roomsPerAddress, membersPerAddress, connectionsPerAddress, shareOfRoomPerAddress } = defaultHubLimits;
  return command
    .option(
      '--origin <url>',
      "origin of a page, beside the server's own, that may join, such as https://page.example; repeatable; * is every page",
      repeated(originFlag),
    )
    .option(
      '--name <host>',
      "host name by which pages call this server, beside its IP addresses, localhost and the machine's own; repeatable",
      repeated(hostNameFlag),
    )
    .option('--behind-proxy', 'take addresses from X-Forwarded-For; only where a proxy is the only way to this server')
    .option(
      '--max-rooms-per-address <n>',
      'most rooms that one address keeps open',
      integerFlag('--max-rooms-per-address', 1, 65_536),
      roomsPerAddress,
    )
    .option(
      '--max-members-per-address <n>',
      'most members of one address, in all rooms',
      integerFlag('--max-members-per-address', 1, 65_536),
      membersPerAddress,
    )
    .option(
      '--max-connections-per-address <n>',
      'most connections of one address',
      integerFlag('--max-connections-per-address', 1, 65_536),
      connectionsPerAddress,
    )
    .option(
      '--max-share-per-address <share>',
      "most of an open room's places that one address takes of those that other addresses leave; 1 is all",
      numberFlag('--max-share-per-address', 'over 0, at most 1', (share) => share > 0 && share <= 1),
      shareOfRoomPerAddress,
    );
}

/** The options of a signalling server that these flags say. */
export function signallingOptions(flags: SignallingFlags): SignallingServerOptions {
  const { origin = [], name = [], behindProxy = false } = flags;
  return {
    origins: origin,
    names: name,
    behindProxy,
    limits: {
      roomsPerAddress: flags.maxRoomsPerAddress,
      membersPerAddress: flags.maxMembersPerAddress,
      connectionsPerAddress: flags.maxConnectionsPerAddress,
      shareOfRoomPerAddress: flags.maxSharePerAddress,
    },
  };
}
