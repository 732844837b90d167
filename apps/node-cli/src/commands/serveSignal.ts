import { attachSignalling, hubSettings, signallingPath } from '@tutti/transports/node';
import { Command } from 'commander';
import { answer, type Context, inScope, untilAborted } from '../context.ts';
import { type FlagsOf, flag, integer, setting, toggle, withFlags, words } from '../flags.ts';
import { listenAt, nameForOthers, type RequestHandler } from '../live/httpServer.ts';
import { signallingFlags, signallingOptions } from '../live/signallingFlags.ts';
import { grouped, pairTable } from '../output/text.ts';

const hubFlags = {
  host: flag('<address>', 'address to listen on', words, '0.0.0.0'),
  port: flag('<port>', 'port to listen on; 0 selects a free port', integer(0, 65_535), 8081),
  maxRooms: setting(hubSettings.rooms),
  maxMembers: setting(hubSettings.members),
};

const json = toggle('print lines of JSON: the address and, at the end, the number of refusals');

type SignalOptions = FlagsOf<typeof hubFlags & typeof signallingFlags & { json: typeof json }>;

export function serveSignalCommand(context: Context): Command {
  const command = new Command('signal').description(
    'Run a signalling server until Ctrl-C. Members of live rooms use it to find each other. The server forwards encrypted messages and learns no secrets. Members rely on it only for the delivery of messages. A static copy of the page uses the server through #live=ROOM&signal=URL if --origin names the origin of that page.',
  );
  return withFlags(command, { ...hubFlags, ...signallingFlags, json }).action((options: SignalOptions) =>
    signal(options, context),
  );
}

async function signal(options: SignalOptions, context: Context): Promise<void> {
  const { host, port, maxRooms, maxMembers } = options;
  const { limits, origins, names, ...shared } = signallingOptions(options);
  const refused = await inScope(async (scope) => {
    const handler: RequestHandler = (_request, response) => {
      response.writeHead(404, { 'Content-Type': 'text/plain' });
      response.end('a Tutti signalling server (WebSockets only)\n');
    };
    const http = scope.own(await listenAt({ host, port }, handler, { origins, names }), (one) => one.close());
    const signalling = scope.own(
      await attachSignalling(http.server, {
        ...shared,
        origins,
        names: http.names,
        limits: { ...limits, rooms: maxRooms, members: maxMembers },
      }),
      (one) => one.close(),
    );
    const url = `ws://${nameForOthers(host)}:${http.port}${signallingPath}`;
    answer(context, options.json, { signalling: url }, `Signalling at ${url}   (Ctrl-C ends it)\n`);
    await untilAborted(context.signal);
    return signalling.counts.refused;
  });
  answer(context, options.json, { refused }, refusalTable(refused));
}

/** Returns a table with the number of requests that the server rejected, by error code. */
export function refusalTable(refused: Readonly<Record<string, number>>): string {
  const rows = Object.entries(refused).map(([code, count]) => [code, grouped(count)] as const);
  return rows.length === 0 ? 'Nothing was refused.\n' : `Refused:\n${pairTable(rows)}`;
}
