import { isIP } from 'node:net';
import type { CertificateForm, ListedRegistry } from '@tutti/certificates';
import { type JoinGroupOptions, joinGroup } from '@tutti/certificates/groups';
import { openSignedLog } from '@tutti/certificates/log';
import type { Transport } from '@tutti/transports';
import type { Bls } from '@tutti/wasm-bls';
import { type Context, inScope, UsageError, untilAborted } from '../context.ts';
import { listenAt, type ServerPlace } from '../live/httpServer.ts';
import { placeText } from '../node/addressFlags.ts';
import type { Identity } from '../node/identity.ts';
import { certifierMetrics } from '../node/metrics.ts';
import { PatientOutput } from '../output/patientOutput.ts';
import { grouped } from '../output/text.ts';
import { apiServer, certifierApi } from './httpApi.ts';
import { CertificateFolder, WatchedLog } from './memberFiles.ts';

/** Maximum number of certificates in memory, and also in the folder. */
const maxStored = 1024;

/**
 * Messages from other members that a member signs. `asked`: only messages that a client asked this member to sign.
 * `all`: all messages except successions. `successions`: all messages including successions, so that one member can
 * have the registry replaced.
 */
export const approvedMessages = ['asked', 'all', 'successions'] as const;
type ApprovedMessages = (typeof approvedMessages)[number];

/** Plan of {@link runCertifier}. */
export interface CertifierPlan {
  readonly bls: Bls;
  /** Registry whose entries have been checked. */
  readonly registry: ListedRegistry;
  readonly identity: Identity;
  /** Opens the transport for the registry entry of the identity. */
  readonly openTransport: () => Promise<Transport>;
  readonly http: ServerPlace;
  /**
   * Host names by which programs reach the server, in addition to IP addresses, `localhost` and the machine's own
   * names.
   */
  readonly names: readonly string[];
  readonly token: string | undefined;
  /** Certificate form for requests that name none. */
  readonly form: CertificateForm;
  /** Messages from other members that this member signs without a request from a client. */
  readonly approves: ApprovedMessages;
  /** True if the member signs only statements with a height. */
  readonly needsHeight: boolean;
  readonly beacon: Uint8Array | undefined;
  /** Path of the signed log. */
  readonly signedLog: string;
  /** Folder for certificates. */
  readonly certificateFolder: string;
}

/** Returns the callbacks with which the group approves messages and successions from other members. */
export function approvals(
  approves: ApprovedMessages,
  needsHeight: boolean,
): Pick<JoinGroupOptions, 'approve' | 'approveSuccession'> {
  if (approves === 'asked') return {};
  const approve: JoinGroupOptions['approve'] = (_bytes, _from, height) => !needsHeight || height !== undefined;
  return approves === 'all' ? { approve } : { approve, approveSuccession: () => true };
}

/** Steps that can fail when a member starts, in addition to the plan's `openTransport`. */
export const startSteps = {
  openFolder: (path: string): CertificateFolder => new CertificateFolder(path, maxStored),
  openLog: openSignedLog,
  join: joinGroup,
  metricsOf: certifierMetrics,
  listen: listenAt,
};

/**
 * Requires a token if programs on other machines can reach the HTTP API.
 *
 * @throws UsageError if no token is given.
 */
export function requireToken(place: ServerPlace, token: string | undefined): void {
  if (place.path !== undefined || token !== undefined) return;
  const { host } = place;
  const isLocal = host === 'localhost' || host === '::1' || (isIP(host) === 4 && host.startsWith('127.'));
  if (!isLocal)
    throw new UsageError(`--http: expected a loopback address, got ${host}; use --token-file to allow any address`);
}

/** Warning from a member that signs statements without a height. */
const unprotected =
  'tutti: a request without ?height=N has no protection against signing two messages for the same height; use --require-height to refuse such requests\n';

/**
 * Certifies posted messages until the signal is aborted. All resources are closed when the promise settles.
 *
 * @param steps steps of the start, which tests replace.
 * @throws EnvironmentError, as the steps of the start throw it.
 */
export function runCertifier(plan: CertifierPlan, { err, signal }: Context, steps = startSteps): Promise<void> {
  const { bls, registry, identity, http, token, form, beacon, needsHeight, names } = plan;
  const { secretKey, networkSecret } = identity.secrets;
  return inScope(async (scope) => {
    const folder = steps.openFolder(plan.certificateFolder);
    const transport = scope.own(await plan.openTransport(), (one) => one.close());
    const log = scope.own(new WatchedLog(steps.openLog(plan.signedLog), plan.signedLog, err), (one) => one.close());
    const group = await steps.join({
      registry,
      key: { secretKey, networkSecret },
      kernel: bls,
      transport,
      signedLog: log,
      stored: folder.all(),
      maxStored,
      ...(beacon === undefined ? {} : { beacon }),
      ...approvals(plan.approves, needsHeight),
    });
    // The group closes the transport and the log.
    for (const taken of [transport, log]) scope.handOver(taken);
    scope.own(group, (one) => one.close());
    const output = new PatientOutput(plan.certificateFolder, 'documents', { lines: 0, documents: 0 }, err);
    group.on('certificate', (one) => output.attempt(() => folder.keep(one)));
    const metrics = steps.metricsOf(group);
    const answer = certifierApi({
      group,
      registry,
      kernel: bls,
      form,
      token,
      metrics,
      needsHeight,
      failure: () => log.failure(),
    });
    const server = scope.own(await steps.listen(http, answer, { ...apiServer, names }), (one) => one.close());
    if (!needsHeight) err(unprotected);
    err(
      `node ${group.index} of ${grouped(registry.entries.length)}: serving certificates at ${placeText(http, server.port)}/certificates\n`,
    );
    await untilAborted(signal);
  });
}
