import { isIP } from 'node:net';
import type { ListedEntry, Transport } from '@tutti/transports';
import { joinGroup } from '@tutti/transports/certificates';
import { openSignedLog } from '@tutti/transports/raw';
import type { Bls } from '@tutti/wasm-bls';
import type { Context } from '../context.ts';
import { listenHttp } from '../live/httpServer.ts';
import type { Identity } from '../node/identity.ts';
import { grouped } from '../numbers.ts';
import { UsageError } from '../usageError.ts';
import { certifierDoor } from './httpDoor.ts';

/** Where a node certifies messages that are posted to it. */
export interface HttpPlace {
  readonly host: string;
  readonly port: number;
}

export interface CertifierPlan {
  readonly bls: Bls;
  /** The registry, checked. */
  readonly entries: readonly ListedEntry[];
  readonly identity: Identity;
  /** Taken over. */
  readonly transport: Transport;
  readonly http: HttpPlace;
  readonly token: string | undefined;
  /** Whether to sign what others ask for. */
  readonly approvesAll: boolean;
  readonly beacon: Uint8Array | undefined;
  /** Where what was signed is remembered. */
  readonly signedLog: string;
}

/** @throws UsageError where programs of other machines would reach the door and need no token. */
export function requireToken({ host }: HttpPlace, token: string | undefined): void {
  const isLocal = host === 'localhost' || host === '::1' || (isIP(host) === 4 && host.startsWith('127.'));
  if (!isLocal && token === undefined)
    throw new UsageError(`--http: expected a loopback address, got ${host}; with --token-file any address will do`);
}

/** Certifies what is posted until it is told to end. */
export async function runCertifier(plan: CertifierPlan, { err, signal }: Context): Promise<void> {
  const { bls, entries, identity, transport, http, token, beacon } = plan;
  const { secretKey, networkSecret } = identity.secrets;
  const group = await joinGroup({
    registry: { entries },
    key: { secretKey, networkSecret },
    kernel: bls,
    transport,
    signedLog: openSignedLog(plan.signedLog),
    ...(beacon === undefined ? {} : { beacon }),
    ...(plan.approvesAll ? { approve: () => true } : {}),
  });
  try {
    const server = await listenHttp(http.host, http.port, certifierDoor(group, token));
    err(
      `node ${group.index} of ${grouped(entries.length)}: certificates at http://${http.host}:${server.port}/certificates\n`,
    );
    if (!signal.aborted) await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
    await server.close();
  } finally {
    await group.close();
  }
}
