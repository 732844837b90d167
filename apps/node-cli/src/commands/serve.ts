import { attachSignalling } from '@tutti/transports/node';
import { Command } from 'commander';
import { renderUnicodeCompact } from 'uqr';
import { answer, type Context, inScope, UsageError, untilAborted } from '../context.ts';
import { type FlagsOf, flag, givenFlag, integer, several, toggle, withFlags, words } from '../flags.ts';
import { builtPage, hasDocs, pagePort } from '../live/builtPage.ts';
import { listenAt, nameForOthers } from '../live/httpServer.ts';
import { freshRoomName, invitedRoom, maxInvitations, roomNameFlag } from '../live/roomLink.ts';
import { originFlag, signallingFlags, signallingOptions } from '../live/signallingFlags.ts';
import { refusalTable } from './serveSignal.ts';

const serveFlags = {
  live: toggle('open a live room: run signalling on the same port, and print a link and its QR code'),
  room: flag('<name>', "the live room's name (default: an unguessable name)", () => roomNameFlag),
  inviteCount: flag('<n>', 'admit only this many members, each with its own secret link', integer(1, maxInvitations)),
  inviteFile: flag(
    '<file>',
    'store the room and its invitations in this file, so that the links remain valid when the server restarts',
    words,
  ),
  lan: toggle('listen on all addresses, and print the address on the local network and its QR code'),
  frameAncestors: flag(
    '<url>',
    'origin of a page that may embed these pages in a frame, such as https://slides.example; repeatable; * allows every page',
    several(originFlag),
  ),
  host: flag(
    '<address>',
    'address to listen on (default: the loopback address, or all addresses with --lan or --live)',
    words,
  ),
  port: flag('<port>', 'port to listen on; 0 selects a free port', integer(0, 65_535), pagePort),
  json: toggle('print lines of JSON: the address and, at the end of a room, the number of refusals'),
};

type ServeOptions = FlagsOf<typeof serveFlags & typeof signallingFlags>;

/** Flags that are valid with and without `--live`. */
const pageFlags = ['--lan', '--frame-ancestors', '--host', '--port', '--json', '--name'];

export function serveCommand(context: Context): Command {
  const command = new Command('serve').description(
    "Serve the visualiser until Ctrl-C. With --live, everyone who opens the printed link or scans its QR code joins a live room. The members' browsers sign a message together over direct connections.",
  );
  return withFlags(withFlags(command, serveFlags), signallingFlags).action((options: ServeOptions) =>
    serve(options, command, context),
  );
}

async function serve(options: ServeOptions, command: Command, context: Context): Promise<void> {
  const { host, port, live = false, lan = false, room, inviteCount: count, inviteFile: path } = options;
  const { frameAncestors = [] } = options;
  if (lan && live)
    throw new UsageError(
      '--lan: cannot be combined with --live, which already listens on all addresses and prints a link',
    );
  if (lan && host !== undefined)
    throw new UsageError('--lan: cannot be combined with --host, because --lan listens on all addresses');
  const ofRoom = live ? undefined : givenFlag(command, (flag) => !pageFlags.includes(flag));
  if (ofRoom !== undefined) throw new UsageError(`${ofRoom}: valid only with --live, which opens the room`);
  const pages = builtPage({ ancestors: frameAncestors });
  const invited = invitedRoom({ room, count, path });
  const address = host ?? (live || lan ? '0.0.0.0' : '127.0.0.1');
  const { origins, names, ...shared } = signallingOptions(options);
  const refused = await inScope(async (scope) => {
    const http = scope.own(
      await listenAt({ host: address, port }, pages, {
        origins,
        names,
        links: true,
        frames: frameAncestors.length > 0,
      }),
      (one) => one.close(),
    );
    const page = `http://${nameForOthers(address)}:${http.port}/`;
    if (!live) {
      printPage(page, options, context);
      await untilAborted(context.signal);
      return undefined;
    }
    const signalling = scope.own(
      await attachSignalling(http.server, {
        ...shared,
        origins,
        names: http.names,
        ...(invited && { invitations: { [invited.room]: invited.invitations } }),
      }),
      (one) => one.close(),
    );
    const link = `${page}#live=${invited?.room ?? room ?? freshRoomName()}`;
    printRoom(page, link, invited?.invitations, options, context);
    await untilAborted(context.signal);
    return signalling.counts.refused;
  });
  if (refused !== undefined) answer(context, options.json, { refused }, refusalTable(refused));
}

function printPage(page: string, { json, lan }: ServeOptions, context: Context): void {
  const docs = hasDocs() ? `${page}docs/` : undefined;
  const and = docs === undefined ? '' : ` and its docs at ${docs}`;
  const code = lan ? `${renderUnicodeCompact(page, { border: 2 })}\n` : '';
  answer(context, json, { page, docs }, `${code}Tutti is at ${page}${and}   (Ctrl-C ends it)\n`);
}

function printRoom(
  page: string,
  link: string,
  invitations: readonly string[] | undefined,
  { json }: ServeOptions,
  context: Context,
): void {
  if (invitations !== undefined) {
    const links = invitations.map((one) => `${link}&invitation=${one}`);
    answer(context, json, { page, invitations: links }, invitationLines(links));
    return;
  }
  const code = renderUnicodeCompact(link, { border: 2 });
  answer(context, json, { page, room: link }, `${code}\nThe live room is at ${link}   (Ctrl-C ends it)\n`);
}

/** Returns the links of a room with invitations, one numbered link per line, under a heading. */
function invitationLines(links: readonly string[]): string {
  const width = String(links.length).length;
  const lines = links.map((link, index) => `${String(index + 1).padStart(width)}  ${link}\n`);
  const count = links.length === 1 ? 'this link' : `these ${links.length} links, one for each member`;
  return `The live room requires an invitation; use ${count}   (Ctrl-C ends it):\n${lines.join('')}`;
}
