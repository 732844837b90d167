import { isIP } from 'node:net';
import type { ListedEntry, RegistryTerms, Transport } from '@tutti/transports';
import { type CertificateForm, type JoinGroupOptions, joinGroup } from '@tutti/transports/certificates';
import { openSignedLog } from '@tutti/transports/raw';
import type { Bls } from '@tutti/wasm-bls';
import type { Context } from '../context.ts';
import { listenAt, untilAborted } from '../live/httpServer.ts';
import type { Identity } from '../node/identity.ts';
import { certifierMetrics } from '../node/metrics.ts';
import { grouped } from '../numbers.ts';
import { PatientOutput } from '../output/patientOutput.ts';
import { inScope } from '../scope.ts';
import { UsageError } from '../usageError.ts';
import { certifierDoor, doorServer } from './httpDoor.ts';
import { type HttpPlace, placeText } from './httpPlace.ts';
import { KeptFolder } from './keptFolder.ts';
import { WatchedLog } from './watchedLog.ts';

/** Maximum number of certificates, in memory and in the folder. */
const mostKept = 1024;

export interface CertifierPlan {
  readonly bls: Bls;
  /** The registry, checked. */
  readonly entries: readonly ListedEntry[];
  readonly terms: RegistryTerms;
  readonly identity: Identity;
  /** Opens the transport of the identity's entry. */
  readonly openTransport: () => Promise<Transport>;
  readonly http: HttpPlace;
  /** Host names that programs call the server by, besides IP addresses, `localhost` and the machine's own. */
  readonly names: readonly string[];
  readonly token: string | undefined;
  /** Form of certificates where a request names none. */
  readonly form: CertificateForm;
  /** Whether to sign what others ask for. */
  readonly approvesAll: boolean;
  /** Whether nothing is signed without a height. */
  readonly needsHeight: boolean;
  readonly beacon: Uint8Array | undefined;
  /** File of the signed log. */
  readonly signedLog: string;
  /** A folder in which certificates are kept. */
  readonly keptFolder: string;
}

/** The steps of a start that open something. A test has each fail in turn. */
export const startSteps = {
  openFolder: (path: string): KeptFolder => new KeptFolder(path, mostKept),
  openLog: openSignedLog,
  join: joinGroup,
  metricsOf: certifierMetrics,
  listen: listenAt,
};

/** @throws UsageError where programs of other machines would reach the HTTP API and need no token. */
export function requireToken(place: HttpPlace, token: string | undefined): void {
  if (place.path !== undefined || token !== undefined) return;
  const { host } = place;
  const isLocal = host === 'localhost' || host === '::1' || (isIP(host) === 4 && host.startsWith('127.'));
  if (!isLocal)
    throw new UsageError(`--http: expected a loopback address, got ${host}; with --token-file any address will do`);
}

/** Signs whatever other members ask for; with `needsHeight` only what comes with a height. */
export function approveAll(needsHeight: boolean): NonNullable<JoinGroupOptions['approve']> {
  return (_bytes, _from, height) => !needsHeight || height !== undefined;
}

/**
 * Certifies what is posted until it is told to end. Everything that it opens is closed when it returns or throws.
 *
 * @throws WorldError as the steps of the start do.
 */
export function runCertifier(plan: CertifierPlan, { err, signal }: Context, steps = startSteps): Promise<void> {
  const { bls, entries, identity, http, token, form, beacon, needsHeight, names } = plan;
  const { secretKey, networkSecret } = identity.secrets;
  const registry = { entries, ...plan.terms };
  return inScope(async (scope) => {
    const folder = steps.openFolder(plan.keptFolder);
    const transport = scope.own(await plan.openTransport(), (one) => one.close());
    const log = scope.own(new WatchedLog(steps.openLog(plan.signedLog), plan.signedLog, err), (one) => one.close());
    const group = await steps.join({
      registry,
      key: { secretKey, networkSecret },
      kernel: bls,
      transport,
      signedLog: log,
      kept: folder.all(),
      mostKept,
      ...(beacon === undefined ? {} : { beacon }),
      ...(plan.approvesAll ? { approve: approveAll(needsHeight) } : {}),
    });
    // The group closes both with itself.
    for (const taken of [transport, log]) scope.handOver(taken);
    scope.own(group, (one) => one.close());
    const output = new PatientOutput(plan.keptFolder, 'documents', { lines: 0, documents: 0 }, err);
    group.on('certificate', (one) => output.attempt(() => folder.keep(one)));
    const metrics = steps.metricsOf(group);
    const answer = certifierDoor({
      ...{ group, registry, kernel: bls, form, token, metrics, needsHeight },
      failure: () => log.failure(),
    });
    const server = scope.own(await steps.listen(http, answer, { ...doorServer, names }), (one) => one.close());
    if (!needsHeight) err(unprotected);
    err(
      `node ${group.index} of ${grouped(entries.length)}: certificates at ${placeText(http, server.port)}/certificates\n`,
    );
    await untilAborted(signal);
  });
}

const unprotected =
  'tutti: a request without ?height=N is not protected: two messages of one height may both be signed; --require-height refuses such requests\n';
