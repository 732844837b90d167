import { hubSettings, type SignallingServerOptions } from '@tutti/transports/node';
import { badValue, type FlagReader, type FlagsOf, flag, numberFlag, setting, several, toggle } from '../flags.ts';

/**
 * Pattern for an origin in the form that browsers use. The host of a URL may contain `;`, `,` and `*`, which have a
 * special meaning in a content security policy.
 */
const originPattern = /^https?:\/\/(?:[a-z0-9.-]+|\[[0-9a-f:.]+\])(?::\d+)?$/;

/** Reads an origin in the form that browsers use: a scheme, a host and an optional port; or `*`. */
export const originFlag =
  (flag: string): FlagReader<string> =>
  (text) => {
    if (text === '*') return text;
    if (originPattern.test(text) && URL.canParse(text) && new URL(text).origin === text) return text;
    throw badValue(flag, 'the origin of a page, such as https://page.example, or *', text);
  };

/** Reads a host name without a port for `--name`. */
export const hostNameFlag: FlagReader<string> = (text) => {
  if (/^[a-z0-9]([a-z0-9.-]{0,251}[a-z0-9])?$/i.test(text)) return text;
  throw badValue('--name', 'a host name without a port, such as rooms.example', text);
};

/** Flags that control access, for every command that runs a signalling server. */
export const signallingFlags = {
  origin: flag(
    '<url>',
    'additional origin of a page whose members may join, such as https://page.example; repeatable; * allows every page',
    several(originFlag),
  ),
  name: flag(
    '<host>',
    "additional host name under which pages may reach this server, in addition to IP addresses, localhost and the machine's own name; repeatable",
    several(() => hostNameFlag),
  ),
  behindProxy: toggle(
    'take client addresses from X-Forwarded-For; use this flag only if all connections come through a proxy',
  ),
  maxRoomsPerAddress: setting(hubSettings.roomsPerAddress),
  maxMembersPerAddress: setting(hubSettings.membersPerAddress),
  maxConnectionsPerAddress: setting(hubSettings.connectionsPerAddress),
  maxSharePerAddress: flag(
    '<share>',
    hubSettings.shareOfRoomPerAddress.about,
    (name) => numberFlag(name, 'a number greater than 0 and at most 1', (share) => share > 0 && share <= 1),
    hubSettings.shareOfRoomPerAddress.default,
  ),
};

type SignallingFlags = FlagsOf<typeof signallingFlags>;

/** Returns the options for a signalling server according to the access flags. */
export function signallingOptions(
  flags: SignallingFlags,
): SignallingServerOptions & Required<Pick<SignallingServerOptions, 'origins' | 'names'>> {
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
