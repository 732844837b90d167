import { attachSignalling } from '@tutti/transports/signalling';
import { Command } from 'commander';
import { renderUnicodeCompact } from 'uqr';
import type { Context } from '../context.ts';
import { integerFlag } from '../flags.ts';
import { builtPage, hasDocs } from '../live/builtPage.ts';
import { listenHttp, nameForOthers, untilAborted } from '../live/httpServer.ts';
import { invitedRoom, mostInvitations } from '../live/invitations.ts';
import { pagePort } from '../live/pagePort.ts';
import { freshRoomName, roomNameFlag } from '../live/roomLink.ts';
import { addSignallingFlags, type SignallingFlags, signallingOptions } from '../live/signallingFlags.ts';
import { UsageError } from '../usageError.ts';
import { refusalTable } from './signal.ts';

interface ServeOptions extends SignallingFlags {
  readonly host?: string;
  readonly port: number;
  readonly live?: boolean;
  readonly room?: string;
  readonly invites?: number;
  readonly invitations?: string;
  readonly json?: boolean;
}

const flagNames = {
  room: '--room',
  invites: '--invites',
  invitations: '--invitations',
  origin: '--origin',
  name: '--name',
  behindProxy: '--behind-proxy',
} as const;

export function serveCommand(context: Context): Command {
  const command = new Command('serve')
    .description(
      'Serve the visualiser until Ctrl-C. With --live, everyone who opens the printed link or scans its code joins a live room, whose members sign a message together from browser to browser.',
    )
    .option('--live', 'open a live room: signalling on the same port, a link, and its QR code')
    .option('--room <name>', "the live room's name; default: one that nobody can guess", roomNameFlag)
    .option(
      '--invites <n>',
      'seat nobody but as many members, each with a link of its own that is not told to others',
      integerFlag('--invites', 1, mostInvitations),
    )
    .option(
      '--invitations <file>',
      'keep the room and its invitations there, so that the links hold when the server is started again',
    )
    .option('--host <address>', 'address to listen at; default: this machine only, or all its addresses with --live')
    .option('--port <port>', 'port to listen at; 0 takes a free one', integerFlag('--port', 0, 65_535), pagePort)
    .option('--json', 'print lines of JSON: where it is and, for a room, what was refused at the end');
  return addSignallingFlags(command).action((options: ServeOptions) => serve(options, context));
}

async function serve(options: ServeOptions, context: Context): Promise<void> {
  const { host, port, live = false, room, invites: count, invitations: path } = options;
  for (const flag of ['room', 'invites', 'invitations', 'origin', 'name', 'behindProxy'] as const)
    if (options[flag] !== undefined && !live)
      throw new UsageError(`${flagNames[flag]}: only with --live, which opens the room`);
  const invited = invitedRoom({ room, count, path });
  const address = host ?? (live ? '0.0.0.0' : '127.0.0.1');
  const http = await listenHttp(address, port, builtPage());
  const page = `http://${nameForOthers(address)}:${http.port}/`;
  if (!live) {
    const docs = hasDocs() ? `${page}docs/` : undefined;
    const and = docs === undefined ? '' : ` and its docs at ${docs}`;
    context.out(
      options.json ? `${JSON.stringify({ page, docs })}\n` : `Tutti is at ${page}${and}   (Ctrl-C ends it)\n`,
    );
    await untilAborted(context.signal);
    await http.close();
    return;
  }
  const signalling = await attachSignalling(http.server, {
    ...signallingOptions(options),
    ...(invited && { invitations: { [invited.room]: invited.invitations } }),
  });
  const link = `${page}#live=${invited?.room ?? room ?? freshRoomName()}`;
  const links = invited?.invitations.map((one) => `${link}&invitation=${one}`);
  if (links !== undefined)
    context.out(options.json ? `${JSON.stringify({ page, invitations: links })}\n` : invitationLines(links));
  else
    context.out(
      options.json
        ? `${JSON.stringify({ page, room: link })}\n`
        : `${renderUnicodeCompact(link, { border: 2 })}\nThe live room is at ${link}   (Ctrl-C ends it)\n`,
    );
  await untilAborted(context.signal);
  const { refused } = signalling.counts;
  signalling.close();
  await http.close();
  context.out(options.json ? `${JSON.stringify({ refused })}\n` : refusalTable(refused));
}

/** The links of a room that is by invitation, a line each. */
function invitationLines(links: readonly string[]): string {
  const width = String(links.length).length;
  const lines = links.map((link, index) => `${String(index + 1).padStart(width)}  ${link}\n`);
  const count = links.length === 1 ? 'one link' : `${links.length} links, one for each member`;
  return `The live room is by invitation, ${count}   (Ctrl-C ends it):\n${lines.join('')}`;
}
