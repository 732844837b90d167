import { attachSignalling, signallingPath } from '@tutti/transports/signalling';
import { Command } from 'commander';
import type { Context } from '../context.ts';
import { integerFlag } from '../flags.ts';
import { listenHttp, nameForOthers, untilAborted } from '../live/httpServer.ts';
import { addSignallingFlags, type SignallingFlags, signallingOptions } from '../live/signallingFlags.ts';
import { grouped } from '../numbers.ts';
import { pairTable } from '../output/tables.ts';

interface SignalOptions extends SignallingFlags {
  readonly host: string;
  readonly port: number;
  readonly maxRooms: number;
  readonly maxMembers: number;
  readonly json?: boolean;
}

export function signalCommand(context: Context): Command {
  const command = new Command('signal')
    .description(
      'Run a signalling server, through which members of live rooms find each other, until Ctrl-C. It carries sealed texts, learns no secrets, and is trusted only to deliver. A static copy of the page uses it with #live=ROOM&signal=URL, once --origin names that page.',
    )
    .option('--host <address>', 'address to listen at', '0.0.0.0')
    .option('--port <port>', 'port to listen at; 0 takes a free one', integerFlag('--port', 0, 65_535), 8081)
    .option('--max-rooms <n>', 'most rooms at a time', integerFlag('--max-rooms', 1, 65_536), 256)
    .option('--max-members <n>', 'most members of a room', integerFlag('--max-members', 1, 128), 128);
  return addSignallingFlags(command)
    .option('--json', 'print lines of JSON: where it is, and at the end what was refused')
    .action((options: SignalOptions) => signal(options, context));
}

async function signal(options: SignalOptions, context: Context): Promise<void> {
  const { host, port, maxRooms, maxMembers } = options;
  const http = await listenHttp(host, port, (_request, response) => {
    response.writeHead(404, { 'Content-Type': 'text/plain' });
    response.end('a signalling server of Tutti: WebSockets only\n');
  });
  const shared = signallingOptions(options);
  const signalling = await attachSignalling(http.server, {
    ...shared,
    limits: { ...shared.limits, rooms: maxRooms, members: maxMembers },
  });
  const url = `ws://${nameForOthers(host)}:${http.port}${signallingPath}`;
  context.out(options.json ? `${JSON.stringify({ signalling: url })}\n` : `Signalling at ${url}   (Ctrl-C ends it)\n`);
  await untilAborted(context.signal);
  const { refused } = signalling.counts;
  signalling.close();
  await http.close();
  context.out(options.json ? `${JSON.stringify({ refused })}\n` : refusalTable(refused));
}

/** What a server refused while it ran. */
export function refusalTable(refused: Readonly<Record<string, number>>): string {
  const rows = Object.entries(refused).map(([code, count]) => [code, grouped(count)] as const);
  return rows.length === 0 ? 'Nothing was refused.\n' : `Refused:\n${pairTable(rows)}`;
}
