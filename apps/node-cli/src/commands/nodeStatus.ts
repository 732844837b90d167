import { request } from 'node:http';
import type { MemberRecord } from '@tutti/certificates/groups';
import { EnvironmentError, parseJson } from '@tutti/core/input';
import { Command } from 'commander';
import { answer, type Context } from '../context.ts';
import { type FlagsOf, flag, jsonFlag, required, withFlags, words } from '../flags.ts';
import type { ServerPlace } from '../live/httpServer.ts';
import { httpFlag } from '../node/addressFlags.ts';
import { readToken } from '../output/files.ts';
import { columnTable, grouped } from '../output/text.ts';

const statusFlags = {
  http: required('<place>', "address of the member's HTTP API: HOST:PORT or unix:PATH", () => httpFlag),
  tokenFile: flag('<file>', 'file with the token that the member requires', words),
  json: jsonFlag,
};

/** Status of a member, as returned by `/members` of the HTTP API. */
type MemberStatus = Omit<MemberRecord, 'weight'> & { readonly weight: string };

/** Maximum length of a response, characters: enough for a group of a million members. */
const maxCharacters = 2 ** 28;

export function nodeStatusCommand(context: Context): Command {
  const command = new Command('status').description(
    "Show a group as seen by a member that runs 'tutti node --http': the members that sign, that lag behind, and that sent invalid contributions.",
  );
  return withFlags(command, statusFlags).action(async ({ http, tokenFile, json }: FlagsOf<typeof statusFlags>) => {
    const members = await membersAt(http, tokenFile === undefined ? undefined : readToken(tokenFile));
    const rows = members.map((one) => [
      String(one.index),
      BigInt(one.weight).toLocaleString('en-US'),
      `${grouped(one.signed)} of ${grouped(one.certificates)}`,
      grouped(one.missedLast),
      grouped(one.invalid),
      wordOf(one),
    ]);
    const table = columnTable(['member', 'weight', 'signed', 'missed last', 'invalid', ''], rows);
    answer(context, json, { members }, table);
  });
}

/** Classifies a member by its status. */
function wordOf({ invalid, missedLast, certificates, signed }: MemberStatus): string {
  if (invalid > 0) return 'Byzantine';
  if (certificates === 0) return 'unknown';
  if (signed === 0) return 'silent';
  return missedLast > 0 ? 'lags' : 'signs';
}

/**
 * Requests the status of the members.
 *
 * @throws EnvironmentError `status-failed` without a complete response in 10 s, and for a response that is no list of
 * members.
 */
async function membersAt(place: ServerPlace, token: string | undefined): Promise<MemberStatus[]> {
  const target = place.path === undefined ? { host: place.host, port: place.port } : { socketPath: place.path };
  const headers = token === undefined ? {} : { authorization: `Bearer ${token}` };
  const where = place.path ?? `${place.host}:${place.port}`;
  const signal = AbortSignal.timeout(10_000);
  const { status, body } = await new Promise<{ status: number | undefined; body: string }>((resolve, reject) => {
    const asked = request({ ...target, path: '/members', headers, signal }, (response) => {
      let body = '';
      response.setEncoding('utf8');
      response.on('data', (part: string) => {
        body += part;
        if (body.length > maxCharacters) response.destroy(new Error('the answer is too long'));
      });
      response.on('end', () => resolve({ status: response.statusCode, body }));
      response.on('error', reject);
    });
    asked.on('error', reject);
    asked.end();
  }).catch((cause: Error) => {
    const reason = signal.aborted ? 'no complete answer in 10 s' : cause.message;
    throw new EnvironmentError('status-failed', `${where}: expected a member's HTTP API, got an error: ${reason}`, {
      cause,
    });
  });
  const members = status === 200 ? membersIn(body) : undefined;
  if (members !== undefined) return members;
  const got = status === 401 ? 'an API that requires a token; use --token-file' : `status ${status}`;
  throw new EnvironmentError('status-failed', `${where}: expected a member's HTTP API, got ${got}`);
}

/** Parses a response; undefined if it is not a list of members. */
function membersIn(body: string): MemberStatus[] | undefined {
  let members: unknown;
  try {
    members = parseJson(body);
  } catch {
    return undefined;
  }
  const counts = ['index', 'signed', 'certificates', 'missedLast', 'invalid'] as const;
  const isMember = (one: Partial<MemberStatus> | null): boolean =>
    typeof one === 'object' &&
    one !== null &&
    typeof one.weight === 'string' &&
    /^\d{1,19}$/.test(one.weight) &&
    counts.every((name) => Number.isInteger(one[name]));
  return Array.isArray(members) && members.every(isMember) ? (members as MemberStatus[]) : undefined;
}
