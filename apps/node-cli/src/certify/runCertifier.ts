import { isIP } from 'node:net';
import type { ListedRegistry, Transport } from '@tutti/transports';
import { type CertificateForm, type JoinGroupOptions, joinGroup } from '@tutti/transports/certificates';
import { openSignedLog } from '@tutti/transports/raw';
import type { Bls } from '@tutti/wasm-bls';
import type { Context } from '../context.ts';
import { listenAt } from '../live/httpServer.ts';
import type { Identity } from '../node/identity.ts';
import { certifierMetrics } from '../node/metrics.ts';
import { grouped } from '../numbers.ts';
import { PatientOutput } from '../output/patientOutput.ts';
import { UsageError } from '../usageError.ts';
import { certifierDoor } from './httpDoor.ts';
import { type HttpPlace, placeText } from './httpPlace.ts';
import { KeptFolder } from './keptFolder.ts';

/** In memory, and in the folder. */
const mostKept = 1024;

/**
 * Messages of other members that a member signs: those that it is asked for itself, also all others but successions, or
 * also those, by which one member can have the registry replaced.
 */
export const approvedMessages = ['asked', 'all', 'successions'] as const;
export type ApprovedMessages = (typeof approvedMessages)[number];

export interface CertifierPlan {
  readonly bls: Bls;
  /** The registry, checked. */
  readonly registry: ListedRegistry;
  readonly identity: Identity;
  /** Taken over. */
  readonly transport: Transport;
  readonly http: HttpPlace;
  readonly token: string | undefined;
  /** In which certificates are given where a request names none. */
  readonly form: CertificateForm;
  /** What to sign that others ask for, without being asked here too. */
  readonly approves: ApprovedMessages;
  readonly beacon: Uint8Array | undefined;
  /** Where what was signed is remembered. */
  readonly signedLog: string;
  /** A folder in which certificates are kept. */
  readonly keptFolder: string;
}

/** What a group asks about messages of other members. */
export function approvals(approves: ApprovedMessages): Pick<JoinGroupOptions, 'approve' | 'approveSuccession'> {
  const yes = (): boolean => true;
  if (approves === 'asked') return {};
  return approves === 'all' ? { approve: yes } : { approve: yes, approveSuccession: yes };
}

/** @throws UsageError where programs of other machines would reach the door and need no token. */
export function requireToken(place: HttpPlace, token: string | undefined): void {
  if (place.path !== undefined || token !== undefined) return;
  const { host } = place;
  const isLocal = host === 'localhost' || host === '::1' || (isIP(host) === 4 && host.startsWith('127.'));
  if (!isLocal)
    throw new UsageError(`--http: expected a loopback address, got ${host}; with --token-file any address will do`);
}

/** Certifies what is posted until it is told to end. */
export async function runCertifier(plan: CertifierPlan, { err, signal }: Context): Promise<void> {
  const { bls, registry, identity, transport, http, token, form, beacon } = plan;
  const { secretKey, networkSecret } = identity.secrets;
  const folder = new KeptFolder(plan.keptFolder, mostKept);
  const output = new PatientOutput(plan.keptFolder, 'documents', { lines: 0, documents: 0 }, err);
  const group = await joinGroup({
    registry,
    key: { secretKey, networkSecret },
    kernel: bls,
    transport,
    signedLog: openSignedLog(plan.signedLog),
    kept: folder.all(),
    mostKept,
    ...(beacon === undefined ? {} : { beacon }),
    ...approvals(plan.approves),
  });
  group.on('certificate', (one) => output.attempt(() => folder.keep(one)));
  try {
    const metrics = certifierMetrics(group);
    const server = await listenAt(http, certifierDoor({ group, registry, kernel: bls, form, token, metrics }));
    err(
      `node ${group.index} of ${grouped(registry.entries.length)}: certificates at ${placeText(http, server.port)}/certificates\n`,
    );
    if (!signal.aborted) await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
    await server.close();
  } finally {
    await group.close();
  }
}
